//! Single instruction, multiple data: one operation on several boards or numbers at once.
//!
//! [`Lanes`] holds one board for each column of the board, so that a search handles all moves
//! of a position at once. The boards are in a `Vector` of registers: of newer x86
//! processors, of ARM processors, of WebAssembly, or single numbers. `wide` makes registers of
//! boards of 128 bits. Tests compare them all. [`dispatch`] detects what the processor has.

pub mod dispatch;
#[cfg(target_arch = "aarch64")]
mod neon;
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
mod wide;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use dispatch::{Baseline, Instructions, LanesOf, Simd, WithSimd};
pub use vector::{Lanes, rounds};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Word;
    use proptest::prelude::*;

    /// Every operation on the same operands, as arrays.
    fn all_operations<B: Word, L: Lanes<B, N>, const N: usize>(
        a: &[B; N],
        b: &[B; N],
        bits: u32,
    ) -> Vec<[B; N]> {
        let a = L::load(a);
        let b = L::load(b);
        vec![
            (a & b).store(),
            (a | b).store(),
            (a ^ b).store(),
            (a << bits).store(),
            (a >> bits).store(),
            a.shl_short(bits % 64).store(),
            a.shr_short(bits % 64).store(),
            a.without(b).store(),
            a.add(b).store(),
            a.sub(b).store(),
            (a & b).where_empty().store(),
            L::splat(B::truncate(u128::from(bits))).store(),
            [B::truncate(u128::from((a & b).empty_lanes())); N],
        ]
    }

    /// Compares every operation with the same operation on single numbers.
    fn check<B: Word, L: Lanes<B, N>, const N: usize>(numbers: &[u128], bits: u32) {
        let board = |i: usize| B::truncate(numbers[i] & numbers[i + 32] & (numbers[i] >> 7));
        let a: [B; N] = std::array::from_fn(board);
        let b: [B; N] = std::array::from_fn(|lane| board(16 + lane));
        let bits = bits % B::BITS;
        let found = all_operations::<B, L, N>(&a, &b, bits);
        for lane in 0..N {
            let x = a[lane];
            let y = b[lane];
            let empty = (x & y).is_empty();
            let expected = [
                x & y,
                x | y,
                x ^ y,
                x << bits,
                x >> bits,
                x << (bits % 64),
                x >> (bits % 64),
                x & !y,
                x.wrapping_add(y),
                x.wrapping_sub(y),
                if empty { !B::ZERO } else { B::ZERO },
                B::truncate(u128::from(bits)),
            ];
            for (operation, expected) in expected.into_iter().enumerate() {
                assert_eq!(found[operation][lane], expected, "operation {operation}");
            }
            assert_eq!(found[12][0].low() >> lane & 1 == 1, empty);
            assert_eq!(found[12][0].low() >> N, 0);
        }
    }

    /// The checks above, for instructions that hold boards in a form of their own.
    struct CheckAll<'a> {
        numbers: &'a [u128],
        bits: u32,
    }

    impl WithSimd for CheckAll<'_> {
        type Output = ();

        fn run<S: Simd>(self) {
            check::<u64, <S as LanesOf<u64, 8>>::Lanes, 8>(self.numbers, self.bits);
            check::<u64, <S as LanesOf<u64, 16>>::Lanes, 16>(self.numbers, self.bits);
            check::<u128, <S as LanesOf<u128, 8>>::Lanes, 8>(self.numbers, self.bits);
            check::<u128, <S as LanesOf<u128, 16>>::Lanes, 16>(self.numbers, self.bits);
        }
    }

    proptest! {
        #[test]
        fn every_kind_of_lanes_does_what_single_numbers_do(
            numbers in prop::collection::vec(any::<u128>(), 64),
            bits in 0..128_u32,
        ) {
            for instructions in Instructions::available() {
                instructions.run(CheckAll { numbers: &numbers, bits });
            }
        }
    }
}
