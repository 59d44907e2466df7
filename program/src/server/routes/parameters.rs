//! Parameters that several routes take, as clients write them.

use fourbook::Size;
use fourbook::board::SizeError;
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

impl From<Board> for Size {
    fn from(board: Board) -> Size {
        board.0
    }
}
