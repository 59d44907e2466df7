//! What solvers of one board share.

use super::parallel::searches::{HelperTables, Searches};
use super::table::{SearchWord, Table, TableError, Tables};
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
    tables: AnyWord,
    searches: Arc<Searches>,
}

#[derive(Debug)]
enum AnyWord {
    Narrow(Tables<u64>),
    Wide(Tables<u128>),
}

/// A word for whose boards solvers can share a table.
pub(super) trait SharedWord: SearchWord {
    /// The tables for boards of this word.
    ///
    /// # Panics
    ///
    /// If the table is for boards of the other word.
    fn tables(table: &TranspositionTable) -> &Tables<Self>;

    /// The table for late plies of a thread that helps.
    fn late(tables: &mut HelperTables) -> &mut Option<Self::Table>;
}

impl SharedWord for u64 {
    fn tables(table: &TranspositionTable) -> &Tables<Self> {
        match &table.tables {
            AnyWord::Narrow(tables) => tables,
            AnyWord::Wide(_) => panic!("a table for boards of {} has wide keys", table.size),
        }
    }

    fn late(tables: &mut HelperTables) -> &mut Option<Self::Table> {
        &mut tables.narrow
    }
}

impl SharedWord for u128 {
    fn tables(table: &TranspositionTable) -> &Tables<Self> {
        match &table.tables {
            AnyWord::Wide(tables) => tables,
            AnyWord::Narrow(_) => panic!("a table for boards of {} has narrow keys", table.size),
        }
    }

    fn late(tables: &mut HelperTables) -> &mut Option<Self::Table> {
        &mut tables.wide
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

    /// The size of a table that nobody has chosen: 64 MiB.
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

    /// As [`new`](Self::new); idle threads that help `searches` help those over this table as
    /// well. For programs with several tables and one [`TaskQueue`](super::TaskQueue).
    ///
    /// # Errors
    ///
    /// If the system does not provide the memory.
    pub fn with_searches(
        size: Size,
        bytes: usize,
        searches: Arc<Searches>,
    ) -> Result<Self, TableError> {
        let tables = if size.is_narrow() {
            AnyWord::Narrow(Tables::new(bytes)?)
        } else {
            AnyWord::Wide(Tables::new(bytes)?)
        };
        Ok(TranspositionTable { size, tables, searches })
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
        match &self.tables {
            AnyWord::Narrow(tables) => tables.bytes(),
            AnyWord::Wide(tables) => tables.bytes(),
        }
    }

    /// The searches over this table that idle threads can help.
    #[must_use]
    pub fn searches(&self) -> &Arc<Searches> {
        &self.searches
    }
}
