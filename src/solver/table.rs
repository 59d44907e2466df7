//! A transposition table: what a search has already proved about positions.
//!
//! One `u64` an entry, read and written whole, so that a table can be shared
//! by threads without locks: a racing write loses an entry, never mixes two.
//! (So an entry that is written again is the one that was looked at, not one
//! read afresh.) Two threads may store the same position twice in a bucket; each
//! entry is true by itself.
//! The key is multiplied by an odd constant, which loses nothing; the top bits
//! choose a bucket, the low 49 bits are the entry's tag. A bucket index of at
//! least 15 bits makes index and tag together the whole product, so two
//! positions never share an entry.

use crate::board::Score;
use memmap2::{MmapMut, MmapRaw};
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of a bucket: more would find little more, and slow every probe down.
const WAYS: usize = 2;
/// Fewest bits of a bucket index; 15 are enough for the tag to leave no doubt.
const MIN_INDEX_BITS: u32 = 16;
const TAG_SHIFT: u32 = 15;
const LOWER_SHIFT: u32 = 9;
const UPPER_SHIFT: u32 = 3;
const SCORE_MASK: u64 = 63;
const SCORE_BIAS: i32 = 32;
const WORK_MASK: u64 = 7;
/// An odd number without pattern in its bits (2^64 / golden ratio).
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// What is known of a position's score: it lies between the two, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// Nothing is known.
    pub(super) const UNKNOWN: Bounds = Bounds { lower: -SCORE_BIAS, upper: SCORE_BIAS - 1 };

    /// The bound that tells whether the score is at least `beta`, if one does.
    #[inline(always)]
    pub(super) fn decide(self, beta: i32) -> Option<i32> {
        if self.lower >= beta {
            Some(self.lower)
        } else if self.upper < beta {
            Some(self.upper)
        } else {
            None
        }
    }

    /// Takes in what a search with the null window of `beta` gave: a lower bound if it
    /// reaches `beta`, else an upper one.
    #[inline(always)]
    pub(super) fn learn(&mut self, score: i32, beta: i32) {
        if score >= beta {
            self.lower = self.lower.max(score);
        } else {
            self.upper = self.upper.min(score);
        }
    }
}

/// A place in a table: the hash of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash(u64);

impl Hash {
    /// The hash of a [key](crate::board::Position::key).
    #[inline(always)]
    pub(super) fn of(key: u64) -> Hash {
        Hash(key.wrapping_mul(MULTIPLIER))
    }

    #[inline(always)]
    fn tag(self) -> u64 {
        self.0 << TAG_SHIFT
    }
}

type Bucket = [AtomicU64; WAYS];

/// A table in memory of its own, which threads may share.
#[derive(Debug)]
pub(super) struct Table {
    memory: MmapRaw,
    index_shift: u32,
}

/// Memory for a transposition table could not be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot reserve {bytes} bytes for the transposition table: {cause}; ask for less memory")]
pub struct TableError {
    bytes: usize,
    cause: std::io::Error,
}

impl Table {
    /// The smallest table, in bytes.
    pub(super) const MIN_BYTES: usize = size_of::<Bucket>() << MIN_INDEX_BITS;

    /// An empty table of the largest power of two of bytes that is at most
    /// `bytes`, and at least [`MIN_BYTES`](Self::MIN_BYTES). Memory is used as
    /// the table fills.
    ///
    /// # Errors
    ///
    /// If the system does not give the memory.
    pub(super) fn new(bytes: usize) -> Result<Self, TableError> {
        let index_bits =
            (bytes.max(Self::MIN_BYTES) / size_of::<Bucket>()).ilog2().min(u64::BITS - 16);
        let bytes = size_of::<Bucket>() << index_bits;
        let memory = MmapMut::map_anon(bytes).map_err(|cause| TableError { bytes, cause })?;
        // Fewer misses of the address cache; only advice, so a refusal is no error. Miri
        // knows no advice.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Table { memory: memory.into(), index_shift: u64::BITS - index_bits })
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.memory.len()
    }

    #[inline(always)]
    fn bucket(&self, hash: Hash) -> &Bucket {
        let index = (hash.0 >> self.index_shift) as usize;
        debug_assert!(index < self.memory.len() / size_of::<Bucket>());
        // SAFETY: the memory is an anonymous private mapping, aligned to a page and
        // zeroed, of exactly 2^(64 - index_shift) buckets, and `index` has that many
        // bits. It is only ever reached through these atomics (the map is a raw one,
        // which makes no slice of it), and `&self` keeps it mapped as long as the bucket
        // is borrowed. Any bytes are a valid bucket.
        #[allow(unsafe_code)]
        unsafe {
            &*self.memory.as_mut_ptr().cast::<Bucket>().add(index)
        }
    }

    /// Starts fetching the bucket into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: Hash) {
        super::cpu::prefetch(self.bucket(hash));
    }

    /// What is known of the position with this hash; [`Bounds::UNKNOWN`] if it is not here.
    #[inline(always)]
    pub(super) fn probe(&self, hash: Hash) -> Bounds {
        let tag = hash.tag();
        let mut found = pack(0, Bounds::UNKNOWN, 0);
        for way in self.bucket(hash) {
            let entry = way.load(Ordering::Relaxed);
            // Tag equal: only the bits below it differ. An empty entry has tag 0,
            // which no position has, since a key never ends in 49 zeros.
            // No branch: which way has it cannot be foreseen.
            found = if entry ^ tag < 1 << TAG_SHIFT { entry } else { found };
        }
        bounds(found)
    }

    /// Keeps bounds of the position with this hash, which took `nodes` nodes
    /// to prove.
    #[inline(always)]
    pub(super) fn store(&self, hash: Hash, bounds: Bounds, nodes: u64) {
        let tag = hash.tag();
        let work = work_class(nodes);
        let bucket = self.bucket(hash);
        let mut victim = (&bucket[0], 0);
        let mut least_work = u64::MAX;
        for way in bucket {
            let entry = way.load(Ordering::Relaxed);
            if entry ^ tag < 1 << TAG_SHIFT {
                let work = work.max(entry & WORK_MASK);
                return way.store(pack(tag, bounds, work), Ordering::Relaxed);
            }
            if entry & WORK_MASK < least_work {
                least_work = entry & WORK_MASK;
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
}

/// From 0 to 7 by the number of nodes.
#[inline(always)]
fn work_class(nodes: u64) -> u64 {
    u64::from((nodes | 1).ilog2() / 2).min(WORK_MASK)
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

const _: () = assert!(
    (Score::MIN as i32) < Bounds::UNKNOWN.lower && Bounds::UNKNOWN.upper < Score::MAX as i32
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// An interpreter has no time for more than one in a thousand.
    const ROUNDS: u64 = if cfg!(miri) { 500 } else { 500_000 };

    fn known(lower: i32, upper: i32) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(0).unwrap();
        assert_eq!(table.bytes(), Table::MIN_BYTES);
        let positions: Vec<_> = ["", "1", "44", "4453", "77777", "1234567"]
            .map(|moves| Hash::of(Position::<7, 6>::from_moves(moves).unwrap().key()))
            .into();
        for (i, &hash) in positions.iter().enumerate() {
            assert_eq!(table.probe(hash), Bounds::UNKNOWN);
            table.store(hash, known(-(i as i32), i as i32 + 20), 1);
        }
        for (i, &hash) in positions.iter().enumerate() {
            assert_eq!(table.probe(hash), known(-(i as i32), i as i32 + 20));
        }
    }

    #[test]
    fn bounds_decide_what_they_exclude_and_only_narrow() {
        let mut bounds = Bounds::UNKNOWN;
        assert_eq!(bounds.decide(0), None);
        bounds.learn(-2, -3);
        bounds.learn(1, 2);
        assert_eq!(bounds, known(-2, 1));
        let decided = [-3, -2, -1, 0, 1, 2, 3].map(|beta| bounds.decide(beta));
        assert_eq!(decided, [Some(-2), Some(-2), None, None, None, Some(1), Some(1)]);
        // What says less than is known changes nothing.
        bounds.learn(-4, -4);
        bounds.learn(3, 4);
        assert_eq!(bounds, known(-2, 1));
    }

    #[test]
    fn every_pair_of_bounds_survives_packing() {
        for lower in Bounds::UNKNOWN.lower..=Bounds::UNKNOWN.upper {
            for upper in lower..=Bounds::UNKNOWN.upper {
                assert_eq!(bounds(pack(0, known(lower, upper), 7)), known(lower, upper));
            }
        }
    }

    #[test]
    fn a_full_bucket_keeps_what_took_most_work_until_it_ages() {
        let table = Table::new(0).unwrap();
        // Same top bits, so the same bucket.
        let hash = |i: u64| Hash(0xabc << 52 | (i + 1));
        for i in 0..WAYS as u64 {
            table.store(hash(i), known(0, 1), 1 << 14);
        }
        let newcomer = hash(99);
        table.store(newcomer, known(2, 3), 1);
        assert_eq!(table.probe(newcomer), Bounds::UNKNOWN);
        for _ in 0..WAYS as u64 * WORK_MASK + 1 {
            table.store(newcomer, known(2, 3), 1);
        }
        assert_eq!(table.probe(newcomer), known(2, 3));
    }

    /// Bounds that tell which hash they belong to.
    fn bounds_of(hash: Hash) -> Bounds {
        known((hash.0 % 9) as i32, 10 + (hash.0 % 7) as i32)
    }

    /// Two threads that miss the same position may both store it, if a third
    /// entry gets between them. Bounds of either are true, a mixture may not be.
    #[test]
    fn of_two_entries_of_a_position_one_is_found() {
        let table = Table::new(0).unwrap();
        let hash = Hash::of(4453);
        let both = [known(5, 9), known(2, 12)];
        for (way, bounds) in table.bucket(hash).iter().zip(both) {
            way.store(pack(hash.tag(), bounds, 1), Ordering::Relaxed);
        }
        let found = table.probe(hash);
        assert!(both.contains(&found), "{found:?}");
    }

    /// All threads want the same bucket and age its entries all the time.
    #[test]
    fn threads_that_fight_for_a_bucket_do_no_harm() {
        let table = Table::new(0).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let table = &table;
                scope.spawn(move || {
                    let hash = |i: u64| Hash(0xabc << 52 | (i % 31 + 1));
                    for i in 0..ROUNDS {
                        let stored = hash(i * 7 + thread);
                        table.store(stored, bounds_of(stored), [1, 4][i as usize / 31 % 2]);
                        let wanted = hash(i * 5);
                        let found = table.probe(wanted);
                        assert!([bounds_of(wanted), Bounds::UNKNOWN].contains(&found));
                    }
                });
            }
        });
    }

    #[test]
    fn threads_may_share_a_table() {
        let table = Table::new(0).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 1..ROUNDS {
                        let hash = Hash::of(i);
                        table.store(hash, bounds_of(hash), thread);
                        let found = table.probe(hash);
                        assert!([bounds_of(hash), Bounds::UNKNOWN].contains(&found));
                    }
                });
            }
        });
    }
}
