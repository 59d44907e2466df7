//! Which slots belong to a position that a game can reach.

use crate::board::Position;
use crate::rank::Ranking;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of 64 slots a unit of parallel work.
const BLOCK_WORDS: usize = 64;

/// The positions with a number of stones that a game can reach and that nobody
/// has won, as one bit a slot.
pub(super) struct Reachable<const W: usize, const H: usize> {
    pub(super) ranking: Ranking<W, H>,
    words: Vec<AtomicU64>,
}

impl<const W: usize, const H: usize> Reachable<W, H> {
    fn none(ply: u32) -> Option<Self> {
        let ranking = Ranking::new(ply)?;
        let words = ranking.slots().div_ceil(64);
        Some(Reachable { ranking, words: (0..words).map(|_| AtomicU64::new(0)).collect() })
    }

    /// The empty board.
    pub(super) fn start() -> Self {
        let start = Self::none(0).expect("the empty board has one slot");
        start.insert(Position::EMPTY);
        start
    }

    /// One stone more; `None` if no ranking goes that far.
    pub(super) fn next(&self, progress: &(impl Fn(u64) + Sync)) -> Option<Self> {
        let next = Self::none(self.ranking.ply() + 1)?;
        self.words.par_chunks(BLOCK_WORDS).enumerate().for_each(|(block, words)| {
            for (index, word) in words.iter().enumerate() {
                let mut bits = word.load(Ordering::Relaxed);
                while bits != 0 {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let slot = (block * BLOCK_WORDS + index) * 64 + bit;
                    let position = self.ranking.unrank(slot as u64);
                    for child in position.children().into_iter().flatten() {
                        if !child.is_won() {
                            next.insert(child);
                        }
                    }
                }
            }
            let first = (block * BLOCK_WORDS * 64) as u64;
            progress((64 * words.len() as u64).min(self.ranking.slots() - first));
        });
        Some(next)
    }

    fn insert(&self, position: Position<W, H>) {
        let slot = self.ranking.rank(position);
        self.words[slot as usize / 64].fetch_or(1 << (slot % 64), Ordering::Relaxed);
    }

    /// Whether a slot below the ranking's number of slots is one of them.
    pub(super) fn contains(&self, slot: u64) -> bool {
        (self.words[slot as usize / 64].load(Ordering::Relaxed) >> (slot % 64)) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mirror-unique positions of the standard board that nobody has won, by ply.
    #[test]
    fn positions_are_as_many_as_known() {
        let mut reachable = Reachable::<7, 6>::start();
        for expected in [1, 4, 25, 121, 568, 2144, 8231] {
            let slots = 0..reachable.ranking.slots();
            assert_eq!(slots.filter(|&slot| reachable.contains(slot)).count(), expected);
            reachable = reachable.next(&|_| ()).unwrap();
        }
    }
}
