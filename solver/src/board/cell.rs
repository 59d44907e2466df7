//! Cells of a board.

use super::{Size, Word, column_name};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;

/// A cell. Texts and JSON name its column and row from 1: `{"column":"4","row":"2"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The column, from 0.
    pub column: usize,
    /// The row, from 0 at the bottom.
    pub row: usize,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, row {}", column_name(self.column), self.row + 1)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut names = serializer.serialize_struct("Cell", 2)?;
        names.serialize_field("column", &column_name(self.column))?;
        names.serialize_field("row", &(self.row + 1).to_string())?;
        names.end()
    }
}

impl Cell {
    /// The cells of a bitboard, column by column, from the bottom.
    pub fn of_all(size: Size, cells: u128) -> Vec<Cell> {
        let places = cells.cells().map(|cell| u128::geometry(size).place_of(cell));
        places.map(|(column, row)| Cell { column, row }).collect()
    }
}
