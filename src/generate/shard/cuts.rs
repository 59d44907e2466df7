//! Where the order of positions is cut into shards.

use super::Shard;
use std::ops::Range;

/// Most blocks that weights are kept of. Cuts are between blocks, so they are
/// exact for so many positions, and right to a fraction of a shard for more.
const MOST_BLOCKS: usize = 1 << 17;

/// The weights of consecutive positions, in blocks of equally many positions.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Positions of a block.
    block: u64,
    /// The weight of each block; the last one may lack positions.
    sums: Vec<u64>,
    positions: u64,
}

impl Weights {
    pub(super) fn new() -> Self {
        Weights { block: 1, sums: Vec::new(), positions: 0 }
    }

    /// Adds the next position.
    pub(super) fn push(&mut self, weight: u64) {
        if self.positions % self.block == 0 {
            if self.sums.len() == MOST_BLOCKS {
                self.sums = self.sums.chunks(2).map(|pair| pair.iter().sum()).collect();
                self.block *= 2;
            }
            self.sums.push(0);
        }
        *self.sums.last_mut().expect("the block has begun") += weight;
        self.positions += 1;
    }

    /// How many positions there are.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    /// The positions of a shard. The shards' ranges follow one another, and all
    /// weigh about the same.
    pub(super) fn range(&self, shard: Shard) -> Range<u64> {
        let (index, of) = (shard.index(), shard.of());
        self.cut(index - 1, of)..self.cut(index, of)
    }

    /// The first position of which at least `part` of `of` parts of the weight
    /// come before.
    fn cut(&self, part: u32, of: u32) -> u64 {
        if part == of {
            return self.positions;
        }
        let whole: u128 = self.sums.iter().map(|&sum| u128::from(sum)).sum();
        let wanted = (whole * u128::from(part)).div_ceil(u128::from(of));
        let mut before = 0;
        let blocks = self.sums.iter().take_while(|&&sum| {
            let is_before = before < wanted;
            before += u128::from(sum);
            is_before
        });
        (blocks.count() as u64 * self.block).min(self.positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(weights: impl IntoIterator<Item = u64>) -> Weights {
        let mut all = Weights::new();
        weights.into_iter().for_each(|weight| all.push(weight));
        all
    }

    fn ranges(weights: &Weights, of: u32) -> Vec<Range<u64>> {
        Shard::all(of).unwrap().map(|shard| weights.range(shard)).collect()
    }

    #[test]
    fn shards_follow_one_another_and_leave_nothing_out() {
        for positions in [0, 1, 5, 1000] {
            let weights = weights((0..positions).map(|position| position * 7919 % 13));
            assert_eq!(weights.positions(), positions);
            for of in [1, 2, 3, 16, 999, 1000, 2000] {
                let mut next = 0;
                for range in ranges(&weights, of) {
                    assert_eq!(range.start, next);
                    assert!(range.end >= range.start);
                    next = range.end;
                }
                assert_eq!(next, positions, "{of} shards of {positions}");
            }
        }
    }

    #[test]
    fn shards_weigh_about_the_same() {
        // Heavier towards the end.
        let weights = weights(0..10_000);
        let whole: u64 = (0..10_000).sum();
        for range in ranges(&weights, 16) {
            let weight: u64 = range.sum();
            assert!(weight.abs_diff(whole / 16) <= 10_000, "{weight}");
        }
        let equal = self::weights([1; 8]);
        assert_eq!(ranges(&equal, 4), [0..2, 2..4, 4..6, 6..8]);
    }

    #[test]
    fn cuts_of_many_positions_are_between_blocks() {
        let positions = 3 * MOST_BLOCKS as u64 + 5;
        let weights = weights((0..positions).map(|_| 1));
        assert!(weights.sums.len() <= MOST_BLOCKS);
        assert_eq!(weights.sums.iter().sum::<u64>(), positions);
        let ranges = ranges(&weights, 3);
        assert_eq!((ranges[0].start, ranges[2].end), (0, positions));
        for range in ranges {
            assert!((range.end - range.start).abs_diff(positions / 3) <= 8, "{range:?}");
        }
    }
}
