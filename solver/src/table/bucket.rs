//! A bucket of a table for keys of 128 bits.
//!
//! It is a cache line of eight words: a version, the whole keys of three entries, and one word with the
//! *facts* of all three: bounds and work. Keys are kept whole, so two positions never share an entry.
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

use super::entry::MOST_WORK;
use crate::sync::{AtomicU64, Ordering, fence};

/// Entries of a bucket.
pub(super) const WAYS: usize = 3;
/// Words of a bucket.
pub(super) const WORDS: usize = 8;
/// The word with the facts of all entries, after the version and the keys.
const FACTS: usize = 1 + 2 * WAYS;
/// Bits of the fact of one entry; a word has room for three.
pub(super) const FACT_BITS: u32 = 21;
const FACT_MASK: u64 = (1 << FACT_BITS) - 1;

/// A bucket.
pub(super) type Bucket = [AtomicU64; WORDS];

/// The fact of an entry, among all facts.
#[inline(always)]
fn fact(facts: u64, way: usize) -> u64 {
    facts >> (FACT_BITS * way as u32) & FACT_MASK
}

/// The facts with another one of an entry.
#[inline(always)]
fn with_fact(facts: u64, way: usize, fact: u64) -> u64 {
    let shift = FACT_BITS * way as u32;
    facts & !(FACT_MASK << shift) | fact << shift
}

/// The fact of the entry with a key; `unknown` if there is none, or another thread changes the bucket.
#[inline(always)]
pub(super) fn read(bucket: &Bucket, wanted: u128, unknown: u64) -> u64 {
    let before = bucket[0].load(Ordering::Acquire);
    let mut found = unknown;
    let facts = bucket[FACTS].load(Ordering::Relaxed);
    for way in 0..WAYS {
        // An empty entry has the key 0, which no position has.
        if key(bucket, way) == wanted {
            found = fact(facts, way);
        }
    }
    fence(Ordering::Acquire);
    let unchanged = bucket[0].load(Ordering::Relaxed) == before;
    if before.is_multiple_of(2) && unchanged { found } else { unknown }
}

/// Changes a bucket, unless another thread is changing it. The version is odd meanwhile.
#[inline(always)]
pub(super) fn alone(bucket: &Bucket, change: impl FnOnce()) {
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

/// Takes an entry from a bucket whose version is odd because of this thread; returns its fact.
pub(super) fn remove(bucket: &Bucket, way: usize) -> u64 {
    let facts = bucket[FACTS].load(Ordering::Relaxed);
    bucket[1 + 2 * way].store(0, Ordering::Relaxed);
    bucket[2 + 2 * way].store(0, Ordering::Relaxed);
    bucket[FACTS].store(with_fact(facts, way, 0), Ordering::Relaxed);
    fact(facts, way)
}

/// Writes an entry into a bucket whose version is odd because of this thread.
#[inline(always)]
pub(super) fn write(bucket: &Bucket, new: u128, new_fact: u64) {
    let work = new_fact & MOST_WORK;
    let facts = bucket[FACTS].load(Ordering::Relaxed);
    let mut victim = 0;
    let mut least_work = u64::MAX;
    for way in 0..WAYS {
        let old_work = fact(facts, way) & MOST_WORK;
        if key(bucket, way) == new {
            let kept = new_fact - work + work.max(old_work);
            return bucket[FACTS].store(with_fact(facts, way, kept), Ordering::Relaxed);
        }
        if old_work < least_work {
            (victim, least_work) = (way, old_work);
        }
    }
    if work >= least_work {
        bucket[1 + 2 * victim].store(new as u64, Ordering::Relaxed);
        bucket[2 + 2 * victim].store((new >> 64) as u64, Ordering::Relaxed);
        bucket[FACTS].store(with_fact(facts, victim, new_fact), Ordering::Relaxed);
    } else {
        // Ages the entry, so that an entry never looked up gives way in the end.
        let aged = fact(facts, victim) - 1;
        bucket[FACTS].store(with_fact(facts, victim, aged), Ordering::Relaxed);
    }
}

#[inline(always)]
pub(super) fn key(bucket: &Bucket, way: usize) -> u128 {
    let word = |index: usize| u128::from(bucket[index].load(Ordering::Relaxed));
    word(1 + 2 * way) | word(2 + 2 * way) << 64
}
