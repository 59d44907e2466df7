//! How long work tells what it is doing.

use serde::Serialize;
use std::fmt;

/// Is told how work goes on, from any thread.
///
/// ```
/// use fourbook::progress::{Progress, Step};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// impl Progress for Counter {
///     fn begin(&self, step: Step, total: u64) {
///         println!("{step}: {total} to do");
///     }
///     fn advance(&self, units: u64) {
///         self.0.fetch_add(units, Ordering::Relaxed);
///     }
/// }
/// ```
pub trait Progress: Sync {
    /// Which steps the whole run will take, in their order, with how long each takes beside the
    /// others, about; told before the first of them, if it is known. Does nothing unless it
    /// is implemented.
    fn plan(&self, steps: &[(Step, f64)]) {
        let _ = steps;
    }
    /// A step begins that will take `total` units; 0 if nobody knows how many.
    fn begin(&self, step: Step, total: u64);
    /// So many units more are done.
    fn advance(&self, units: u64);
}

/// Tells nobody.
impl Progress for () {
    fn begin(&self, _: Step, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// What is being done. A ply is a number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "step")]
#[non_exhaustive]
pub enum Step {
    /// The positions of a ply are found by playing on from those of the ply before; the
    /// units are slots of that one.
    Enumerate {
        /// The ply.
        ply: u32,
    },
    /// The positions of the deepest ply are gone through in order, to find the limits of
    /// shards or a sample; the units are positions.
    Divide,
    /// Some positions are solved to find out what all will take; the units are positions.
    Sample,
    /// The positions of a ply are solved; the units are positions, and those found in a
    /// checkpoint are told as done at once.
    SolveAll {
        /// The ply.
        ply: u32,
        /// How many an earlier run has solved.
        found: u64,
    },
    /// Parts are read to be sure that they are whole; the units are parts.
    CheckParts,
    /// Parts are put together; the units are parts.
    Merge,
    /// The values of a ply follow from those of the next; the units are slots.
    Derive {
        /// The ply.
        ply: u32,
    },
    /// The values of a ply are encoded; the units are slots.
    Encode {
        /// The ply.
        ply: u32,
    },
    /// The values of a ply are read; the units are slots.
    Read {
        /// The ply.
        ply: u32,
    },
    /// The values of a ply are written in another format; the units are slots.
    Write {
        /// The ply.
        ply: u32,
    },
    /// The values of a ply are compared with those of another book; the units are slots.
    Compare {
        /// The ply.
        ply: u32,
    },
    /// Positions of a ply are counted by their values; the units are slots.
    Count {
        /// The ply.
        ply: u32,
    },
    /// Check: the section's checksum, padding and number of entries.
    Section {
        /// The ply.
        ply: u32,
    },
    /// Check: every slot has an entry if a game can reach its position and the rules
    /// do not score it, and else has none.
    Entries {
        /// The ply.
        ply: u32,
    },
    /// Check: every value follows from the next stored ply.
    Values {
        /// The ply.
        ply: u32,
    },
    /// Check: every value of the deepest ply is one that a position with this many
    /// stones can have.
    PossibleValues {
        /// The ply.
        ply: u32,
    },
    /// Check: looking a stored or derived position up gives the same as its mirror image.
    MirrorImages {
        /// The ply.
        ply: u32,
    },
    /// Check: positions of the deepest ply are solved once more; the units are positions.
    Solve {
        /// The ply.
        ply: u32,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Enumerate { ply } => write!(f, "ply {ply}: enumerating positions"),
            Step::Divide => write!(f, "counting positions"),
            Step::Sample => write!(f, "solving a sample"),
            Step::SolveAll { ply, .. } => write!(f, "ply {ply}: solving"),
            Step::CheckParts => write!(f, "checking parts"),
            Step::Merge => write!(f, "merging parts"),
            Step::Derive { ply } => write!(f, "ply {ply}: deriving values"),
            Step::Encode { ply } => write!(f, "ply {ply}: encoding values"),
            Step::Read { ply } => write!(f, "ply {ply}: reading values"),
            Step::Write { ply } => write!(f, "ply {ply}: writing values"),
            Step::Compare { ply } => write!(f, "ply {ply}: comparing values"),
            Step::Count { ply } => write!(f, "ply {ply}: counting positions"),
            Step::Section { ply } => write!(f, "ply {ply}: bytes as they were written"),
            Step::Entries { ply } => write!(f, "ply {ply}: entries where there should be"),
            Step::Values { ply } => write!(f, "ply {ply}: values follow from the next stored ply"),
            Step::PossibleValues { ply } => write!(f, "ply {ply}: values are possible ones"),
            Step::MirrorImages { ply } => {
                write!(f, "ply {ply}: mirror images have the same value")
            }
            Step::Solve { ply } => write!(f, "ply {ply}: random positions solved again"),
        }
    }
}
