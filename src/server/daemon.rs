//! What all requests share: the book, the solver pool, what has been solved.

use super::answers::{Answers, Open, Question, Verdict};
use super::metrics::Metrics;
use super::pool::Pool;
use super::problem::Problem;
use crate::board::Size;
use crate::book::{Book, ChecksumError, FormatError, Provenance, Section, VERSION, ValueKind};
use crate::oracle::{BookBytes, DEFAULT_BOOK, Unanswered};
use crate::solver::{Limits, TableError, TranspositionTable};
use arc_swap::ArcSwap;
use quick_cache::sync::Cache;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Where the book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// The book in the program.
    Embedded,
    /// A file, read into memory; read again on a reload.
    File(PathBuf),
    /// No book: everything is solved, on boards of this size.
    Solver(Size),
}

/// How the daemon solves what the book does not have.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Number of threads.
    pub threads: usize,
    /// The most positions that wait for a thread.
    pub queue: usize,
    /// How long a request waits for the solver.
    pub deadline: Duration,
    /// The most nodes for a position and for each of its moves.
    pub max_nodes: Option<u64>,
    /// Size of the transposition table in bytes.
    pub table_bytes: usize,
    /// How many solved positions are kept.
    pub cache: usize,
}

impl Default for SolverOptions {
    /// Two threads, 64 waiting positions, 10 seconds.
    fn default() -> Self {
        SolverOptions {
            threads: 2,
            queue: 64,
            deadline: Duration::from_secs(10),
            max_nodes: None,
            table_bytes: 128 << 20,
            cache: 10_000,
        }
    }
}

/// Why there is no daemon, or no new book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read the book '{}'", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is no book.
    #[error("cannot use '{}' as a book", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is not right.
        source: FormatError,
    },
    /// A section of the book is damaged.
    #[error("cannot use '{}' as a book", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Which section is damaged.
        source: ChecksumError,
    },
    /// The book is for another board than the daemon serves.
    #[error(
        "expected a book for {expected} boards, found one for {found}; start another server for it"
    )]
    Size {
        /// The board served.
        expected: Size,
        /// The board of the book.
        found: Size,
    },
    /// There was no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The system gave no thread.
    #[error("cannot start the solver threads; choose fewer")]
    Threads(#[source] io::Error),
}

/// A book as the daemon uses it, and what has been solved beside it.
pub(super) struct Loaded {
    pub(super) answers: Box<dyn Answers>,
    pub(super) info: BookInfo,
    /// Tells this book's work from another's in the pool.
    generation: u64,
    /// Verdicts of searches, by canonical key.
    solved: Cache<u64, Arc<Verdict>>,
}

/// What `/v1/book` says.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BookInfo {
    /// Whether there is a book at all.
    loaded: bool,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Version of this program.
    program_version: &'static str,
    #[serde(flatten)]
    header: Option<BookHeader>,
}

/// What the header of the loaded book says.
#[derive(Clone, Debug, Serialize)]
struct BookHeader {
    file: Option<String>,
    bytes: usize,
    format_version: u32,
    identity: String,
    depth: u32,
    values: ValueKind,
    provenance: Provenance,
    sections: Vec<Section>,
}

impl BookInfo {
    fn of(size: Size, book: Option<&Book<BookBytes>>, file: Option<&Path>) -> Self {
        let header = book.map(|book| BookHeader {
            file: file.map(|path| path.display().to_string()),
            bytes: book.bytes().len(),
            format_version: VERSION,
            identity: format!("{:08x}", book.identity()),
            depth: book.depth(),
            values: book.kind(),
            provenance: book.provenance().clone(),
            sections: book.sections().to_vec(),
        });
        BookInfo {
            loaded: header.is_some(),
            width: size.width(),
            height: size.height(),
            program_version: env!("CARGO_PKG_VERSION"),
            header,
        }
    }

    /// The identity of the book, or that there is none.
    pub(super) fn identity(&self) -> &str {
        self.header.as_ref().map_or("none", |header| &header.identity)
    }

    fn depth(&self) -> String {
        self.header.as_ref().map_or("none".to_owned(), |header| header.depth.to_string())
    }
}

/// A verdict, and how long it took to solve if it was solved for this question.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) verdict: Verdict,
    pub(super) took: Option<Duration>,
}

type Solved = Result<Arc<Verdict>, Arc<Unanswered>>;

/// What all requests share. Make the routes over it with [`router`](super::router).
pub struct Daemon {
    source: BookSource,
    size: Size,
    loaded: ArcSwap<Loaded>,
    table: Arc<TranspositionTable>,
    pool: Pool<(u64, u64), Solved>,
    options: SolverOptions,
    generations: AtomicU64,
    stopping: AtomicBool,
    pub(super) metrics: Arc<Metrics>,
}

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daemon").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Loads the book and starts the solver's threads.
    ///
    /// # Errors
    ///
    /// If the book is bad, or memory or threads cannot be had.
    pub fn new(source: BookSource, options: SolverOptions) -> Result<Self, LoadError> {
        let book = read(&source)?;
        let size = match (&source, &book) {
            (_, Some(book)) => book.size(),
            (BookSource::Solver(size), None) => *size,
            (_, None) => Size::STANDARD,
        };
        let table = Arc::new(TranspositionTable::new(options.table_bytes)?);
        let metrics = Arc::new(Metrics::new());
        let pool = Pool::new(options.threads, options.queue, Arc::clone(&metrics))
            .map_err(LoadError::Threads)?;
        let loaded = Loaded::new(&source, size, book, &table, options.cache, 0)?;
        let daemon = Daemon {
            source,
            size,
            loaded: ArcSwap::from_pointee(loaded),
            table,
            pool,
            options,
            generations: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            metrics,
        };
        daemon.note_book();
        Ok(daemon)
    }

    /// The board served.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The identity of the loaded book, eight hexadecimal digits, or `none`.
    #[must_use]
    pub fn identity(&self) -> String {
        self.loaded.load().info.identity().to_owned()
    }

    /// Reads the book again and answers from it from now on. Requests under way
    /// keep the old one. Every byte is checked first.
    ///
    /// # Errors
    ///
    /// If the book is bad or for another board; then the old one stays.
    pub fn reload(&self) -> Result<(), LoadError> {
        let loaded = self.load_again();
        let counter = match &loaded {
            Ok(_) => &self.metrics.reloads,
            Err(_) => &self.metrics.failed_reloads,
        };
        counter.inc();
        self.loaded.store(Arc::new(loaded?));
        self.note_book();
        Ok(())
    }

    fn load_again(&self) -> Result<Loaded, LoadError> {
        let book = read(&self.source)?;
        let generation = self.generations.fetch_add(1, Ordering::Relaxed) + 1;
        Loaded::new(&self.source, self.size, book, &self.table, self.options.cache, generation)
    }

    fn note_book(&self) {
        let info = &self.loaded.load().info;
        self.metrics.loaded(self.size.to_string(), info.identity().to_owned(), info.depth());
    }

    /// Says from now on that the server is not ready, so that no new clients come.
    pub fn begin_stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the server is stopping.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Cancels all searches and waits for the solver's threads.
    pub fn stop(&self) {
        self.begin_stop();
        self.pool.stop();
    }

    /// The book and what belongs to it, as it is now.
    pub(super) fn loaded(&self) -> Arc<Loaded> {
        self.loaded.load_full()
    }

    /// Until when a request that begins now waits for the solver.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.options.deadline
    }

    /// Number of the solver's threads.
    pub(super) fn solver_threads(&self) -> usize {
        self.options.threads
    }

    /// The verdict on a position: from the book, from an earlier search, or from the solver.
    ///
    /// # Errors
    ///
    /// If it has to be searched and that cannot be done now or in time.
    pub(super) async fn answer(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        deadline: Instant,
    ) -> Result<Answered, Problem> {
        let answered = self.find(loaded, question, deadline).await;
        match &answered {
            Ok(answered) => self.metrics.answer(answered.verdict.source),
            Err(problem) if problem.is_unsolved() => {
                self.metrics.unsolved.inc();
            }
            Err(_) => {}
        }
        answered
    }

    async fn find(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        deadline: Instant,
    ) -> Result<Answered, Problem> {
        if let Some(verdict) = loaded.answers.look_up(question) {
            return Ok(Answered { verdict, took: None });
        }
        let turned = |verdict: &Verdict| match question.key == question.canonical_key {
            true => verdict.clone(),
            false => verdict.clone().mirrored(),
        };
        if let Some(verdict) = loaded.solved.get(&question.canonical_key) {
            self.metrics.cached.inc();
            return Ok(Answered { verdict: turned(&verdict), took: None });
        }
        let start = Instant::now();
        let solved = self.solve(loaded, question, deadline).await?;
        let verdict = solved.map_err(|unanswered| Problem::from(&*unanswered))?;
        Ok(Answered { verdict: turned(&verdict), took: Some(start.elapsed()) })
    }

    /// Has the pool solve a position, or waits for who does it already.
    async fn solve(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        deadline: Instant,
    ) -> Result<Solved, Problem> {
        let max_nodes = self.options.max_nodes;
        let (nodes, work) = (self.metrics.nodes.clone(), Arc::clone(loaded));
        let task = move |cancel| {
            let limits = Limits { max_nodes, deadline: None, cancel: Some(cancel) };
            let verdict = Arc::new(work.answers.solve(question, &limits)?);
            nodes.inc_by(verdict.nodes);
            work.solved.insert(question.canonical_key, Arc::clone(&verdict));
            Ok(verdict)
        };
        let key = (loaded.generation, question.canonical_key);
        let mut ticket = self.pool.submit(key, move |cancel| task(cancel).map_err(Arc::new))?;
        match tokio::time::timeout_at(deadline.into(), ticket.result()).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(Problem::unsolved("the time that this server gives a request")),
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Loaded {
    fn new(
        source: &BookSource,
        size: Size,
        book: Option<Book<BookBytes>>,
        table: &Arc<TranspositionTable>,
        cache: usize,
        generation: u64,
    ) -> Result<Self, LoadError> {
        let file = match source {
            BookSource::File(path) => Some(path.as_path()),
            BookSource::Embedded | BookSource::Solver(_) => None,
        };
        let info = BookInfo::of(size, book.as_ref(), file);
        let open = Open { book, table: Arc::clone(table) };
        let answers = size
            .dispatch(open)
            .map_err(|wrong| LoadError::Size { expected: wrong.asked, found: wrong.book })?;
        Ok(Loaded { answers, info, generation, solved: Cache::new(cache) })
    }
}

/// Reads the book, if there is one, into memory, where nobody can cut it short as
/// they could a mapped file, and checks every byte of it.
fn read(source: &BookSource) -> Result<Option<Book<BookBytes>>, LoadError> {
    let path = match source {
        BookSource::Solver(_) => return Ok(None),
        BookSource::Embedded => {
            let book = Book::from_bytes(BookBytes::Embedded(DEFAULT_BOOK));
            let path = PathBuf::from("(the book in the program)");
            return book.map(Some).map_err(|source| LoadError::Format { path, source });
        }
        BookSource::File(path) => path,
    };
    let bytes =
        std::fs::read(path).map_err(|source| LoadError::Read { path: path.clone(), source })?;
    let book = Book::from_bytes(BookBytes::Loaded(bytes))
        .map_err(|source| LoadError::Format { path: path.clone(), source })?;
    for section in book.sections() {
        book.check_section(section)
            .map_err(|source| LoadError::Checksum { path: path.clone(), source })?;
    }
    Ok(Some(book))
}
