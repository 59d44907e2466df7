//! The result of a lookup.

use crate::board::{Outcome, Position, Score, with_word};
use crate::scores::ValueKind;

/// The value of a position in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The exact score.
    Score(Score),
    /// Win, draw or loss for the side to move, from a book without scores.
    Outcome(Outcome),
}

impl Value {
    /// A value as a book of this kind has it.
    #[inline(always)]
    pub(crate) fn of(kind: ValueKind, number: Score) -> Value {
        match kind {
            ValueKind::Scores => Value::Score(number),
            ValueKind::WinDrawLoss => Value::Outcome(Outcome::of(number)),
        }
    }

    /// The exact score; `None` if only the outcome is known.
    #[must_use]
    pub fn score(self) -> Option<Score> {
        match self {
            Value::Score(score) => Some(score),
            Value::Outcome(_) => None,
        }
    }

    /// The value as a book has it: the score, or the outcome's sign.
    #[must_use]
    pub fn number(self) -> Score {
        match self {
            Value::Score(score) => score,
            Value::Outcome(outcome) => outcome.sign(),
        }
    }

    /// The outcome for the side to move.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Score(score) => Outcome::of(score),
            Value::Outcome(outcome) => outcome,
        }
    }
}

/// The answer to a lookup: a value and where it comes from, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Lookup {
    /// The rules say it: the game has ended, or the side to move wins with its
    /// next stone. This is an exact score in any book.
    Rules(Score),
    /// An entry of the book.
    Stored(Value),
    /// The value of the best move, for a ply that is not stored.
    Derived(Value),
    /// The book ends before this ply.
    TooDeep,
    /// No game leads to this position, which was made by hand, so no book has it.
    Absent,
}

impl Lookup {
    /// Returns the result for a position without a book: the score by the rules, or
    /// [`TooDeep`](Self::TooDeep).
    ///
    /// ```
    /// use fourbook::{Lookup, Position};
    /// assert_eq!(Lookup::without_book(Position::from_moves("121212")?), Lookup::Rules(18));
    /// assert_eq!(Lookup::without_book(Position::from_moves("12121")?), Lookup::TooDeep);
    /// # Ok::<(), fourbook::PositionError>(())
    /// ```
    pub fn without_book(position: Position) -> Lookup {
        let score = with_word!(position.size(), B => position.narrow::<B>().score_by_rules());
        score.map_or(Lookup::TooDeep, Lookup::Rules)
    }

    /// Returns the value, if it is known.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match self {
            Lookup::Rules(score) => Some(Value::Score(score)),
            Lookup::Stored(value) | Lookup::Derived(value) => Some(value),
            Lookup::TooDeep | Lookup::Absent => None,
        }
    }

    /// The exact score, if it is known.
    #[must_use]
    pub fn score(self) -> Option<Score> {
        self.value().and_then(Value::score)
    }

    /// Who wins, for the side to move, if it is known.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        self.value().map(Value::outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told_as_what_it_is() {
        let exact = Lookup::Stored(Value::Score(-2));
        assert_eq!((exact.score(), exact.outcome()), (Some(-2), Some(Outcome::Loss)));
        let rough = Lookup::Derived(Value::Outcome(Outcome::Win));
        assert_eq!((rough.score(), rough.outcome()), (None, Some(Outcome::Win)));
        for unknown in [Lookup::TooDeep, Lookup::Absent] {
            assert_eq!((unknown.value(), unknown.score(), unknown.outcome()), (None, None, None));
        }
    }
}
