//! Cells by numbers, as texts have them.

use super::{Size, Word, column_name};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A cell by its numbers in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellNumber {
    /// The column, from 1.
    pub column: usize,
    /// The row, from 1 at the bottom.
    pub row: usize,
}

impl fmt::Display for CellNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, row {}", column_name(self.column - 1), self.row)
    }
}

impl CellNumber {
    /// The cells of a bitboard, column by column, from the bottom.
    pub fn of_all(size: Size, cells: u128) -> Vec<CellNumber> {
        let places = cells.cells().map(|cell| u128::geometry(size).place_of(cell));
        places.map(|(column, row)| CellNumber { column: column + 1, row: row + 1 }).collect()
    }
}
