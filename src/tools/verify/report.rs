//! The report of a verification.

use super::VerifyOptions;
use crate::book::BookError;
use crate::enumerate::PlyCounts;
use crate::findings::Findings;
use crate::progress::Step;
use crate::rank::Ranking;
use fourbook_solver::board::notation::diagram;
use fourbook_solver::text::{grouped, with_causes};
use serde::Serialize;
use std::fmt;

/// A failure of a check, as text. Values are scores, or 1, 0 and -1 in a book of outcomes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The slot that is wrong; `None` for a whole section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u64>,
    /// The position of the slot as a [diagram](fourbook_solver::board::notation::diagram) in one
    /// line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagram: Option<String>,
    /// The expected contents.
    pub expected: String,
    /// The contents found.
    pub found: String,
}

impl Failure {
    /// A failure of a whole section.
    pub(super) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Failure { expected: expected.into(), found: found.into(), ..Failure::default() }
    }

    /// The failure of a block that cannot be read.
    pub(super) fn of_block(error: &BookError) -> Self {
        match error {
            BookError::Block { block, expected, found, .. } => Failure::new(
                format!("the checksum {expected:08x} in block {block}"),
                format!("{found:08x}"),
            ),
            error => Failure::new("bytes that can be read", with_causes(error)),
        }
    }

    /// The failure of a header that has `found` as the number of entries.
    pub(super) fn of_count(expected: u64, found: u64) -> Self {
        Failure::new(format!("{} as the number of entries", grouped(expected)), grouped(found))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(slot), Some(diagram)) = (self.slot, &self.diagram) {
            write!(f, "slot {slot} ({diagram}): ")?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl Findings<Failure> {
    /// Adds that the slot of a ply is wrong.
    pub(super) fn note_slot(
        &mut self,
        ranking: &Ranking,
        slot: u64,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) {
        self.note(slot, || Failure {
            slot: Some(slot),
            diagram: Some(diagram::print(ranking.unrank::<u128>(slot).widen())),
            expected: expected.to_string(),
            found: found.to_string(),
        });
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
    /// The first failures, at most 10.
    pub failures: Vec<Failure>,
}

impl Check {
    pub(super) fn new(step: Step, findings: Findings<Failure>) -> Self {
        let checked = findings.checked;
        let failed = findings.wrong;
        let failures = findings.first.into_values().collect();
        Check { step, checked, failed, failures }
    }

    /// Whether nothing is wrong.
    pub fn passed(&self) -> bool {
        self.failed == 0
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
    /// How the book was verified. Entries and values were checked only if the bytes are undamaged.
    #[serde(flatten)]
    pub options: VerifyOptions,
    /// The positions of each ply from 0 on; empty unless verification was deep.
    pub plies: Vec<PlyPositions>,
    /// The checks in this order: sections, entries, values, solved positions; within each,
    /// the shallowest ply first.
    pub checks: Vec<Check>,
    /// Whether the book's bytes are damaged. Its contents are then not checked.
    #[serde(skip)]
    pub damaged: bool,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }
}
