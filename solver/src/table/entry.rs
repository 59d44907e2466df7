//! Entries of a transposition table: bounds of scores, and how a word's keys lead to them.

use super::memory::Table;
use crate::board::Word;
use std::fmt::Debug;

/// Bounds of a position's score: it lies between the two, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) lower: i32,
    pub(crate) upper: i32,
}

impl Bounds {
    /// All scores that take `BITS` bits.
    pub(super) const fn unknown<const BITS: u32>() -> Bounds {
        Bounds { lower: -1 << (BITS - 1), upper: (1 << (BITS - 1)) - 1 }
    }

    /// Packs the bounds in `BITS` bits each, above the bits of the work behind them.
    #[inline(always)]
    pub(super) fn pack<const BITS: u32>(self, work: u64) -> u64 {
        let code = |score: i32| (score + (1 << (BITS - 1))) as u64;
        code(self.lower) << (WORK_BITS + BITS) | code(self.upper) << WORK_BITS | work
    }

    /// The bounds that an entry holds.
    #[inline(always)]
    pub(super) fn unpack<const BITS: u32>(entry: u64) -> Bounds {
        let score = |shift: u32| (entry >> shift & ((1 << BITS) - 1)) as i32 - (1 << (BITS - 1));
        Bounds { lower: score(WORK_BITS + BITS), upper: score(WORK_BITS) }
    }

    /// The bound that decides whether the score is at least `beta`, if one does.
    #[inline(always)]
    pub(crate) fn decide(self, beta: i32) -> Option<i32> {
        if self.lower >= beta {
            Some(self.lower)
        } else if self.upper < beta {
            Some(self.upper)
        } else {
            None
        }
    }

    /// Adds the result of a search with the null window of `beta`: a lower bound if it reaches
    /// `beta`, else an upper one.
    #[inline(always)]
    pub(crate) fn learn(&mut self, score: i32, beta: i32) {
        if score >= beta {
            self.lower = self.lower.max(score);
        } else {
            self.upper = self.upper.min(score);
        }
    }
}

/// A word whose keys have entries in a table.
pub(crate) trait TableWord: Word {
    /// A place in a table, made of a key.
    type Place: Copy + Debug + Send;

    /// Bounds when nothing is known: all scores that boards with these keys can have.
    const UNKNOWN: Bounds;

    /// The place of a [key](crate::board::Position::key) that some position has.
    fn place(key: Self) -> Self::Place;

    /// The places of the first `used` keys; any places for the others.
    fn places<const N: usize>(keys: [Self; N], used: usize) -> [Self::Place; N];

    /// A hash that two places rarely share; not 0.
    fn hash_of(place: Self::Place) -> u64;

    /// Starts fetching the entries of a place into the cache.
    fn prefetch(table: &Table, place: Self::Place);

    /// The bounds of the position with this place; [`UNKNOWN`](Self::UNKNOWN) if it
    /// is not here.
    fn probe(table: &Table, place: Self::Place) -> Bounds;

    /// Keeps bounds of the position with this place, which took `nodes` nodes to prove.
    fn store(table: &Table, place: Self::Place, bounds: Bounds, nodes: u64);

    /// Makes the table twice as large, unless it is as large as it may be. Entries are kept. Other
    /// threads may use the table meanwhile, and miss some entries.
    fn grow(table: &Table);

    /// How many of the entries at a place are in use, and how many there are.
    fn use_of(table: &Table, place: Self::Place) -> (u32, u32);
}

/// Bits of the class of work.
pub(super) const WORK_BITS: u32 = 3;
/// The highest class of work.
pub(super) const MOST_WORK: u64 = (1 << WORK_BITS) - 1;

/// The work behind an entry, from 0 to 7 by the number of nodes.
#[inline(always)]
pub(super) fn work_class(nodes: u64) -> u64 {
    u64::from((nodes | 1).ilog2() / 2).min(MOST_WORK)
}

/// An odd number without pattern in its bits (2^64 / golden ratio).
pub(super) const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
