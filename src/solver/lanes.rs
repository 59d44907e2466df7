//! Boards side by side: one operation on all moves of a position at once.
//!
//! [`Lanes`] is eight boards in one value. Three kinds of value hold them: an
//! array that any processor handles, two AVX2 registers, or one AVX-512
//! register. All do the same; tests compare them.

use crate::board::threats::Cells;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

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
        impl Cells for $name {}
        operators!(@one $name, BitAnd, bitand, $name, $a, $b, $and);
        operators!(@one $name, BitOr, bitor, $name, $a, $b, $or);
        operators!(@one $name, BitXor, bitxor, $name, $a, $b, $xor);
        operators!(@one $name, Shl<usize>, shl, usize, $a, $b, $shl);
        operators!(@one $name, Shr<usize>, shr, usize, $a, $b, $shr);
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

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(super) mod x86 {
    //! The same in the registers of newer x86 processors.
    //!
    //! A value of these types may only be made where the processor is known to
    //! have the instructions: [`cpu`](super::super::cpu) asks it first.

    use super::*;
    use std::arch::x86_64::*;

    /// Eight boards in two AVX2 registers.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx2(__m256i, __m256i);

    /// Eight boards in one AVX-512 register.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx512(__m512i);

    /// Calls intrinsics.
    macro_rules! intrinsic {
        ($call:expr) => {
            // SAFETY: a value of these types exists, or is being made, only in code
            // that runs after `cpu` has found the instructions (AVX2, or AVX-512 F
            // and DQ) on this processor. The intrinsics used work on registers, or
            // on memory of the right size that a reference stands for.
            unsafe { $call }
        };
    }

    /// Two registers from what an expression gives for the two halves.
    macro_rules! halves {
        ($intrinsic:ident($a:expr, $b:expr)) => {
            Avx2(intrinsic!($intrinsic($a.0, $b.0)), intrinsic!($intrinsic($a.1, $b.1)))
        };
    }

    operators!(Avx2, |a, b|
        and halves!(_mm256_and_si256(a, b)),
        or halves!(_mm256_or_si256(a, b)),
        xor halves!(_mm256_xor_si256(a, b)),
        shl { let bits = Avx2::splat(b as u64); halves!(_mm256_sllv_epi64(a, bits)) },
        shr { let bits = Avx2::splat(b as u64); halves!(_mm256_srlv_epi64(a, bits)) });

    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(cells: u64) -> Self {
            let four = intrinsic!(_mm256_set1_epi64x(cells as i64));
            Avx2(four, four)
        }
        #[inline(always)]
        fn load(boards: &[u64; 8]) -> Self {
            let half = boards.as_ptr().cast::<__m256i>();
            intrinsic!(Avx2(_mm256_loadu_si256(half), _mm256_loadu_si256(half.add(1))))
        }
        #[inline(always)]
        fn store(self) -> [u64; 8] {
            let mut boards = [0_u64; 8];
            let half = boards.as_mut_ptr().cast::<__m256i>();
            intrinsic!({
                _mm256_storeu_si256(half, self.0);
                _mm256_storeu_si256(half.add(1), self.1);
            });
            boards
        }
        #[inline(always)]
        fn without(self, other: Self) -> Self {
            halves!(_mm256_andnot_si256(other, self))
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            halves!(_mm256_add_epi64(self, other))
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            halves!(_mm256_sub_epi64(self, other))
        }
        #[inline(always)]
        fn where_empty(self) -> Self {
            let none = Avx2::splat(0);
            halves!(_mm256_cmpeq_epi64(self, none))
        }
        #[inline(always)]
        fn empty_lanes(self) -> u8 {
            let empty = self.where_empty();
            let low = intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(empty.0)));
            let high = intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(empty.1)));
            (low | high << 4) as u8
        }
    }

    operators!(Avx512, |a, b|
        and Avx512(intrinsic!(_mm512_and_si512(a.0, b.0))),
        or Avx512(intrinsic!(_mm512_or_si512(a.0, b.0))),
        xor Avx512(intrinsic!(_mm512_xor_si512(a.0, b.0))),
        shl Avx512(intrinsic!(_mm512_sllv_epi64(a.0, _mm512_set1_epi64(b as i64)))),
        shr Avx512(intrinsic!(_mm512_srlv_epi64(a.0, _mm512_set1_epi64(b as i64)))));

    impl Lanes for Avx512 {
        #[inline(always)]
        fn splat(cells: u64) -> Self {
            Avx512(intrinsic!(_mm512_set1_epi64(cells as i64)))
        }
        #[inline(always)]
        fn load(boards: &[u64; 8]) -> Self {
            Avx512(intrinsic!(_mm512_loadu_si512(boards.as_ptr().cast())))
        }
        #[inline(always)]
        fn store(self) -> [u64; 8] {
            let mut boards = [0_u64; 8];
            intrinsic!(_mm512_storeu_si512(boards.as_mut_ptr().cast(), self.0));
            boards
        }
        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Avx512(intrinsic!(_mm512_andnot_si512(other.0, self.0)))
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Avx512(intrinsic!(_mm512_add_epi64(self.0, other.0)))
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Avx512(intrinsic!(_mm512_sub_epi64(self.0, other.0)))
        }
        #[inline(always)]
        fn where_empty(self) -> Self {
            Avx512(intrinsic!(_mm512_movm_epi64(_mm512_testn_epi64_mask(self.0, self.0))))
        }
        #[inline(always)]
        fn empty_lanes(self) -> u8 {
            intrinsic!(_mm512_testn_epi64_mask(self.0, self.0))
        }
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
            use crate::solver::cpu::Instructions;
            let expected = all_operations::<Portable>(&a, &b, bits);
            if Instructions::available().contains(&Instructions::Avx2) {
                prop_assert_eq!(all_operations::<x86::Avx2>(&a, &b, bits), expected.clone());
            }
            if Instructions::available().contains(&Instructions::Avx512) {
                prop_assert_eq!(all_operations::<x86::Avx512>(&a, &b, bits), expected);
            }
        }
    }
}
