//! Boards side by side: one operation on all moves of a position at once.
//!
//! [`Lanes`] is eight boards in one value. Three kinds of value hold them: an
//! array that any processor handles, here, and two AVX2 registers or one AVX-512
//! register, in [`cpu`](super::cpu). All do the same; tests compare them.

use crate::board::threats::Cells;
use std::ops::BitXor;

/// Eight boards side by side.
pub(super) trait Lanes: Cells + BitXor<Output = Self> {
    /// Eight times the same board.
    fn splat(cells: u64) -> Self;
    /// The boards of an array.
    fn load(boards: &[u64; 8]) -> Self;
    /// The boards as an array.
    fn store(self) -> [u64; 8];
    /// `self` without the cells of `other`.
    fn without(self, other: Self) -> Self;
    /// Sum of each pair of boards as numbers, wrapping.
    fn add(self, other: Self) -> Self;
    /// Difference of each pair of boards as numbers, wrapping.
    fn sub(self, other: Self) -> Self;
    /// All cells in the lanes where this board is empty, none in the others.
    fn where_empty(self) -> Self;
    /// One bit for each lane, set where the board is empty.
    fn empty_lanes(self) -> u8;
}

/// The operators of a kind of boards: expressions of the two operands, or of
/// one and a number of bits. (Closures would not do: they are built without the
/// instructions of the function around them.)
macro_rules! operators {
    ($name:ident, |$a:ident, $b:ident|
        and $and:expr, or $or:expr, xor $xor:expr, shl $shl:expr, shr $shr:expr) => {
        impl $crate::board::threats::Cells for $name {}
        operators!(@one $name, std::ops::BitAnd, bitand, $name, $a, $b, $and);
        operators!(@one $name, std::ops::BitOr, bitor, $name, $a, $b, $or);
        operators!(@one $name, std::ops::BitXor, bitxor, $name, $a, $b, $xor);
        operators!(@one $name, std::ops::Shl<usize>, shl, usize, $a, $b, $shl);
        operators!(@one $name, std::ops::Shr<usize>, shr, usize, $a, $b, $shr);
    };
    (@one $name:ident, $operator:ty, $method:ident, $other:ty, $a:ident, $b:ident, $value:expr) => {
        impl $operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: $other) -> Self {
                let ($a, $b) = (self, other);
                $value
            }
        }
    };
}
pub(super) use operators;

/// Eight boards in an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable([u64; 8]);

/// The array of what an expression gives for each lane.
macro_rules! each_lane {
    ($lane:ident => $value:expr) => {{
        let mut boards = [0_u64; 8];
        let mut $lane = 0;
        while $lane < 8 {
            boards[$lane] = $value;
            $lane += 1;
        }
        Portable(boards)
    }};
}

operators!(Portable, |a, b|
    and each_lane!(i => a.0[i] & b.0[i]),
    or each_lane!(i => a.0[i] | b.0[i]),
    xor each_lane!(i => a.0[i] ^ b.0[i]),
    shl each_lane!(i => a.0[i] << b),
    shr each_lane!(i => a.0[i] >> b));

impl Lanes for Portable {
    #[inline(always)]
    fn splat(cells: u64) -> Self {
        Portable([cells; 8])
    }
    #[inline(always)]
    fn load(boards: &[u64; 8]) -> Self {
        Portable(*boards)
    }
    #[inline(always)]
    fn store(self) -> [u64; 8] {
        self.0
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        each_lane!(i => self.0[i] & !other.0[i])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each_lane!(i => self.0[i].wrapping_add(other.0[i]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each_lane!(i => self.0[i].wrapping_sub(other.0[i]))
    }
    #[inline(always)]
    fn where_empty(self) -> Self {
        each_lane!(i => if self.0[i] == 0 { u64::MAX } else { 0 })
    }
    #[inline(always)]
    fn empty_lanes(self) -> u8 {
        let mut bits = 0;
        let mut lane = 0;
        while lane < 8 {
            bits |= u8::from(self.0[lane] == 0) << lane;
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
    #[inline(always)]
    fn all_operations<L: Lanes>(a: &[u64; 8], b: &[u64; 8], bits: usize) -> Vec<[u64; 8]> {
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
            L::splat(bits as u64).store(),
            [u64::from((a & b).empty_lanes()); 8],
        ]
    }

    fn operands() -> impl Strategy<Value = ([u64; 8], [u64; 8], usize)> {
        // Few bits, so that empty lanes occur.
        let board = || {
            any::<u64>()
                .prop_flat_map(|a| (Just(a), any::<u64>()))
                .prop_map(|(a, b)| a & b & (a >> 7))
        };
        (prop::array::uniform8(board()), prop::array::uniform8(board()), 0..63_usize)
    }

    proptest! {
        #[test]
        fn an_array_does_what_single_numbers_do((a, b, bits) in operands()) {
            let found = all_operations::<Portable>(&a, &b, bits);
            for lane in 0..8 {
                let (x, y) = (a[lane], b[lane]);
                let expected = [
                    x & y, x | y, x ^ y, x << bits, x >> bits, x & !y,
                    x.wrapping_add(y), x.wrapping_sub(y),
                    if x & y == 0 { u64::MAX } else { 0 }, bits as u64,
                ];
                for (operation, expected) in expected.into_iter().enumerate() {
                    prop_assert_eq!(found[operation][lane], expected, "operation {}", operation);
                }
                prop_assert_eq!(found[10][0] >> lane & 1 == 1, x & y == 0);
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn registers_do_what_an_array_does((a, b, bits) in operands()) {
            use crate::solver::cpu::{Instructions, registers};
            let expected = all_operations::<Portable>(&a, &b, bits);
            if Instructions::available().contains(&Instructions::Avx2) {
                prop_assert_eq!(all_operations::<registers::Avx2>(&a, &b, bits), expected.clone());
            }
            if Instructions::available().contains(&Instructions::Avx512) {
                prop_assert_eq!(all_operations::<registers::Avx512>(&a, &b, bits), expected);
            }
        }
    }
}
