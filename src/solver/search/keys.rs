//! Places in the transposition table: of a position, and of all its children at once.

use super::board::Board;
use super::node::Node;
use crate::board::{Geometry, Word};
use crate::simd::Lanes;
use crate::solver::table::TableWord;

/// The keys of the mirror images.
#[inline(always)]
fn mirrored<L: Lanes<B, N>, B: Word, const N: usize>(geometry: &Geometry<B>, mut keys: L) -> L {
    let column_mask = L::splat(geometry.column_mask());
    let mut mirrored = L::splat(B::ZERO);
    // The first column is shifted out of the way once for every one after it.
    for _ in 1..geometry.width() {
        mirrored = (mirrored | (keys & column_mask)) << geometry.column_bits;
        keys = keys >> geometry.column_bits;
    }
    mirrored | (keys & column_mask)
}

/// The table place of a position.
#[inline(always)]
pub(super) fn place<B: TableWord>(board: &Board<B>, mover: B, mask: B, ply: u32) -> B::Place {
    let key = mover.wrapping_add(mask).wrapping_add(board.geometry.bottom);
    B::place(if ply <= board.last_mirrored_ply {
        key.min(board.geometry.mirrored(key))
    } else {
        key
    })
}

/// The table places of a node's children, one column a lane; where there is no
/// move, all are the same and mean nothing.
#[inline(always)]
pub(super) fn child_places<L: Lanes<B, N>, B: TableWord, const N: usize>(
    board: &Board<B>,
    node: &Node<B>,
    moves: L,
    ply: u32,
) -> [B::Place; N] {
    let bottom = L::splat(board.geometry.bottom);
    let masks = L::splat(node.mask) | moves;
    let keys = L::splat(node.mover ^ node.mask).add(masks).add(bottom);
    let keys = if ply <= board.last_mirrored_ply {
        keys.min(mirrored(&board.geometry, keys))
    } else {
        keys.store()
    };
    B::places(keys, board.geometry.width())
}
