//! Samples of positions that are spread evenly over the depth-first order.

use super::error::GenerateError;
use super::workers::Run;
use crate::progress::Step;
use fourbook_solver::board::Position;

/// Positions that are counted between two progress events.
const COUNTED_AT_ONCE: u64 = 1 << 16;

/// A sample of an order of positions, which come one after the other: every n-th of them.
///
/// It keeps at most a given number of positions. If there are more in all, it keeps at
/// least half that number, else all.
#[derive(Debug)]
pub(super) struct EvenSample {
    most: usize,
    /// Distance from one kept position to the next.
    stride: u64,
    kept: Vec<Position>,
    /// Number of positions that have come.
    pub(super) positions: u64,
}

impl EvenSample {
    /// An empty sample that will keep at most `most` positions, a number from 2.
    pub(super) fn new(most: usize) -> Self {
        EvenSample { most, stride: 1, kept: Vec::new(), positions: 0 }
    }

    /// Takes the next position of the order.
    pub(super) fn push(&mut self, position: Position) {
        if self.positions.is_multiple_of(self.stride) {
            if self.kept.len() == self.most {
                self.kept = self.kept.iter().copied().step_by(2).collect();
                self.stride *= 2;
            }
            // With the new stride, this position may be one to leave out.
            if self.positions.is_multiple_of(self.stride) {
                self.kept.push(position);
            }
        }
        self.positions += 1;
    }

    /// The positions kept, with their numbers in the order, in a sequence of
    /// which every beginning is spread evenly too.
    pub(super) fn evenly(&self) -> impl Iterator<Item = (u64, Position)> + '_ {
        evenly(self.kept.len()).map(|index| (index as u64 * self.stride, self.kept[index]))
    }
}

/// A sample of all positions of a ply, which are counted on the way.
pub(super) fn sample(run: &Run<'_>, ply: u32, most: usize) -> Result<EvenSample, GenerateError> {
    run.progress.begin(Step::Divide, 0, 0);
    let mut sample = EvenSample::new(most);
    for (_, position) in run.order(ply)? {
        sample.push(position);
        if sample.positions.is_multiple_of(COUNTED_AT_ONCE) {
            run.progress.advance(COUNTED_AT_ONCE);
        }
    }
    run.check_cancelled(None)?;
    run.progress.advance(sample.positions % COUNTED_AT_ONCE);
    Ok(sample)
}

/// The numbers below `length`, such that every beginning is spread evenly: in
/// the order of their bits reversed.
fn evenly(length: usize) -> impl Iterator<Item = usize> {
    let bits = length.next_power_of_two().trailing_zeros();
    let reversed =
        move |number: usize| number.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0);
    (0..length.next_power_of_two()).map(reversed).filter(move |&number| number < length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::depth_first;
    use crate::generate::Plan;
    use crate::progress::Progress;
    use fourbook_solver::board::Size;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn every_beginning_is_spread_evenly() {
        assert_eq!(evenly(0).count(), 0);
        assert_eq!(evenly(1).collect::<Vec<_>>(), [0]);
        assert_eq!(evenly(8).collect::<Vec<_>>(), [0, 4, 2, 6, 1, 5, 3, 7]);
        let mut all: Vec<_> = evenly(1000).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1000));
    }

    #[test]
    fn positions_are_kept_with_their_numbers() {
        let size = Size::new(4, 4).unwrap();
        let order: Vec<_> = depth_first(size, 6).unwrap().collect();
        for most in [2, 16, 100_000] {
            let mut sample = EvenSample::new(most);
            order.iter().for_each(|&(_, position)| sample.push(position));
            assert_eq!(sample.positions, order.len() as u64);
            let kept: Vec<_> = sample.evenly().collect();
            assert!(kept.len() <= most && kept.len() >= most.min(order.len()) / 2);
            for (number, position) in kept {
                assert_eq!(order[number as usize].1, position);
            }
        }
    }

    /// Adds up the reported nodes.
    #[derive(Default)]
    struct Sum(AtomicU64);

    impl Progress for Sum {
        fn begin(&self, step: Step, done: u64, total: u64) {
            assert_eq!((step, done, total), (Step::Divide, 0, 0));
        }

        fn advance(&self, units: u64) {
            self.0.fetch_add(units, Ordering::Relaxed);
        }
    }

    #[test]
    fn every_position_counted_is_told() {
        for depth in [0, 6, 8] {
            let told = Sum::default();
            let (plan, cancel) = (Plan::new(Size::STANDARD, depth), Arc::default());
            let run = Run::start(&plan, &told, &cancel).unwrap();
            let sample = sample(&run, depth, 16).unwrap();
            assert_eq!(told.0.load(Ordering::Relaxed), sample.positions);
        }
    }
}
