//! The books of all boards served: their sources, reading them, and the loaded ones.

use arc_swap::ArcSwap;
use fourbook::book::BookError;
use fourbook::solver::{Searches, TableError, TranspositionTable};
use fourbook::{Book, Oracle, Size, with_causes};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where a book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// The book in the program.
    Embedded,
    /// A file, or a folder: of each board size that it has books for, the deepest one, as
    /// [`Book::open_deepest`] chooses. Read into memory; read and chosen again on a reload.
    Path(PathBuf),
    /// No book: everything is solved, on boards of this size.
    Solver(Size),
}

/// Where the books of a daemon come from, at most one for each board size.
///
/// A file takes precedence over a folder with a book for the same board, and an earlier folder over
/// later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookSources {
    /// At least one.
    pub sources: Vec<BookSource>,
    /// The default board of requests. If `None`, it is the board of the first source; for a folder
    /// with several sizes, 7x6, or else the smallest.
    pub default_size: Option<Size>,
}

impl From<BookSource> for BookSources {
    fn from(source: BookSource) -> Self {
        BookSources { sources: vec![source], default_size: None }
    }
}

/// A board, and the identity of its book if there is one.
pub(super) type BookKey = (Size, Option<u32>);

/// A book that has been read, and the name of its file, if it comes from one.
type ReadBook = (Book, Option<String>);

impl BookSources {
    /// Finds the source of each board size, and the default size: the one that a request without a
    /// size gets.
    fn find(
        &self,
        told: &mut BTreeSet<String>,
    ) -> Result<(BTreeMap<Size, BookSource>, Size), LoadError> {
        let mut found = BTreeMap::<Size, BookSource>::new();
        let is_folder =
            |source: &&BookSource| matches!(source, BookSource::Path(path) if path.is_dir());
        let (folders, others): (Vec<_>, Vec<_>) = self.sources.iter().partition(is_folder);
        for source in others.into_iter().chain(folders) {
            for size in source.sizes(told)? {
                if let Some(first) = found.get(&size).filter(|_| !is_folder(&source)) {
                    let [first, second] = [first, source].map(BookSource::name);
                    return Err(LoadError::SameSize { size, first, second });
                }
                found.entry(size).or_insert_with(|| source.clone());
            }
        }
        let default = match self.default_size {
            Some(size) => size,
            None => {
                let sizes = self.sources[0].sizes(told)?;
                if sizes.contains(&Size::STANDARD) { Size::STANDARD } else { sizes[0] }
            }
        };
        match found.contains_key(&default) {
            true => Ok((found, default)),
            false => {
                let found = found.into_keys().collect();
                Err(LoadError::OtherSizes { expected: default, found })
            }
        }
    }
}

impl BookSource {
    /// The boards that it has books for.
    fn sizes(&self, told: &mut BTreeSet<String>) -> Result<Vec<Size>, LoadError> {
        Ok(match self {
            BookSource::Embedded => vec![Size::STANDARD],
            BookSource::Path(folder) if folder.is_dir() => {
                let skipped = &mut |error| pass_over(&error, told);
                let books = Book::open_deepest_of_each_size(folder, skipped)?;
                books.iter().map(|(_, book)| book.size()).collect()
            }
            BookSource::Path(path) => vec![Book::open(path)?.size()],
            BookSource::Solver(size) => vec![*size],
        })
    }

    /// Opens the book for boards of a size, if there is one, and checks every byte of it.
    fn read(&self, size: Size, told: &mut BTreeSet<String>) -> Result<Option<ReadBook>, LoadError> {
        let read = match self {
            BookSource::Solver(_) => return Ok(None),
            BookSource::Embedded => (Book::embedded(), None),
            BookSource::Path(folder) if folder.is_dir() => {
                let skipped = &mut |error| pass_over(&error, told);
                open(&Book::open_deepest(folder, Some(size), skipped)?.0)?
            }
            BookSource::Path(path) => open(path)?,
        };
        match read.0.size() {
            found if found == size => Ok(Some(read)),
            found => Err(LoadError::Size { expected: size, found }),
        }
    }

    /// Its name in errors.
    fn name(&self) -> String {
        match self {
            BookSource::Embedded => "the book in the program".to_owned(),
            BookSource::Path(path) => format!("'{}'", path.display()),
            BookSource::Solver(_) => "the solver alone".to_owned(),
        }
    }
}

/// Warns of a file of a folder that is no book, once however many boards the folder has books for.
fn pass_over(error: &BookError, told: &mut BTreeSet<String>) {
    let text = with_causes(error);
    if !told.contains(&text) {
        tracing::warn!("skipped: {text}");
        told.insert(text);
    }
}

/// Opens a file and checks every byte of it.
fn open(path: &Path) -> Result<ReadBook, LoadError> {
    let book = Book::open(path)?;
    book.check_sections()?;
    Ok((book, path.file_name().map(|name| name.to_string_lossy().into_owned())))
}

/// Why the server cannot start, or has no new book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file is no book or damaged, or a folder has no book for the board.
    #[error(transparent)]
    Book(#[from] BookError),
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
    /// There is no book for the default board.
    #[error("expected a book for {expected} boards, found books for {}", list(found))]
    OtherSizes {
        /// The board.
        expected: Size,
        /// The boards that there are books for.
        found: Vec<Size>,
    },
    /// A book that has been read again is for another board.
    #[error(
        "expected a book for {expected} boards, found one for {found}; start the server again to \
         serve that"
    )]
    Size {
        /// The board served.
        expected: Size,
        /// The board of the book.
        found: Size,
    },
    /// There was no memory for the transposition tables.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The system provided no thread.
    #[error("cannot start the solver threads; choose fewer")]
    Threads(#[source] io::Error),
}

/// Sizes in a sentence.
pub(super) fn list(sizes: &[Size]) -> String {
    let sizes: Vec<String> = sizes.iter().map(Size::to_string).collect();
    sizes.join(" and ")
}

/// A loaded book of the daemon.
pub(super) struct Loaded {
    pub(super) oracle: Oracle,
    /// The name of the book's file, if it comes from one. Clients don't see the folder.
    pub(super) file: Option<String>,
    /// The identity of the book, or that there is none.
    pub(super) identity: String,
    /// Nodes of the oracle that have been counted.
    counted_nodes: AtomicU64,
}

impl Loaded {
    /// The board that it answers for.
    pub(super) fn size(&self) -> Size {
        self.oracle.size()
    }

    /// Names its board and book in the keys of jobs and solved positions.
    pub(super) fn key(&self) -> BookKey {
        (self.size(), self.oracle.book().map(Book::identity))
    }

    /// Nodes that searches have visited since the last call.
    pub(super) fn new_nodes(&self) -> u64 {
        let nodes = self.oracle.nodes();
        nodes.saturating_sub(self.counted_nodes.fetch_max(nodes, Ordering::Relaxed))
    }
}

/// The boards of one size.
pub(super) struct Served {
    source: BookSource,
    loaded: ArcSwap<Loaded>,
}

impl BookSources {
    /// Reads the books. Each board has an even part of `table_bytes` bytes for its table, which
    /// uses no more memory than it fills. Idle threads can help the `searches` of all boards. Also
    /// returns the size of requests without one.
    pub(super) fn open(
        &self,
        table_bytes: usize,
        searches: &Arc<Searches>,
    ) -> Result<(BTreeMap<Size, Served>, Size), LoadError> {
        let mut told = BTreeSet::new();
        let (found, default) = self.find(&mut told)?;
        let table_bytes = table_bytes / found.len();
        let mut boards = BTreeMap::new();
        for (size, source) in found {
            let read = source.read(size, &mut told)?;
            let searches = Arc::clone(searches);
            let table = TranspositionTable::with_searches(size, table_bytes, searches)?;
            let loaded = ArcSwap::from_pointee(Loaded::new(read, Arc::new(table)));
            boards.insert(size, Served { source, loaded });
        }
        Ok((boards, default))
    }
}

impl Served {
    /// The loaded book.
    pub(super) fn loaded(&self) -> Arc<Loaded> {
        self.loaded.load_full()
    }

    /// Reads the book for boards of this size again; where that fails, the old one stays.
    pub(super) fn reload(
        &self,
        size: Size,
        told: &mut BTreeSet<String>,
    ) -> Result<Arc<Loaded>, LoadError> {
        let read = self.source.read(size, told)?;
        let table = Arc::clone(self.loaded.load().oracle.table());
        let loaded = Arc::new(Loaded::new(read, table));
        self.loaded.store(Arc::clone(&loaded));
        Ok(loaded)
    }
}

impl Loaded {
    fn new(read: Option<ReadBook>, table: Arc<TranspositionTable>) -> Self {
        let (book, file) = read.unzip();
        let identity =
            book.as_ref().map_or("none".to_owned(), |it| format!("{:08x}", it.identity()));
        let oracle = Oracle::sharing(book.map(Arc::new), table);
        let file = file.flatten();
        Loaded { oracle, file, identity, counted_nodes: AtomicU64::new(0) }
    }
}
