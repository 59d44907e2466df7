//! The tables of a search, one for each level of a computer's memory.
//!
//! The later the ply, the more positions there are and the less work is lost with
//! each. So late plies have a small table that stays in a core's own cache, and
//! early ones a large one in main memory, where every look is as dear as a node. A
//! third one between them stays in the cache that the cores share.

use super::narrow::NarrowTable;
use super::wide::WideTable;
use super::{SearchWord, Table, TableError};
use crate::board::Size;

/// Bytes of the table for late plies: it fits a core's own cache.
const LATE_BYTES: usize = 1 << 20;
/// Bytes of the table for middle plies, which come between: it fits the cache of all cores.
/// More plies in it are searched again where they are met long after, as in a whole book.
const MIDDLE_BYTES: usize = 16 << 20;
/// A table for early plies of fewer bytes does for middle plies as well.
const LARGE_BYTES: usize = 16 * MIDDLE_BYTES;
/// Cells that are empty in the first late ply.
const LATE_CELLS: u32 = 18;
/// Cells that are empty in the first middle ply.
const MIDDLE_CELLS: u32 = 20;

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
    tables: AnyWord,
}

#[derive(Debug)]
enum AnyWord {
    Narrow(Shared<u64>),
    Wide(Shared<u128>),
}

/// The tables that all threads share.
#[derive(Debug)]
pub(in crate::solver) struct Shared<B: SearchWord> {
    early: B::Table,
    /// Beside a large table only.
    middle: Option<B::Table>,
}

impl<B: SearchWord> Shared<B> {
    fn new(bytes: usize) -> Result<Self, TableError> {
        let early = B::Table::new(bytes)?;
        let large = early.bytes() >= LARGE_BYTES;
        let middle = large.then(|| B::Table::new(MIDDLE_BYTES)).transpose()?;
        Ok(Shared { early, middle })
    }
}

impl TranspositionTable {
    /// The smallest table, in bytes.
    pub const MIN_BYTES: usize = {
        let (narrow, wide) = (NarrowTable::MIN_BYTES, WideTable::MIN_BYTES);
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
        let tables = if size.is_narrow() {
            AnyWord::Narrow(Shared::new(bytes)?)
        } else {
            AnyWord::Wide(Shared::new(bytes)?)
        };
        Ok(TranspositionTable { size, tables })
    }

    /// The boards it is for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Size in bytes; 16 MiB that a table of 256 MiB or more has beside it for
    /// middle plies are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.tables {
            AnyWord::Narrow(tables) => tables.early.bytes(),
            AnyWord::Wide(tables) => tables.early.bytes(),
        }
    }

    pub(super) fn narrow(&self) -> &Shared<u64> {
        match &self.tables {
            AnyWord::Narrow(tables) => tables,
            AnyWord::Wide(_) => panic!("a table for boards of {} has wide keys", self.size),
        }
    }

    pub(super) fn wide(&self) -> &Shared<u128> {
        match &self.tables {
            AnyWord::Wide(tables) => tables,
            AnyWord::Narrow(_) => panic!("a table for boards of {} has narrow keys", self.size),
        }
    }
}

/// The table for late plies that each thread has for itself.
pub(in crate::solver) fn late<B: SearchWord>() -> Result<B::Table, TableError> {
    B::Table::new(LATE_BYTES)
}

/// The tables of one search.
#[derive(Debug)]
pub(in crate::solver) struct Levels<'a, B: SearchWord> {
    early: &'a B::Table,
    middle: &'a B::Table,
    late: &'a B::Table,
    middle_from: u32,
    late_from: u32,
}

impl<'a, B: SearchWord> Levels<'a, B> {
    pub(in crate::solver) fn new(size: Size, shared: &'a Shared<B>, late: &'a B::Table) -> Self {
        Levels {
            early: &shared.early,
            middle: shared.middle.as_ref().unwrap_or(&shared.early),
            late,
            middle_from: size.cells().saturating_sub(MIDDLE_CELLS),
            late_from: size.cells().saturating_sub(LATE_CELLS),
        }
    }

    /// The table for positions of this ply.
    #[inline(always)]
    pub(in crate::solver) fn of_ply(&self, ply: u32) -> &'a B::Table {
        if ply >= self.late_from {
            self.late
        } else if ply >= self.middle_from {
            self.middle
        } else {
            self.early
        }
    }
}
