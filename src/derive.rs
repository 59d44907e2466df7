//! The shallower plies: each score is the best of the moves' scores, which the
//! ply below has already. Nothing is searched.

use crate::book::BookError;
use crate::enumerate::{Reachable, ReachablePly};
use crate::parallel::for_each_block_mut;
use crate::progress::{Progress, Step};
use crate::rank::Ranking;
use crate::scores::{ABSENT, PlyScores, decode, encode};
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Board, Score, Word};
use fourbook_solver::with_word;
use std::sync::atomic::{AtomicU64, Ordering};

/// The scores of a ply that others follow from.
#[derive(Clone, Copy)]
pub(crate) struct Below<'a> {
    /// The numbering of its positions.
    pub(crate) ranking: &'a Ranking,
    /// One byte a slot.
    pub(crate) bytes: &'a [u8],
    /// The kind of its scores.
    pub(crate) kind: ValueKind,
}

impl Below<'_> {
    /// The score of a position one ply above, which has no win with the next stone, from the scores
    /// after its moves; `None` if one of them is missing.
    #[inline]
    pub(crate) fn best_move<B: Word>(&self, position: Board<B>) -> Option<Score> {
        position
            .value_of_best_move(self.kind, |child| {
                decode(self.bytes[self.ranking.rank(child) as usize]).ok_or(())
            })
            .ok()
    }
}

/// Derives the plies above the deepest one explored, whose bytes are `deepest`, with all threads of
/// the rayon pool it is called in. Calls `check` with each derived ply and its bytes. Returns the
/// scores of the plies of `kept`, the shallowest first.
///
/// # Panics
///
/// If `deepest` lacks the score of a stored position.
pub(crate) fn derive_plies<E: From<BookError>>(
    reachable: &Reachable,
    (deepest, kind): (Vec<u8>, ValueKind),
    kept: &[u32],
    progress: &dyn Progress,
    check: impl Fn(&ReachablePly, &[u8]) -> Result<(), E>,
) -> Result<Vec<PlyScores>, E> {
    let mut plies = Vec::new();
    let mut keep = |ply, bytes| {
        if kept.contains(&ply) {
            plies.push(PlyScores::new(ply, bytes));
        }
    };
    let mut last = deepest;
    for number in (0..reachable.depth()).rev() {
        let (ply, ranking) = (reachable.ply(number), &reachable.ply(number + 1).ranking);
        let mut bytes = vec![ABSENT; ply.ranking.slots as usize];
        let below = Below { ranking, bytes: &last, kind };
        let missing = derive_into(&mut bytes, ply, below, progress)?;
        assert_eq!(missing, None, "the ply below has a score for every stored position");
        check(ply, &bytes)?;
        keep(number + 1, std::mem::replace(&mut last, bytes));
    }
    keep(0, last);
    plies.reverse();
    Ok(plies)
}

/// Overwrites the [`ABSENT`] bytes of the positions of `ply`. Where a score is missing in the ply
/// below, the byte is left as it is; returns the first of these slots.
pub(crate) fn derive_into(
    bytes: &mut [u8],
    ply: &ReachablePly,
    below: Below<'_>,
    progress: &dyn Progress,
) -> Result<Option<u64>, BookError> {
    assert_eq!(below.bytes.len() as u64, below.ranking.slots);
    let step = Step::Derive(ply.ranking.ply);
    with_word!(ply.ranking.size, B => {
        fill(bytes, ply, (step, progress), |_, position: Board<B>| Ok(below.best_move(position)))
    })
}

/// Sets the bytes of the positions of `ply` to the values that `value` returns for their slots.
/// Uses all threads of the rayon pool it is called in, and reports every slot to the progress.
/// Returns the first slot without a value.
pub(crate) fn fill<B: Word>(
    bytes: &mut [u8],
    ply: &ReachablePly,
    (step, progress): (Step, &dyn Progress),
    value: impl Fn(u64, Board<B>) -> Result<Option<Score>, BookError> + Sync,
) -> Result<Option<u64>, BookError> {
    assert_eq!(bytes.len() as u64, ply.ranking.slots);
    progress.begin(step, 0, ply.ranking.slots);
    let first_missing = AtomicU64::new(u64::MAX);
    for_each_block_mut(bytes, progress, &|start, bytes| {
        for (slot, position) in ply.stored_in(start..start + bytes.len() as u64) {
            match value(slot, position)? {
                Some(value) => bytes[(slot - start) as usize] = encode(value),
                None => drop(first_missing.fetch_min(slot, Ordering::Relaxed)),
            }
        }
        progress.advance(bytes.len() as u64);
        Ok(())
    })?;
    Ok(Some(first_missing.into_inner()).filter(|&slot| slot != u64::MAX))
}
