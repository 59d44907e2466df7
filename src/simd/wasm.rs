//! Two numbers of 64 bits in a register of WebAssembly, where it is compiled with SIMD.

use std::arch::wasm32::*;

pub(super) type Register = v128;

pub(super) use std::arch::wasm32::{
    u64x2 as load, u64x2_add as add, u64x2_shl as shl, u64x2_shr as shr, u64x2_splat as splat,
    u64x2_sub as sub, v128_and as and, v128_andnot as without, v128_or as or, v128_xor as xor,
};

#[inline(always)]
pub(super) fn store(a: Register) -> [u64; 2] {
    [u64x2_extract_lane::<0>(a), u64x2_extract_lane::<1>(a)]
}

#[inline(always)]
pub(super) fn where_empty(a: Register) -> Register {
    u64x2_eq(a, u64x2_splat(0))
}

#[inline(always)]
pub(super) fn where_less(a: Register, b: Register) -> Register {
    // Comparisons exist only for numbers with a sign.
    let sign = u64x2_splat(1 << 63);
    i64x2_lt(xor(a, sign), xor(b, sign))
}

#[inline(always)]
pub(super) fn select(mask: Register, a: Register, b: Register) -> Register {
    v128_bitselect(a, b, mask)
}

/// One bit of each number, all of whose bits are equal; the first one lowest.
#[inline(always)]
pub(super) fn bits_of(registers: [Register; 4]) -> u32 {
    let [a, b, c, d] = registers.map(|register| u32::from(u64x2_bitmask(register)));
    a | b << 2 | c << 4 | d << 6
}
