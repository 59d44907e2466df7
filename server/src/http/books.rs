//! The books of all boards served: their sources, reading them, and the loaded ones.

use super::metrics::Metrics;
use super::options::ServerOptions;
use super::problem::Problem;
use arc_swap::ArcSwap;
use fourbook::book::BookError;
use fourbook::oracle::OracleError;
use fourbook::solver::{Searches, TableError, TranspositionTable};
use fourbook::text::listed;
use fourbook::{Book, Oracle, Size, Strategy, with_causes};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// The books in the program.
    Embedded,
    /// A file, or a folder: of each board size that it has books for, the deepest one, as
    /// [`Book::open_deepest`] chooses. Read again on a reload. Replace a file by rename: of books
    /// from 256 MiB on, not all is kept in memory.
    Path(PathBuf),
}

/// The book that a source has for a board, and the name of its file, if it comes from one. Without a
/// book once it is taken.
type Offer = (Option<Book>, Option<String>);

/// The books of a source, by their boards.
type Offers = BTreeMap<Size, Offer>;

impl BookSource {
    /// Opens its books.
    pub(super) fn open(&self) -> Result<Offers, LoadError> {
        Ok(match self {
            BookSource::Embedded => Book::embedded_sizes()
                .map(|size| (size, (Book::embedded_for(size), None)))
                .collect(),
            BookSource::Path(path) => {
                let skipped = &mut |error| tracing::warn!("skipped: {}", with_causes(&error));
                let books = Book::open_deepest_of_each_size(path, skipped)?.into_iter();
                let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
                books.map(|(path, book)| (book.size(), (Some(book), name(&path)))).collect()
            }
        })
    }

    /// Whether it has books for many boards, and another source may have a book for one of them.
    pub(super) fn has_many(&self) -> bool {
        match self {
            BookSource::Embedded => true,
            BookSource::Path(path) => path.is_dir(),
        }
    }

    /// Its name in errors.
    fn name(&self) -> String {
        match self {
            BookSource::Embedded => "the books in the program".to_owned(),
            BookSource::Path(path) => format!("'{}'", path.display()),
        }
    }
}

/// The strategies of each board.
pub(super) type Strategies = BTreeMap<Size, Vec<Strategy>>;

/// Opens the strategies that are named, and for other boards those in the program, if its books are a
/// source.
pub(super) fn open_strategies(
    sources: &[BookSource],
    options: &ServerOptions,
) -> Result<Strategies, LoadError> {
    let mut strategies = Strategies::new();
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

/// Why the server cannot start, or has no new book.
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
    /// When books are read again, there is none for a board served.
    #[error("expected a book for {expected} boards, found books for {}", listed(found, "and"))]
    OtherSizes {
        /// The board.
        expected: Size,
        /// The boards that there are books for.
        found: Vec<Size>,
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
    /// The number of its book's source, if it has a book.
    pub(super) source: Option<usize>,
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
        source: Option<usize>,
        (book, file): Offer,
        table: Arc<TranspositionTable>,
        strategies: Vec<Strategy>,
    ) -> Result<Self, LoadError> {
        book.as_ref().map_or(Ok(()), Book::check_sections)?;
        let mut identity =
            book.as_ref().map_or("none".to_owned(), |it| format!("{:08x}", it.identity()));
        for strategy in &strategies {
            identity += &format!("-{:08x}", strategy.identity());
        }
        let oracle = Oracle::sharing(book.map(Arc::new), table);
        let oracle = oracle.with_strategies(strategies).map_err(LoadError::Strategy)?;
        Ok(Loaded { source, oracle, file, identity: identity.into() })
    }

    /// Reads the book for this board again, from the `opened` sources.
    pub(super) fn reload(
        &self,
        opened: &mut [Result<Offers, Arc<LoadError>>],
        strategies: &Result<Strategies, Arc<LoadError>>,
    ) -> Result<Arc<Self>, Arc<LoadError>> {
        let expected = self.size();
        let strategies = strategies.as_ref().map_err(Arc::clone)?;
        let strategies = strategies.get(&expected).cloned().unwrap_or_default();
        let mut offer = Offer::default();
        if let Some(source) = self.source {
            let offers = opened[source].as_mut().map_err(|error| Arc::clone(error))?;
            let Some(found) = offers.get_mut(&expected) else {
                let found = offers.keys().copied().collect();
                return Err(LoadError::OtherSizes { expected, found }.into());
            };
            offer = std::mem::take(found);
        }
        let table = Arc::clone(self.oracle.table());
        Ok(Arc::new(Loaded::new(self.source, offer, table, strategies)?))
    }

    /// The board that it answers for.
    pub(super) fn size(&self) -> Size {
        self.oracle.size()
    }
}

/// The boards served.
pub(super) struct Boards {
    /// Those with a book or a strategy, and the default one.
    pub(super) loaded: BTreeMap<Size, ArcSwap<Loaded>>,
    /// The size of requests without one.
    pub(super) default_size: Size,
    /// All others that the solver may be asked for.
    pub(super) solver_sizes: Vec<Size>,
    /// Boards of these, from the one that was asked for longest ago to the last one.
    recent: Mutex<Vec<Arc<Loaded>>>,
    searches: Arc<Searches>,
    /// The most memory for the table of each board but the default one.
    table_bytes: usize,
}

/// The most boards of the solver that have a table at a time.
const RECENT: usize = 4;

impl Boards {
    /// Returns the book of a board. A board of the solver gets a table when it is asked for, in place
    /// of the one that was asked for longest ago.
    pub(super) fn get(&self, size: Size, metrics: &Metrics) -> Result<Arc<Loaded>, Problem> {
        if let Some(board) = self.loaded.get(&size) {
            return Ok(board.load_full());
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
                    return Err(Problem::too_many_boards());
                };
                recent.remove(unused);
            }
            let searches = Arc::clone(&self.searches);
            let table = TranspositionTable::with_searches(size, self.table_bytes, searches);
            let table = table.map_err(OracleError::from)?;
            let loaded = Loaded::new(None, Offer::default(), Arc::new(table), Vec::new());
            recent.push(Arc::new(loaded.expect("no book and no strategy is bad")));
        }
        Ok(Arc::clone(recent.last().expect("the board is the last one")))
    }
}

/// Reads the books of sources, and the strategies. The default board may use half of the memory for
/// tables, the others the rest in even parts. Idle threads can help the `searches` of all boards.
pub(super) fn load(
    sources: &[BookSource],
    options: &ServerOptions,
    searches: &Arc<Searches>,
) -> Result<Boards, LoadError> {
    let is_served = |size: &Size| {
        options.sizes.is_empty()
            || options.sizes.contains(size)
            || options.default_size == Some(*size)
    };
    let mut by_precedence: Vec<_> = sources.iter().enumerate().collect();
    by_precedence.sort_by_key(|(_, source)| source.has_many());
    let mut found: BTreeMap<Size, (Option<usize>, Offer)> = BTreeMap::new();
    let mut default = options.default_size;
    for (number, source) in by_precedence {
        let mut offers = source.open()?;
        if number == 0 && !source.has_many() {
            default = default.or_else(|| offers.keys().copied().next());
        }
        offers.retain(|size, _| is_served(size) || default == Some(*size));
        if number == 0 {
            let usual = [Size::STANDARD].into_iter().filter(|size| offers.contains_key(size));
            default = default.or_else(|| usual.chain(offers.keys().copied()).next());
        }
        for (size, offer) in offers {
            match found.entry(size) {
                Entry::Vacant(free) => drop(free.insert((Some(number), offer))),
                Entry::Occupied(_) if source.has_many() => {}
                Entry::Occupied(first) => {
                    let first = first.get().0.expect("all books so far have a source");
                    let first = sources[first].name();
                    let second = source.name();
                    return Err(LoadError::SameSize { size, first, second });
                }
            }
        }
    }
    let default_size = default.or_else(|| options.sizes.first().copied()).unwrap_or(Size::STANDARD);
    let mut strategies = open_strategies(sources, options)?;
    strategies.retain(|size, _| is_served(size) || *size == default_size);
    for size in strategies.keys().copied().chain([default_size]) {
        found.entry(size).or_default();
    }
    let solver_sizes: Vec<Size> =
        Size::all().filter(|size| is_served(size) && !found.contains_key(size)).collect();
    let others = found.len() - 1 + solver_sizes.len().min(RECENT);
    let table_bytes = options.table_bytes / 2 / others.max(1);
    let default_bytes = if others == 0 { options.table_bytes } else { options.table_bytes / 2 };
    let table = |size, bytes| TranspositionTable::with_searches(size, bytes, Arc::clone(searches));
    let mut loaded = BTreeMap::new();
    for (size, (source, offer)) in found {
        let bytes = if size == default_size { default_bytes } else { table_bytes };
        let strategies = strategies.remove(&size).unwrap_or_default();
        let board = Loaded::new(source, offer, Arc::new(table(size, bytes)?), strategies)?;
        loaded.insert(size, ArcSwap::from_pointee(board));
    }
    let searches = Arc::clone(searches);
    let recent = Mutex::default();
    Ok(Boards { loaded, default_size, solver_sizes, recent, searches, table_bytes })
}
