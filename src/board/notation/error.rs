//! Why a text is no position, or a position cannot be written down.

use crate::board::{BoardError, MoveError, Size};
use crate::errors::count;

/// No game leads to a position, so it cannot be written as moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not reachable by play")]
pub struct NotReachable;

/// A text that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// It looks like no notation.
    #[error(
        "'{text}' looks like no notation of a position; expected moves like 4453, \
         a diagram of the letters X, O and '.', bitboards like [1, 2, 2], \
         rows:NUMBER:NUMBER or key:NUMBER"
    )]
    Unrecognised {
        /// The text, cut short if it is long.
        text: String,
    },
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The diagram is none.
    #[error(transparent)]
    Diagram(#[from] DiagramError),
    /// The text has not the form of its notation.
    #[error("'{text}' does not have the form {expected}")]
    Form {
        /// The text, cut short if it is long.
        text: String,
        /// The form.
        expected: &'static str,
    },
    /// What should be a number is none.
    #[error(
        "'{text}' is not a number; expected a decimal one or a hexadecimal one after 0x, of at most 128 bits"
    )]
    Number {
        /// What stands there, cut short if it is long.
        text: String,
    },
    /// Both players have a stone on one cell.
    #[error("both players have a stone in column {column}, row {row} (from the bottom)")]
    Overlap {
        /// Column of the cell, from 1.
        column: usize,
        /// Row of the cell, from 1 at the bottom.
        row: usize,
    },
    /// The counter of moves does not agree with the stones.
    #[error(
        "the counter says {}, but the board has {}",
        count(counter, "move"),
        count(stones, "stone")
    )]
    Counter {
        /// What the counter says.
        counter: u128,
        /// Number of stones of both players.
        stones: u32,
    },
    /// The number is no position's key.
    #[error("no position of a {size} board has the key {key}")]
    Key {
        /// The number.
        key: u128,
        /// The board.
        size: Size,
        /// What is wrong with it.
        source: BoardError,
    },
    /// The stones make no position.
    #[error("not a position")]
    Board(#[source] BoardError),
}

/// A text that is no diagram. Rows are counted from the bottom, as everywhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// Too many or too few rows.
    #[error(
        "expected a diagram of {expected} rows, the top one first, with '/' between them \
         (or, where one text may have several lines, on lines of their own); \
         the number of rows found is {found}"
    )]
    Rows {
        /// Rows in the text.
        found: usize,
        /// Rows of the board.
        expected: usize,
    },
    /// Too many or too few cells in a row.
    #[error("row {row} (from the bottom) of the diagram has {found} cells; expected {expected}")]
    Cells {
        /// The row, from 1 at the bottom.
        row: usize,
        /// Cells in the text.
        found: usize,
        /// Columns of the board.
        expected: usize,
    },
    /// A character that means nothing.
    #[error(
        "'{}' in row {row} (from the bottom), column {column} of the diagram is no cell; \
         expected X or O for a stone, '.' for an empty cell", .found.escape_debug()
    )]
    Character {
        /// The character.
        found: char,
        /// The row, from 1 at the bottom.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A small letter or `*` where there is no such threat.
    #[error(
        "'{mark}' in row {row} (from the bottom), column {column} of the diagram marks an empty \
         cell as a threat, and there is no such threat; write stones in capital letters, X and O, \
         and an empty cell as '.'"
    )]
    Mark {
        /// The mark.
        mark: char,
        /// The row, from 1 at the bottom.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
}
