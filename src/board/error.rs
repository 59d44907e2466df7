//! Why bitboards or moves are no position.

use super::player::Player;
use crate::errors::count;

/// Two bitboards that are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
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
    /// The players do not have the numbers of stones that taking turns gives.
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
}

/// A move in a list that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} ('{}') {reason}", .text.escape_debug())]
pub struct MoveError {
    /// Which move, from 1.
    pub number: usize,
    /// What stands there.
    pub text: char,
    /// What is wrong with it.
    pub reason: MoveErrorReason,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveErrorReason {
    /// Not a column.
    #[error("is not a column; expected a column from 1 to {last}")]
    NoColumn {
        /// The last column of the board as it is written in moves.
        last: char,
    },
    /// The column is full.
    #[error("goes to a full column; a column holds {height} stones")]
    FullColumn {
        /// Number of rows of the board.
        height: usize,
    },
    /// The game has ended before.
    #[error("comes after the end of the game: the move before it made four in a line")]
    GameOver,
}
