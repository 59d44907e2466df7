//! Positions spread evenly over the depth-first order, for looking at some
//! where looking at all takes too long.

use super::progress::{Event, Progress};
use crate::board::Position;
use crate::enumerate::{DepthFirst, PlyError};
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions that are counted between two looks at whether to go on.
const COUNTED_AT_ONCE: u64 = 1 << 16;

/// Every so many positions of an order, as it is gone through: at least half as
/// many as there may be at most, or all.
#[derive(Debug)]
pub(super) struct Spread<const W: usize, const H: usize> {
    most: usize,
    /// From one that is kept to the next.
    stride: u64,
    kept: Vec<Position<W, H>>,
    /// All that have come.
    positions: u64,
}

impl<const W: usize, const H: usize> Spread<W, H> {
    /// None yet, of which at most `most` will be kept, a number from 2.
    pub(super) fn new(most: usize) -> Self {
        Spread { most, stride: 1, kept: Vec::new(), positions: 0 }
    }

    /// Takes the next position of the order.
    pub(super) fn push(&mut self, position: Position<W, H>) {
        if self.positions.is_multiple_of(self.stride) {
            if self.kept.len() == self.most {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.stride *= 2;
            }
            // The place of this one may have been that of one between.
            if self.positions.is_multiple_of(self.stride) {
                self.kept.push(position);
            }
        }
        self.positions += 1;
    }

    /// How many positions have come.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    /// The positions kept, with their numbers in the order, in a sequence of
    /// which every beginning is spread evenly too.
    pub(super) fn evenly(&self) -> impl Iterator<Item = (u64, Position<W, H>)> + '_ {
        evenly(self.kept.len()).map(|index| (index as u64 * self.stride, self.kept[index]))
    }
}

/// Goes through all positions of a ply and keeps some; `None` if cancelled.
pub(super) fn count<const W: usize, const H: usize>(
    depth: u32,
    most: usize,
    progress: &dyn Progress,
    cancel: &AtomicBool,
) -> Result<Option<Spread<W, H>>, PlyError> {
    let mut spread = Spread::new(most);
    for visit in DepthFirst::<W, H>::new(depth)? {
        if spread.positions().is_multiple_of(COUNTED_AT_ONCE) {
            progress.report(&Event::Dividing { positions: spread.positions() });
            if cancel.load(Ordering::Relaxed) {
                return Ok(None);
            }
        }
        spread.push(visit.position);
    }
    Ok(Some(spread))
}

/// The numbers below `length`, such that every beginning is spread evenly: in
/// the order of their bits reversed.
fn evenly(length: usize) -> impl Iterator<Item = usize> {
    let bits = length.next_power_of_two().trailing_zeros();
    let reversed = move |number: usize| match bits {
        0 => 0,
        _ => number.reverse_bits() >> (usize::BITS - bits),
    };
    (0..length.next_power_of_two()).map(reversed).filter(move |&number| number < length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::DepthFirst;

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
        let order: Vec<_> = DepthFirst::<4, 4>::new(6).unwrap().collect();
        for most in [2, 16, 100_000] {
            let mut spread = Spread::new(most);
            order.iter().for_each(|visit| spread.push(visit.position));
            assert_eq!(spread.positions(), order.len() as u64);
            let kept: Vec<_> = spread.evenly().collect();
            assert!(kept.len() <= most && kept.len() >= most.min(order.len()) / 2);
            for (number, position) in kept {
                assert_eq!(order[number as usize].position, position);
            }
        }
    }
}
