//! Positions that clients ask about, and verdicts on them.

use fourbook::board::notation::Notation;
use fourbook::oracle::OracleError;
use fourbook::{Analysis, Answer, Limits, NotationError, Oracle, Position, Size};

/// The scores of a position and of its moves.
pub(crate) type Verdict = Answer<Analysis>;

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
    ) -> Result<Question, NotationError> {
        let position = match notation {
            Some(notation) => notation.parse(size, text)?,
            None => Position::parse(size, text)?,
        };
        Ok(Question { position, canonical_key: position.canonical_key() })
    }

    /// Whether the mirror image is the canonical one of the two.
    fn is_turned(self) -> bool {
        self.position.key() != self.canonical_key
    }

    /// The verdict on the canonical one of the position and its mirror image, searched
    /// where the book does not have it.
    pub(crate) fn solve_canonical(
        self,
        oracle: &Oracle,
        limits: &Limits,
    ) -> Result<Verdict, OracleError> {
        let position = if self.is_turned() { self.position.mirrored() } else { self.position };
        oracle.analyse(position, limits)
    }

    /// The verdict on the position, from that on the canonical one.
    pub(crate) fn verdict(self, canonical: &Verdict) -> Verdict {
        let mut verdict = canonical.clone();
        if self.is_turned() {
            verdict.value.moves.reverse();
        }
        verdict
    }
}
