//! The kinds of values: exact scores, or outcomes.

use crate::board::{Outcome, Position, Score, ScoreBounds, Size, Word, winning_score};
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
    #[must_use]
    #[inline]
    pub const fn of(self, score: Score) -> Score {
        match self {
            ValueKind::Scores => score,
            ValueKind::WinDrawLoss => Outcome::of(score).sign(),
        }
    }

    /// The highest value there can be on a board of this size; the lowest is
    /// its negative.
    #[must_use]
    pub const fn highest_value(self, size: Size) -> Score {
        self.of(winning_score(size.cells(), FIRST_WINNING_STONE))
    }

    /// The possible values of a position with `ply` stones that the rules do not score.
    #[must_use]
    pub fn possible_values(self, size: Size, ply: u32) -> std::ops::RangeInclusive<Score> {
        let ScoreBounds { min, max } = ScoreBounds::of_later_wins(size, ply);
        self.of(min)..=self.of(max)
    }

    /// The value of a position that the rules do not score: the best of its moves. `after` returns
    /// the opponent's value after a move that leaves the opponent no win with the next stone.
    #[inline(always)]
    pub fn of_best_move<B: Word, E>(
        self,
        position: Position<B>,
        mut after: impl FnMut(Position<B>) -> Result<Score, E>,
    ) -> Result<Score, E> {
        let mut moves = position.non_losing_moves();
        if moves.is_empty() {
            // Whatever is played, the opponent wins with the stone after.
            let stone = position.ply() + 2;
            return Ok(self.of(-winning_score(position.size().cells(), stone)));
        }
        let mut best = Score::MIN;
        while !moves.is_empty() {
            let child = position.play_cell(moves.lowest());
            moves = moves.without_lowest();
            let value = if child.is_full() { 0 } else { after(child)? };
            best = best.max(value.saturating_neg());
        }
        Ok(best)
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
        assert_eq!(range(41), 0..=0);
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
