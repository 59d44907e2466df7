//! The transposition table: what searches have already proved about positions.
//!
//! A table is shared by threads without locks, and never believes an entry that two
//! racing writes have mixed: [`narrow`] has one word an entry, for boards of up to 64
//! bits, [`wide`] several, for all others. [`tiers`] has a table for each tier of a
//! computer's memory.

mod entry;
mod memory;
mod narrow;
#[cfg(test)]
mod tests;
mod tiers;
mod wide;

pub(super) use entry::{Bounds, TableWord};
pub(super) use memory::Table;
pub use memory::TableError;
pub(super) use tiers::{Tables, Tiers, late};

use super::parallel::searches::Searches;
use crate::board::Size;
use std::sync::Arc;

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
    pub(super) tables: Arc<Tables>,
    searches: Arc<Searches>,
}

impl TranspositionTable {
    /// The smallest table, in bytes.
    pub const MIN_BYTES: usize = Table::MIN_BYTES;

    /// The default size in bytes: 64 MiB.
    pub const DEFAULT_BYTES: usize = 64 << 20;

    /// An empty table for boards of a size, of the largest power of two of bytes that is
    /// at most `bytes`, and at least [`MIN_BYTES`](Self::MIN_BYTES). Memory is used as
    /// the table fills.
    ///
    /// # Errors
    ///
    /// If the system does not provide the memory.
    pub fn new(size: Size, bytes: usize) -> Result<Self, TableError> {
        Self::with_searches(size, bytes, Arc::default())
    }

    /// Like [`new`](Self::new), but idle threads that help `searches` help the searches over this
    /// table as well. Use it in programs with several tables and one pool of threads.
    ///
    /// # Errors
    ///
    /// If the system does not provide the memory.
    pub fn with_searches(
        size: Size,
        bytes: usize,
        searches: Arc<Searches>,
    ) -> Result<Self, TableError> {
        Ok(TranspositionTable { size, tables: Arc::new(Tables::new(bytes)?), searches })
    }

    /// The board size.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Size in bytes; up to 16 MiB that a table of 256 MiB or more has beside it for
    /// middle plies are not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tables.early.bytes
    }

    /// About how many bytes are in use once the table holds `factor` times as many entries as now,
    /// if it may grow so far.
    #[cfg(feature = "generate")]
    pub(crate) fn bytes_with(&self, factor: f64) -> f64 {
        self.tables.bytes_with(factor)
    }

    /// The searches over this table that idle threads can help.
    #[must_use]
    pub fn searches(&self) -> &Arc<Searches> {
        &self.searches
    }
}
