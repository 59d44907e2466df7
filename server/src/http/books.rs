//! The books of all boards served: their sources, reading them, and the loaded ones.

use super::metrics::Metrics;
use super::options::ServerOptions;
use super::problem::Problem;
use fourbook::book::BookError;
use fourbook::oracle::OracleError;
use fourbook::solver::{Searches, TableError, TranspositionTable};
use fourbook::{Book, Oracle, Size, Strategy, ValueKind, with_causes};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// The built-in books.
    Embedded,
    /// A file, or a folder: of each board size that it has books for, the deepest one, as
    /// [`Book::open_deepest`] chooses. Read again on a reload. Replace a file by rename: of books
    /// from 256 MiB on, not all is kept in memory.
    Path(PathBuf),
}

impl BookSource {
    /// Opens its books. A bad file of a folder is skipped, unless an `old` book came from it.
    fn open(&self, old: Option<&Boards>) -> Result<Vec<(Book, Option<PathBuf>)>, LoadError> {
        match self {
            BookSource::Embedded => {
                let books = Book::embedded_sizes().filter_map(Book::embedded_for);
                Ok(books.map(|book| (book, None)).collect())
            }
            BookSource::Path(path) => {
                let mut bad = None;
                let books = Book::open_deepest_of_each_size(path, &mut |error| {
                    if old.is_some_and(|old| old.has_book_of(&error)) {
                        bad = Some(error);
                    } else {
                        tracing::warn!("skipped: {}", with_causes(&error));
                    }
                });
                if let Some(error) = bad {
                    return Err(error.into());
                }
                Ok(books?.into_iter().map(|(path, book)| (book, Some(path))).collect())
            }
        }
    }

    /// Whether it has books for many boards, and another source may have a book for one of them.
    fn has_many(&self) -> bool {
        match self {
            BookSource::Embedded => true,
            BookSource::Path(path) => path.is_dir(),
        }
    }

    /// Its name in errors.
    fn name(&self) -> String {
        match self {
            BookSource::Embedded => "the built-in books".to_owned(),
            BookSource::Path(path) => format!("'{}'", path.display()),
        }
    }
}

/// Opens the named strategies, and for other boards the strategies in the program, if its books are a
/// source.
fn open_strategies(
    sources: &[BookSource],
    options: &ServerOptions,
) -> Result<BTreeMap<Size, Vec<Strategy>>, LoadError> {
    let mut strategies = BTreeMap::<_, Vec<_>>::new();
    for path in &options.strategies {
        let strategy = Strategy::open(path).map_err(LoadError::Strategy)?;
        strategies.entry(strategy.size()).or_default().push(strategy);
    }
    if sources.contains(&BookSource::Embedded) {
        for size in Size::all() {
            strategies.entry(size).or_insert_with(|| Strategy::embedded_for(size));
        }
    }
    strategies.retain(|_, strategies| !strategies.is_empty());
    Ok(strategies)
}

/// Why the server cannot start, or keeps its old books.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file is no book or damaged, or a folder has no book for the board.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A strategy cannot be used.
    #[error(transparent)]
    Strategy(BookError),
    /// Two books are for the same board.
    #[error("expected one book for {size} boards, found two: {first} and {second}; leave one out")]
    SameSize {
        /// The board.
        size: Size,
        /// The source of the first book.
        first: String,
        /// The source of the second book.
        second: String,
    },
    /// There was no memory for the transposition tables.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The system provided no thread.
    #[error("cannot start the solver threads; choose fewer")]
    Threads(#[source] io::Error),
}

/// A loaded book of the daemon.
pub(super) struct Loaded {
    pub(super) oracle: Oracle,
    /// The name of the book's file, if it comes from one. Clients don't see the folder.
    pub(super) file: Option<String>,
    /// The identity of the book, or that there is none, and those of the strategies. It is in the keys
    /// of jobs and solved positions.
    pub(super) identity: Arc<str>,
}

impl Loaded {
    /// Checks every byte of the book.
    fn new(
        book: Option<Book>,
        path: Option<PathBuf>,
        table: Arc<TranspositionTable>,
        strategies: Vec<Strategy>,
    ) -> Result<Arc<Self>, LoadError> {
        let mut identity = "none".to_owned();
        if let Some(book) = &book {
            book.check_sections()?;
            identity = format!("{:08x}", book.identity());
            if book.kind() == ValueKind::WinDrawLoss {
                let size = book.size();
                let text = "the book has outcomes only, so the scores of wins and losses are solved; use another one";
                tracing::warn!(%size, "{text}");
            }
        }
        for strategy in &strategies {
            identity += &format!("-{:08x}", strategy.identity());
        }
        let oracle = Oracle::sharing(book.map(Arc::new), table);
        let oracle = oracle.with_strategies(strategies).map_err(LoadError::Strategy)?;
        let file = path.as_deref().and_then(Path::file_name);
        let file = file.map(|name| name.to_string_lossy().into_owned());
        Ok(Arc::new(Loaded { oracle, file, identity: identity.into() }))
    }

    /// The board that it answers for.
    pub(super) fn size(&self) -> Size {
        self.oracle.size()
    }
}

/// The boards served.
pub(super) struct Boards {
    /// Those with a book or a strategy, and the default one.
    pub(super) loaded: BTreeMap<Size, Arc<Loaded>>,
    /// The size of requests without one.
    pub(super) default_size: Size,
    /// All others that the solver may be asked for.
    pub(super) solver_sizes: Vec<Size>,
    /// Boards of these, from the one that was asked for longest ago to the last one.
    recent: Mutex<Vec<Arc<Loaded>>>,
    pub(super) searches: Arc<Searches>,
    /// The most memory for the table of each board but the default one.
    table_bytes: usize,
}

/// The most boards of the solver that have a table at a time.
const RECENT: usize = 4;

impl Boards {
    /// Whether one of the books came from the file that an error is about.
    fn has_book_of(&self, error: &BookError) -> bool {
        let (BookError::File { path, .. } | BookError::Io { path, .. }) = error else {
            return false;
        };
        let name = path.file_name().map(|name| name.to_string_lossy());
        self.loaded.values().any(|loaded| loaded.file.as_deref() == name.as_deref())
    }

    /// Returns the book of a board. A board of the solver gets a table when it is asked for, in place
    /// of the one that was asked for longest ago.
    pub(super) fn get(&self, size: Size, metrics: &Metrics) -> Result<Arc<Loaded>, Problem> {
        if let Some(board) = self.loaded.get(&size) {
            return Ok(Arc::clone(board));
        }
        if !self.solver_sizes.contains(&size) {
            let served: Vec<_> = self.loaded.keys().chain(&self.solver_sizes).collect();
            return Err(Problem::unknown_size(size, &served));
        }
        let mut recent = self.recent.lock();
        if let Some(place) = recent.iter().position(|loaded| loaded.size() == size) {
            recent[place..].rotate_left(1);
        } else {
            if recent.len() >= RECENT {
                // A table in use would stay in memory.
                let unused = recent.iter().position(|loaded| Arc::strong_count(loaded) == 1);
                let Some(unused) = unused else {
                    metrics.refused("boards");
                    return Err(Problem::overload(
                        "too many boards without a book are being solved",
                    ));
                };
                recent.remove(unused);
            }
            let searches = Arc::clone(&self.searches);
            let table = TranspositionTable::with_searches(size, self.table_bytes, searches);
            let table = table.map_err(OracleError::from)?;
            let loaded = Loaded::new(None, None, Arc::new(table), Vec::new());
            recent.push(loaded.expect("no book and no strategy is bad"));
        }
        Ok(Arc::clone(recent.last().expect("the board is the last one")))
    }
}

/// Reads the books of sources, and the strategies. The default board may use half of the memory for
/// tables, the others the rest in even parts. Idle threads can help the `searches` of all boards. The
/// default board stays that of the `old` ones, and while there are books for the same boards, these keep
/// their tables.
pub(super) fn load(
    sources: &[BookSource],
    options: &ServerOptions,
    searches: &Arc<Searches>,
    old: Option<&Boards>,
) -> Result<Boards, LoadError> {
    let mut default = old.map(|old| old.default_size).or(options.default_size);
    let is_served = |size: Size, default: Option<Size>| {
        options.sizes.is_empty() || options.sizes.contains(&size) || default == Some(size)
    };
    let mut by_precedence: Vec<_> = sources.iter().collect();
    by_precedence.sort_by_key(|source| source.has_many());
    let mut found = BTreeMap::new();
    for source in by_precedence {
        let books = source.open(old)?;
        if source == &sources[0] {
            let sizes = books.iter().map(|(book, _)| book.size());
            let sizes = sizes.filter(|&size| books.len() == 1 || is_served(size, default));
            default = default.or(sizes.min_by_key(|&size| (size != Size::STANDARD, size)));
        }
        for (book, path) in books {
            let size = book.size();
            match found.entry(size) {
                Entry::Vacant(free) if is_served(size, default) => {
                    free.insert((source, Some(book), path));
                }
                Entry::Occupied(first) if !source.has_many() => {
                    let first = first.get().0.name();
                    let second = source.name();
                    return Err(LoadError::SameSize { size, first, second });
                }
                _ => {}
            }
        }
    }
    let mut books: BTreeMap<_, _> =
        found.into_iter().map(|(size, (_, book, path))| (size, (book, path))).collect();
    let default_size = default.or_else(|| options.sizes.first().copied()).unwrap_or_default();
    let mut strategies = open_strategies(sources, options)?;
    strategies.retain(|&size, _| is_served(size, Some(default_size)));
    for size in strategies.keys().copied().chain([default_size]) {
        books.entry(size).or_default();
    }
    let solver_sizes: Vec<Size> = Size::all()
        .filter(|&size| is_served(size, Some(default_size)) && !books.contains_key(&size))
        .collect();
    let old = old.filter(|old| old.loaded.keys().eq(books.keys()));
    let others = books.len() - 1 + solver_sizes.len().min(RECENT);
    let table_bytes = options.table_bytes / 2 / others.max(1);
    let default_bytes = if others == 0 { options.table_bytes } else { options.table_bytes / 2 };
    let mut loaded = BTreeMap::new();
    for (size, (book, path)) in books {
        let bytes = if size == default_size { default_bytes } else { table_bytes };
        let table = match old {
            Some(old) => Arc::clone(old.loaded[&size].oracle.table()),
            None => TranspositionTable::with_searches(size, bytes, Arc::clone(searches))?.into(),
        };
        let strategies = strategies.remove(&size).unwrap_or_default();
        loaded.insert(size, Loaded::new(book, path, table, strategies)?);
    }
    let recent = old.map(|old| old.recent.lock().clone()).unwrap_or_default();
    let searches = Arc::clone(searches);
    let recent = Mutex::new(recent);
    Ok(Boards { loaded, default_size, solver_sizes, recent, searches, table_bytes })
}
