//! Two numbers of 64 bits in a register of WebAssembly, where it is compiled with SIMD.

use super::vector::Register;
use crate::board::inlined;
use std::arch::wasm32::*;

impl Register for v128 {
    type Number = u64;
    const LANES: usize = 2;
    inlined! {
        splat(number: u64) -> Self => u64x2_splat(number);
        load(numbers: &[u64]) -> Self => u64x2(numbers[0], numbers[1]);
        store(self, numbers: &mut [u64]) -> () => numbers[..2].copy_from_slice(
            &[u64x2_extract_lane::<0>(self), u64x2_extract_lane::<1>(self)]
        );
        and(self, other: Self) -> Self => v128_and(self, other);
        or(self, other: Self) -> Self => v128_or(self, other);
        xor(self, other: Self) -> Self => v128_xor(self, other);
        without(self, other: Self) -> Self => v128_andnot(self, other);
        add(self, other: Self) -> Self => u64x2_add(self, other);
        sub(self, other: Self) -> Self => u64x2_sub(self, other);
        shl(self, bits: u32) -> Self => u64x2_shl(self, bits);
        shr(self, bits: u32) -> Self => u64x2_shr(self, bits);
        // Instructions take the number of bits modulo 64.
        shl_or_zero(self, bits: u32) -> Self => if bits < 64 { self.shl(bits) } else { Self::splat(0) };
        shr_or_zero(self, bits: u32) -> Self => if bits < 64 { self.shr(bits) } else { Self::splat(0) };
        where_empty(self) -> Self => u64x2_eq(self, u64x2_splat(0));
        bits(self) -> u32 => u64x2_bitmask(self).into();
    }

    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        // Comparisons exist only for numbers with a sign.
        let sign = Self::splat(1 << 63);
        i64x2_lt(self.xor(sign), other.xor(sign))
    }
}
