//! Boards side by side in registers of any kind.

use crate::board::threats::{completing_cells, lines_of_four};
use crate::board::{Cells, Word, inlined};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// A register of several numbers.
pub trait Register: Copy {
    /// A number in the register.
    type Number: Word;
    /// How many numbers it holds, at most eight.
    const LANES: usize;

    /// The same number in all lanes.
    fn splat(number: Self::Number) -> Self;
    /// The first numbers of a slice.
    fn load(numbers: &[Self::Number]) -> Self;
    /// Stores the numbers at the start of a slice.
    fn store(self, numbers: &mut [Self::Number]);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// The sum, wrapping.
    fn add(self, other: Self) -> Self;
    /// The difference, wrapping.
    fn sub(self, other: Self) -> Self;
    /// Shift to the left by fewer bits than a number has.
    fn shl(self, bits: u32) -> Self;
    /// Shift to the right by fewer bits than a number has.
    fn shr(self, bits: u32) -> Self;
    /// All bits where the number is 0, none in the other lanes.
    fn where_empty(self) -> Self;
    /// All bits where the number is less than the other's, none in the other lanes.
    fn where_less(self, other: Self) -> Self;
    /// One bit for each number, all of whose bits are equal; the first one lowest.
    fn bits(self) -> u32;

    /// [`bits`](Self::bits) of several registers.
    #[inline(always)]
    fn all_bits<const N: usize>(registers: [Self; N]) -> u32 {
        let mut bits = 0;
        let mut index = 0;
        while index < N {
            bits |= registers[index].bits() << (index * Self::LANES);
            index += 1;
        }
        bits
    }

    inlined! {
        /// Shift to the left; by 64 bits, nothing is left of numbers of 64 bits.
        shl_or_zero(self, bits: u32) -> Self => self.shl(bits);
        /// Shift to the right; by 64 bits, nothing is left of numbers of 64 bits.
        shr_or_zero(self, bits: u32) -> Self => self.shr(bits);
        /// Shift to the left by fewer than 64 bits.
        shl_short(self, bits: u32) -> Self => self.shl(bits);
        /// Shift to the right by fewer than 64 bits.
        shr_short(self, bits: u32) -> Self => self.shr(bits);
    }
}

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
    /// The cells that complete four in a line on each board, full cells and guard bits included.
    fn completing_cells(self, column_bits: u32) -> Self;
    /// The lowest cell of every line of four on each board.
    fn lines_of_four(self, column_bits: u32) -> Self;
}

/// The number of rounds of a loop, hidden from the compiler on WebAssembly so that it does not unroll
/// the loop: engines keep the values of long code without branches in memory.
#[inline(always)]
pub fn rounds(number: usize) -> usize {
    if cfg!(target_family = "wasm") { std::hint::black_box(number) } else { number }
}

/// Boards in `N` registers.
#[derive(Clone, Copy, Debug)]
pub struct Vector<R, const N: usize>([R; N]);

/// Makes a vector from the value of an expression for each register. (A closure would not do: it
/// is built without the instructions of the function around it.)
macro_rules! each {
    ($index:ident => $value:expr) => {{
        let mut registers = [R::splat(R::Number::ZERO); N];
        let mut $index = 0;
        while $index < N {
            registers[$index] = $value;
            $index += 1;
        }
        Vector(registers)
    }};
}

macro_rules! operator {
    ($operator:ident<$other:ty>, $method:ident, |$a:ident, $b:ident, $index:ident| $value:expr) => {
        impl<R: Register, const N: usize> $operator<$other> for Vector<R, N> {
            type Output = Self;
            inlined! { $method(self, $b: $other) -> Self => { let $a = self; each!($index => $value) }; }
        }
    };
}

operator!(BitAnd<Self>, bitand, |a, b, i| a.0[i].and(b.0[i]));
operator!(BitOr<Self>, bitor, |a, b, i| a.0[i].or(b.0[i]));
operator!(BitXor<Self>, bitxor, |a, b, i| a.0[i].xor(b.0[i]));
operator!(Shl<u32>, shl, |a, bits, i| a.0[i].shl(bits));
operator!(Shr<u32>, shr, |a, bits, i| a.0[i].shr(bits));

impl<R: Register, const N: usize> Cells for Vector<R, N> {
    inlined! {
        shl_short(self, bits: u32) -> Self => each!(i => self.0[i].shl_short(bits));
        shr_short(self, bits: u32) -> Self => each!(i => self.0[i].shr_short(bits));
    }
}

impl<R: Register, const N: usize, const BOARDS: usize> Lanes<R::Number, BOARDS> for Vector<R, N> {
    inlined! {
        splat(cells: R::Number) -> Self => Vector([R::splat(cells); N]);
        load(boards: &[R::Number; BOARDS]) -> Self => each!(i => R::load(&boards[i * R::LANES..]));
        without(self, other: Self) -> Self => each!(i => self.0[i].without(other.0[i]));
        add(self, other: Self) -> Self => each!(i => self.0[i].add(other.0[i]));
        sub(self, other: Self) -> Self => each!(i => self.0[i].sub(other.0[i]));
        where_empty(self) -> Self => each!(i => self.0[i].where_empty());
        empty_lanes(self) -> u32 => R::all_bits(each!(i => self.0[i].where_empty()).0);
    }

    #[inline(always)]
    fn store(self) -> [R::Number; BOARDS] {
        const { assert!(BOARDS == N * R::LANES) };
        let mut boards = [R::Number::ZERO; BOARDS];
        let mut index = 0;
        while index < N {
            self.0[index].store(&mut boards[index * R::LANES..]);
            index += 1;
        }
        boards
    }

    #[inline(always)]
    fn min(self, other: Self) -> [R::Number; BOARDS] {
        let less = each!(i => self.0[i].where_less(other.0[i]));
        let smaller = each!(i => self.0[i].and(less.0[i]).or(other.0[i].without(less.0[i])));
        Lanes::<R::Number, BOARDS>::store(smaller)
    }

    // One register after the other. Compilers of WebAssembly keep all operands of unrolled code in
    // memory, so for them this is a loop that is not unrolled.
    #[inline(always)]
    fn completing_cells(mut self, column_bits: u32) -> Self {
        for index in 0..rounds(N).min(N) {
            self.0[index] = completing_cells(Vector([self.0[index]]), column_bits).0[0];
        }
        self
    }

    #[inline(always)]
    fn lines_of_four(mut self, column_bits: u32) -> Self {
        for index in 0..rounds(N).min(N) {
            self.0[index] = lines_of_four(Vector([self.0[index]]), column_bits).0[0];
        }
        self
    }
}

/// One number, for any processor.
impl Register for u64 {
    type Number = u64;
    const LANES: usize = 1;
    inlined! {
        splat(number: u64) -> u64 => number;
        load(numbers: &[u64]) -> u64 => numbers[0];
        store(self, numbers: &mut [u64]) -> () => numbers[0] = self;
        and(self, other: u64) -> u64 => self & other;
        or(self, other: u64) -> u64 => self | other;
        xor(self, other: u64) -> u64 => self ^ other;
        without(self, other: u64) -> u64 => self & !other;
        add(self, other: u64) -> u64 => self.wrapping_add(other);
        sub(self, other: u64) -> u64 => self.wrapping_sub(other);
        shl(self, bits: u32) -> u64 => self << bits;
        shr(self, bits: u32) -> u64 => self >> bits;
        shl_or_zero(self, bits: u32) -> u64 => self.checked_shl(bits).unwrap_or(0);
        shr_or_zero(self, bits: u32) -> u64 => self.checked_shr(bits).unwrap_or(0);
        where_empty(self) -> u64 => if self == 0 { u64::MAX } else { 0 };
        where_less(self, other: u64) -> u64 => if self < other { u64::MAX } else { 0 };
        bits(self) -> u32 => (self & 1) as u32;
    }
}
