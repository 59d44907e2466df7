//! Bounds of a score.

use super::{Outcome, Player, Position, Score, Size, winning_score};
use serde::{Deserialize, Serialize};

/// Bounds of a score: it is at least `min` and at most `max`.
///
/// ```
/// use fourbook_solver::board::ScoreBounds;
/// use fourbook_solver::Player::X;
/// let text = |min, max| ScoreBounds { min, max }.for_player(X);
/// assert_eq!(text(0, 18), "at least a draw for X (score 0 to 18)");
/// assert_eq!(text(-18, 18), "any outcome for X (score -18 to 18)");
/// assert_eq!(text(2, 2), "a win for X (score 2)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScoreBounds {
    /// The lowest possible score.
    pub min: Score,
    /// The highest possible score.
    pub max: Score,
}

impl ScoreBounds {
    /// No bounds at all.
    pub const NONE: ScoreBounds = ScoreBounds { min: Score::MIN, max: Score::MAX };

    /// The bounds of a known score.
    pub const fn exactly(score: Score) -> Self {
        ScoreBounds { min: score, max: score }
    }

    /// Returns the bounds of the scores of an outcome.
    pub const fn of_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => ScoreBounds { min: 1, max: Score::MAX },
            Outcome::Draw => ScoreBounds::exactly(0),
            Outcome::Loss => ScoreBounds { min: Score::MIN, max: -1 },
        }
    }

    /// Returns the bounds that the rules give for a position: its score if the game is over or
    /// won with the next stone, else the range of scores of later wins.
    ///
    /// ```
    /// use fourbook_solver::Position;
    /// use fourbook_solver::board::ScoreBounds;
    /// let bounds = ScoreBounds::by_rules(Position::from_moves("44")?);
    /// assert_eq!((bounds.min, bounds.max), (-18, 18));
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    pub fn by_rules(position: Position) -> Self {
        position
            .score_by_rules()
            .map_or_else(|| Self::of_later_wins(position.size(), position.ply()), Self::exactly)
    }

    /// The bounds of positions with `ply` stones that the rules do not score: the next stone cannot
    /// win, but the stone after it can.
    pub(crate) fn of_later_wins(size: Size, ply: u32) -> Self {
        // A win takes four stones: X can win with the seventh stone of the game, O with the eighth.
        let best = |stone: u32, first_win| winning_score(size.cells(), stone.max(first_win));
        let (own, other) = if ply.is_multiple_of(2) { (7, 8) } else { (8, 7) };
        ScoreBounds { min: -best(ply + 2, other), max: best(ply + 3, own) }
    }

    /// Returns the bounds that follow from these and others together.
    #[must_use]
    pub fn and(self, other: ScoreBounds) -> Self {
        ScoreBounds { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// The score, if only one is left.
    #[inline]
    pub const fn score(self) -> Option<Score> {
        if self.min == self.max { Some(self.min) } else { None }
    }

    /// Returns the outcome, if the bounds decide it.
    pub fn outcome(self) -> Option<Outcome> {
        let worst = Outcome::of(self.min);
        let best = Outcome::of(self.max);
        (worst == best).then_some(best)
    }

    /// Whether they exclude a win or a loss.
    pub const fn exclude_outcome(self) -> bool {
        self.min >= 0 || self.max <= 0
    }

    /// Returns the bounds in words, if `player` is the side to move.
    pub fn for_player(self, player: Player) -> String {
        let ScoreBounds { min, max } = self;
        let known = match (self.outcome(), min, max) {
            (Some(outcome), ..) => format!("a {outcome}"),
            (None, 0.., _) => "at least a draw".to_owned(),
            (None, _, ..=0) => "at most a draw".to_owned(),
            _ => "any outcome".to_owned(),
        };
        let to = if min == max { String::new() } else { format!(" to {max}") };
        format!("{known} for {player} (score {min}{to})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_told_by_outcome_and_score() {
        let text = |min, max| ScoreBounds { min, max }.for_player(Player::O);
        assert_eq!(text(1, 18), "a win for O (score 1 to 18)");
        assert_eq!(text(-18, -3), "a loss for O (score -18 to -3)");
        assert_eq!(text(0, 0), "a draw for O (score 0)");
        assert_eq!(text(-3, 0), "at most a draw for O (score -3 to 0)");
        assert_eq!(text(-1, 1), "any outcome for O (score -1 to 1)");
    }

    #[test]
    fn two_bounds_together_are_the_tighter_of_each() {
        let bounds = ScoreBounds { min: -5, max: 3 }.and(ScoreBounds { min: 0, max: 9 });
        assert_eq!((bounds.min, bounds.max, bounds.outcome()), (0, 3, None));
        assert_eq!(ScoreBounds::exactly(3).outcome(), Some(Outcome::Win));
    }
}
