//! Positions that clients ask about.

use fourbook::board::notation::Notation;
use fourbook::oracle::Knowledge;
use fourbook::{Position, PositionError, Size};

/// A position that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) position: Position,
    /// The smaller of its key and its mirror image's.
    pub(crate) canonical_key: u128,
}

impl Question {
    /// Reads a position in a notation, or in whatever notation it is.
    pub(crate) fn read(
        size: Size,
        notation: Option<Notation>,
        text: &str,
    ) -> Result<Question, PositionError> {
        let position = match notation {
            Some(notation) => notation.parse(size, text)?,
            None => Position::parse(size, text)?,
        };
        Ok(Question::of(position))
    }

    /// The question about a position.
    pub(crate) fn of(position: Position) -> Question {
        Question { position, canonical_key: position.canonical_key() }
    }

    /// Whether the mirror image is the canonical one of the two.
    fn is_turned(self) -> bool {
        self.position.key() != self.canonical_key
    }

    /// The canonical one of the position and its mirror image.
    pub(crate) fn canonical(self) -> Position {
        if self.is_turned() { self.position.mirrored() } else { self.position }
    }

    /// What is known of the position, from what is known of the canonical one.
    pub(crate) fn of_canonical(self, canonical: &Knowledge) -> Knowledge {
        if self.is_turned() { canonical.mirrored() } else { canonical.clone() }
    }

    /// The same of what there is for each column.
    pub(crate) fn moves_of_canonical<T: Clone>(self, canonical: &[T]) -> Vec<T> {
        let mut moves = canonical.to_vec();
        if self.is_turned() {
            moves.reverse();
        }
        moves
    }
}
