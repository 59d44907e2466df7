//! The meaning of scores.
//!
//! A score is for the side to move: 0 is a draw, a positive score a win and a
//! negative one a loss, and the nearer the end the larger it is. On a board of
//! `cells` cells, the side that wins with the `stone`-th stone of the game
//! scores `(cells + 2 - stone) / 2`, rounded down, the other side the negative
//! of it. On 7x6 that is 22 less the number of stones the winner has played.
//!
//! Source of the convention: P. Pons, "Solving Connect 4: how to build a
//! perfect AI".

use crate::named;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// A score for the side to move, as this module describes; between -59 and 59
/// on every board.
pub type Score = i8;

/// The score of winning with the `stone`-th stone of the game (counted from 1). Numbers that no board
/// has give some score.
pub const fn winning_score(cells: u32, stone: u32) -> Score {
    ((cells as i64 + 2 - stone as i64) / 2) as Score
}

/// [`winning_score`] in the word that searches reckon in; 0 for stones past a full board.
#[inline(always)]
pub(crate) const fn score_of_stone(cells: i32, stone: i32) -> i32 {
    (cells + 2 - stone) / 2
}

/// How many stones are still played, by both sides together, until a game with
/// `ply` stones and this score ends under perfect play.
///
/// A draw ends when the board of `cells` cells is full. Numbers that no position has give some
/// number.
///
/// ```
/// use fourbook_solver::board::plies_to_end;
/// assert_eq!(plies_to_end(42, 0, 1), 41); // the first player wins with the last but one
/// assert_eq!(plies_to_end(42, 40, 0), 2);
/// ```
pub const fn plies_to_end(cells: u32, ply: u32, score: Score) -> u32 {
    if score == 0 {
        return cells.saturating_sub(ply);
    }
    // Two numbers of stones give this score; only one of them has the winner's parity.
    let last = cells.saturating_add(2).saturating_sub(2 * score.unsigned_abs() as u32);
    let winner_moves_at_even_ply = ply.is_multiple_of(2) == (score > 0);
    let winner_plays_last = (last % 2 == 1) == winner_moves_at_even_ply;
    let stone = if winner_plays_last { last } else { last.saturating_sub(1) };
    stone.saturating_sub(ply)
}

/// The result under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The side to move loses.
    Loss = -1,
    /// Neither side can win.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
}

named!(Outcome, "outcome", 3: Loss = "loss", Draw = "draw", Win = "win");

impl Outcome {
    /// The outcome of a score.
    pub const fn of(score: Score) -> Outcome {
        match score {
            ..0 => Outcome::Loss,
            0 => Outcome::Draw,
            1.. => Outcome::Win,
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn sign(self) -> Score {
        self as Score
    }
}

/// All columns (from 0), the best score first. Of equal scores, the column nearest to the centre
/// comes first; columns that cannot be played come last.
pub fn best_first(moves: &[Option<Score>]) -> Vec<usize> {
    let mut columns: Vec<usize> = (0..moves.len()).collect();
    let from_centre = |column: usize| (2 * column + 1).abs_diff(moves.len());
    // `None` is less than any score.
    columns.sort_by_key(|&column| (Reverse(moves[column]), from_centre(column)));
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_agrees_with_the_score_of_every_winning_stone() {
        for cells in [16, 20, 25, 30, 36, 42, 49, 56, 64, 100, 124] {
            for stone in 7..=cells {
                let score = winning_score(cells, stone);
                for ply in 0..stone {
                    let mover_wins = (stone - ply) % 2 == 1;
                    let score = if mover_wins { score } else { -score };
                    assert_eq!(plies_to_end(cells, ply, score), stone - ply);
                }
            }
        }
    }

    #[test]
    fn numbers_of_no_board_do_not_panic() {
        for cells in [0, 16, i32::MAX as u32, u32::MAX] {
            for other in [0, 1, i32::MAX as u32, u32::MAX] {
                winning_score(cells, other);
                for score in [Score::MIN, -1, 0, 1, Score::MAX] {
                    plies_to_end(cells, other, score);
                }
            }
        }
    }

    #[test]
    fn a_score_has_the_sign_of_its_outcome() {
        for score in -59..=59 {
            assert_eq!(Outcome::of(score).sign(), score.signum());
        }
    }

    #[test]
    fn equal_moves_are_in_the_order_in_which_columns_are_tried() {
        assert_eq!(best_first(&[Some(1); 7]), [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(best_first(&[Some(0); 8]), [3, 4, 2, 5, 1, 6, 0, 7]);
        assert_eq!(best_first(&[Some(-2), None, Some(3), None]), [2, 0, 1, 3]);
    }
}
