//! Boards side by side: one operation on all moves of a position at once.
//!
//! [`Lanes`] is several boards in one value, one for each column of the board. Any
//! processor handles them in an array, [`Portable`]; newer x86 processors hold them in
//! registers (`registers`) and pairs of such values (`pairs`). All do the same; tests
//! compare them.

use crate::board::Cells;
use crate::board::Word;
use crate::board::threats::{completing_cells, lines_of_four};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// `N` boards side by side.
pub(crate) trait Lanes<B: Copy + Ord, const N: usize>:
    Cells + BitXor<Output = Self>
{
    /// `N` times the same board.
    fn splat(cells: B) -> Self;
    /// The boards of an array.
    fn load(boards: &[B; N]) -> Self;
    /// The boards as an array.
    fn store(self) -> [B; N];
    /// `self` without the cells of `other`.
    fn without(self, other: Self) -> Self;
    /// Sum of each pair of boards as numbers, wrapping.
    fn add(self, other: Self) -> Self;
    /// Difference of each pair of boards as numbers, wrapping.
    fn sub(self, other: Self) -> Self;
    /// All bits in the lanes where this board is empty, none in the others.
    fn where_empty(self) -> Self;
    /// One bit for each lane, set where the board is empty; the higher bits are not.
    fn empty_lanes(self) -> u32;

    /// The smaller of each pair of boards as numbers.
    #[inline(always)]
    fn min(self, other: Self) -> [B; N] {
        let (mut smaller, other) = (self.store(), other.store());
        for lane in 0..N {
            smaller[lane] = smaller[lane].min(other[lane]);
        }
        smaller
    }
    /// [`completing_cells`] of each board.
    #[inline(always)]
    fn completing_cells(self, column_bits: u32) -> Self {
        completing_cells(self, column_bits)
    }
    /// [`lines_of_four`] of each board.
    #[inline(always)]
    fn lines_of_four(self, column_bits: u32) -> Self {
        lines_of_four(self, column_bits)
    }
}

/// Boards in an array, for any processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable<B, const N: usize>([B; N]);

/// The array of what an expression gives for each lane.
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

/// Not inlined: a shift of 128 bits is a dozen instructions, and a search has hundreds of
/// shifts, which would take as long to compile as all else.
#[inline(never)]
fn shl_wide<B: Word>(boards: &mut [B], bits: u32) {
    shl_each(boards, bits);
}

/// As [`shl_wide`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every operation on the same operands, as arrays.
    fn all_operations<B: Word, L: Lanes<B, N>, const N: usize>(
        a: &[B; N],
        b: &[B; N],
        bits: u32,
    ) -> Vec<[B; N]> {
        let (a, b) = (L::load(a), L::load(b));
        vec![
            (a & b).store(),
            (a | b).store(),
            (a ^ b).store(),
            (a << bits).store(),
            (a >> bits).store(),
            a.without(b).store(),
            a.add(b).store(),
            a.sub(b).store(),
            (a & b).where_empty().store(),
            L::splat(B::truncate(u128::from(bits))).store(),
            [B::truncate(u128::from((a & b).empty_lanes())); N],
        ]
    }

    /// Compares every operation with the same on single numbers.
    fn check<B: Word, L: Lanes<B, N>, const N: usize>(numbers: &[u128], bits: u32) {
        let board = |i: usize| B::truncate(numbers[i] & numbers[i + 32] & (numbers[i] >> 7));
        let a: [B; N] = std::array::from_fn(board);
        let b: [B; N] = std::array::from_fn(|lane| board(16 + lane));
        let bits = bits % B::BITS;
        let found = all_operations::<B, L, N>(&a, &b, bits);
        for lane in 0..N {
            let (x, y) = (a[lane], b[lane]);
            let empty = (x & y).is_empty();
            let expected = [
                x & y,
                x | y,
                x ^ y,
                x << bits,
                x >> bits,
                x & !y,
                x.wrapping_add(y),
                x.wrapping_sub(y),
                if empty { !B::ZERO } else { B::ZERO },
                B::truncate(u128::from(bits)),
            ];
            for (operation, expected) in expected.into_iter().enumerate() {
                assert_eq!(found[operation][lane], expected, "operation {operation}");
            }
            assert_eq!(found[10][0].low() >> lane & 1 == 1, empty);
            assert_eq!(found[10][0].low() >> N, 0);
        }
    }

    /// The same for all kinds of boards that are made of registers of one kind.
    #[cfg(target_arch = "x86_64")]
    fn check_all<L: crate::solver::pairs::Halves>(numbers: &[u128], bits: u32) {
        use crate::solver::pairs::{Sixteen, Wide};
        check::<u64, L, 8>(numbers, bits);
        check::<u64, Sixteen<L>, 16>(numbers, bits);
        check::<u128, Wide<L>, 8>(numbers, bits);
        check::<u128, Sixteen<Wide<L>>, 16>(numbers, bits);
    }

    proptest! {
        #[test]
        fn every_kind_of_lanes_does_what_single_numbers_do(
            numbers in prop::collection::vec(any::<u128>(), 64),
            bits in 0..128_u32,
        ) {
            check::<u64, Portable<u64, 8>, 8>(&numbers, bits);
            check::<u64, Portable<u64, 16>, 16>(&numbers, bits);
            check::<u128, Portable<u128, 8>, 8>(&numbers, bits);
            check::<u128, Portable<u128, 16>, 16>(&numbers, bits);
            #[cfg(target_arch = "x86_64")]
            {
                use crate::solver::cpu::Instructions;
                use crate::solver::registers;
                if Instructions::available().contains(&Instructions::Avx2) {
                    check_all::<registers::Avx2>(&numbers, bits);
                }
                if Instructions::available().contains(&Instructions::Avx512) {
                    check_all::<registers::Avx512>(&numbers, bits);
                }
            }
        }
    }
}
