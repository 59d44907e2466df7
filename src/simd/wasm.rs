//! [`Lanes`] in the registers of WebAssembly, where it is compiled with SIMD.

use super::lanes::Lanes;
use super::wide::{Halves, Shifts, Wide};
use crate::board::Cells;
use crate::board::threats::{completing_cells, lines_of_four};
use std::arch::wasm32::*;
use std::hint::black_box;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// Eight boards in four registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128([v128; 4]);

/// Four registers from what an expression gives for each.
macro_rules! each {
    ($number:ident => $value:expr) => {
        Simd128([
            {
                const $number: usize = 0;
                $value
            },
            {
                const $number: usize = 1;
                $value
            },
            {
                const $number: usize = 2;
                $value
            },
            {
                const $number: usize = 3;
                $value
            },
        ])
    };
}

/// An operator by an instruction.
macro_rules! operator {
    ($operator:ident<$other:ty>, $method:ident, |$a:ident, $b:ident, $number:ident| $value:expr) => {
        impl $operator<$other> for Simd128 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, $b: $other) -> Self {
                let $a = self;
                each!($number => $value)
            }
        }
    };
}

impl Cells for Simd128 {}
operator!(BitAnd<Self>, bitand, |a, b, I| v128_and(a.0[I], b.0[I]));
operator!(BitOr<Self>, bitor, |a, b, I| v128_or(a.0[I], b.0[I]));
operator!(BitXor<Self>, bitxor, |a, b, I| v128_xor(a.0[I], b.0[I]));
operator!(Shl<u32>, shl, |a, bits, I| u64x2_shl(a.0[I], bits));
operator!(Shr<u32>, shr, |a, bits, I| u64x2_shr(a.0[I], bits));

/// Two boards in a register.
#[derive(Clone, Copy, Debug)]
struct Two(v128);

impl Cells for Two {}
impl BitAnd for Two {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Two(v128_and(self.0, other.0))
    }
}
impl BitOr for Two {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Two(v128_or(self.0, other.0))
    }
}
impl Shl<u32> for Two {
    type Output = Self;
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Two(u64x2_shl(self.0, bits))
    }
}
impl Shr<u32> for Two {
    type Output = Self;
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Two(u64x2_shr(self.0, bits))
    }
}

impl Shifts for Two {
    #[inline(always)]
    fn shl_any(self, bits: u32) -> Self {
        // An instruction takes the number of bits modulo 64.
        if bits < u64::BITS { self << bits } else { Two(u64x2_splat(0)) }
    }
    #[inline(always)]
    fn shr_any(self, bits: u32) -> Self {
        if bits < u64::BITS { self >> bits } else { Two(u64x2_splat(0)) }
    }
}

/// Does something with one register after the other. Compilers of WebAssembly keep what
/// they have at work at once in memory, so this is a loop that nobody unrolls.
#[inline(always)]
fn each_register(mut change: impl FnMut(usize)) {
    let mut number = 0;
    loop {
        change(number);
        number = black_box(number + 1) % 4;
        if number == 0 {
            return;
        }
    }
}

impl Simd128 {
    #[inline(always)]
    fn map(mut self, change: impl Fn(Two) -> Two) -> Self {
        each_register(|number| self.0[number] = change(Two(self.0[number])).0);
        self
    }

    /// The same for boards of 128 bits.
    #[inline(always)]
    fn map_wide(mut boards: Wide<Self>, change: impl Fn(Wide<Two>) -> Wide<Two>) -> Wide<Self> {
        each_register(|number| {
            let changed = change(Wide(Two(boards.0.0[number]), Two(boards.1.0[number])));
            (boards.0.0[number], boards.1.0[number]) = (changed.0.0, changed.1.0);
        });
        boards
    }
}

impl Lanes<u64, 8> for Simd128 {
    #[inline(always)]
    fn completing_cells(self, column_bits: u32) -> Self {
        self.map(|two| completing_cells(two, column_bits))
    }
    #[inline(always)]
    fn lines_of_four(self, column_bits: u32) -> Self {
        self.map(|two| lines_of_four(two, column_bits))
    }
    #[inline(always)]
    fn splat(cells: u64) -> Self {
        Simd128([u64x2_splat(cells); 4])
    }
    #[inline(always)]
    fn load(boards: &[u64; 8]) -> Self {
        each!(I => u64x2(boards[2 * I], boards[2 * I + 1]))
    }
    #[inline(always)]
    fn store(self) -> [u64; 8] {
        let [a, b, c, d] =
            self.0.map(|two| (u64x2_extract_lane::<0>(two), u64x2_extract_lane::<1>(two)));
        [a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1]
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        each!(I => v128_andnot(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each!(I => u64x2_add(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each!(I => u64x2_sub(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn where_empty(self) -> Self {
        let none = u64x2_splat(0);
        each!(I => u64x2_eq(self.0[I], none))
    }
    #[inline(always)]
    fn empty_lanes(self) -> u32 {
        let [a, b, c, d] = self.where_empty().0.map(|two| u32::from(u64x2_bitmask(two)));
        a | b << 2 | c << 4 | d << 6
    }
    #[inline(always)]
    fn min(self, other: Self) -> [u64; 8] {
        let less = self.where_less(other);
        each!(I => v128_bitselect(self.0[I], other.0[I], less.0[I])).store()
    }
}

impl Shifts for Simd128 {
    #[inline(always)]
    fn shl_any(self, bits: u32) -> Self {
        // An instruction takes the number of bits modulo 64.
        if bits < u64::BITS { self << bits } else { Self::splat(0) }
    }
    #[inline(always)]
    fn shr_any(self, bits: u32) -> Self {
        if bits < u64::BITS { self >> bits } else { Self::splat(0) }
    }
}

impl Halves for Simd128 {
    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        // Numbers with a sign are all there are to compare.
        let sign = Self::splat(1 << 63);
        let (a, b) = (self ^ sign, other ^ sign);
        each!(I => i64x2_lt(a.0[I], b.0[I]))
    }
    #[inline(always)]
    fn completing_cells_of(boards: Wide<Self>, column_bits: u32) -> Wide<Self> {
        Self::map_wide(boards, |two| completing_cells(two, column_bits))
    }
    #[inline(always)]
    fn lines_of_four_of(boards: Wide<Self>, column_bits: u32) -> Wide<Self> {
        Self::map_wide(boards, |two| lines_of_four(two, column_bits))
    }
}
