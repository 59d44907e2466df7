//! Transposition tables: what a search has already proved about positions.
//!
//! A table is shared by threads without locks, and never believes an entry that two
//! racing writes have mixed: [`narrow`] has one word an entry, for boards of up to 64
//! bits, [`wide`] several, for all others. [`levels`] has a table for each level of a
//! computer's memory.

mod levels;
mod memory;
mod narrow;
mod wide;

pub(super) use levels::{Levels, Tables, late};
pub use memory::TableError;

use crate::board::Word;
use std::fmt::Debug;

/// What is known of a position's score: it lies between the two, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
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

/// A word whose boards can be searched: there is a table for its keys.
pub(super) trait SearchWord: Word {
    /// The table.
    type Table: Table<Self>;
}

/// A table in memory of its own, which threads may share.
pub(super) trait Table<Key>: Debug + Sized + Send + Sync {
    /// A place in a table, made of a key.
    type Place: Copy + Debug;

    /// Nothing is known: all scores that the boards of these keys can have.
    const UNKNOWN: Bounds;

    /// The smallest table, in bytes.
    const MIN_BYTES: usize;

    /// An empty table that can grow to the largest power of two of bytes that is at most
    /// `bytes`, and at least [`MIN_BYTES`](Self::MIN_BYTES). Memory is used as the table
    /// fills.
    ///
    /// # Errors
    ///
    /// If the system does not give the memory.
    fn new(bytes: usize) -> Result<Self, TableError>;

    /// The most bytes that it takes.
    fn bytes(&self) -> usize;

    /// The place of a [key](crate::board::Position::key) that some position has.
    fn place(key: Key) -> Self::Place;

    /// The places of several keys.
    #[inline(always)]
    fn places<const N: usize>(keys: [Key; N]) -> [Self::Place; N] {
        keys.map(Self::place)
    }

    /// A number that seldom is that of another place; not 0.
    fn hash(place: Self::Place) -> u64;

    /// Starts fetching what is at a place into the cache.
    fn prefetch(&self, place: Self::Place);

    /// What is known of the position with this place; [`UNKNOWN`](Self::UNKNOWN) if it
    /// is not here.
    fn probe(&self, place: Self::Place) -> Bounds;

    /// Keeps bounds of the position with this place, which took `nodes` nodes to prove.
    fn store(&self, place: Self::Place, bounds: Bounds, nodes: u64);

    /// Makes the table twice as large, unless it is as large as it may be. What it knows
    /// is kept; others may use the table meanwhile, and miss some of it.
    fn grow(&self);

    /// How many of the entries at a place are in use, and how many there are.
    fn use_of(&self, place: Self::Place) -> (u32, u32);
}

/// The highest class of work.
const MOST_WORK: u64 = 7;

/// The work behind an entry, from 0 to 7 by the number of nodes.
#[inline(always)]
fn work_class(nodes: u64) -> u64 {
    u64::from((nodes | 1).ilog2() / 2).min(MOST_WORK)
}

/// An odd number without pattern in its bits (2^64 / golden ratio).
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Size};

    /// An interpreter has no time for more than one in a thousand.
    const ROUNDS: u64 = if cfg!(miri) { 500 } else { 300_000 };

    fn known(lower: i32, upper: i32) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn bounds_decide_what_they_exclude_and_only_narrow() {
        let mut bounds = known(-32, 31);
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

    fn stored_is_found<B: SearchWord>() {
        let table = B::Table::new(0).unwrap();
        assert_eq!(table.bytes(), B::Table::MIN_BYTES);
        let places = ["", "1", "44", "4453", "77777", "1234567"]
            .map(|moves| B::Table::place(Position::from_moves(moves).unwrap().narrow().key()));
        for (i, place) in (0..).zip(places) {
            assert_eq!(table.probe(place), B::Table::UNKNOWN);
            table.store(place, known(-i, i + 20), 1);
        }
        for (i, place) in (0..).zip(places) {
            assert_eq!(table.probe(place), known(-i, i + 20));
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        stored_is_found::<u64>();
        stored_is_found::<u128>();
    }

    /// Keys that need not be those of positions.
    fn keys<B: SearchWord>(number: u64) -> impl Iterator<Item = B> {
        (1..=number).map(|i| B::truncate(u128::from(i * 7) << 5 | 1))
    }

    /// Enough for an entry not to give way while another of its bucket is empty.
    const WORK: u64 = 16;

    fn what_is_known_is_kept<B: SearchWord>() {
        let table = B::Table::new(8 * memory::FIRST_BYTES).unwrap();
        for key in keys::<B>(ROUNDS / 50) {
            table.store(B::Table::place(key), bounds_of(key.widen()), WORK);
        }
        let known = |key: &B| table.probe(B::Table::place(*key)) == bounds_of(key.widen());
        let before: Vec<B> = keys(ROUNDS / 50).filter(known).collect();
        assert!(before.len() as u64 > ROUNDS / 60, "{} of {}", before.len(), ROUNDS / 50);
        // Once more than there is memory for.
        for _ in 0..4 {
            table.grow();
            assert!(before.iter().all(known));
        }
        let place = B::Table::place(before[0]);
        assert!(table.use_of(place).0 > 0);
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows() {
        what_is_known_is_kept::<u64>();
        what_is_known_is_kept::<u128>();
    }

    fn grows_in_use<B: SearchWord>() {
        let table = B::Table::new(8 * memory::FIRST_BYTES).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for key in keys::<B>(ROUNDS / 10) {
                        let place = B::Table::place(key);
                        table.store(place, bounds_of(key.widen()), WORK);
                        let found = table.probe(place);
                        assert!(found == bounds_of(key.widen()) || found == B::Table::UNKNOWN);
                    }
                });
            }
            scope.spawn(|| (0..4).for_each(|_| table.grow()));
        });
        let known = keys::<B>(ROUNDS / 10)
            .filter(|key| table.probe(B::Table::place(*key)) == bounds_of(key.widen()));
        let known = known.count() as u64;
        assert!(known > ROUNDS / 20, "{known} of {}", ROUNDS / 10);
    }

    #[test]
    fn a_table_may_grow_while_threads_use_it() {
        grows_in_use::<u64>();
        grows_in_use::<u128>();
    }

    fn every_pair_survives<B: SearchWord>() {
        let table = B::Table::new(0).unwrap();
        let place = B::Table::place(B::ONE);
        let Bounds { lower: least, upper: most } = B::Table::UNKNOWN;
        for lower in least..=most {
            for upper in lower..=most {
                table.store(place, known(lower, upper), 9);
                assert_eq!(table.probe(place), known(lower, upper));
            }
        }
    }

    #[test]
    fn every_pair_of_bounds_survives_packing() {
        every_pair_survives::<u64>();
        every_pair_survives::<u128>();
    }

    #[test]
    fn no_score_is_outside_the_bounds_of_its_table() {
        for size in Size::all() {
            let most = i32::from(crate::board::winning_score(size.cells(), 7));
            let unknown = match size.bits() {
                ..=64 => <u64 as SearchWord>::Table::UNKNOWN,
                _ => <u128 as SearchWord>::Table::UNKNOWN,
            };
            // One more on either side, for windows beyond the best and the worst.
            assert!(unknown.lower < -most && most < unknown.upper, "{size}");
        }
    }

    /// Bounds that tell which key they belong to.
    fn bounds_of(key: u128) -> Bounds {
        known((key % 9) as i32, 10 + (key % 7) as i32)
    }

    /// Four threads that store and look up `keys`, which may all want one bucket.
    fn fight<B: SearchWord>(key: impl Fn(u64) -> B + Sync) {
        let table = B::Table::new(0).unwrap();
        let found = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (table, key, all) = (&table, &key, &found);
                scope.spawn(move || {
                    let mut found = 0;
                    for i in 0..ROUNDS {
                        let stored = key(i * 7 + thread);
                        let work = [1, 256][i as usize / 31 % 2];
                        table.store(B::Table::place(stored), bounds_of(stored.widen()), work);
                        let wanted = key(i * 5);
                        let bounds = table.probe(B::Table::place(wanted));
                        let known = bounds != B::Table::UNKNOWN;
                        assert!(!known || bounds == bounds_of(wanted.widen()), "{wanted}");
                        found += u64::from(known);
                    }
                    all.fetch_add(found, std::sync::atomic::Ordering::Relaxed);
                });
            }
        });
        assert!(found.into_inner() > ROUNDS / 20, "next to nothing was ever found");
    }

    #[test]
    fn threads_may_share_a_table() {
        fight::<u64>(|i| i % 1000 + 1);
        fight::<u128>(|i| u128::from(i % 1000 + 1) << 61);
    }

    /// All threads want the same bucket and age its entries all the time.
    #[test]
    fn threads_that_fight_for_a_bucket_do_no_harm() {
        // Their hashes have the same lowest bits.
        let hash = |i: u64| (i % 31 + 1) << 40 | 0xabc;
        fight::<u64>(|i| hash(i).swap_bytes().wrapping_mul(narrow::INVERSE));
        // An interpreter takes long to find them.
        let same_bucket = wide::keys_of_one_bucket(if cfg!(miri) { 5 } else { 31 });
        fight::<u128>(|i| same_bucket[i as usize % same_bucket.len()]);
    }
}
