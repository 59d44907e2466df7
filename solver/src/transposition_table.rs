//! The transposition table of a program, and the searches over it.

use crate::board::Size;
use crate::parallel::searches::Searches;
use crate::table::{Table, TableError, Tables};
use std::sync::Arc;

/// A transposition table: what searches have proved about the positions of one board,
/// shared by all threads that search.
///
/// ```
/// use fourbook_solver::Size;
/// use fourbook_solver::TranspositionTable;
/// let table = TranspositionTable::new(Size::STANDARD, 16 << 20)?;
/// assert_eq!(table.bytes(), 16 << 20);
/// # Ok::<(), fourbook_solver::TableError>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    size: Size,
    pub(crate) tables: Arc<Tables>,
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
    pub fn size(&self) -> Size {
        self.size
    }

    /// Size in bytes; up to 16 MiB that a table of 256 MiB or more has beside it for
    /// middle plies are not counted.
    pub fn bytes(&self) -> usize {
        self.tables.early.bytes
    }

    /// About how many bytes are in use once the table holds `factor` times as many entries as now,
    /// if it may grow so far.
    pub fn bytes_with(&self, factor: f64) -> f64 {
        self.tables.bytes_with(factor)
    }

    /// The searches over this table that idle threads can help.
    pub fn searches(&self) -> &Arc<Searches> {
        &self.searches
    }
}
