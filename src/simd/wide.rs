//! Boards side by side in pairs of values: eight boards of 128 bits are two times eight of
//! 64, and sixteen boards two times eight.

use super::lanes::Lanes;
use crate::board::Cells;
use crate::board::Word;
use crate::board::threats::{completing_cells, lines_of_four};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// Boards that can be halves of larger ones when they are shifted.
pub(crate) trait Shifts: Cells {
    /// Shift to the left; by 64 bits or more, nothing is left.
    #[inline(always)]
    fn shl_any(self, bits: u32) -> Self {
        self << bits
    }
    /// Shift to the right; by 64 bits or more, nothing is left.
    #[inline(always)]
    fn shr_any(self, bits: u32) -> Self {
        self >> bits
    }
}

/// Boards that can be halves of larger ones.
pub(crate) trait Halves: Lanes<u64, 8> + Shifts {
    /// All bits in the lanes where this number is less than the other's, none in the
    /// others.
    fn where_less(self, other: Self) -> Self;

    /// [`completing_cells`] of each board of which these are the halves.
    #[inline(always)]
    fn completing_cells_of(boards: Wide<Self>, column_bits: u32) -> Wide<Self> {
        completing_cells(boards, column_bits)
    }
    /// [`lines_of_four`] of each board of which these are the halves.
    #[inline(always)]
    fn lines_of_four_of(boards: Wide<Self>, column_bits: u32) -> Wide<Self> {
        lines_of_four(boards, column_bits)
    }
}

/// Eight boards of 128 bits, as their low and high halves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<L>(pub(crate) L, pub(crate) L);

impl<L: Shifts> Cells for Wide<L> {
    #[inline(always)]
    fn shl_short(self, bits: u32) -> Self {
        let carried = self.0.shr_any(64 - bits);
        Wide(self.0 << bits, (self.1 << bits) | carried)
    }
    #[inline(always)]
    fn shr_short(self, bits: u32) -> Self {
        let carried = self.1.shl_any(64 - bits);
        Wide((self.0 >> bits) | carried, self.1 >> bits)
    }
}

/// An operator that does the same to both halves.
macro_rules! on_both {
    ($name:ident: $bound:ident, $operator:ident, $method:ident) => {
        impl<L: $bound> $operator for $name<L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $name(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

on_both!(Wide: Shifts, BitAnd, bitand);
on_both!(Wide: Shifts, BitOr, bitor);
impl<L: Halves> BitXor for Wide<L> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Wide(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl<L: Shifts> Shl<u32> for Wide<L> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // One of the two shifts between the halves is by too many bits, and gives nothing.
        let carried =
            self.0.shr_any(64_u32.wrapping_sub(bits)) | self.0.shl_any(bits.wrapping_sub(64));
        Wide(self.0.shl_any(bits), self.1.shl_any(bits) | carried)
    }
}

impl<L: Shifts> Shr<u32> for Wide<L> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        let carried =
            self.1.shl_any(64_u32.wrapping_sub(bits)) | self.1.shr_any(bits.wrapping_sub(64));
        Wide(self.0.shr_any(bits) | carried, self.1.shr_any(bits))
    }
}

impl<L: Halves> Lanes<u128, 8> for Wide<L> {
    #[inline(always)]
    fn splat(cells: u128) -> Self {
        Wide(L::splat(cells.low()), L::splat((cells >> 64).low()))
    }
    #[inline(always)]
    fn load(boards: &[u128; 8]) -> Self {
        Wide(
            L::load(&std::array::from_fn(|lane| boards[lane].low())),
            L::load(&std::array::from_fn(|lane| (boards[lane] >> 64).low())),
        )
    }
    #[inline(always)]
    fn store(self) -> [u128; 8] {
        let (low, high) = (self.0.store(), self.1.store());
        let mut boards = [0; 8];
        let mut lane = 0;
        while lane < 8 {
            boards[lane] = u128::from(low[lane]) | u128::from(high[lane]) << 64;
            lane += 1;
        }
        boards
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Wide(self.0.without(other.0), self.1.without(other.1))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let low = self.0.add(other.0);
        // The carry is all ones, which is -1.
        let carry = low.where_less(self.0);
        Wide(low, self.1.add(other.1).sub(carry))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let borrow = self.0.where_less(other.0);
        Wide(self.0.sub(other.0), self.1.sub(other.1).add(borrow))
    }
    #[inline(always)]
    fn where_empty(self) -> Self {
        let empty = (self.0 | self.1).where_empty();
        Wide(empty, empty)
    }
    #[inline(always)]
    fn empty_lanes(self) -> u32 {
        (self.0 | self.1).empty_lanes()
    }
    #[inline(always)]
    fn completing_cells(self, column_bits: u32) -> Self {
        L::completing_cells_of(self, column_bits)
    }
    #[inline(always)]
    fn lines_of_four(self, column_bits: u32) -> Self {
        L::lines_of_four_of(self, column_bits)
    }
}

/// Sixteen boards, as two times eight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sixteen<L>(L, L);

impl<L: Cells> Cells for Sixteen<L> {
    #[inline(always)]
    fn shl_short(self, bits: u32) -> Self {
        Sixteen(self.0.shl_short(bits), self.1.shl_short(bits))
    }
    #[inline(always)]
    fn shr_short(self, bits: u32) -> Self {
        Sixteen(self.0.shr_short(bits), self.1.shr_short(bits))
    }
}

on_both!(Sixteen: Cells, BitAnd, bitand);
on_both!(Sixteen: Cells, BitOr, bitor);

impl<L: BitXor<Output = L>> BitXor for Sixteen<L> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Sixteen(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl<L: Cells> Shl<u32> for Sixteen<L> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Sixteen(self.0 << bits, self.1 << bits)
    }
}

impl<L: Cells> Shr<u32> for Sixteen<L> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Sixteen(self.0 >> bits, self.1 >> bits)
    }
}

impl<B: Word, L: Lanes<B, 8>> Lanes<B, 16> for Sixteen<L> {
    #[inline(always)]
    fn splat(cells: B) -> Self {
        Sixteen(L::splat(cells), L::splat(cells))
    }
    #[inline(always)]
    fn load(boards: &[B; 16]) -> Self {
        let (halves, _) = boards.as_chunks::<8>();
        Sixteen(L::load(&halves[0]), L::load(&halves[1]))
    }
    #[inline(always)]
    fn store(self) -> [B; 16] {
        let mut boards = [B::ZERO; 16];
        let (halves, _) = boards.as_chunks_mut::<8>();
        halves[0] = self.0.store();
        halves[1] = self.1.store();
        boards
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Sixteen(self.0.without(other.0), self.1.without(other.1))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Sixteen(self.0.add(other.0), self.1.add(other.1))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Sixteen(self.0.sub(other.0), self.1.sub(other.1))
    }
    #[inline(always)]
    fn where_empty(self) -> Self {
        Sixteen(self.0.where_empty(), self.1.where_empty())
    }
    #[inline(always)]
    fn empty_lanes(self) -> u32 {
        self.0.empty_lanes() | self.1.empty_lanes() << 8
    }
    #[inline(always)]
    fn completing_cells(self, column_bits: u32) -> Self {
        Sixteen(self.0.completing_cells(column_bits), self.1.completing_cells(column_bits))
    }
    #[inline(always)]
    fn lines_of_four(self, column_bits: u32) -> Self {
        Sixteen(self.0.lines_of_four(column_bits), self.1.lines_of_four(column_bits))
    }
}
