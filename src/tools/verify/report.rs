//! What was checked and what was found.

use crate::board::Word;
use crate::board::notation::diagram;
use crate::book::BookError;
use crate::enumerate::PlyCounts;
use crate::errors::with_causes;
use crate::progress::Step;
use crate::rank::Ranking;
use serde::Serialize;
use std::fmt;
use std::ops::Add;

/// Failures that a check keeps to show; it counts them all.
pub const SHOWN_FAILURES: usize = 10;

/// A slot, and the position that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The slot.
    pub slot: u64,
    /// The position as a [diagram](crate::board::notation::diagram) in one line.
    pub diagram: String,
}

impl Place {
    pub(super) fn of<B: Word>(ranking: &Ranking<B>, slot: u64) -> Place {
        Place { slot, diagram: diagram::print(ranking.unrank(slot).widen()) }
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
    /// A block has another checksum than the book's table says.
    Checksum {
        /// The block's number, from 0 where the first section begins.
        block: u32,
        /// In the table.
        expected: u32,
        /// Of the block.
        found: u32,
    },
    /// The bits after the last value are not all 0.
    Padding,
    /// The section cannot be read.
    Unreadable {
        /// Why.
        error: String,
    },
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

impl Failure {
    /// A block that cannot be had.
    pub(super) fn of_block(error: BookError) -> Self {
        match error {
            BookError::Block { block, expected, found, .. } => {
                Failure::Checksum { block, expected, found }
            }
            error => Failure::Unreadable { error: with_causes(&error) },
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Checksum { block, expected, found } => {
                write!(
                    f,
                    "the checksum of block {block} should be {expected:08x} and is {found:08x}"
                )
            }
            Failure::Padding => f.write_str("the bits after the last value should be 0"),
            Failure::Unreadable { error } => write!(f, "it should be readable: {error}"),
            Failure::EntryCount { expected, found } => {
                write!(f, "the number of entries should be {expected} and is {found}")
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

    /// Whether nothing is wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failed == 0
    }

    /// Whether bytes are damaged.
    pub(super) fn is_damaged(&self) -> bool {
        let is_damage =
            |it: &Failure| matches!(it, Failure::Checksum { .. } | Failure::Unreadable { .. });
        self.failures.iter().any(is_damage)
    }
}

/// What was found in some slots; the sum is the same in whatever order it is made.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) checked: u64,
    failed: u64,
    /// Those of the lowest slots, with their slots, ascending.
    failures: Vec<(u64, Failure)>,
}

impl Findings {
    /// Adds a failure in a slot after all others.
    pub(super) fn fail(&mut self, slot: u64, failure: Failure) {
        self.failed += 1;
        if self.failures.len() < SHOWN_FAILURES {
            self.failures.push((slot, failure));
        }
    }

    /// The check that has found this.
    pub(super) fn of_step(self, step: Step) -> Check {
        let Findings { checked, failed, failures } = self;
        let failures = failures.into_iter().map(|(_, failure)| failure).collect();
        Check { step, checked, failed, failures }
    }
}

impl Add for Findings {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.checked += other.checked;
        self.failed += other.failed;
        if !other.failures.is_empty() {
            self.failures.extend(other.failures);
            self.failures.sort_by_key(|(slot, _)| *slot);
            self.failures.truncate(SHOWN_FAILURES);
        }
        self
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
pub struct VerifyReport {
    /// The checks: sections, entries, values, mirror images and what was solved, the shallowest
    /// ply of each first.
    pub checks: Vec<Check>,
    /// What was enumerated, from ply 0 on; empty if verification was not deep.
    pub plies: Vec<PlyPositions>,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }

    /// Whether the book's bytes are damaged. Its contents are then not checked.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.checks.iter().any(Check::is_damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failures_are_kept_in_whatever_order_they_are_added() {
        let place = |slot| Place { slot, diagram: String::new() };
        let found = |slots: std::ops::Range<u64>| {
            let mut findings = Findings::default();
            for slot in slots {
                findings.checked += 1;
                findings.fail(slot, Failure::Missing { place: place(slot) });
            }
            findings
        };
        let expected = found(0..40).of_step(Step::Entries { ply: 3 });
        assert_eq!((expected.checked, expected.failed), (40, 40));
        assert_eq!(expected.failures.len(), SHOWN_FAILURES);
        for blocks in [[0..7, 7..14, 14..40], [14..40, 0..7, 7..14], [7..14, 14..40, 0..7]] {
            let sum = blocks.map(found).into_iter().fold(Findings::default(), Findings::add);
            assert_eq!(sum.of_step(Step::Entries { ply: 3 }), expected);
        }
    }
}
