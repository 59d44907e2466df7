//! The shallower plies: each score is the best of the moves' scores, which the
//! ply below has already. Nothing is searched.

use crate::board::{Position, Score};
use crate::enumerate::ReachablePly;
use crate::rank::Ranking;
use crate::scores::{ABSENT, ValueKind, decode, encode};
use rayon::prelude::*;

/// Slots that one thread derives at a time.
const BLOCK: usize = 1 << 13;

/// The bytes of the positions of `ply`, from the bytes of the ply below it,
/// computed with all threads of the rayon pool it is called in.
///
/// # Panics
///
/// If `below` lacks the score of a stored position.
pub(crate) fn derive_ply<const W: usize, const H: usize>(
    ply: &ReachablePly<W, H>,
    ranking_below: &Ranking<W, H>,
    below: &[u8],
    kind: ValueKind,
) -> Vec<u8> {
    assert_eq!(below.len() as u64, ranking_below.slots());
    let mut bytes = vec![ABSENT; ply.ranking().slots() as usize];
    bytes.par_chunks_mut(BLOCK).enumerate().for_each(|(block, bytes)| {
        for (index, byte) in bytes.iter_mut().enumerate() {
            let slot = (block * BLOCK + index) as u64;
            if ply.ongoing().contains(slot) {
                let position = ply.ranking().unrank(slot);
                if !position.can_win_at_once() {
                    *byte = encode(best_move(position, ranking_below, below, kind));
                }
            }
        }
    });
    bytes
}

/// The score of an ongoing position, by those of the positions after its moves.
fn best_move<const W: usize, const H: usize>(
    position: Position<W, H>,
    ranking_below: &Ranking<W, H>,
    below: &[u8],
    kind: ValueKind,
) -> Score {
    let score_after = |child: Position<W, H>| match child.score_by_rules() {
        Some(score) => -kind.of(score),
        None => {
            let byte = below[ranking_below.rank(child) as usize];
            -decode(byte).expect("the ply below has a score for every stored position")
        }
    };
    let scores = position.children().into_iter().flatten().map(score_after);
    scores.max().expect("an ongoing position has a move")
}
