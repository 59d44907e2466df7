//! Numbers mixed so that nothing is left of their order: for hashes, where the
//! file format depends on it, and for samples that a seed chooses.
//!
//! Source: S. Vigna, "splitmix64.c".

use std::collections::BTreeSet;

/// The increment from one number to the next, before mixing.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads all bits of a number over all bits.
#[inline(always)]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Pseudorandom numbers; a seed always gives the same ones.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `count`, all about equally likely; 0 if there is none.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.draw()) * count as u128) >> 64) as usize
    }
}

/// `count` different numbers below `all`, chosen at random, or all there are;
/// ascending.
///
/// Source: R. Floyd, in J. Bentley, "Programming pearls: a sample of brilliance" (1987).
pub fn sample(all: u64, count: u64, seed: u64) -> BTreeSet<u64> {
    let mut random = SplitMix(seed);
    let mut chosen = BTreeSet::new();
    for last in all.saturating_sub(count)..all {
        if !chosen.insert(random.draw() % (last + 1)) {
            chosen.insert(last);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_no_number_twice_and_every_one_sooner_or_later() {
        let mut met = BTreeSet::new();
        for seed in 0..50 {
            let chosen = sample(20, 7, seed);
            assert_eq!(chosen.len(), 7);
            assert!(chosen.iter().all(|&number| number < 20));
            met.extend(chosen);
        }
        assert_eq!(met.len(), 20);
        assert_eq!(sample(20, 20, 1).len(), 20);
        assert_eq!(sample(20, 19, 1).len(), 19);
        assert_eq!(sample(20, u64::MAX, 1).len(), 20);
        assert!(sample(0, 5, 1).is_empty() && sample(5, 0, 1).is_empty());
    }
}
