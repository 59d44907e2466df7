//! [`Lanes`] in the registers of newer x86 processors.
//!
//! A value of these types may only be made where the processor is known to
//! have the instructions: [`Instructions`](super::Instructions) asks it first.

#![allow(unsafe_code)]

use super::lanes::Lanes;
use super::wide::{Halves, Shifts};
use std::arch::x86_64::*;

/// The operators of a kind of boards: expressions of the two operands, or of
/// one and a number of bits. (Closures would not do: they are built without the
/// instructions of the function around them.)
macro_rules! operators {
    ($name:ident, |$a:ident, $b:ident|
        and $and:expr, or $or:expr, xor $xor:expr, shl $shl:expr, shr $shr:expr) => {
        impl crate::board::Cells for $name {}
        operators!(@one $name, std::ops::BitAnd, bitand, $name, $a, $b, $and);
        operators!(@one $name, std::ops::BitOr, bitor, $name, $a, $b, $or);
        operators!(@one $name, std::ops::BitXor, bitxor, $name, $a, $b, $xor);
        operators!(@one $name, std::ops::Shl<u32>, shl, u32, $a, $b, $shl);
        operators!(@one $name, std::ops::Shr<u32>, shr, u32, $a, $b, $shr);
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

/// Eight boards in two AVX2 registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(__m256i, __m256i);

/// Eight boards in one AVX-512 register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(__m512i);

/// Calls intrinsics.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: a value of these types exists, or is being made, only in code
        // that runs after `Instructions` has found what it takes (AVX2, or AVX-512
        // F and DQ) on this processor. The intrinsics used work on registers, or
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

impl Lanes<u64, 8> for Avx2 {
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
    fn empty_lanes(self) -> u32 {
        let empty = self.where_empty();
        let low = intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(empty.0)));
        let high = intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(empty.1)));
        (low | high << 4) as u32
    }
}

impl Shifts for Avx2 {
    #[inline(always)]
    fn shl_any(self, bits: u32) -> Self {
        self << bits
    }
    #[inline(always)]
    fn shr_any(self, bits: u32) -> Self {
        self >> bits
    }
}

impl Halves for Avx2 {
    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        // Numbers with a sign are all there are to compare.
        let sign = Avx2::splat(1 << 63);
        let (a, b) = (self ^ sign, other ^ sign);
        halves!(_mm256_cmpgt_epi64(b, a))
    }
}

operators!(Avx512, |a, b|
    and Avx512(intrinsic!(_mm512_and_si512(a.0, b.0))),
    or Avx512(intrinsic!(_mm512_or_si512(a.0, b.0))),
    xor Avx512(intrinsic!(_mm512_xor_si512(a.0, b.0))),
    shl Avx512(intrinsic!(_mm512_sllv_epi64(a.0, _mm512_set1_epi64(b as i64)))),
    shr Avx512(intrinsic!(_mm512_srlv_epi64(a.0, _mm512_set1_epi64(b as i64)))));

impl Lanes<u64, 8> for Avx512 {
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
    fn empty_lanes(self) -> u32 {
        u32::from(intrinsic!(_mm512_testn_epi64_mask(self.0, self.0)))
    }
}

impl Shifts for Avx512 {
    #[inline(always)]
    fn shl_any(self, bits: u32) -> Self {
        self << bits
    }
    #[inline(always)]
    fn shr_any(self, bits: u32) -> Self {
        self >> bits
    }
}

impl Halves for Avx512 {
    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        Avx512(intrinsic!(_mm512_movm_epi64(_mm512_cmplt_epu64_mask(self.0, other.0))))
    }
}
