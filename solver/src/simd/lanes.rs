//! Boards side by side, in any kind of register.

use crate::board::Cells;
use std::ops::BitXor;

/// `N` boards side by side.
pub trait Lanes<B: Copy + Ord, const N: usize>: Cells + BitXor<Output = Self> {
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
    fn min(self, other: Self) -> [B; N];
    /// [`completing_cells`](crate::board::threats::completing_cells) of each board.
    fn completing_cells(self, column_bits: u32) -> Self;
    /// [`lines_of_four`](crate::board::threats::lines_of_four) of each board.
    fn lines_of_four(self, column_bits: u32) -> Self;
}

/// The number of rounds of a loop, hidden from the compiler on WebAssembly so that it does not unroll
/// the loop: engines keep the values of long code without branches in memory.
#[inline(always)]
pub fn rounds(number: usize) -> usize {
    if cfg!(target_family = "wasm") { std::hint::black_box(number) } else { number }
}
