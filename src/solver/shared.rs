//! What solvers of one board share: what they have proved, and who needs help.

use super::joint::OpenSearches;
use super::table::{SearchWord, Table, TableError, Tables};
use crate::board::Size;

/// A transposition table: what searches have proved about the positions of one board,
/// shared by all threads that search.
///
/// ```
/// use fourbook::Size;
/// use fourbook::solver::TranspositionTable;
/// let table = TranspositionTable::new(Size::STANDARD, 16 << 20)?;
/// assert_eq!(table.bytes(), 16 << 20);
/// # Ok::<(), fourbook::solver::TableError>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    size: Size,
    shared: AnyWord,
}

#[derive(Debug)]
enum AnyWord {
    Narrow(Shared<u64>),
    Wide(Shared<u128>),
}

/// What solvers share, for boards of one word.
#[derive(Debug)]
pub(super) struct Shared<B: SearchWord> {
    pub(super) tables: Tables<B>,
    /// Searches that take long.
    pub(super) searches: OpenSearches<B>,
}

impl<B: SearchWord> Shared<B> {
    fn new(bytes: usize) -> Result<Self, TableError> {
        Ok(Shared { tables: Tables::new(bytes)?, searches: OpenSearches::default() })
    }
}

/// A word for whose boards solvers can share a table.
pub(super) trait SharedWord: SearchWord {
    /// What solvers with this table share.
    ///
    /// # Panics
    ///
    /// If they are for boards of another word.
    fn shared(table: &TranspositionTable) -> &Shared<Self>;
}

impl SharedWord for u64 {
    fn shared(table: &TranspositionTable) -> &Shared<Self> {
        table.narrow()
    }
}

impl SharedWord for u128 {
    fn shared(table: &TranspositionTable) -> &Shared<Self> {
        table.wide()
    }
}

impl TranspositionTable {
    /// The smallest table, in bytes.
    pub const MIN_BYTES: usize = {
        let narrow = <u64 as SearchWord>::Table::MIN_BYTES;
        let wide = <u128 as SearchWord>::Table::MIN_BYTES;
        assert!(narrow == wide);
        narrow
    };

    /// An empty table for boards of a size, of the largest power of two of bytes that is
    /// at most `bytes`, and at least [`MIN_BYTES`](Self::MIN_BYTES). Memory is used as
    /// the table fills.
    ///
    /// # Errors
    ///
    /// If the system does not give the memory.
    pub fn new(size: Size, bytes: usize) -> Result<Self, TableError> {
        let shared = if size.is_narrow() {
            AnyWord::Narrow(Shared::new(bytes)?)
        } else {
            AnyWord::Wide(Shared::new(bytes)?)
        };
        Ok(TranspositionTable { size, shared })
    }

    /// The boards it is for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Size in bytes; up to 16 MiB that a table of 256 MiB or more has beside it for
    /// middle plies are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.shared {
            AnyWord::Narrow(shared) => shared.tables.bytes(),
            AnyWord::Wide(shared) => shared.tables.bytes(),
        }
    }

    fn narrow(&self) -> &Shared<u64> {
        match &self.shared {
            AnyWord::Narrow(shared) => shared,
            AnyWord::Wide(_) => panic!("a table for boards of {} has wide keys", self.size),
        }
    }

    fn wide(&self) -> &Shared<u128> {
        match &self.shared {
            AnyWord::Wide(shared) => shared,
            AnyWord::Narrow(_) => panic!("a table for boards of {} has narrow keys", self.size),
        }
    }

    /// Has helpers look at what they were to leave for; see
    /// [`Solver::help`](super::Solver::help).
    pub fn wake_helpers(&self) {
        match &self.shared {
            AnyWord::Narrow(shared) => shared.searches.wake(),
            AnyWord::Wide(shared) => shared.searches.wake(),
        }
    }
}
