//! What was checked and what was found.

use crate::board::notation::diagram;
use crate::enumerate::PlyCounts;
use crate::rank::Ranking;
use serde::Serialize;
use std::fmt;

/// Failures that a check keeps to show; it counts them all.
pub const SHOWN_FAILURES: usize = 10;

/// A part of verifying a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "step")]
pub enum Step {
    /// Checksum, padding and number of entries of a section.
    Section {
        /// The section's number of stones.
        ply: u32,
    },
    /// Playing on from every position of the ply before. Not a check by itself.
    Enumerate {
        /// Number of stones of the positions looked for.
        ply: u32,
    },
    /// Every slot has an entry if a game can reach its position and the rules
    /// do not score it, and else has none.
    Entries {
        /// The section's number of stones.
        ply: u32,
    },
    /// Every value follows from the next stored ply.
    Values {
        /// The section's number of stones.
        ply: u32,
    },
    /// Every value of the deepest ply is one that a position with this many
    /// stones can have.
    PossibleValues {
        /// The section's number of stones.
        ply: u32,
    },
    /// Looking a stored or derived position up gives the same as its mirror image.
    MirrorImages {
        /// Number of stones of the positions.
        ply: u32,
    },
    /// Positions of the deepest ply, solved once more.
    Solve {
        /// Number of stones of the positions.
        ply: u32,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Section { ply } => write!(f, "ply {ply}: bytes as they were written"),
            Step::Enumerate { ply } => write!(f, "ply {ply}: enumerating positions"),
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

/// A slot, and the position that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The slot.
    pub slot: u64,
    /// The position as a [diagram](crate::board::notation::diagram) in one line.
    pub diagram: String,
}

impl Place {
    pub(super) fn of<const W: usize, const H: usize>(ranking: &Ranking<W, H>, slot: u64) -> Place {
        Place { slot, diagram: diagram::print(ranking.unrank(slot)) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {} ({})", self.slot, self.diagram)
    }
}

/// One thing that is not as it should be. Values are scores, or 1, 0 and -1
/// in a book of outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "failure")]
#[non_exhaustive]
pub enum Failure {
    /// The section has another checksum than the header says.
    Checksum {
        /// In the header.
        expected: u32,
        /// Of the section.
        found: u32,
    },
    /// The bits after the last value are not all 0.
    Padding,
    /// The section does not say how to read it.
    Unreadable,
    /// The section has another number of entries than the header says.
    EntryCount {
        /// In the header.
        expected: u64,
        /// In the section.
        found: u64,
    },
    /// There should be an entry.
    Missing {
        /// Where.
        place: Place,
    },
    /// There should be no entry.
    Unexpected {
        /// Where.
        place: Place,
        /// Its value.
        found: i8,
    },
    /// The value is another one.
    Value {
        /// Where.
        place: Place,
        /// What it should be.
        expected: i8,
        /// What it is.
        found: i8,
    },
    /// No position with this many stones has this value.
    Impossible {
        /// Where.
        place: Place,
        /// The value.
        found: i8,
    },
    /// The position and its mirror image have different values, or one has none.
    MirrorImage {
        /// Where.
        place: Place,
        /// The position's value.
        found: Option<i8>,
        /// The value of its mirror image.
        mirrored: Option<i8>,
    },
    /// The value does not follow: an entry is missing two stones later.
    NotDerivable {
        /// Where.
        place: Place,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Checksum { expected, found } => {
                write!(f, "the checksum should be {expected:08x} and is {found:08x}")
            }
            Failure::Padding => f.write_str("the bits after the last value should be 0"),
            Failure::Unreadable => f.write_str("the tables at the beginning should be readable"),
            Failure::EntryCount { expected, found } => {
                write!(f, "there should be {expected} entries and are {found}")
            }
            Failure::Missing { place } => write!(f, "{place} should have a value and has none"),
            Failure::Unexpected { place, found } => {
                write!(f, "{place} should have no value and has {found}")
            }
            Failure::Value { place, expected, found } => {
                write!(f, "{place} should be {expected} and is {found}")
            }
            Failure::Impossible { place, found } => {
                write!(f, "{place} is {found}, which no position of this ply can be")
            }
            Failure::MirrorImage { place, found, mirrored } => {
                let text =
                    |value: &Option<i8>| value.map_or("nothing".to_owned(), |v| v.to_string());
                write!(f, "{place} is {}, its mirror image {}", text(found), text(mirrored))
            }
            Failure::NotDerivable { place } => {
                write!(f, "{place} cannot be checked: a value two stones later is missing")
            }
        }
    }
}

/// How a check went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was checked.
    #[serde(flatten)]
    pub step: Step,
    /// How many things were looked at: bytes of a section, slots, values or positions.
    pub checked: u64,
    /// How many of them are wrong.
    pub failed: u64,
    /// The first of those, at most [`SHOWN_FAILURES`].
    pub failures: Vec<Failure>,
}

impl Check {
    pub(super) fn new(step: Step) -> Self {
        Check { step, checked: 0, failed: 0, failures: Vec::new() }
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        self.failed += 1;
        if self.failures.len() < SHOWN_FAILURES {
            self.failures.push(failure);
        }
    }

    /// This check and then another of the same step.
    pub(super) fn and(mut self, other: Check) -> Check {
        self.checked += other.checked;
        self.failed += other.failed;
        self.failures.extend(other.failures);
        self.failures.truncate(SHOWN_FAILURES);
        self
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failed == 0
    }
}

/// The positions of a ply, and how many of them have an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlyPositions {
    /// Number of stones.
    pub ply: u32,
    /// The positions there are, by playing all games.
    #[serde(flatten)]
    pub counts: PlyCounts,
    /// The entries that the header says there are; `None` if the ply is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
}

/// All that was checked. Nothing in it differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The checks, in the order in which they were made.
    pub checks: Vec<Check>,
    /// What was enumerated, from ply 0 on; empty if verification was not deep.
    pub plies: Vec<PlyPositions>,
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }
}
