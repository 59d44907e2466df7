//! The report of a verification.

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

/// The number of failures that a check keeps; it counts all of them.
pub const SHOWN_FAILURES: usize = 10;

/// A slot and its position.
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

/// A failure of a check. Values are scores, or 1, 0 and -1 in a book of outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "failure")]
#[non_exhaustive]
pub enum Failure {
    /// The checksum of a block differs from the book's table.
    Checksum {
        /// The block's number, from 0 where the first section begins.
        block: u32,
        /// The checksum in the table.
        expected: u32,
        /// The checksum of the block's bytes.
        found: u32,
    },
    /// The bits after the last value are not all 0.
    Padding,
    /// The section cannot be read.
    Unreadable {
        /// Why.
        error: String,
    },
    /// The header gives a wrong number of entries.
    EntryCount {
        /// The number of positions with a value.
        expected: u64,
        /// The number in the header.
        found: u64,
    },
    /// An entry is missing.
    Missing {
        /// Where.
        place: Place,
    },
    /// A position that should have no entry has one.
    Unexpected {
        /// Where.
        place: Place,
        /// Its value.
        found: i8,
    },
    /// The value is wrong.
    Value {
        /// Where.
        place: Place,
        /// The right value.
        expected: i8,
        /// The value found.
        found: i8,
    },
    /// No position with this many stones can have this value.
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
    /// The value cannot be derived, because an entry two plies deeper is missing.
    NotDerivable {
        /// Where.
        place: Place,
    },
}

impl Failure {
    /// The failure of a block that cannot be read.
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
                write!(f, "the entries in the header should be {expected} and are {found}")
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
    /// The step that checked.
    #[serde(flatten)]
    pub step: Step,
    /// The number of items checked: bytes of a section, slots, values or positions.
    pub checked: u64,
    /// The number of wrong items.
    pub failed: u64,
    /// The first failures, at most [`SHOWN_FAILURES`].
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

/// Findings in some slots. Their sum does not depend on the order of addition.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) checked: u64,
    failed: u64,
    /// The failures of the lowest slots, in ascending order.
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

    /// The check of a step with these findings.
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

/// The numbers of positions and entries of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlyPositions {
    /// Number of stones.
    pub ply: u32,
    /// The positions of the ply, enumerated by playing all games.
    #[serde(flatten)]
    pub counts: PlyCounts,
    /// The number of entries in the header; `None` if the ply is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
}

/// The checks of a book and their results. Equal books have equal reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// The checks in this order: sections, entries, values, mirror images, solved positions;
    /// within each, the shallowest ply first.
    pub checks: Vec<Check>,
    /// The positions of each ply from 0 on; empty unless verification was deep.
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
