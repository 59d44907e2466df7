//! [`Lanes`] and sums of numbers in the registers of newer x86 processors.
//!
//! A value of these types may only be made where the processor is known to
//! have the instructions: [`Instructions`](super::Instructions) asks it first.

#![allow(unsafe_code)]

use super::vector::Register;
use crate::board::inlined;
use std::arch::x86_64::*;

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

impl Register for __m256i {
    type Number = u64;
    const LANES: usize = 4;
    inlined! {
        splat(number: u64) -> Self => intrinsic!(_mm256_set1_epi64x(number as i64));
        load(numbers: &[u64]) -> Self
            => intrinsic!(_mm256_loadu_si256(numbers[..4].as_ptr().cast()));
        store(self, numbers: &mut [u64]) -> ()
            => intrinsic!(_mm256_storeu_si256(numbers[..4].as_mut_ptr().cast(), self));
        and(self, other: Self) -> Self => intrinsic!(_mm256_and_si256(self, other));
        or(self, other: Self) -> Self => intrinsic!(_mm256_or_si256(self, other));
        xor(self, other: Self) -> Self => intrinsic!(_mm256_xor_si256(self, other));
        without(self, other: Self) -> Self => intrinsic!(_mm256_andnot_si256(other, self));
        add(self, other: Self) -> Self => intrinsic!(_mm256_add_epi64(self, other));
        sub(self, other: Self) -> Self => intrinsic!(_mm256_sub_epi64(self, other));
        shl(self, bits: u32) -> Self => intrinsic!(_mm256_sllv_epi64(self, Self::splat(bits.into())));
        shr(self, bits: u32) -> Self => intrinsic!(_mm256_srlv_epi64(self, Self::splat(bits.into())));
        where_empty(self) -> Self => intrinsic!(_mm256_cmpeq_epi64(self, Self::splat(0)));
        bits(self) -> u32 => intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(self))) as u32;
    }

    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        // Comparisons exist only for numbers with a sign.
        let sign = Self::splat(1 << 63);
        intrinsic!(_mm256_cmpgt_epi64(other.xor(sign), self.xor(sign)))
    }
}

impl Register for __m512i {
    type Number = u64;
    const LANES: usize = 8;
    inlined! {
        splat(number: u64) -> Self => intrinsic!(_mm512_set1_epi64(number as i64));
        load(numbers: &[u64]) -> Self
            => intrinsic!(_mm512_loadu_si512(numbers[..8].as_ptr().cast()));
        store(self, numbers: &mut [u64]) -> ()
            => intrinsic!(_mm512_storeu_si512(numbers[..8].as_mut_ptr().cast(), self));
        and(self, other: Self) -> Self => intrinsic!(_mm512_and_si512(self, other));
        or(self, other: Self) -> Self => intrinsic!(_mm512_or_si512(self, other));
        xor(self, other: Self) -> Self => intrinsic!(_mm512_xor_si512(self, other));
        without(self, other: Self) -> Self => intrinsic!(_mm512_andnot_si512(other, self));
        add(self, other: Self) -> Self => intrinsic!(_mm512_add_epi64(self, other));
        sub(self, other: Self) -> Self => intrinsic!(_mm512_sub_epi64(self, other));
        shl(self, bits: u32) -> Self => intrinsic!(_mm512_sllv_epi64(self, Self::splat(bits.into())));
        shr(self, bits: u32) -> Self => intrinsic!(_mm512_srlv_epi64(self, Self::splat(bits.into())));
        where_empty(self) -> Self
            => intrinsic!(_mm512_movm_epi64(_mm512_testn_epi64_mask(self, self)));
        where_less(self, other: Self) -> Self
            => intrinsic!(_mm512_movm_epi64(_mm512_cmplt_epu64_mask(self, other)));
        bits(self) -> u32 => intrinsic!(_mm512_movepi64_mask(self)).into();
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
    let low = _mm256_srai_epi32::<6>(sums[0]);
    let high = _mm256_srai_epi32::<6>(sums[1]);
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
