//! What all requests share: the book, the solver pool, what has been solved.

use super::answer::{SearchKey, Solved};
use super::books::{BookInfo, BookSource, LoadError, ReadBook};
use super::metrics::Metrics;
use super::pool::{Pastime, Pool};
use arc_swap::ArcSwap;
use fourbook::oracle::Knowledge;
use fourbook::solver::TranspositionTable;
use fourbook::{Oracle, Size, ValueKind};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How the daemon solves what the book does not have.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Number of threads.
    pub threads: usize,
    /// The most positions that wait for a thread.
    pub queue: usize,
    /// How long a request waits for the solver.
    pub deadline: Duration,
    /// The most nodes for a position, its moves included.
    pub max_nodes: Option<u64>,
    /// Size of the transposition table in bytes.
    pub table_bytes: usize,
    /// How many solved positions are kept.
    pub cache: usize,
}

impl SolverOptions {
    /// Two threads, 64 waiting positions, 10 seconds.
    pub const DEFAULT: SolverOptions = SolverOptions {
        threads: 2,
        queue: 64,
        deadline: Duration::from_secs(10),
        max_nodes: None,
        table_bytes: 128 << 20,
        cache: 10_000,
    };
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions::DEFAULT
    }
}

/// A book as the daemon uses it, and what has been solved beside it.
pub(super) struct Loaded {
    pub(super) oracle: Oracle,
    pub(super) info: BookInfo,
    /// Tells this book's work from another's in the pool.
    pub(super) generation: u64,
    /// What searches have found of canonical positions, by their keys.
    pub(super) solved: Cache<u128, Arc<Knowledge>>,
}

/// What all requests share. Make the routes over it with [`router`](super::router).
pub struct Daemon {
    source: BookSource,
    size: Size,
    loaded: ArcSwap<Loaded>,
    table: Arc<TranspositionTable>,
    pub(super) pool: Pool<SearchKey, Solved>,
    pub(super) options: SolverOptions,
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
        let read = source.read(None)?;
        let size = match (&source, &read) {
            (_, Some(read)) => read.book.size(),
            (BookSource::Solver(size), None) => *size,
            (_, None) => Size::STANDARD,
        };
        let table = Arc::new(TranspositionTable::new(size, options.table_bytes)?);
        let metrics = Arc::new(Metrics::new());
        let loaded = Loaded::new(size, read, &table, options.cache, 0)?;
        let helpers = Helpers { oracle: Oracle::sharing(None, Arc::clone(&table)) };
        let pool = Pool::new(options.threads, options.queue, helpers, Arc::clone(&metrics))
            .map_err(LoadError::Threads)?;
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
        let read = self.source.read(Some(self.size))?;
        let generation = self.generations.fetch_add(1, Ordering::Relaxed) + 1;
        Loaded::new(self.size, read, &self.table, self.options.cache, generation)
    }

    fn note_book(&self) {
        let info = &self.loaded.load().info;
        self.metrics.loaded(self.size.to_string(), info.identity().to_owned(), info.depth());
        if info.values() == Some(ValueKind::WinDrawLoss) {
            tracing::warn!("the book has no scores, so every position is solved; use another one");
        }
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

    /// Number of the solver's threads.
    pub(super) fn solver_threads(&self) -> usize {
        self.options.threads
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Has threads without work help the searches of others, which all share one table.
#[derive(Debug)]
struct Helpers {
    /// Without a book, which may be replaced.
    oracle: Oracle,
}

impl Pastime for Helpers {
    fn help(&self, leave: &AtomicBool) -> bool {
        self.oracle.help(leave).is_ok()
    }

    fn wake(&self) {
        self.oracle.table().wake_helpers();
    }
}

impl Loaded {
    fn new(
        size: Size,
        read: Option<ReadBook>,
        table: &Arc<TranspositionTable>,
        cache: usize,
        generation: u64,
    ) -> Result<Self, LoadError> {
        let found = read.as_ref().map_or(size, |read| read.book.size());
        if found != size {
            return Err(LoadError::Size { expected: size, found });
        }
        let info = BookInfo::of(size, read.as_ref());
        let oracle = Oracle::sharing(read.map(|read| Arc::new(read.book)), Arc::clone(table));
        Ok(Loaded { oracle, info, generation, solved: Cache::new(cache) })
    }
}
