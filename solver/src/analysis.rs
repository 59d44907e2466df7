//! The scores of a position and of all its moves.

use crate::board::Score;
use std::cmp::Reverse;

/// The scores of a position and of all its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Score of the position.
    pub score: Score,
    /// Score of each column (from 0) for the side to move, `None` if it cannot
    /// be played. One for each column of the board.
    pub moves: Vec<Option<Score>>,
}

impl Analysis {
    /// The columns (from 0) that reach the position's score, those nearest to
    /// the centre first; empty if no move is left.
    pub fn best_moves(&self) -> impl Iterator<Item = usize> + '_ {
        best_first(&self.moves).into_iter().filter(|&column| self.moves[column] == Some(self.score))
    }
}

/// All columns (from 0), the best score first. Of equal scores, the column nearest to the centre
/// comes first; columns that cannot be played come last.
#[must_use]
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
    fn equal_moves_are_in_the_order_in_which_columns_are_tried() {
        assert_eq!(best_first(&[Some(1); 7]), [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(best_first(&[Some(0); 8]), [3, 4, 2, 5, 1, 6, 0, 7]);
        assert_eq!(best_first(&[Some(-2), None, Some(3), None]), [2, 0, 1, 3]);
    }
}
