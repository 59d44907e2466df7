//! Lookups with the instructions of newer processors.
//!
//! The network adds and multiplies rows of numbers, which compilers do in wider registers
//! if they may use AVX2. Whatever is inlined here is compiled once more so. What they do not
//! find by themselves is written out: [`Instructions`]. AVX-512 gains nothing over that.

#![allow(unsafe_code)]

use super::Compact;
#[cfg(feature = "generate")]
use super::batch::Seen;
use super::likelihood::{self, AtOnce, BIT_SETS, DEEP_UNITS, LANES, UNITS};
use super::tactics::{self, Attack};
use crate::board::{Position, Score};

/// Parts of a lookup that take other instructions on other processors. All do the same;
/// tests compare them.
pub(super) trait Instructions {
    /// How many rows of weights are added at once, for each of [`likelihood::BIT_SETS`].
    const ROWS_AT_ONCE: [AtOnce; BIT_SETS.len()];

    /// The units of the second layer of the network of [`likelihood`].
    fn deep_units(units: &[i16; UNITS]) -> [i16; DEEP_UNITS];

    /// [`likelihood::sums`].
    fn sums(keys: &[i16; LANES], top: i16) -> u64;

    /// [`tactics::attack`].
    fn attack(mover: u64, mask: u64, moves: u64) -> Attack;

    /// Says that the byte at this place will be read soon.
    fn prefetch(bytes: &[u8], place: usize);
}

/// For any processor.
pub(super) struct Portable;

impl Instructions for Portable {
    const ROWS_AT_ONCE: [AtOnce; BIT_SETS.len()] = likelihood::ONE_AT_ONCE;

    #[inline(always)]
    fn deep_units(units: &[i16; UNITS]) -> [i16; DEEP_UNITS] {
        likelihood::deep_units(units)
    }

    #[inline(always)]
    fn sums(keys: &[i16; LANES], top: i16) -> u64 {
        likelihood::sums(keys, top)
    }

    #[inline(always)]
    fn attack(mover: u64, mask: u64, moves: u64) -> Attack {
        tactics::attack(mover, mask, moves)
    }

    #[inline(always)]
    fn prefetch(_: &[u8], _: usize) {}
}

/// The best build of lookups for this processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Build {
    /// Finds out which it is.
    pub(super) fn best() -> Build {
        Build(Kind::all_there_are().last().unwrap_or(Kind::Portable))
    }
}

impl Kind {
    /// Those that this processor can do, the best one last.
    fn all_there_are() -> impl Iterator<Item = Kind> {
        #[cfg(target_arch = "x86_64")]
        let others = [(Kind::Avx2, x86::has_avx2())];
        #[cfg(not(target_arch = "x86_64"))]
        let others: [(Kind, bool); 0] = [];
        let others = others.into_iter().filter(|&(_, is_there)| is_there).map(|(kind, _)| kind);
        std::iter::once(Kind::Portable).chain(others)
    }
}

/// [`Compact::find`], in the best build for this processor.
#[inline]
pub(super) fn find(compact: &Compact, section: &[u8], position: Position<u64>) -> Option<Score> {
    match compact.build.0 {
        Kind::Portable => compact.find::<_, Portable>(section, position),
        // SAFETY: the processor has been found to have these instructions.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => unsafe { x86::find_avx2(compact, section, position) },
    }
}

/// [`Compact::see_canonical`], in the best build for this processor.
#[cfg(feature = "generate")]
pub(super) fn see(compact: &Compact, position: Position<u64>) -> Seen {
    match compact.build.0 {
        Kind::Portable => compact.see_canonical::<_, Portable>(position),
        // SAFETY: the processor has been found to have these instructions.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => unsafe { x86::see_avx2(compact, position) },
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use likelihood::{DEEP_CONSTANTS, DISTANCES, PAIRS};
    use std::arch::x86_64::*;

    /// Whether the processor has the instructions of the functions for AVX2.
    pub(super) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn find_avx2(
        compact: &Compact,
        section: &[u8],
        position: Position<u64>,
    ) -> Option<Score> {
        compact.find::<_, Avx2>(section, position)
    }

    #[cfg(feature = "generate")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn see_avx2(compact: &Compact, position: Position<u64>) -> Seen {
        compact.see_canonical::<_, Avx2>(position)
    }

    /// Used by the functions for AVX2 alone.
    pub(super) struct Avx2;

    impl Instructions for Avx2 {
        const ROWS_AT_ONCE: [AtOnce; BIT_SETS.len()] = likelihood::SEVERAL_AT_ONCE;

        #[inline(always)]
        fn deep_units(units: &[i16; UNITS]) -> [i16; DEEP_UNITS] {
            // SAFETY: only functions for processors with AVX2 use this type.
            unsafe { deep_units_avx2(units) }
        }

        #[inline(always)]
        fn sums(keys: &[i16; LANES], top: i16) -> u64 {
            // SAFETY: the same.
            unsafe { sums_avx2(keys, top) }
        }

        #[inline(always)]
        fn attack(mover: u64, mask: u64, moves: u64) -> Attack {
            tactics::attack_at_once::<crate::simd::x86::Avx2>(mover, mask, moves)
        }

        #[inline(always)]
        fn prefetch(bytes: &[u8], place: usize) {
            prefetch(bytes, place);
        }
    }

    /// Two numbers in the place of one.
    #[inline(always)]
    fn joined([low, high]: [i16; 2]) -> i32 {
        i32::from(high) << 16 | i32::from(low as u16)
    }

    #[inline(always)]
    fn prefetch(bytes: &[u8], place: usize) {
        let byte = bytes.as_ptr().wrapping_add(place).cast();
        // SAFETY: every processor of this kind has the instruction, and it reads nothing: the
        // place may be any.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(byte) };
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn deep_units_avx2(units: &[i16; UNITS]) -> [i16; DEEP_UNITS] {
        let [low, high] = halves(&DEEP_CONSTANTS);
        // SAFETY: each has the size of a register.
        let mut sums = unsafe { [_mm256_loadu_si256(low), _mm256_loadu_si256(high)] };
        for (&pair, weights) in units.as_chunks().0.iter().zip(&PAIRS.0) {
            let pair = _mm256_set1_epi32(joined(pair));
            for (sum, half) in sums.iter_mut().zip(halves(weights)) {
                // SAFETY: it has the size of a register.
                let weights = unsafe { _mm256_loadu_si256(half) };
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
            }
        }
        let (low, high) = (_mm256_srai_epi32::<6>(sums[0]), _mm256_srai_epi32::<6>(sums[1]));
        // Puts numbers from halves of registers together, limited to 16 bits.
        let deep = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
        let deep = _mm256_max_epi16(deep, _mm256_setzero_si256());
        // SAFETY: both are 32 bytes, and any bits are numbers.
        unsafe { std::mem::transmute::<__m256i, [i16; DEEP_UNITS]>(deep) }
    }

    /// Where the two halves of 64 bytes are, each of which fills a register.
    #[inline(always)]
    fn halves<T>(numbers: &[T; DEEP_UNITS]) -> [*const __m256i; 2] {
        const { assert!(size_of::<[T; DEEP_UNITS]>() == 64) };
        let (halves, _) = numbers.as_chunks::<{ DEEP_UNITS / 2 }>();
        [halves[0].as_ptr().cast(), halves[1].as_ptr().cast()]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn sums_avx2(keys: &[i16; LANES], top: i16) -> u64 {
        let mut sums = [_mm256_setzero_si256(); 4];
        let top = _mm256_set1_epi16(top);
        for keys in keys.as_chunks::<16>().0 {
            // SAFETY: 16 numbers of 16 bits are a register.
            let keys = unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) };
            let behind = _mm256_sub_epi16(_mm256_srai_epi16::<6>(keys), top);
            for (sum, near) in sums.iter_mut().zip(DISTANCES) {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::book::compact::canonical;
    use crate::book::splitmix::SplitMix;

    /// Positions by chance with up to so many stones, in which nobody wins at once: what
    /// lookups are asked about.
    fn positions(most_stones: u32) -> Vec<Position<u64>> {
        let mut random = SplitMix(1);
        let mut positions = Vec::new();
        while positions.len() < 5_000 {
            let mut position = Position::from_moves("").unwrap().narrow::<u64>();
            let stones = random.next() % u64::from(most_stones + 1);
            for _ in 0..stones {
                let column = (random.next() % 7) as usize;
                if position.score_by_rules().is_none() && position.can_play(column) {
                    position = position.play(column);
                }
            }
            if position.score_by_rules().is_none() {
                positions.push(position);
            }
        }
        positions
    }

    #[test]
    fn all_builds_find_the_same() {
        let book = Book::from_bytes(include_bytes!("../../../books/7x6-d12-compact.book")).unwrap();
        let mut found = 0;
        for section in book.sections() {
            let Ok(tables) = book.tables(section) else { continue };
            let bytes = book.section_bytes(section);
            let compact = Compact::new(&tables);
            for position in positions(20) {
                let position = canonical(position.mover(), position.mask());
                let mut values = Kind::all_there_are().map(|kind| {
                    let compact = Compact { build: Build(kind), ..compact.clone() };
                    find(&compact, bytes, position)
                });
                let first = values.next().unwrap();
                assert!(values.all(|value| value == first), "{position:?}");
                found += usize::from(first.is_some());
            }
        }
        assert!(found > 5_000);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn avx2_does_the_same_as_any_processor() {
        type Avx2 = x86::Avx2;
        if !x86::has_avx2() {
            return;
        }
        let mut random = SplitMix(2);
        let mut number = |least: i16, most: i16| {
            let count = (i32::from(most) - i32::from(least) + 1) as u64;
            (i32::from(least) + (random.next() % count) as i32) as i16
        };
        for round in 0..1_000 {
            let units = std::array::from_fn(|_| number(0, 256));
            let units = if round == 0 { [256; UNITS] } else { units };
            assert_eq!(Avx2::deep_units(&units), Portable::deep_units(&units));
            let least = number(i16::MIN, i16::MAX);
            let keys = std::array::from_fn(|_| number(least, i16::MAX));
            let top = keys.iter().max().unwrap() >> 6;
            assert_eq!(Avx2::sums(&keys, top), Portable::sums(&keys, top));
        }
        let mut wins = 0;
        for position in positions(41) {
            let (mover, mask) = (position.mover(), position.mask());
            let safe = position.non_losing_moves();
            let [one, other] = [Avx2::attack, Portable::attack].map(|f| f(mover, mask, safe));
            assert_eq!(one.wins, other.wins, "{position:?}");
            if one.wins {
                wins += 1;
            } else {
                assert!(one.moves().eq(other.moves()), "{position:?}");
            }
        }
        assert!(wins > 100);
    }
}
