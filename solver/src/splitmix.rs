//! Numbers mixed so that nothing is left of their order: for hashes, where the
//! file format depends on it, and for samples that a seed chooses.
//!
//! Source: S. Vigna, "splitmix64.c".

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
