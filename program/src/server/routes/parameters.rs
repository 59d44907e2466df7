//! Parameters that several routes take, as clients write them.

use fourbook::level::LevelError;
use fourbook::{Level, Size, SizeError};
use serde::Deserialize;

/// The board that a request is about, such as `7x6`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Board(Size);

impl TryFrom<String> for Board {
    type Error = SizeError;

    fn try_from(text: String) -> Result<Self, SizeError> {
        text.parse().map(Board)
    }
}

/// A level of play, by its name or number.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PlayedAt(Level);

impl TryFrom<String> for PlayedAt {
    type Error = LevelError;

    fn try_from(text: String) -> Result<Self, LevelError> {
        text.parse().map(PlayedAt)
    }
}

impl From<PlayedAt> for Level {
    fn from(played: PlayedAt) -> Level {
        played.0
    }
}

impl From<Board> for Size {
    fn from(board: Board) -> Size {
        board.0
    }
}
