//! A position as the search holds it, all its children at once, and their places in the table.

use super::bounds::Boards;
use super::constants::Constants;
use crate::board::{Board, Geometry, Word};
use crate::simd::Lanes;
use crate::table::TableWord;

/// A position to search, with what its parent has already worked out.
///
/// The side to move has no win at once, and at least one move after which the
/// opponent has none either.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<B> {
    /// Stones of the side to move.
    pub(super) mover: B,
    /// Stones of both sides.
    pub(super) mask: B,
    /// Empty cells with which the opponent completes four.
    pub(super) opponent_wins: B,
    /// The [non-losing moves](Board::non_losing_moves); not empty.
    pub(super) moves: B,
}

impl<B: Word> Node<B> {
    /// The node for a position in which the side to move has no win at once;
    /// `None` if every move lets the opponent win.
    pub(crate) fn new(position: Board<B>) -> Option<Node<B>> {
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

/// All children of a node, one column a lane.
pub(super) struct Children<L, B, const N: usize> {
    /// The lanes whose move is one of the node's.
    pub(super) legal: u32,
    /// The moves that leave the opponent without a non-losing move.
    pub(super) lost: u32,
    mover: L,
    empty: L,
    pub(super) playable: L,
    pub(super) winning: L,
    pub(super) nodes: ChildNodes<B, N>,
}

/// The parts of the nodes after all moves. They are not in [`Children`], so that its vectors stay in
/// registers.
pub(super) struct ChildNodes<B, const N: usize> {
    /// The mover's winning cells after each move.
    wins: [B; N],
    /// The opponent's non-losing moves after each move.
    pub(super) replies: [B; N],
    masks: [B; N],
}

impl<L: Lanes<B, N>, B: Word, const N: usize> Children<L, B, N> {
    #[cfg_attr(not(unoptimised), inline(always))]
    pub(super) fn of(geometry: &Geometry<B>, node: &Node<B>, moves: L) -> Self {
        let board = L::splat(geometry.board);
        let legal = !moves.empty_lanes() & ((1 << N) - 1);
        let mover = L::splat(node.mover) | moves;
        let mask = L::splat(node.mask) | moves;
        let empty = board.without(mask);
        let winning = mover.completing_cells(geometry.column_bits) & empty;
        let playable = mask.add(L::splat(geometry.bottom)) & board;
        let forced = playable & winning;
        let twice = forced & forced.sub(L::splat(B::ONE));
        let candidates = (forced | (playable & forced.where_empty())) & twice.where_empty();
        let replies = candidates.without(winning >> 1);
        let wins = winning.store();
        let masks = mask.store();
        let nodes = ChildNodes { wins, replies: replies.store(), masks };
        Children {
            legal,
            lost: replies.empty_lanes() & legal,
            mover,
            empty,
            playable,
            winning,
            nodes,
        }
    }

    /// The children as the bounds want them.
    #[inline(always)]
    fn boards<'a>(
        &self,
        geometry: &'a Geometry<B>,
        node: &Node<B>,
        opener_moves: bool,
    ) -> Boards<'a, L, B, N> {
        let opponent = L::splat(node.mover ^ node.mask);
        let opponent_wins = L::splat(node.opponent_wins) & self.empty;
        let (opener, follower, opener_wins, follower_wins) = if opener_moves {
            (self.mover, opponent, self.winning, opponent_wins)
        } else {
            (opponent, self.mover, opponent_wins, self.winning)
        };
        Boards {
            geometry,
            follower,
            opener,
            follower_wins,
            opener_wins,
            empty: self.empty,
            playable: self.playable,
            opener_to_move: !opener_moves,
        }
    }

    /// The lanes that the [bounds](super::bounds) prove to score less than `beta`
    /// for the mover; `None` if they prove that one of them reaches it.
    #[cfg_attr(not(unoptimised), inline(always))]
    pub(super) fn too_weak(
        &self,
        geometry: &Geometry<B>,
        node: &Node<B>,
        ply: u32,
        beta: i32,
    ) -> Option<u32> {
        let opener_moves = (geometry.size.cells() - ply).is_multiple_of(2);
        let boards = self.boards(geometry, node, opener_moves);
        if opener_moves {
            if boards.opener_holds(beta) & self.legal != 0 {
                return None;
            }
            Some(boards.follower_holds(1 - beta))
        } else {
            if boards.follower_holds(beta) & self.legal != 0 {
                return None;
            }
            Some(boards.opener_holds(1 - beta))
        }
    }
}

impl<B: Word, const N: usize> ChildNodes<B, N> {
    /// The node after the move of a lane, which is none of the lost ones.
    #[inline(always)]
    pub(super) fn child(&self, node: &Node<B>, lane: usize) -> Node<B> {
        Node {
            mover: node.mover ^ node.mask,
            mask: self.masks[lane],
            opponent_wins: self.wins[lane],
            moves: self.replies[lane],
        }
    }
}

/// The table place of a position.
#[inline(always)]
pub(super) fn place<B: TableWord>(board: &Constants<B>, mover: B, mask: B, ply: u32) -> B::Place {
    let key = mover.wrapping_add(mask).wrapping_add(board.geometry.bottom);
    B::place(if ply <= board.last_mirrored_ply {
        key.min(board.geometry.mirrored(key))
    } else {
        key
    })
}

/// The table places of a node's children, one column a lane; where there is no
/// move, all are the same and mean nothing.
#[cfg_attr(not(unoptimised), inline(always))]
pub(super) fn child_places<L: Lanes<B, N>, B: TableWord, const N: usize>(
    board: &Constants<B>,
    node: &Node<B>,
    moves: L,
    ply: u32,
) -> [B::Place; N] {
    let bottom = L::splat(board.geometry.bottom);
    let masks = L::splat(node.mask) | moves;
    let keys = L::splat(node.mover ^ node.mask).add(masks).add(bottom);
    let keys = if ply <= board.last_mirrored_ply {
        keys.min(board.geometry.mirror(keys, L::splat(board.geometry.column_mask())))
    } else {
        keys.store()
    };
    B::places(keys, board.geometry.size.width())
}
