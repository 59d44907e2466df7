//! The scores of a whole ply, one byte a slot: what generating makes and a
//! book is written from.

use fourbook_solver::board::Score;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The byte of a slot that has no score: no position of the ply ranks there, or
/// it needs no entry because the game is over or the side to move wins at once.
pub const ABSENT: u8 = 0;

/// Score 0 as a byte.
const DRAW: u8 = 64;

/// The byte that stands for `score`; never [`ABSENT`].
///
/// # Panics
///
/// If the score is not between -63 and 63, which no board reaches.
#[inline]
pub const fn encode(score: Score) -> u8 {
    assert!(score > -64 && score < 64);
    (score + DRAW as Score) as u8
}

/// The score that a byte stands for; `None` for [`ABSENT`].
///
/// A byte above 127 is damage: it gives a score that no board has.
#[inline]
pub const fn decode(byte: u8) -> Option<Score> {
    if byte == ABSENT { None } else { Some(byte.wrapping_sub(DRAW) as Score) }
}

/// The scores of the positions of one ply; clones share them.
#[derive(Clone)]
pub struct PlyScores {
    /// Number of stones of the positions.
    pub ply: u32,
    bytes: Arc<dyn Deref<Target = [u8]> + Send + Sync>,
}

impl PlyScores {
    /// The scores of positions with `ply` stones, one [encoded](encode) score a slot, or [`ABSENT`].
    /// `docs/src/format.md` defines the slot of a position.
    pub fn new(ply: u32, bytes: impl Deref<Target = [u8]> + Send + Sync + 'static) -> Self {
        PlyScores { ply, bytes: Arc::new(bytes) }
    }

    /// Whether clones share the scores.
    pub(crate) fn are_shared(&self) -> bool {
        Arc::strong_count(&self.bytes) > 1
    }

    /// The byte of each slot.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for PlyScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlyScores").field("ply", &self.ply).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_decoded_from_its_byte() {
        for score in -63..=63 {
            assert_eq!(decode(encode(score)), Some(score));
        }
        assert_eq!(decode(ABSENT), None);
    }

    #[test]
    fn a_byte_that_no_score_has_is_none_that_a_board_has() {
        assert!(
            (128..=255).all(|byte| decode(byte).is_some_and(|score| score.unsigned_abs() > 63))
        );
    }
}
