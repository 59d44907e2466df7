//! The kinds of values: exact scores, or outcomes.

use crate::board::{Outcome, Score, ScoreBounds, Size, winning_score};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first stone that can win is the fourth of the first player.
const FIRST_WINNING_STONE: u32 = 7;

/// The kind of the values in a book.
///
/// ```
/// use fourbook_solver::ValueKind;
/// assert_eq!((ValueKind::Scores.of(-3), ValueKind::WinDrawLoss.of(-3)), (-3, -1));
/// assert_eq!(ValueKind::WinDrawLoss.to_string(), "win, draw or loss");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Exact [scores](crate::board::Score): who wins, and how soon.
    #[default]
    Scores,
    /// Win, draw or loss only: 1, 0 or -1 for the side to move.
    #[serde(rename = "outcomes")]
    WinDrawLoss,
}

impl ValueKind {
    /// The value where the exact score is `score`.
    #[inline]
    pub const fn of(self, score: Score) -> Score {
        match self {
            ValueKind::Scores => score,
            ValueKind::WinDrawLoss => Outcome::of(score).sign(),
        }
    }

    /// The bounds of a score that a value of this kind leaves. The score of a draw is 0.
    ///
    /// ```
    /// use fourbook_solver::{ScoreBounds, ValueKind};
    /// assert_eq!(ValueKind::Scores.bounds(3), ScoreBounds::exactly(3));
    /// assert_eq!(ValueKind::WinDrawLoss.bounds(1).min, 1);
    /// assert_eq!(ValueKind::WinDrawLoss.bounds(0), ScoreBounds::exactly(0));
    /// ```
    #[inline(always)]
    pub const fn bounds(self, value: Score) -> ScoreBounds {
        match self {
            ValueKind::Scores => ScoreBounds::exactly(value),
            ValueKind::WinDrawLoss => ScoreBounds::of_outcome(Outcome::of(value)),
        }
    }

    /// The value of a score with these bounds, if they leave only one.
    #[inline]
    pub fn value(self, bounds: ScoreBounds) -> Option<Score> {
        match self {
            ValueKind::Scores => bounds.score(),
            ValueKind::WinDrawLoss => bounds.outcome().map(Outcome::sign),
        }
    }

    /// The highest value there can be on a board of this size; the lowest is
    /// its negative.
    pub const fn highest_value(self, size: Size) -> Score {
        self.of(winning_score(size.cells(), FIRST_WINNING_STONE))
    }

    /// The possible values of a position with `ply` stones that the rules do not score: 0 alone if
    /// the board has fewer cells.
    pub fn possible_values(self, size: Size, ply: u32) -> std::ops::RangeInclusive<Score> {
        let ScoreBounds { min, max } = ScoreBounds::of_later_wins(size, ply.min(size.cells()));
        self.of(min)..=self.of(max)
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueKind::Scores => "exact scores",
            ValueKind::WinDrawLoss => "win, draw or loss",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_values_are_those_of_the_stones_that_can_win() {
        let range = |ply| ValueKind::Scores.possible_values(Size::STANDARD, ply);
        // The second player's seventh stone is the 14th of the game.
        assert_eq!(range(12), -15..=14);
        assert_eq!(range(0), -18..=18);
        assert_eq!([41, 42, 43, u32::MAX].map(range), [0..=0, 0..=0, 0..=0, 0..=0]);
        assert_eq!(ValueKind::WinDrawLoss.possible_values(Size::STANDARD, 12), -1..=1);
    }

    #[test]
    fn the_values_of_every_board_fit_a_byte() {
        let highest = |size| ValueKind::Scores.highest_value(size);
        assert_eq!(Size::all().map(highest).max(), Some(59));
        assert_eq!((highest(Size::STANDARD), highest(Size::new(4, 4).unwrap())), (18, 5));
        assert!(Size::all().all(|size| ValueKind::WinDrawLoss.highest_value(size) == 1));
    }
}
