//! Registers of numbers of 128 bits.

use super::vector::Register;
use crate::board::inlined;

/// Numbers of 128 bits, as their low and high halves.
#[derive(Clone, Copy, Debug)]
pub struct Wide<R>(R, R);

impl<R: Register<Number = u64>> Register for Wide<R> {
    type Number = u128;
    const LANES: usize = R::LANES;

    inlined! {
        splat(number: u128) -> Self => Wide(R::splat(number as u64), R::splat((number >> 64) as u64));
        and(self, other: Self) -> Self => Wide(self.0.and(other.0), self.1.and(other.1));
        or(self, other: Self) -> Self => Wide(self.0.or(other.0), self.1.or(other.1));
        xor(self, other: Self) -> Self => Wide(self.0.xor(other.0), self.1.xor(other.1));
        without(self, other: Self) -> Self => Wide(self.0.without(other.0), self.1.without(other.1));
        bits(self) -> u32 => self.0.bits();
    }

    #[inline(always)]
    fn load(numbers: &[u128]) -> Self {
        let mut low = [0; 8];
        let mut high = [0; 8];
        let mut lane = 0;
        while lane < R::LANES {
            (low[lane], high[lane]) = (numbers[lane] as u64, (numbers[lane] >> 64) as u64);
            lane += 1;
        }
        Wide(R::load(&low), R::load(&high))
    }

    #[inline(always)]
    fn store(self, numbers: &mut [u128]) {
        let mut low = [0; 8];
        let mut high = [0; 8];
        self.0.store(&mut low);
        self.1.store(&mut high);
        let mut lane = 0;
        while lane < R::LANES {
            numbers[lane] = u128::from(low[lane]) | u128::from(high[lane]) << 64;
            lane += 1;
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let low = self.0.add(other.0);
        // The carry is all ones, which is -1.
        let carry = low.where_less(self.0);
        Wide(low, self.1.add(other.1).sub(carry))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let borrow = self.0.where_less(other.0);
        Wide(self.0.sub(other.0), self.1.sub(other.1).add(borrow))
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        match bits.checked_sub(64) {
            None => self.shl_short(bits),
            Some(bits) => Wide(R::splat(0), self.0.shl(bits)),
        }
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        match bits.checked_sub(64) {
            None => self.shr_short(bits),
            Some(bits) => Wide(self.1.shr(bits), R::splat(0)),
        }
    }

    #[inline(always)]
    fn shl_short(self, bits: u32) -> Self {
        Wide(self.0.shl(bits), self.1.shl(bits).or(self.0.shr_or_zero(64 - bits)))
    }

    #[inline(always)]
    fn shr_short(self, bits: u32) -> Self {
        Wide(self.0.shr(bits).or(self.1.shl_or_zero(64 - bits)), self.1.shr(bits))
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        let empty = self.0.or(self.1).where_empty();
        Wide(empty, empty)
    }

    #[inline(always)]
    fn where_less(self, other: Self) -> Self {
        let equal = self.1.xor(other.1).where_empty();
        let less = self.1.where_less(other.1).or(self.0.where_less(other.0).and(equal));
        Wide(less, less)
    }

    #[inline(always)]
    fn all_bits<const N: usize>(registers: [Self; N]) -> u32 {
        let mut halves = [R::splat(0); N];
        let mut index = 0;
        while index < N {
            halves[index] = registers[index].0;
            index += 1;
        }
        R::all_bits(halves)
    }
}
