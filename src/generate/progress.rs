//! Saying how far a run has come.

use crate::enumerate::PlyCounts;

/// Something that has happened in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The positions of a ply have been counted.
    Counted {
        /// Number of stones.
        ply: u32,
        /// The deepest ply that will be counted.
        depth: u32,
        /// How many positions there are.
        counts: PlyCounts,
    },
    /// So many positions have been counted, to find out which of them a shard
    /// has, or how many there are.
    Dividing {
        /// Positions that need a score.
        positions: u64,
    },
    /// So many positions have been solved to learn how much work there is, and where.
    Sampled {
        /// Positions solved.
        positions: u64,
    },
    /// Solving the deepest ply, or a shard of it, begins.
    Solving {
        /// Number of stones.
        ply: u32,
        /// Positions that need a score.
        positions: u64,
        /// Positions that have theirs already, by an earlier run.
        found: u64,
    },
    /// One more position of the deepest ply has been solved.
    Solved,
    /// The scores of a part have been taken.
    Merged {
        /// How many parts there are so far.
        part: u32,
        /// How many there will be.
        of: u32,
    },
    /// All scores of a ply have been derived from the ply below.
    Derived {
        /// Number of stones.
        ply: u32,
    },
}

/// Someone who wants to know how far a run has come; called by all its threads.
///
/// Any function of an event will do.
pub trait Progress: Sync {
    /// Takes note of an event. Solving waits for it: it has to be quick.
    fn report(&self, event: &Event);
}

impl<F: Fn(&Event) + Sync> Progress for F {
    fn report(&self, event: &Event) {
        self(event);
    }
}
