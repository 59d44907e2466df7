//! Why bitboards, moves or texts are no position.

use super::player::Player;
use super::size::Size;
use crate::errors::count;

/// Why bitboards, moves or a text are no position, or a position cannot be written down.
///
/// Rows and columns are counted from 1, rows from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A stone of the side to move is missing from the mask of all stones.
    #[error("the side to move has a stone where the mask of all stones has none")]
    StoneOutsideMask,
    /// A stone stands outside the board.
    #[error("there is a stone outside the board (in the guard row or past the last column)")]
    OutsideBoard,
    /// A key says nothing about a column.
    #[error("the key has no bit that marks the top of column {column} (from 1)")]
    NoTopBit {
        /// The column, from 1.
        column: usize,
    },
    /// A stone hangs in the air.
    #[error(
        "the stone in column {column} (from 1), row {row} (from the bottom, from 1) has no stone below it"
    )]
    Floating {
        /// Column of the stone, from 1.
        column: usize,
        /// Row of the stone, from 1 at the bottom.
        row: usize,
    },
    /// The players' numbers of stones do not fit alternating turns.
    #[error(
        "the first player has {} and the second {second}; taking turns, they have equal numbers or the first has one more",
        count(first, "stone")
    )]
    Turns {
        /// Stones of the first player.
        first: u32,
        /// Stones of the second player.
        second: u32,
    },
    /// A line of four was on the board before the last stone.
    #[error(
        "the game was over before the last stone: {0} has four in a line and it is not the stone of the last move that made it"
    )]
    OverBefore(Player),
    /// A character of a list of moves is not a column.
    #[error(
        "move {number} ('{}') is not a column; expected a column from 1 to {last}",
        .text.escape_debug()
    )]
    NoColumn {
        /// The number of the move, from 1.
        number: usize,
        /// The character.
        text: char,
        /// The last column of the board as it is written in moves.
        last: char,
    },
    /// A move goes to a full column.
    #[error(
        "move {number} ('{}') goes to a full column; a column holds {height} stones",
        .text.escape_debug()
    )]
    FullColumn {
        /// The number of the move, from 1.
        number: usize,
        /// The character of its column.
        text: char,
        /// Number of rows of the board.
        height: usize,
    },
    /// A move comes after the end of the game.
    #[error(
        "move {number} ('{}') comes after the end of the game: the move before it made four in a line",
        .text.escape_debug()
    )]
    GameOver {
        /// The number of the move, from 1.
        number: usize,
        /// The character of its column.
        text: char,
    },
    /// No game leads to the position, so it cannot be written as moves.
    #[error("not reachable by play")]
    NotReachable,
    /// The text looks like none of the notations.
    #[error(
        "'{text}' looks like no notation of a position; expected moves like 4453, \
         a diagram of the letters X, O and '.', bitboards like [1, 2, 2], \
         rows:NUMBER:NUMBER or key:NUMBER"
    )]
    Unrecognised {
        /// The text, cut short if it is long.
        text: String,
    },
    /// The text does not have the form of its notation.
    #[error("'{text}' does not have the form {expected}")]
    Form {
        /// The text, cut short if it is long.
        text: String,
        /// The form.
        expected: &'static str,
    },
    /// A text that should be a number is not one.
    #[error(
        "'{text}' is not a number; expected a decimal one or a hexadecimal one after 0x, of at most 128 bits"
    )]
    Number {
        /// The text found there, cut short if it is long.
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
        /// The value of the counter.
        counter: u128,
        /// Number of stones of both players.
        stones: u32,
    },
    /// The number is not the key of any position.
    #[error("no position of a {size} board has the key {key}")]
    Key {
        /// The number.
        key: u128,
        /// The board.
        size: Size,
        /// The problem with the position.
        source: Box<PositionError>,
    },
    /// The stones make no position.
    #[error("not a position")]
    Stones(#[source] Box<PositionError>),
    /// A diagram has other rows or cells than the board, or marks a threat that does not exist.
    #[error("{0}")]
    Diagram(String),
}

impl PositionError {
    /// The number of the move that cannot be played, from 1, if that is the problem.
    #[must_use]
    pub const fn move_number(&self) -> Option<usize> {
        match self {
            PositionError::NoColumn { number, .. }
            | PositionError::FullColumn { number, .. }
            | PositionError::GameOver { number, .. } => Some(*number),
            _ => None,
        }
    }
}
