//! A table for keys of 64 bits.
//!
//! One `u64` an entry, read and written whole: a racing write loses an entry, never
//! mixes two. (So an entry that is written again is the one that was looked at, not one
//! read afresh.) Two threads may store the same position twice in a bucket; each
//! entry is true by itself.
//! The key is multiplied by an odd constant and the bytes of the product turned round,
//! which loses nothing and brings the best mixed ones to the low end. The lowest bits of
//! this hash choose a bucket, the others are the entry's tag, all but the lowest 15. A bucket
//! index has at least these 15 bits, so it tells together with the tag the whole hash, and
//! two positions never share an entry. That holds however many buckets there are: while the
//! table grows, an entry that is still in its old bucket is found by nobody, and believed
//! by nobody.

use super::memory::{Buckets, TableError};
use super::{Bounds, MOST_WORK, MULTIPLIER, SearchWord, Table, work_class};
use crate::simd::dispatch;
use std::sync::atomic::Ordering;

/// Entries of a bucket: more would find little more, and slow every probe down.
const WAYS: usize = 2;
/// Fewest bits of a bucket index; 15 are enough for the tag to leave no doubt.
const MIN_INDEX_BITS: u32 = 16;
const TAG_SHIFT: u32 = 15;
const LOWER_SHIFT: u32 = 9;
const UPPER_SHIFT: u32 = 3;
const SCORE_MASK: u64 = 63;
const SCORE_BIAS: i32 = 32;

const _: () = assert!(MIN_INDEX_BITS >= TAG_SHIFT, "index and tag have to be the whole key");

/// What [`MULTIPLIER`] is undone by.
#[cfg(test)]
pub(super) const INVERSE: u64 = {
    // Newton's iteration doubles the number of right bits.
    let (mut inverse, mut i) = (1_u64, 0);
    while i < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
};

/// The hash of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) struct Hash(u64);

impl Hash {
    #[inline(always)]
    fn tag(self) -> u64 {
        self.0 >> TAG_SHIFT << TAG_SHIFT
    }
}

/// A table for keys of 64 bits.
#[derive(Debug)]
pub(in crate::solver) struct NarrowTable(Buckets<WAYS>);

impl SearchWord for u64 {
    type Table = NarrowTable;
}

impl Table<u64> for NarrowTable {
    type Place = Hash;

    const UNKNOWN: Bounds = Bounds { lower: -SCORE_BIAS, upper: SCORE_BIAS - 1 };

    const MIN_BYTES: usize = Buckets::<WAYS>::BUCKET_BYTES << MIN_INDEX_BITS;

    fn new(bytes: usize) -> Result<Self, TableError> {
        Ok(NarrowTable(Buckets::new(bytes, MIN_INDEX_BITS)?))
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    #[inline(always)]
    fn place(key: u64) -> Hash {
        Hash(mix([key])[0])
    }

    #[inline(always)]
    fn places<const N: usize>(keys: [u64; N]) -> [Hash; N] {
        mix(keys).map(Hash)
    }

    #[inline(always)]
    fn hash(hash: Hash) -> u64 {
        hash.0
    }

    #[inline(always)]
    fn prefetch(&self, hash: Hash) {
        dispatch::prefetch(self.0.of(hash.0));
    }

    #[inline(always)]
    fn probe(&self, hash: Hash) -> Bounds {
        let tag = hash.tag();
        let mut found = pack(0, Self::UNKNOWN, 0);
        for way in self.0.of(hash.0) {
            let entry = way.load(Ordering::Relaxed);
            // Tag equal: only the bits below it differ. An empty entry has tag 0,
            // which no position has, since a key never ends in 48 zeros.
            // No branch: which way has it cannot be foreseen.
            found = if entry ^ tag < 1 << TAG_SHIFT { entry } else { found };
        }
        bounds(found)
    }

    #[inline(always)]
    fn store(&self, hash: Hash, bounds: Bounds, nodes: u64) {
        let tag = hash.tag();
        let work = work_class(nodes);
        let bucket = self.0.of(hash.0);
        let mut victim = (&bucket[0], 0);
        let mut least_work = u64::MAX;
        for way in bucket {
            let entry = way.load(Ordering::Relaxed);
            if entry ^ tag < 1 << TAG_SHIFT {
                let work = work.max(entry & MOST_WORK);
                return way.store(pack(tag, bounds, work), Ordering::Relaxed);
            }
            if entry & MOST_WORK < least_work {
                least_work = entry & MOST_WORK;
                victim = (way, entry);
            }
        }
        let (way, entry) = victim;
        if work >= least_work {
            way.store(pack(tag, bounds, work), Ordering::Relaxed);
        } else {
            // Age it, so that what is never asked for gives way in the end. What is
            // there by now may have no work left to take one from; this entry has.
            way.store(entry - 1, Ordering::Relaxed);
        }
    }

    fn grow(&self) {
        self.0.double(|bucket, new, bit| {
            for (way, free) in bucket.iter().zip(new) {
                let entry = way.load(Ordering::Relaxed);
                // A tag has its bits where the hash has them. Who writes meanwhile wins.
                if entry >> bit & 1 == 1 {
                    let order = Ordering::Relaxed;
                    let _ = free.compare_exchange(0, entry, order, order);
                    let _ = way.compare_exchange(entry, 0, order, order);
                }
            }
        });
    }

    fn use_of(&self, place: Hash) -> (u32, u32) {
        let used = self.0.of(place.0).iter().filter(|way| way.load(Ordering::Relaxed) != 0);
        (used.count() as u32, WAYS as u32)
    }
}

/// The hashes of keys.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn mix<const N: usize>(keys: [u64; N]) -> [u64; N] {
    keys.map(|key| key.wrapping_mul(MULTIPLIER).swap_bytes())
}

/// The same, where there is no instruction that turns the bytes of a number round, but one
/// for those of two.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn mix<const N: usize>(mut keys: [u64; N]) -> [u64; N] {
    use std::arch::wasm32::*;
    for two in keys.chunks_mut(2) {
        let second = two.get(1).copied().unwrap_or(two[0]);
        let products = u64x2_mul(u64x2(two[0], second), u64x2_splat(MULTIPLIER));
        let hashes = i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(
            products, products,
        );
        two[0] = u64x2_extract_lane::<0>(hashes);
        if let Some(second) = two.get_mut(1) {
            *second = u64x2_extract_lane::<1>(hashes);
        }
    }
    keys
}

#[inline(always)]
fn pack(tag: u64, bounds: Bounds, work: u64) -> u64 {
    let code = |score: i32| (score + SCORE_BIAS) as u64;
    tag | code(bounds.lower) << LOWER_SHIFT | code(bounds.upper) << UPPER_SHIFT | work
}

#[inline(always)]
fn bounds(entry: u64) -> Bounds {
    let score = |shift: u32| ((entry >> shift) & SCORE_MASK) as i32 - SCORE_BIAS;
    Bounds { lower: score(LOWER_SHIFT), upper: score(UPPER_SHIFT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(lower: i32, upper: i32) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn a_full_bucket_keeps_what_took_most_work_until_it_ages() {
        let table = NarrowTable::new(0).unwrap();
        // Same lowest bits, so the same bucket.
        let hash = |i: u64| Hash((i + 1) << 32 | 0xabc);
        for i in 0..WAYS as u64 {
            table.store(hash(i), known(0, 1), 1 << 14);
        }
        let newcomer = hash(99);
        table.store(newcomer, known(2, 3), 1);
        assert_eq!(table.probe(newcomer), NarrowTable::UNKNOWN);
        for _ in 0..WAYS as u64 * MOST_WORK + 1 {
            table.store(newcomer, known(2, 3), 1);
        }
        assert_eq!(table.probe(newcomer), known(2, 3));
    }

    /// Two threads that miss the same position may both store it, if a third
    /// entry gets between them. Bounds of either are true, a mixture may not be.
    #[test]
    fn of_two_entries_of_a_position_one_is_found() {
        let table = NarrowTable::new(0).unwrap();
        let hash = NarrowTable::place(4453);
        let both = [known(5, 9), known(2, 12)];
        for (way, bounds) in table.0.of(hash.0).iter().zip(both) {
            way.store(pack(hash.tag(), bounds, 1), Ordering::Relaxed);
        }
        let found = table.probe(hash);
        assert!(both.contains(&found), "{found:?}");
    }
}
