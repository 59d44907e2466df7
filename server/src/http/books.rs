//! The books of all boards served: their sources, reading them, and the loaded ones.

use super::options::ServerOptions;
use arc_swap::ArcSwap;
use fourbook::book::BookError;
use fourbook::solver::{Searches, TableError, TranspositionTable};
use fourbook::text::listed;
use fourbook::{Book, Oracle, Size, with_causes};
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
    /// No book: everything is solved, on boards of this size.
    Solver(Size),
}

/// The book that a source has for a board, if it has one, and the name of its file, if it comes from
/// one.
type Offer = (Option<Book>, Option<String>);

/// The books of a source, by their boards.
type Offers = BTreeMap<Size, Offer>;

impl BookSource {
    /// Opens its books.
    pub(super) fn open(&self) -> Result<Offers, LoadError> {
        Ok(match self {
            BookSource::Embedded => {
                let book = |size| (size, (Book::embedded_for(size), None));
                Book::embedded_sizes().map(book).collect()
            }
            BookSource::Solver(size) => Offers::from([(*size, (None, None))]),
            BookSource::Path(path) => {
                let skipped = &mut |error| tracing::warn!("skipped: {}", with_causes(&error));
                let books = Book::open_deepest_of_each_size(path, skipped)?.into_iter();
                let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
                books.map(|(path, book)| (book.size(), (Some(book), name(&path)))).collect()
            }
        })
    }

    /// Whether it has books for many boards, and another source may have a book for one of them.
    fn has_many(&self) -> bool {
        match self {
            BookSource::Embedded => true,
            BookSource::Path(path) => path.is_dir(),
            BookSource::Solver(_) => false,
        }
    }

    /// Its name in errors.
    fn name(&self) -> String {
        match self {
            BookSource::Embedded => "the books in the program".to_owned(),
            BookSource::Path(path) => format!("'{}'", path.display()),
            BookSource::Solver(_) => "the solver alone".to_owned(),
        }
    }
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
    /// There is no book for the default board, or when books are read again, for a board served.
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
    /// The number of its source.
    source: usize,
    pub(super) oracle: Oracle,
    /// The name of the book's file, if it comes from one. Clients don't see the folder.
    pub(super) file: Option<String>,
    /// The identity of the book, or that there is none.
    pub(super) identity: String,
}

impl Loaded {
    /// Checks every byte of the book.
    fn new(
        source: usize,
        (book, file): Offer,
        table: Arc<TranspositionTable>,
    ) -> Result<Self, LoadError> {
        book.as_ref().map_or(Ok(()), Book::check_sections)?;
        let identity =
            book.as_ref().map_or("none".to_owned(), |it| format!("{:08x}", it.identity()));
        let oracle = Oracle::sharing(book.map(Arc::new), table);
        Ok(Loaded { source, oracle, file, identity })
    }

    /// Reads the book for this board again, from the `opened` sources.
    pub(super) fn reload(
        &self,
        opened: &mut [Result<Offers, Arc<LoadError>>],
    ) -> Result<Arc<Self>, Arc<LoadError>> {
        let (source, expected) = (self.source, self.size());
        let offers = opened[source].as_mut().map_err(|error| Arc::clone(error))?;
        let Some(offer) = offers.get_mut(&expected).map(std::mem::take) else {
            let found = offers.keys().copied().collect();
            return Err(LoadError::OtherSizes { expected, found }.into());
        };
        Ok(Arc::new(Loaded::new(source, offer, Arc::clone(self.oracle.table()))?))
    }

    /// The board that it answers for.
    pub(super) fn size(&self) -> Size {
        self.oracle.size()
    }

    /// Names its book, if there is one, in the keys of jobs and solved positions.
    pub(super) fn key(&self) -> Option<u32> {
        self.oracle.book().map(Book::identity)
    }
}

/// Reads the books of sources. Returns the books by size, and the size of requests without one.
/// The default board may use half of the memory for tables, the others the rest in even parts. Idle
/// threads can help the `searches` of all boards.
pub(super) fn load(
    sources: &[BookSource],
    options: &ServerOptions,
    searches: &Arc<Searches>,
) -> Result<(BTreeMap<Size, ArcSwap<Loaded>>, Size), LoadError> {
    let mut by_precedence: Vec<_> = sources.iter().enumerate().collect();
    by_precedence.sort_by_key(|(_, source)| source.has_many());
    let (mut found, mut default) = (BTreeMap::new(), options.default_size);
    for (number, source) in by_precedence {
        let offers = source.open()?;
        if number == 0 {
            let usual = [Size::STANDARD].into_iter().filter(|size| offers.contains_key(size));
            default = default.or_else(|| usual.chain(offers.keys().copied()).next());
        }
        for (size, offer) in offers {
            match found.entry(size) {
                Entry::Vacant(free) => drop(free.insert((number, offer))),
                Entry::Occupied(_) if source.has_many() => {}
                Entry::Occupied(first) => {
                    let (first, second) = (sources[first.get().0].name(), source.name());
                    return Err(LoadError::SameSize { size, first, second });
                }
            }
        }
    }
    let expected = default.expect("the first source has books");
    if !found.contains_key(&expected) {
        let found = found.into_keys().collect();
        return Err(LoadError::OtherSizes { expected, found });
    }
    let others = found.len() - 1;
    let mut boards = BTreeMap::new();
    for (size, (source, offer)) in found {
        let searches = Arc::clone(searches);
        let table_bytes = match (others, size == expected) {
            (0, _) => options.table_bytes,
            (_, true) => options.table_bytes / 2,
            _ => options.table_bytes / 2 / others,
        };
        let table = TranspositionTable::with_searches(size, table_bytes, searches)?;
        let loaded = Loaded::new(source, offer, Arc::new(table))?;
        boards.insert(size, ArcSwap::from_pointee(loaded));
    }
    Ok((boards, expected))
}
