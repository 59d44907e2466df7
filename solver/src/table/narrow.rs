//! A table for keys of 64 bits.
//!
//! One `u64` an entry, read and written whole: a racing write loses an entry, never
//! mixes two. (So an entry that is written again is the one that was looked at, not one
//! read afresh.) Two threads may store the same position twice in a bucket; each
//! entry is true by itself.
//! The key is multiplied by an odd constant and the bytes of the product turned round,
//! which loses nothing and brings the best mixed ones to the low end. The lowest bits of
//! this hash choose a bucket, the others are the entry's tag, all but the lowest 15. A bucket
//! index has at least these 15 bits. So index and tag together give the whole hash, and
//! two positions never share an entry. That holds however many buckets there are: while the
//! table grows, no reader finds or believes an entry that is still in its old
//! bucket.

use super::entry::{Bounds, MOST_WORK, MULTIPLIER, TableWord, WORK_BITS, work_class};
use super::memory::Table;
use crate::simd::dispatch;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of a bucket: more would find little more, and every probe would be slower.
const WAYS: usize = 2;
/// Bits of a bound.
const BOUND_BITS: u32 = 6;
/// Bits below the tag.
const TAG_SHIFT: u32 = WORK_BITS + 2 * BOUND_BITS;

const _: () = assert!(
    Table::MIN_BYTES >> TAG_SHIFT >= size_of::<[u64; WAYS]>(),
    "index and tag have to be the whole key"
);

/// The bits of a hash that its entry holds.
#[inline(always)]
fn tag(hash: u64) -> u64 {
    hash >> TAG_SHIFT << TAG_SHIFT
}

#[inline(always)]
fn bucket(table: &Table, hash: u64) -> &[AtomicU64; WAYS] {
    table.bucket(hash)
}

impl TableWord for u64 {
    /// The hash of a key.
    type Place = u64;

    const UNKNOWN: Bounds = Bounds::unknown::<BOUND_BITS>();

    #[inline(always)]
    fn place(key: u64) -> u64 {
        mix([key])[0]
    }

    #[inline(always)]
    fn places<const N: usize>(keys: [u64; N], _used: usize) -> [u64; N] {
        // All places, since a constant number is faster than a smaller one.
        mix(keys)
    }

    #[inline(always)]
    fn hash_of(hash: u64) -> u64 {
        hash
    }

    #[inline(always)]
    fn prefetch(table: &Table, hash: u64) {
        dispatch::prefetch(bucket(table, hash));
    }

    #[inline(always)]
    fn probe(table: &Table, hash: u64) -> Bounds {
        let tag = tag(hash);
        let mut found = Self::UNKNOWN.pack::<BOUND_BITS>(0);
        for way in bucket(table, hash) {
            let entry = way.load(Ordering::Relaxed);
            // Tag equal: only the bits below it differ. An empty entry has tag 0, which no position
            // has, since a key never ends in 48 zeros. Without a branch: the entry with the tag is
            // hard to predict.
            found = if entry ^ tag < 1 << TAG_SHIFT { entry } else { found };
        }
        Bounds::unpack::<BOUND_BITS>(found)
    }

    #[inline(always)]
    fn store(table: &Table, hash: u64, bounds: Bounds, nodes: u64) {
        let tag = tag(hash);
        let work = work_class(nodes);
        let bucket = bucket(table, hash);
        let mut victim = (&bucket[0], 0);
        let mut least_work = u64::MAX;
        for way in bucket {
            let entry = way.load(Ordering::Relaxed);
            if entry ^ tag < 1 << TAG_SHIFT {
                let work = work.max(entry & MOST_WORK);
                return way.store(tag | bounds.pack::<BOUND_BITS>(work), Ordering::Relaxed);
            }
            if entry & MOST_WORK < least_work {
                least_work = entry & MOST_WORK;
                victim = (way, entry);
            }
        }
        let (way, entry) = victim;
        if work >= least_work {
            way.store(tag | bounds.pack::<BOUND_BITS>(work), Ordering::Relaxed);
        } else {
            // Ages the entry, so that an entry never looked up gives way in the end. Another thread
            // may have aged the stored entry to 0 by now; this copy is above 0.
            way.store(entry - 1, Ordering::Relaxed);
        }
    }

    fn grow(table: &Table) {
        table.double::<WAYS>(|bucket, new, bit| {
            for (way, free) in bucket.iter().zip(new) {
                let entry = way.load(Ordering::Relaxed);
                // The bits of a tag stand at the same places as in the hash. A concurrent write
                // wins.
                if entry >> bit & 1 == 1 {
                    let order = Ordering::Relaxed;
                    let _ = free.compare_exchange(0, entry, order, order);
                    let _ = way.compare_exchange(entry, 0, order, order);
                }
            }
        });
    }

    fn use_of(table: &Table, place: u64) -> (u32, u32) {
        let used = bucket(table, place).iter().filter(|way| way.load(Ordering::Relaxed) != 0);
        (used.count() as u32, WAYS as u32)
    }
}

/// The hashes of keys.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn mix<const N: usize>(keys: [u64; N]) -> [u64; N] {
    keys.map(|key| key.wrapping_mul(MULTIPLIER).swap_bytes())
}

/// Hashes with an instruction that swaps the bytes of 16-bit numbers, on processors that cannot
/// reverse all bytes of a number.
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

#[cfg(test)]
mod tests {
    use super::super::tests::fight;
    use super::*;

    /// The inverse of [`MULTIPLIER`].
    const INVERSE: u64 = {
        // Newton's iteration doubles the number of right bits.
        let mut inverse = 1_u64;
        let mut i = 0;
        while i < 6 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)));
            i += 1;
        }
        inverse
    };

    fn known(lower: i32, upper: i32) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn a_full_bucket_keeps_what_took_most_work_until_it_ages() {
        let table = Table::new(0).unwrap();
        // Same lowest bits, so the same bucket.
        let hash = |i: u64| (i + 1) << 32 | 0xabc;
        for i in 0..WAYS as u64 {
            u64::store(&table, hash(i), known(0, 1), 1 << 14);
        }
        let newcomer = hash(99);
        u64::store(&table, newcomer, known(2, 3), 1);
        assert_eq!(u64::probe(&table, newcomer), u64::UNKNOWN);
        for _ in 0..WAYS as u64 * MOST_WORK + 1 {
            u64::store(&table, newcomer, known(2, 3), 1);
        }
        assert_eq!(u64::probe(&table, newcomer), known(2, 3));
    }

    /// Two threads that miss the same position may both store it, if a third
    /// entry gets between them. Bounds of either are true, a mixture may not be.
    #[test]
    fn of_two_entries_of_a_position_one_is_found() {
        let table = Table::new(0).unwrap();
        let hash = u64::place(4453);
        let both = [known(5, 9), known(2, 12)];
        for (way, bounds) in bucket(&table, hash).iter().zip(both) {
            way.store(tag(hash) | bounds.pack::<BOUND_BITS>(1), Ordering::Relaxed);
        }
        let found = u64::probe(&table, hash);
        assert!(both.contains(&found), "{found:?}");
    }

    /// All threads want the same bucket and age its entries all the time.
    #[test]
    fn threads_that_fight_for_a_bucket_do_no_harm() {
        // Their hashes have the same lowest bits.
        let hash = |i: u64| (i % 31 + 1) << 40 | 0xabc;
        fight::<u64>(|i| hash(i).swap_bytes().wrapping_mul(INVERSE));
    }
}
