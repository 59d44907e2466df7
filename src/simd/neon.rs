//! Two numbers of 64 bits in a register of ARM processors, every one of which has NEON.

#![allow(unsafe_code)]

use std::arch::aarch64::*;

pub(super) type Register = uint64x2_t;

/// Calls intrinsics.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: every processor that this is compiled for has NEON, and the intrinsics used
        // work on registers.
        unsafe { $call }
    };
}

#[inline(always)]
pub(super) fn splat(number: u64) -> Register {
    intrinsic!(vdupq_n_u64(number))
}

#[inline(always)]
pub(super) fn load(low: u64, high: u64) -> Register {
    intrinsic!(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
}

#[inline(always)]
pub(super) fn store(a: Register) -> [u64; 2] {
    intrinsic!([vgetq_lane_u64::<0>(a), vgetq_lane_u64::<1>(a)])
}

#[inline(always)]
pub(super) fn and(a: Register, b: Register) -> Register {
    intrinsic!(vandq_u64(a, b))
}

#[inline(always)]
pub(super) fn or(a: Register, b: Register) -> Register {
    intrinsic!(vorrq_u64(a, b))
}

#[inline(always)]
pub(super) fn xor(a: Register, b: Register) -> Register {
    intrinsic!(veorq_u64(a, b))
}

#[inline(always)]
pub(super) fn without(a: Register, b: Register) -> Register {
    intrinsic!(vbicq_u64(a, b))
}

#[inline(always)]
pub(super) fn shl(a: Register, bits: u32) -> Register {
    intrinsic!(vshlq_u64(a, vdupq_n_s64(i64::from(bits))))
}

/// A shift by a negative number of bits goes to the right.
#[inline(always)]
pub(super) fn shr(a: Register, bits: u32) -> Register {
    intrinsic!(vshlq_u64(a, vdupq_n_s64(-i64::from(bits))))
}

#[inline(always)]
pub(super) fn add(a: Register, b: Register) -> Register {
    intrinsic!(vaddq_u64(a, b))
}

#[inline(always)]
pub(super) fn sub(a: Register, b: Register) -> Register {
    intrinsic!(vsubq_u64(a, b))
}

#[inline(always)]
pub(super) fn where_empty(a: Register) -> Register {
    intrinsic!(vceqzq_u64(a))
}

#[inline(always)]
pub(super) fn where_less(a: Register, b: Register) -> Register {
    intrinsic!(vcltq_u64(a, b))
}

#[inline(always)]
pub(super) fn select(mask: Register, a: Register, b: Register) -> Register {
    intrinsic!(vbslq_u64(mask, a, b))
}

/// One bit of each number, all of whose bits are equal; the first one lowest.
#[inline(always)]
pub(super) fn bits_of([a, b, c, d]: [Register; 4]) -> u32 {
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
