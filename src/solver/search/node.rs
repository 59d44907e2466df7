//! A position as the search holds it.

use crate::board::{Position, Word};

/// A position to search, with what its parent has already worked out.
///
/// The side to move has no win at once, and at least one move after which the
/// opponent has none either.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Node<B> {
    /// Stones of the side to move.
    pub(super) mover: B,
    /// Stones of both sides.
    pub(super) mask: B,
    /// Empty cells with which the opponent completes four.
    pub(super) opponent_wins: B,
    /// The [non-losing moves](Position::non_losing_moves); not empty.
    pub(super) moves: B,
}

impl<B: Word> Node<B> {
    /// The node for a position in which the side to move has no win at once;
    /// `None` if every move lets the opponent win.
    pub(in crate::solver) fn new(position: Position<B>) -> Option<Node<B>> {
        debug_assert!(position.score_by_rules().is_none());
        let moves = position.non_losing_moves();
        (!moves.is_empty()).then(|| Node {
            mover: position.mover(),
            mask: position.mask(),
            opponent_wins: position.opponent_winning_cells(),
            moves,
        })
    }
}
