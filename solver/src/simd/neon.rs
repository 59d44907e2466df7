//! Two numbers of 64 bits in a register of ARM processors, every one of which has NEON.

#![allow(unsafe_code)]

use super::vector::Register;
use crate::board::inlined;
use std::arch::aarch64::*;

/// Calls intrinsics.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: every processor that this is compiled for has NEON, and the intrinsics used
        // work on registers.
        unsafe { $call }
    };
}

impl Register for uint64x2_t {
    type Number = u64;
    const LANES: usize = 2;
    inlined! {
        splat(number: u64) -> Self => intrinsic!(vdupq_n_u64(number));
        load(numbers: &[u64]) -> Self
            => intrinsic!(vcombine_u64(vcreate_u64(numbers[0]), vcreate_u64(numbers[1])));
        store(self, numbers: &mut [u64]) -> () => numbers[..2].copy_from_slice(
            &intrinsic!([vgetq_lane_u64::<0>(self), vgetq_lane_u64::<1>(self)])
        );
        and(self, other: Self) -> Self => intrinsic!(vandq_u64(self, other));
        or(self, other: Self) -> Self => intrinsic!(vorrq_u64(self, other));
        xor(self, other: Self) -> Self => intrinsic!(veorq_u64(self, other));
        without(self, other: Self) -> Self => intrinsic!(vbicq_u64(self, other));
        add(self, other: Self) -> Self => intrinsic!(vaddq_u64(self, other));
        sub(self, other: Self) -> Self => intrinsic!(vsubq_u64(self, other));
        shl(self, bits: u32) -> Self => intrinsic!(vshlq_u64(self, vdupq_n_s64(bits.into())));
        // A shift by a negative number of bits goes to the right.
        shr(self, bits: u32) -> Self => intrinsic!(vshlq_u64(self, vdupq_n_s64(-i64::from(bits))));
        where_empty(self) -> Self => intrinsic!(vceqzq_u64(self));
        where_less(self, other: Self) -> Self => intrinsic!(vcltq_u64(self, other));
        bits(self) -> u32 => four_bits([self; 4]) & 3;
    }

    #[inline(always)]
    fn all_bits<const N: usize>(registers: [Self; N]) -> u32 {
        let (fours, rest) = registers.as_chunks();
        let mut bits = 0;
        let mut index = 0;
        while index < fours.len() {
            bits |= four_bits(fours[index]) << (8 * index);
            index += 1;
        }
        assert!(rest.is_empty(), "boards fill four registers or eight");
        bits
    }
}

/// One bit of each number of four registers.
#[inline(always)]
fn four_bits([a, b, c, d]: [uint64x2_t; 4]) -> u32 {
    // Narrows them to one register of eight numbers of 16 bits, each of which keeps its own bit.
    let bits = intrinsic!({
        let low = vcombine_u32(vmovn_u64(a), vmovn_u64(b));
        let high = vcombine_u32(vmovn_u64(c), vmovn_u64(d));
        let all = vcombine_u16(vmovn_u32(low), vmovn_u32(high));
        // 1, 2, 4 and so on.
        let own = (vcreate_u16(0x0008_0004_0002_0001), vcreate_u16(0x0080_0040_0020_0010));
        vaddvq_u16(vandq_u16(all, vcombine_u16(own.0, own.1)))
    });
    u32::from(bits)
}
