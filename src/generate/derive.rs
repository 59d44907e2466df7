//! The shallower plies: each score is the best of the moves' scores, which the
//! ply below has already. Nothing is searched.

use crate::board::{Position, Score, Word};
use crate::enumerate::ReachablePly;
use crate::parallel::for_each_block_mut;
use crate::rank::Ranking;
use crate::scores::{ABSENT, ValueKind, decode, encode};

/// The bytes of the positions of `ply`, from the bytes of the ply below it,
/// computed with all threads of the rayon pool it is called in.
///
/// # Panics
///
/// If `below` lacks the score of a stored position.
pub(crate) fn derive_ply<B: Word>(
    ply: &ReachablePly<B>,
    ranking_below: &Ranking<B>,
    below: &[u8],
    kind: ValueKind,
) -> Vec<u8> {
    assert_eq!(below.len() as u64, ranking_below.slots());
    let mut bytes = vec![ABSENT; ply.ranking().slots() as usize];
    for_each_block_mut(&mut bytes, &|start, bytes| {
        for (slot, byte) in (start..).zip(bytes) {
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
fn best_move<B: Word>(
    position: Position<B>,
    ranking_below: &Ranking<B>,
    below: &[u8],
    kind: ValueKind,
) -> Score {
    let score_after = |child: Position<B>| match child.score_by_rules() {
        Some(score) => -kind.of(score),
        None => {
            let byte = below[ranking_below.rank(child) as usize];
            -decode(byte).expect("the ply below has a score for every stored position")
        }
    };
    let scores = position.children().flatten().map(score_after);
    scores.max().expect("an ongoing position has a move")
}
