//! A table for keys of 128 bits.
//!
//! A bucket is a cache line of eight words: a version, the whole keys of three entries,
//! and one word with the bounds and the work of all three. Keys are kept whole, so two
//! positions never share an entry.
//!
//! Several words cannot be read or written at once, so the version guards them (a
//! *sequence lock*). A writer makes the version odd, with a compare-and-swap that lets
//! only one writer in, writes, and makes it even again, by two more than before. A reader
//! believes what it has read only if the version was even before, and is the same after.
//!
//! Why a mixture is never believed: suppose that a reader has read a word that a writer
//! stored. The writer's release fence stands between its odd version and that store, the
//! reader's acquire fence between that read and its second look at the version. So the
//! fences synchronise, and the second look sees the odd version or a later one. The
//! versions only ever grow (64 bits do not wrap around). If the two looks agree,
//! the first one, too, saw a version of this writer or a later one; being even, it was
//! the writer's last version or a later one. That was stored with release and read with
//! acquire, so the reader has seen all that the writer stored. This holds of every writer
//! whose words were read: either the reader saw all its words, or the versions differ.
//!
//! On contention a read counts as a miss and a write is dropped; no thread waits.
//!
//! Source: H. Boehm, "Can seqlocks get along with programming language memory models?"
//! (2012).

use super::entry::{Bounds, MOST_WORK, MULTIPLIER, TableWord, WORK_BITS, work_class};
use super::memory::Table;
use crate::simd::dispatch;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Entries of a bucket.
const WAYS: usize = 3;
/// Words of a bucket.
const WORDS: usize = 8;
/// The word with the bounds and the work of all entries, after the version and the keys.
const FACTS: usize = 1 + 2 * WAYS;
/// Bits of a bound.
const BOUND_BITS: u32 = 7;
/// Bits of the facts about one entry; a word has room for three.
const FACT_BITS: u32 = 21;
const FACT_MASK: u64 = (1 << FACT_BITS) - 1;

const _: () = assert!(WORK_BITS + 2 * BOUND_BITS <= FACT_BITS);

/// A key and the hash of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashedKey {
    key: u128,
    hash: u64,
}

#[inline(always)]
fn bucket(table: &Table, place: HashedKey) -> &[AtomicU64; WORDS] {
    table.bucket(place.hash)
}

impl TableWord for u128 {
    type Place = HashedKey;

    const UNKNOWN: Bounds = Bounds::unknown::<BOUND_BITS>();

    #[inline(always)]
    fn place(key: u128) -> HashedKey {
        let low = key as u64;
        let high = (key >> 64) as u64;
        let mixed = low.wrapping_mul(MULTIPLIER) ^ high.rotate_left(32);
        HashedKey { key, hash: (mixed ^ mixed >> 29).wrapping_mul(MULTIPLIER).swap_bytes() }
    }

    #[inline(always)]
    fn places<const N: usize>(keys: [u128; N], used: usize) -> [HashedKey; N] {
        let mut places = [HashedKey { key: 0, hash: 0 }; N];
        for lane in 0..used.min(N) {
            places[lane] = Self::place(keys[lane]);
        }
        places
    }

    #[inline(always)]
    fn hash_of(place: HashedKey) -> u64 {
        place.hash | 1
    }

    #[inline(always)]
    fn prefetch(table: &Table, place: HashedKey) {
        dispatch::prefetch(bucket(table, place));
    }

    #[inline(always)]
    fn probe(table: &Table, place: HashedKey) -> Bounds {
        let bucket = bucket(table, place);
        let before = bucket[0].load(Ordering::Acquire);
        let mut found = Self::UNKNOWN.pack::<BOUND_BITS>(0);
        let facts = bucket[FACTS].load(Ordering::Relaxed);
        for way in 0..WAYS {
            // An empty entry has the key 0, which no position has.
            if key(bucket, way) == place.key {
                found = facts >> (FACT_BITS * way as u32) & FACT_MASK;
            }
        }
        fence(Ordering::Acquire);
        let unchanged = bucket[0].load(Ordering::Relaxed) == before;
        if before.is_multiple_of(2) && unchanged {
            Bounds::unpack::<BOUND_BITS>(found)
        } else {
            Self::UNKNOWN
        }
    }

    #[inline(always)]
    fn store(table: &Table, place: HashedKey, bounds: Bounds, nodes: u64) {
        let bucket = bucket(table, place);
        alone(bucket, || write(bucket, place.key, bounds, work_class(nodes)));
    }

    fn grow(table: &Table) {
        table.double::<WORDS>(|bucket, new, bit| {
            let mut moved = [(0, 0); WAYS];
            alone(bucket, || {
                for (way, moved) in moved.iter_mut().enumerate() {
                    let key = key(bucket, way);
                    if key != 0 && Self::place(key).hash >> bit & 1 == 1 {
                        *moved = (key, remove(bucket, way));
                    }
                }
            });
            alone(new, || {
                for (key, fact) in moved.into_iter().filter(|&(key, _)| key != 0) {
                    write(new, key, Bounds::unpack::<BOUND_BITS>(fact), fact & MOST_WORK);
                }
            });
        });
    }

    fn use_of(table: &Table, place: HashedKey) -> (u32, u32) {
        let bucket = bucket(table, place);
        let used = (0..WAYS).filter(|&way| key(bucket, way) != 0).count();
        (used as u32, WAYS as u32)
    }
}

/// Changes a bucket, unless another thread is changing it. The version is odd meanwhile.
#[inline(always)]
fn alone(bucket: &[AtomicU64; WORDS], change: impl FnOnce()) {
    let version = bucket[0].load(Ordering::Relaxed);
    let entered = version.is_multiple_of(2)
        && bucket[0]
            .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
    if !entered {
        return;
    }
    fence(Ordering::Release);
    change();
    bucket[0].store(version + 2, Ordering::Release);
}

/// Takes an entry from a bucket whose version is odd because of this thread; returns its contents.
fn remove(bucket: &[AtomicU64; WORDS], way: usize) -> u64 {
    let facts = bucket[FACTS].load(Ordering::Relaxed);
    let shift = FACT_BITS * way as u32;
    bucket[1 + 2 * way].store(0, Ordering::Relaxed);
    bucket[2 + 2 * way].store(0, Ordering::Relaxed);
    bucket[FACTS].store(facts & !(FACT_MASK << shift), Ordering::Relaxed);
    facts >> shift & FACT_MASK
}

/// Writes an entry into a bucket whose version is odd because of this thread.
#[inline(always)]
fn write(bucket: &[AtomicU64; WORDS], new: u128, bounds: Bounds, work: u64) {
    let facts = bucket[FACTS].load(Ordering::Relaxed);
    let fact = |way: usize| facts >> (FACT_BITS * way as u32) & FACT_MASK;
    let with = |way: usize, fact: u64| {
        let shift = FACT_BITS * way as u32;
        facts & !(FACT_MASK << shift) | fact << shift
    };
    let mut victim = 0;
    let mut least_work = u64::MAX;
    for way in 0..WAYS {
        let old_work = fact(way) & MOST_WORK;
        if key(bucket, way) == new {
            let facts = with(way, bounds.pack::<BOUND_BITS>(work.max(old_work)));
            return bucket[FACTS].store(facts, Ordering::Relaxed);
        }
        if old_work < least_work {
            (victim, least_work) = (way, old_work);
        }
    }
    if work >= least_work {
        bucket[1 + 2 * victim].store(new as u64, Ordering::Relaxed);
        bucket[2 + 2 * victim].store((new >> 64) as u64, Ordering::Relaxed);
        bucket[FACTS].store(with(victim, bounds.pack::<BOUND_BITS>(work)), Ordering::Relaxed);
    } else {
        // Ages the entry, so that an entry never looked up gives way in the end.
        bucket[FACTS].store(with(victim, fact(victim) - 1), Ordering::Relaxed);
    }
}

#[inline(always)]
fn key(bucket: &[AtomicU64; WORDS], way: usize) -> u128 {
    let word = |index: usize| u128::from(bucket[index].load(Ordering::Relaxed));
    word(1 + 2 * way) | word(2 + 2 * way) << 64
}

#[cfg(test)]
mod tests {
    use super::super::tests::fight;
    use super::*;

    /// Keys that all have their place in one bucket of the smallest table, and that differ in
    /// both halves.
    fn keys_of_one_bucket(number: usize) -> Vec<u128> {
        (1_u128..)
            .map(|i| i << 64 | i.wrapping_mul(0x1234_5678_9abc_def1) & u128::from(u64::MAX))
            .filter(|&key| {
                u128::place(key).hash % (Table::MIN_BYTES / size_of::<[u64; WORDS]>()) as u64 == 5
            })
            .take(number)
            .collect()
    }

    fn known(lower: i32, upper: i32) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn a_full_bucket_keeps_what_took_most_work_until_it_ages() {
        let table = Table::new(0).unwrap();
        let keys = keys_of_one_bucket(WAYS + 1);
        let (newcomer, old) = keys.split_last().unwrap();
        for &key in old {
            u128::store(&table, u128::place(key), known(0, 1), 1 << 14);
        }
        let newcomer = u128::place(*newcomer);
        u128::store(&table, newcomer, known(2, 3), 1);
        assert_eq!(u128::probe(&table, newcomer), u128::UNKNOWN);
        for &key in old {
            assert_eq!(u128::probe(&table, u128::place(key)), known(0, 1));
        }
        for _ in 0..WAYS as u64 * MOST_WORK + 1 {
            u128::store(&table, newcomer, known(2, 3), 1);
        }
        assert_eq!(u128::probe(&table, newcomer), known(2, 3));
    }

    #[test]
    fn a_bucket_being_written_is_neither_believed_nor_written() {
        let table = Table::new(0).unwrap();
        let place = u128::place(4453);
        u128::store(&table, place, known(0, 1), 1);
        let bucket = bucket(&table, place);
        // Simulates another thread that has begun to write.
        let version = bucket[0].fetch_add(1, Ordering::Relaxed);
        assert_eq!(u128::probe(&table, place), u128::UNKNOWN);
        u128::store(&table, place, known(2, 3), 1);
        bucket[0].store(version, Ordering::Relaxed);
        assert_eq!(u128::probe(&table, place), known(0, 1));
    }

    /// All threads want the same bucket and age its entries all the time.
    #[test]
    fn threads_that_fight_for_a_bucket_do_no_harm() {
        // An interpreter takes long to find them.
        let same_bucket = keys_of_one_bucket(if cfg!(miri) { 5 } else { 31 });
        fight::<u128>(|i| same_bucket[i as usize % same_bucket.len()]);
    }
}
