//! Progress of long work, and the flag that cancels it.

use crate::book::BookError;
use fourbook_solver::{StopReason, Stopped};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Receives progress events of long work, from any thread, and may cancel it.
///
/// ```
/// use fourbook::progress::{Progress, Step};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// impl Progress for Counter {
///     fn begin(&self, step: Step, done: u64, total: u64) {
///         println!("{step}: {done} of {total} done");
///     }
///     fn advance(&self, units: u64) {
///         self.0.fetch_add(units, Ordering::Relaxed);
///     }
/// }
/// ```
pub trait Progress: Sync {
    /// A step of `total` units begins, 0 if the number is unknown, or the same step goes on with more
    /// units. `done` of them were done before, by an earlier run, and are not reported again.
    fn begin(&self, step: Step, done: u64, total: u64);
    /// Reports this many more units as done.
    fn advance(&self, units: u64);
    /// The flag that cancels the work when an event or another thread sets it to `true`; by default
    /// none.
    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        None
    }
}

impl dyn Progress + '_ {
    /// Returns the error of cancelled work, if it is cancelled.
    pub(crate) fn check(&self) -> Result<(), BookError> {
        if self.cancel().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            let reason = StopReason::Cancelled;
            let stopped = Stopped { reason, bounds: None, to_move: None, nodes: 0 };
            return Err(BookError::Stopped(stopped));
        }
        Ok(())
    }
}

/// Ignores all events.
impl Progress for () {
    fn begin(&self, _: Step, _: u64, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Ignores all events, and cancels the work when it is set.
impl Progress for Arc<AtomicBool> {
    fn begin(&self, _: Step, _: u64, _: u64) {}
    fn advance(&self, _: u64) {}
    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(self)
    }
}

/// A step of long work, with its ply. A ply is a number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "step", content = "ply")]
#[non_exhaustive]
pub enum Step {
    /// Finds the positions of a ply by playing on from the ply before; the
    /// units are slots of the ply before.
    Enumerate(u32),
    /// Counts the positions of the deepest ply, to find the limits of shards; the units are positions.
    Divide,
    /// Solves a sample of positions to estimate the whole work; the units are positions.
    Sample,
    /// Solves the positions of a ply; the units are positions. The checkpoint has positions that
    /// earlier runs have solved.
    SolveAll(u32),
    /// Reads parts to check them; the units are parts.
    CheckParts,
    /// Merges parts; the units are parts.
    Merge,
    /// Derives the values of a ply from the next one; the units are slots.
    Derive(u32),
    /// Encodes the values of a ply; the units are slots.
    Encode(u32),
    /// Reads the values of a ply; the units are slots.
    Read(u32),
    /// Writes the values of a ply in another format; the units are slots.
    Write(u32),
    /// Compares the values of a ply with another book; the units are slots.
    Compare(u32),
    /// Counts the positions of a ply by their values; the units are slots.
    Count(u32),
    /// Check: the section's checksum, padding and number of entries.
    Section(u32),
    /// Check: every slot has an entry if a game can reach its position and the rules
    /// do not score it, and else has none.
    Entries(u32),
    /// Check: every value follows from the next stored ply.
    Values(u32),
    /// Check: every value of the deepest ply is one that a position with this many
    /// stones can have.
    PossibleValues(u32),
    /// Check: positions of the deepest ply are solved once more; the units are positions.
    Solve(u32),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Enumerate(ply) => write!(f, "ply {ply}: enumerating positions"),
            Step::Divide => write!(f, "counting positions"),
            Step::Sample => write!(f, "solving a sample"),
            Step::SolveAll(ply) => write!(f, "ply {ply}: solving"),
            Step::CheckParts => write!(f, "checking parts"),
            Step::Merge => write!(f, "merging parts"),
            Step::Derive(ply) => write!(f, "ply {ply}: deriving values"),
            Step::Encode(ply) => write!(f, "ply {ply}: encoding values"),
            Step::Read(ply) => write!(f, "ply {ply}: reading values"),
            Step::Write(ply) => write!(f, "ply {ply}: writing values"),
            Step::Compare(ply) => write!(f, "ply {ply}: comparing values"),
            Step::Count(ply) => write!(f, "ply {ply}: counting positions"),
            Step::Section(ply) => write!(f, "ply {ply}: bytes as they were written"),
            Step::Entries(ply) => write!(f, "ply {ply}: entries where there should be"),
            Step::Values(ply) => write!(f, "ply {ply}: values follow from the next stored ply"),
            Step::PossibleValues(ply) => write!(f, "ply {ply}: values are possible ones"),
            Step::Solve(ply) => write!(f, "ply {ply}: positions solved again"),
        }
    }
}
