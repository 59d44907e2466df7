//! Boards side by side, in any kind of register.

use crate::board::Cells;
use crate::board::threats::{completing_cells, lines_of_four};
use std::ops::BitXor;

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
