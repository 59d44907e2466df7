//! [`Lanes`] in arrays, for any processor.

use super::lanes::Lanes;
use crate::board::{Cells, Word};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// Boards in an array, for any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable<B, const N: usize>([B; N]);

/// Makes an array from the value of an expression for each lane.
macro_rules! each_lane {
    ($lane:ident => $value:expr) => {{
        let mut boards = [B::ZERO; N];
        let mut $lane = 0;
        while $lane < N {
            boards[$lane] = $value;
            $lane += 1;
        }
        Portable(boards)
    }};
}

impl<B: Word, const N: usize> Cells for Portable<B, N> {}

/// An operator of [`Portable`] that does the same in each lane.
macro_rules! in_each_lane {
    ($operator:ident<$other:ty>, $method:ident, |$a:ident, $b:ident, $lane:ident| $value:expr) => {
        impl<B: Word, const N: usize> $operator<$other> for Portable<B, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, $b: $other) -> Self {
                let $a = self;
                each_lane!($lane => $value)
            }
        }
    };
}

in_each_lane!(BitAnd<Self>, bitand, |a, b, lane| a.0[lane] & b.0[lane]);
in_each_lane!(BitOr<Self>, bitor, |a, b, lane| a.0[lane] | b.0[lane]);
in_each_lane!(BitXor<Self>, bitxor, |a, b, lane| a.0[lane] ^ b.0[lane]);

impl<B: Word, const N: usize> Shl<u32> for Portable<B, N> {
    type Output = Self;
    #[inline(always)]
    fn shl(mut self, bits: u32) -> Self {
        if B::BITS <= u64::BITS {
            shl_each(&mut self.0, bits)
        } else {
            shl_wide(&mut self.0, bits)
        }
        self
    }
}

impl<B: Word, const N: usize> Shr<u32> for Portable<B, N> {
    type Output = Self;
    #[inline(always)]
    fn shr(mut self, bits: u32) -> Self {
        if B::BITS <= u64::BITS {
            shr_each(&mut self.0, bits)
        } else {
            shr_wide(&mut self.0, bits)
        }
        self
    }
}

#[inline(always)]
fn shl_each<B: Word>(boards: &mut [B], bits: u32) {
    for board in boards {
        *board = *board << bits;
    }
}

#[inline(always)]
fn shr_each<B: Word>(boards: &mut [B], bits: u32) {
    for board in boards {
        *board = *board >> bits;
    }
}

/// Not inlined: a shift of 128 bits is a dozen instructions, and inlined, the hundreds of shifts of
/// a search would take as long to compile as everything else.
#[inline(never)]
fn shl_wide<B: Word>(boards: &mut [B], bits: u32) {
    shl_each(boards, bits);
}

/// Not inlined, like [`shl_wide`].
#[inline(never)]
fn shr_wide<B: Word>(boards: &mut [B], bits: u32) {
    shr_each(boards, bits);
}

impl<B: Word, const N: usize> Lanes<B, N> for Portable<B, N> {
    #[inline(always)]
    fn splat(cells: B) -> Self {
        Portable([cells; N])
    }
    #[inline(always)]
    fn load(boards: &[B; N]) -> Self {
        Portable(*boards)
    }
    #[inline(always)]
    fn store(self) -> [B; N] {
        self.0
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        each_lane!(lane => self.0[lane] & !other.0[lane])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each_lane!(lane => self.0[lane].wrapping_add(other.0[lane]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each_lane!(lane => self.0[lane].wrapping_sub(other.0[lane]))
    }
    #[inline(always)]
    fn where_empty(self) -> Self {
        each_lane!(lane => if self.0[lane].is_empty() { !B::ZERO } else { B::ZERO })
    }
    #[inline(always)]
    fn empty_lanes(self) -> u32 {
        let mut bits = 0;
        let mut lane = 0;
        while lane < N {
            bits |= u32::from(self.0[lane].is_empty()) << lane;
            lane += 1;
        }
        bits
    }
}
