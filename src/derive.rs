//! The shallower plies: each score is the best of the moves' scores, which the
//! ply below has already. Nothing is searched.

use crate::board::{Position, Score, Word, winning_score};
use crate::enumerate::ReachablePly;
use crate::parallel::for_each_block_mut;
use crate::progress::Progress;
use crate::rank::Ranking;
use crate::scores::{ABSENT, ValueKind, decode, encode};
use std::sync::atomic::{AtomicU64, Ordering};

/// The scores of a ply that others follow from.
#[derive(Clone, Copy)]
pub(crate) struct Below<'a, B: 'static> {
    /// The numbering of its positions.
    pub(crate) ranking: &'a Ranking<B>,
    /// One byte a slot.
    pub(crate) bytes: &'a [u8],
    /// The kind of its scores.
    pub(crate) kind: ValueKind,
}

impl<B: Word> Below<'_, B> {
    /// The score of a position one ply above, which has no win with the next stone, from the scores
    /// after its moves; `None` if one of them is missing.
    #[inline]
    pub(crate) fn best_move(&self, position: Position<B>) -> Option<Score> {
        let mut moves = position.non_losing_moves();
        if moves.is_empty() {
            // Whatever is played, the opponent wins with the stone after.
            let stone = position.ply() + 2;
            return Some(self.kind.of(-winning_score(position.size().cells(), stone)));
        }
        let mut best = Score::MIN;
        while !moves.is_empty() {
            let child = position.play_cell(moves.lowest());
            moves = moves.without_lowest();
            // The opponent cannot win at once: a score, or a full board.
            let score = if child.is_full() {
                0
            } else {
                decode(self.bytes[self.ranking.rank(child) as usize])?
            };
            best = best.max(-score);
        }
        Some(best)
    }
}

/// The bytes of the positions of `ply`, from the ply below it,
/// computed with all threads of the rayon pool it is called in.
///
/// # Panics
///
/// If `below` lacks the score of a stored position.
pub(crate) fn derive_ply<B: Word>(
    ply: &ReachablePly<B>,
    below: Below<'_, B>,
    progress: &dyn Progress,
) -> Vec<u8> {
    let mut bytes = vec![ABSENT; ply.ranking().slots() as usize];
    let missing = derive_into(&mut bytes, ply, below, progress);
    assert_eq!(missing, None, "the ply below has a score for every stored position");
    bytes
}

/// Overwrites the [`ABSENT`] bytes of the positions of `ply`, and reports every slot to
/// `progress`. Where a score is missing in the ply below, the byte is left as it is;
/// returns the first of these slots.
pub(crate) fn derive_into<B: Word>(
    bytes: &mut [u8],
    ply: &ReachablePly<B>,
    below: Below<'_, B>,
    progress: &dyn Progress,
) -> Option<u64> {
    assert_eq!(bytes.len() as u64, ply.ranking().slots());
    assert_eq!(below.bytes.len() as u64, below.ranking.slots());
    let first_missing = AtomicU64::new(u64::MAX);
    for_each_block_mut(bytes, &|start, bytes| {
        for (slot, position) in ply.stored_in(start..start + bytes.len() as u64) {
            match below.best_move(position) {
                Some(score) => bytes[(slot - start) as usize] = encode(score),
                None => drop(first_missing.fetch_min(slot, Ordering::Relaxed)),
            }
        }
        progress.advance(bytes.len() as u64);
    });
    Some(first_missing.into_inner()).filter(|&slot| slot != u64::MAX)
}
