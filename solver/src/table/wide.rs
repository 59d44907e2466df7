//! A table for keys of 128 bits.
//!
//! [`bucket`](super::bucket) has a bucket and how threads share it.

use super::bucket::{self, Bucket, FACT_BITS, WAYS, WORDS};
use super::entry::{Bounds, MULTIPLIER, TableWord, WORK_BITS, work_class};
use super::memory::Table;
use crate::simd::dispatch;

/// Bits of a bound.
const BOUND_BITS: u32 = 7;
const _: () = assert!(WORK_BITS + 2 * BOUND_BITS <= FACT_BITS);

/// A key and the hash of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashedKey {
    key: u128,
    hash: u64,
}

#[inline(always)]
fn bucket_of(table: &Table, place: HashedKey) -> &Bucket {
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
        dispatch::prefetch(bucket_of(table, place));
    }

    #[inline(always)]
    fn probe(table: &Table, place: HashedKey) -> Bounds {
        let unknown = Self::UNKNOWN.pack::<BOUND_BITS>(0);
        Bounds::unpack::<BOUND_BITS>(bucket::read(bucket_of(table, place), place.key, unknown))
    }

    #[inline(always)]
    fn store(table: &Table, place: HashedKey, bounds: Bounds, nodes: u64) {
        let bucket = bucket_of(table, place);
        let fact = bounds.pack::<BOUND_BITS>(work_class(nodes));
        bucket::alone(bucket, || bucket::write(bucket, place.key, fact));
    }

    fn grow(table: &Table) {
        table.double::<WORDS>(|old, new, bit| {
            let mut moved = [(0, 0); WAYS];
            bucket::alone(old, || {
                for (way, moved) in moved.iter_mut().enumerate() {
                    let key = bucket::key(old, way);
                    if key != 0 && Self::place(key).hash >> bit & 1 == 1 {
                        *moved = (key, bucket::remove(old, way));
                    }
                }
            });
            bucket::alone(new, || {
                for (key, fact) in moved.into_iter().filter(|&(key, _)| key != 0) {
                    bucket::write(new, key, fact);
                }
            });
        });
    }

    fn use_of(table: &Table, place: HashedKey) -> (u32, u32) {
        let bucket = bucket_of(table, place);
        let used = (0..WAYS).filter(|&way| bucket::key(bucket, way) != 0).count();
        (used as u32, WAYS as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::MOST_WORK;
    use super::super::tests::fight;
    use super::*;
    use crate::sync::Ordering;

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
        let bucket = bucket_of(&table, place);
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
