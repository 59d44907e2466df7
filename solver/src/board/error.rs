//! Why bitboards, moves or texts are no position.

/// Why bitboards, moves or a text are no position, or a position cannot be written down.
///
/// Texts count rows and columns from 1, rows from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A move of a list is no column, goes to a full one, or comes after the end of the game.
    #[error("move {number} ('{}') {problem}", .text.escape_debug())]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The character of its column.
        text: char,
        /// The problem with the move.
        problem: String,
    },
    /// The board has no such column; the second number is its last one.
    #[error("expected a column from 0 to {1}, found {0}")]
    Column(usize, usize),
    /// Stones that no game can leave, or bits that are none: outside the board, in the air, not
    /// taking turns, or after the end of the game.
    #[error("{0}")]
    Stones(String),
    /// The numbers in a text make no position.
    #[error("{text}")]
    Numbers {
        /// The text of the error.
        text: String,
        /// The problem with the position.
        source: Box<PositionError>,
    },
    /// The text has no notation, or not the form of its notation.
    #[error("{0}")]
    Text(String),
    /// No game leads to the position, so it cannot be written as moves.
    #[error("not reachable by play")]
    NotReachable,
}

impl PositionError {
    /// The number of the move that cannot be played, from 1, if that is the problem.
    pub const fn move_number(&self) -> Option<usize> {
        if let PositionError::Move { number, .. } = self { Some(*number) } else { None }
    }

    pub(super) fn outside_board() -> PositionError {
        let problem =
            "there is a stone outside the board (in the guard row or past the last column)";
        PositionError::Stones(problem.to_owned())
    }

    /// The error for a position in a text.
    pub(super) fn in_text(self, text: impl Into<String>) -> PositionError {
        PositionError::Numbers { text: text.into(), source: Box::new(self) }
    }
}
