//! The tables of a search, one for each level of a computer's memory.
//!
//! The later the ply, the more positions there are and the less work is lost with
//! each. So late plies have a small table that stays in a core's own cache, and
//! early ones a large one in main memory, where every look is as dear as a node. A
//! third one between them stays in the cache that the cores share.

use super::table::{Table, TableError};
use crate::board::Geometry;

/// Bytes of the table for late plies: it fits a core's own cache.
const LATE_BYTES: usize = 1 << 20;
/// Bytes of the table for middle plies, which come between: it fits the cache of all cores.
/// More plies in it are searched again where they are met long after, as in a whole book.
const MIDDLE_BYTES: usize = 16 << 20;
/// A table for early plies of fewer bytes does for middle plies as well.
const LARGE_BYTES: usize = 16 * MIDDLE_BYTES;

/// A transposition table: what searches have proved about positions, shared by
/// all threads that search.
///
/// ```
/// use fourbook::solver::TranspositionTable;
/// let table = TranspositionTable::new(16 << 20)?;
/// assert_eq!(table.bytes(), 16 << 20);
/// # Ok::<(), fourbook::solver::TableError>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    early: Table,
    /// Beside a large table only.
    middle: Option<Table>,
}

impl TranspositionTable {
    /// The smallest table, in bytes.
    pub const MIN_BYTES: usize = Table::MIN_BYTES;

    /// An empty table of the largest power of two of bytes that is at most
    /// `bytes`, and at least [`MIN_BYTES`](Self::MIN_BYTES). Memory is used as
    /// the table fills.
    ///
    /// # Errors
    ///
    /// If the system does not give the memory.
    pub fn new(bytes: usize) -> Result<Self, TableError> {
        let early = Table::new(bytes)?;
        let large = early.bytes() >= LARGE_BYTES;
        let middle = large.then(|| Table::new(MIDDLE_BYTES)).transpose()?;
        Ok(TranspositionTable { early, middle })
    }

    /// Size in bytes; 16 MiB that a table of 256 MiB or more has beside it for
    /// middle plies are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.early.bytes()
    }
}

/// The table for late plies that each thread has for itself.
pub(super) fn late() -> Result<Table, TableError> {
    Table::new(LATE_BYTES)
}

/// The tables of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<'a> {
    early: &'a Table,
    middle: &'a Table,
    late: &'a Table,
}

impl<'a> Tables<'a> {
    pub(super) fn new(shared: &'a TranspositionTable, late: &'a Table) -> Self {
        let early = &shared.early;
        Tables { early, middle: shared.middle.as_ref().unwrap_or(early), late }
    }

    /// The table for positions of this ply.
    #[inline(always)]
    pub(super) fn of_ply<const W: usize, const H: usize>(&self, ply: u32) -> &'a Table {
        let cells = Geometry::<W, H>::CELLS;
        if ply >= cells.saturating_sub(18) {
            self.late
        } else if ply >= cells.saturating_sub(20) {
            self.middle
        } else {
            self.early
        }
    }
}
