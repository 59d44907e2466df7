//! [`Lanes`] in registers of 128 bits: of WebAssembly and of ARM processors.

use super::lanes::Lanes;
#[cfg(target_arch = "aarch64")]
use super::neon as registers;
#[cfg(target_arch = "wasm32")]
use super::wasm as registers;
use super::wide::{Halves, Shifts, Wide};
use crate::board::Cells;
use crate::board::threats::{completing_cells, lines_of_four};
use registers::Register;
use std::hint::black_box;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// Eight boards in four registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quad([Register; 4]);

/// Makes four registers from the value of an expression for each.
macro_rules! each {
    ($number:ident => $value:expr) => {
        Quad([
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
        impl $operator<$other> for Quad {
            type Output = Self;
            #[inline(always)]
            fn $method(self, $b: $other) -> Self {
                let $a = self;
                each!($number => $value)
            }
        }
    };
}

impl Cells for Quad {}
operator!(BitAnd<Self>, bitand, |a, b, I| registers::and(a.0[I], b.0[I]));
operator!(BitOr<Self>, bitor, |a, b, I| registers::or(a.0[I], b.0[I]));
operator!(BitXor<Self>, bitxor, |a, b, I| registers::xor(a.0[I], b.0[I]));
operator!(Shl<u32>, shl, |a, bits, I| registers::shl(a.0[I], bits));
operator!(Shr<u32>, shr, |a, bits, I| registers::shr(a.0[I], bits));

/// Two boards in a register.
#[derive(Clone, Copy, Debug)]
struct Two(Register);

impl Cells for Two {}
impl BitAnd for Two {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Two(registers::and(self.0, other.0))
    }
}
impl BitOr for Two {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Two(registers::or(self.0, other.0))
    }
}
impl Shl<u32> for Two {
    type Output = Self;
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Two(registers::shl(self.0, bits))
    }
}
impl Shr<u32> for Two {
    type Output = Self;
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Two(registers::shr(self.0, bits))
    }
}

impl Shifts for Two {
    #[inline(always)]
    fn shl_any(self, bits: u32) -> Self {
        // An instruction takes the number of bits modulo 64.
        if bits < u64::BITS { self << bits } else { Two(registers::splat(0)) }
    }
    #[inline(always)]
    fn shr_any(self, bits: u32) -> Self {
        if bits < u64::BITS { self >> bits } else { Two(registers::splat(0)) }
    }
}

/// Changes one register after the other. Compilers of WebAssembly keep all operands of unrolled
/// code in memory, so for them this is a loop that is not unrolled.
#[inline(always)]
fn each_register(mut change: impl FnMut(usize)) {
    if cfg!(target_family = "wasm") {
        let mut number = 0;
        loop {
            change(number);
            number = black_box(number + 1) % 4;
            if number == 0 {
                return;
            }
        }
    }
    (0..4).for_each(change);
}

impl Quad {
    #[inline(always)]
    fn map(mut self, change: impl Fn(Two) -> Two) -> Self {
        each_register(|number| self.0[number] = change(Two(self.0[number])).0);
        self
    }

    /// An operator by an instruction, for boards of 128 bits.
    #[inline(always)]
    fn map_wide(mut boards: Wide<Self>, change: impl Fn(Wide<Two>) -> Wide<Two>) -> Wide<Self> {
        each_register(|number| {
            let changed = change(Wide(Two(boards.0.0[number]), Two(boards.1.0[number])));
            (boards.0.0[number], boards.1.0[number]) = (changed.0.0, changed.1.0);
        });
        boards
    }
}

impl Lanes<u64, 8> for Quad {
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
        Quad([registers::splat(cells); 4])
    }
    #[inline(always)]
    fn load(boards: &[u64; 8]) -> Self {
        each!(I => registers::load(boards[2 * I], boards[2 * I + 1]))
    }
    #[inline(always)]
    fn store(self) -> [u64; 8] {
        let [a, b, c, d] = self.0.map(registers::store);
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        each!(I => registers::without(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each!(I => registers::add(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each!(I => registers::sub(self.0[I], other.0[I]))
    }
    #[inline(always)]
    fn where_empty(self) -> Self {
        each!(I => registers::where_empty(self.0[I]))
    }
    #[inline(always)]
    fn empty_lanes(self) -> u32 {
        registers::bits_of(self.where_empty().0)
    }
    #[inline(always)]
    fn min(self, other: Self) -> [u64; 8] {
        let less = self.where_less(other);
        each!(I => registers::select(less.0[I], self.0[I], other.0[I])).store()
    }
}

impl Shifts for Quad {
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

impl Halves for Quad {
    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        each!(I => registers::where_less(self.0[I], other.0[I]))
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
