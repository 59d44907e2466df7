//! [`Lanes`] and sums of numbers in the registers of newer x86 processors.
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
        // SAFETY: a value of these types exists, or is being made, only in code that runs after
        // `Instructions` has found the required instructions (AVX2, or AVX-512 F and DQ) on this
        // processor. The intrinsics used work on registers, or on memory of the right size behind a
        // reference.
        unsafe { $call }
    };
}

/// Makes two registers from the values of an expression for the two halves.
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

impl Shifts for Avx2 {}

impl Halves for Avx2 {
    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        // Comparisons exist only for numbers with a sign.
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

impl Shifts for Avx512 {}

impl Halves for Avx512 {
    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        Avx512(intrinsic!(_mm512_movm_epi64(_mm512_cmplt_epu64_mask(self.0, other.0))))
    }
}

/// [`Simd::layer`](super::Simd::layer) with these registers.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn layer<const N: usize>(
    inputs: &[[i16; 2]; N],
    weights: &[[[i16; 2]; 16]; N],
    constants: &[i32; 16],
) -> [i16; 16] {
    let [low, high] = halves(constants);
    // SAFETY: each has the size of a register.
    let mut sums = unsafe { [_mm256_loadu_si256(low), _mm256_loadu_si256(high)] };
    for (&[low, high], weights) in inputs.iter().zip(weights) {
        let pair = _mm256_set1_epi32(i32::from(high) << 16 | i32::from(low as u16));
        for (sum, half) in sums.iter_mut().zip(halves(weights)) {
            // SAFETY: it has the size of a register.
            let weights = unsafe { _mm256_loadu_si256(half) };
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
        }
    }
    let (low, high) = (_mm256_srai_epi32::<6>(sums[0]), _mm256_srai_epi32::<6>(sums[1]));
    // Puts numbers from halves of registers together, limited to 16 bits.
    let outputs = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
    let outputs = _mm256_max_epi16(outputs, _mm256_setzero_si256());
    // SAFETY: both are 32 bytes, and any bits are numbers.
    unsafe { std::mem::transmute::<__m256i, [i16; 16]>(outputs) }
}

/// The two halves of 64 bytes, each of which fills a register.
#[inline(always)]
fn halves<T>(numbers: &[T; 16]) -> [*const __m256i; 2] {
    const { assert!(size_of::<[T; 16]>() == 64) };
    let (halves, _) = numbers.as_chunks::<8>();
    [halves[0].as_ptr().cast(), halves[1].as_ptr().cast()]
}

/// [`Simd::nearness`](super::Simd::nearness) with these registers.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn nearness(keys: &[i16; 48], top: i16, distances: [i16; 4]) -> u64 {
    let mut sums = [_mm256_setzero_si256(); 4];
    let top = _mm256_set1_epi16(top);
    for keys in keys.as_chunks::<16>().0 {
        // SAFETY: 16 numbers of 16 bits are a register.
        let keys = unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) };
        let behind = _mm256_sub_epi16(_mm256_srai_epi16::<6>(keys), top);
        for (sum, near) in sums.iter_mut().zip(distances) {
            let nearer = _mm256_add_epi16(_mm256_set1_epi16(near), behind);
            let nearer = _mm256_max_epi16(nearer, _mm256_setzero_si256());
            *sum = _mm256_add_epi16(*sum, nearer);
        }
    }
    // Neighbours are added until one number of each is left in each half of a register.
    let low = _mm256_hadd_epi16(sums[0], sums[1]);
    let all = _mm256_hadd_epi16(low, _mm256_hadd_epi16(sums[2], sums[3]));
    let halves = [_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all)];
    let all = _mm_add_epi16(halves[0], halves[1]);
    _mm_cvtsi128_si64(_mm_hadd_epi16(all, all)) as u64
}
