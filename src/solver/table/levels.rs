//! The tables of a search, one for each level of a computer's memory.
//!
//! The later the ply, the more positions there are and the less work is lost with
//! each. So late plies have a small table that stays in a core's own cache, and
//! early ones a large one in main memory, where every look is as dear as a node. A
//! third one between them stays in the cache that the cores share.

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

/// The tables that all threads share.
#[derive(Debug)]
pub(in crate::solver) struct Tables<B: SearchWord> {
    early: B::Table,
    /// Beside a large table only.
    middle: Option<B::Table>,
}

impl<B: SearchWord> Tables<B> {
    pub(in crate::solver) fn new(bytes: usize) -> Result<Self, TableError> {
        let early = B::Table::new(bytes)?;
        let large = early.bytes() >= LARGE_BYTES;
        let middle = large.then(|| B::Table::new(MIDDLE_BYTES)).transpose()?;
        Ok(Tables { early, middle })
    }

    /// Size in bytes, without those for middle plies.
    pub(in crate::solver) fn bytes(&self) -> usize {
        self.early.bytes()
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
    pub(in crate::solver) fn new(size: Size, shared: &'a Tables<B>, late: &'a B::Table) -> Self {
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
