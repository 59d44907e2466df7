//! Where the order of positions is cut into shards.
//!
//! Positions take very different times, and neighbours take similar ones: of 16
//! shards with equally many positions the slowest would take 1.8 times the mean
//! (6x5, ply 10). So a sample is solved to learn how the work is spread. A search visits
//! the same nodes on every machine if the same positions are solved one after the other
//! with an empty table of the same size; so all shards find the same cuts.

use super::error::GenerateError;
use super::sample::EvenSample;
use super::shard::Shard;
use super::workers::Run;
use crate::progress::Step;
use fourbook_solver::{Limits, Solver};
use std::ops::Range;

/// The most positions that are solved.
const MOST_SOLVED: u64 = 1024;

/// One position in this many is solved at most, since every shard does this work.
const POSITIONS_FOR_ONE: u64 = 256;

/// A sample of fewer positions says too little.
const FEWEST_SOLVED: u64 = 16;

/// The most nodes for a position, and for all positions: a few seconds of work.
const MOST_NODES: u64 = 1 << 21;
const MOST_NODES_IN_ALL: u64 = 1 << 27;

/// Size of the table for this; the nodes depend on it.
const TABLE_BYTES: usize = 64 << 20;

/// The most positions that are kept to choose from.
pub(super) const MOST_KEPT: usize = 2 * MOST_SOLVED as usize;

/// How the work is spread over the positions of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) positions: u64,
    /// Where stretches of the order begin, ascending, and what each position of
    /// them weighs. The first begins at 0.
    stretches: Vec<(u64, u64)>,
}

impl Profile {
    /// Finds out how the work is spread over the positions that `sample` was taken from.
    pub(super) fn measure(run: &Run<'_>, sample: &EvenSample) -> Result<Self, GenerateError> {
        let positions = sample.positions;
        let wanted = (positions / POSITIONS_FOR_ONE).min(MOST_SOLVED);
        if wanted < FEWEST_SOLVED {
            return Ok(Profile::even(positions));
        }
        run.progress.begin(Step::Sample, 0, wanted);
        let limits = Limits { max_nodes: Some(MOST_NODES), ..Limits::default() };
        let mut solver = Solver::for_size(run.plan.size, TABLE_BYTES)?.with_limits(limits);
        let mut nodes = Vec::new();
        // On one thread only: with more, the nodes would differ from run to run.
        run.search(|| {
            for (number, position) in sample.evenly().take(wanted as usize) {
                run.check_cancelled(None)?;
                let before = solver.nodes();
                // A position for which the nodes do not suffice is a hard one: that is known then.
                let _ = solver.score(position);
                nodes.push((number, solver.nodes() - before));
                run.progress.advance(1);
                if solver.nodes() > MOST_NODES_IN_ALL {
                    break;
                }
            }
            Ok::<_, GenerateError>(())
        })??;
        Ok(Profile::of_nodes(positions, nodes))
    }

    /// All positions weigh the same.
    fn even(positions: u64) -> Self {
        Profile { positions, stretches: vec![(0, 1)] }
    }

    /// A position weighs as much as its neighbours in the order, plus up to half as much again
    /// towards the end, where fewer neighbours share work with it.
    ///
    /// The constants were chosen by dividing five plies of 5x5 and 6x5 and ply 10 of 7x6 into 16
    /// shards. The slowest shard took 1.2 to 1.6 times the mean; with equal numbers of positions
    /// it took 1.5 to 1.9 times.
    fn of_nodes(positions: u64, mut nodes: Vec<(u64, u64)>) -> Self {
        nodes.sort_unstable();
        let mean = nodes.iter().map(|(_, nodes)| nodes).sum::<u64>() / (nodes.len() as u64).max(1);
        // A single hard position says little of its neighbours.
        let likely: Vec<u64> = nodes.iter().map(|(_, nodes)| 16 * (*nodes).min(4 * mean)).collect();
        let weight = |place: usize, number: u64| {
            let around = &likely[place.saturating_sub(4)..(place + 5).min(likely.len())];
            // So few samples prove little, so the mean counts, too.
            let here = around.iter().sum::<u64>() / around.len() as u64 + 4 * mean + 1;
            let towards_end = u128::from(2 * positions + number) * u128::from(here);
            (towards_end / u128::from(positions)) as u64
        };
        let mut before = None::<u64>;
        let stretches = nodes.iter().enumerate().map(|(place, &(number, _))| {
            let start = before.map_or(0, |before| before.midpoint(number));
            before = Some(number);
            (start, weight(place, number))
        });
        Profile { positions, stretches: stretches.collect() }
    }

    /// The positions of a shard. The shards' ranges follow one another, and all
    /// weigh about the same.
    pub(super) fn range(&self, shard: Shard) -> Range<u64> {
        let (index, of) = (shard.index(), shard.of());
        self.cut(index - 1, of)..self.cut(index, of)
    }

    /// The first position with at least `part / of` of the weight before it.
    fn cut(&self, part: u32, of: u32) -> u64 {
        let whole: u128 = self.weights().map(|(range, weight)| sum(&range, weight)).sum();
        let mut wanted = (whole * u128::from(part)).div_ceil(u128::from(of));
        for (range, weight) in self.weights() {
            let here = sum(&range, weight);
            if wanted <= here {
                return range.start + wanted.div_ceil(u128::from(weight)) as u64;
            }
            wanted -= here;
        }
        self.positions
    }

    /// The stretches and what each position of them weighs.
    fn weights(&self) -> impl Iterator<Item = (Range<u64>, u64)> + '_ {
        let starts = self.stretches.iter().map(|&(start, _)| start);
        let ends = starts.skip(1).chain([self.positions]);
        self.stretches.iter().zip(ends).map(|(&(start, weight), end)| (start..end, weight))
    }
}

fn sum(range: &Range<u64>, weight: u64) -> u128 {
    u128::from(range.end - range.start) * u128::from(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Plan;
    use crate::generate::sample::sample;
    use fourbook_solver::board::Size;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn ranges(profile: &Profile, of: u32) -> Vec<Range<u64>> {
        (1..=of).map(|index| profile.range(Shard::new(index, of).unwrap())).collect()
    }

    /// Ranges from 0 to the number of positions that follow one another.
    fn assert_partition(profile: &Profile, of: u32) {
        let mut next = 0;
        for range in ranges(profile, of) {
            assert_eq!(range.start, next, "{profile:?}");
            assert!(range.end >= range.start, "{profile:?}");
            next = range.end;
        }
        assert_eq!(next, profile.positions, "{profile:?}");
    }

    proptest! {
        #[test]
        fn shards_partition_the_order(
            positions in 0..3000_u64,
            nodes in prop::collection::btree_map(0..3000_u64, 0..1_u64 << 40, 1..50_usize),
            of in 1..200_u32,
        ) {
            assert_partition(&Profile::even(positions), of);
            let nodes: Vec<_> =
                nodes.into_iter().filter(|&(number, _)| number < positions).collect();
            if !nodes.is_empty() {
                assert_partition(&Profile::of_nodes(positions, nodes), of);
            }
        }
    }

    #[test]
    fn even_shards_have_equally_many_positions() {
        assert_eq!(ranges(&Profile::even(8), 4), [0..2, 2..4, 4..6, 6..8]);
        assert_eq!(ranges(&Profile::even(2), 3), [0..1, 1..2, 2..2]);
    }

    #[test]
    fn shards_weigh_about_the_same() {
        // Heavier and heavier; every 100th has been solved.
        let nodes = (0..100).map(|index| (index * 100, index * 1000)).collect();
        let profile = Profile::of_nodes(10_000, nodes);
        let weights: Vec<u64> =
            profile.weights().flat_map(|(range, weight)| range.map(move |_| weight)).collect();
        assert_eq!(weights.len(), 10_000);
        let mean = weights.iter().sum::<u64>() / 16;
        for range in ranges(&profile, 16) {
            let sum: u64 = weights[range.start as usize..range.end as usize].iter().sum();
            let heaviest = weights.iter().max().unwrap();
            assert!(sum.abs_diff(mean) <= *heaviest, "{range:?} weighs {sum} of {mean}");
        }
    }

    #[test]
    fn the_profile_is_the_same_every_time() {
        let measure = || {
            let (plan, cancel) = (Plan::new(Size::new(4, 4).unwrap(), 9), Arc::default());
            let run = Run::start(&plan, &(), &cancel).unwrap();
            let sample = sample(&run, 9, MOST_KEPT).unwrap();
            Profile::measure(&run, &sample).unwrap()
        };
        let (profile, again) = (measure(), measure());
        assert!(profile.stretches.len() as u64 >= FEWEST_SOLVED, "{profile:?}");
        assert_eq!(profile, again);
    }
}
