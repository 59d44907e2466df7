//! Verifies a whole book.
//!
//! *Plain* verification reads every byte and compares the checksums. *Deep* verification checks
//! every slot, without a solver: it enumerates the games to find where entries belong, and derives
//! every value above the deepest ply from the ply below it. Only the values of the deepest ply
//! cannot be derived; a sample of them can be solved again.

mod report;
mod solve;

use super::error::ToolError;
use super::plies::PlyValues;
use super::reader::BookReader;
use super::resources::Resources;
use crate::book::{Book, BookError, Encoding, Section};
use crate::derive::Below;
use crate::findings::Findings;
use crate::parallel::{sum_of_blocks, sum_of_step};
use crate::progress::Step;
use crate::scores::decode;
use fourbook_solver::board::{Score, Word};
use fourbook_solver::with_word;
pub use report::{Check, Failure, PlyPositions, VerifyReport};
use serde::Serialize;
use std::ops::Range;

/// How to verify a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VerifyOptions {
    /// Whether to check entries and values as well as checksums.
    pub deep: bool,
    /// The number of positions of the deepest ply to solve again, or all of them if there are
    /// fewer. A number above 0 implies `deep`.
    pub solve: u64,
    /// Seed of the random choice of positions to solve.
    pub seed: u64,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions { deep: true, solve: 0, seed: 1 }
    }
}

/// Checks a book, on the threads of the current rayon pool. The solver starts as many threads of
/// its own.
///
/// Damage in the book is a failure in the report, not an error.
///
/// # Errors
///
/// If there is too little memory to enumerate positions, no memory or threads to solve them, or the
/// work is cancelled.
pub fn verify<'a>(
    book: &'a Book,
    options: &VerifyOptions,
    resources: impl Into<Resources<'a>>,
) -> Result<VerifyReport, ToolError> {
    let deep = options.deep || options.solve > 0;
    let options = VerifyOptions { deep, ..*options };
    Verifier { book, options, resources: resources.into() }.run()
}

struct Verifier<'a> {
    book: &'a Book,
    options: VerifyOptions,
    resources: Resources<'a>,
}

impl Verifier<'_> {
    fn run(&self) -> Result<VerifyReport, ToolError> {
        let mut report = VerifyReport { options: self.options, ..VerifyReport::default() };
        for section in self.book.sections() {
            self.check_section(section, &mut report)?;
        }
        // A damaged block has no values to check.
        if self.options.deep && !report.damaged {
            with_word!(self.book.size(), B => self.verify_deeply::<B>(&mut report))?;
        }
        Ok(report)
    }

    /// Checks entries and values. Reads every value once, the deepest ply first, and compares
    /// each ply with the values derived from the ply below it.
    fn verify_deeply<B: Word>(&self, report: &mut VerifyReport) -> Result<(), ToolError> {
        let book = self.book;
        let depth = book.depth();
        let mut plies = BookReader::new(book, depth, self.resources)?;
        let mut entries = Vec::new();
        let mut values = Vec::new();
        let mut solved = None;
        for ply in (0..=depth).rev() {
            plies.load(ply)?;
            let read = plies.loaded(ply).expect("just read");
            let section = book.section(ply);
            let counts = read.positions.counts;
            let stored = section.map(|section| section.entries);
            report.plies.push(PlyPositions { ply, counts, entries: stored });
            if let Some(section) = section {
                entries.push(self.check_entries(section, read)?);
                let below = plies.loaded(ply + 1).map(|next| next.below());
                values.push(self.check_values::<B>(section, read, below)?);
                if ply == depth && self.options.solve > 0 {
                    solved = Some(self.solve(section, read)?);
                }
            }
        }
        report.plies.reverse();
        for checks in [entries, values] {
            report.checks.extend(checks.into_iter().rev());
        }
        report.checks.extend(solved);
        Ok(())
    }

    fn check_section(&self, section: &Section, report: &mut VerifyReport) -> Result<(), BookError> {
        let progress = self.resources.progress;
        let step = Step::Section(section.ply);
        progress.begin(step, 0, section.bytes);
        let mut findings = Findings { checked: section.bytes, ..Findings::default() };
        for (number, block) in (0..).zip(self.book.check_blocks(section)) {
            progress.check()?;
            if let Err(error) = block {
                findings.note(number, || Failure::of_block(&error));
            }
        }
        report.damaged |= findings.wrong > 0;
        if findings.wrong == 0 {
            match self.book.padding_is_zero(section) {
                Ok(true) => {}
                Ok(false) => {
                    findings.note(0, || Failure::new("bits of 0 after the last value", "others"));
                }
                Err(error) => {
                    report.damaged = true;
                    findings.note(0, || Failure::of_block(&error));
                }
            }
            if section.encoding == Encoding::Flat {
                let expected = sum_of_blocks(section.slots, progress, |slots| {
                    slots.filter(|&slot| self.flat_value(section, slot).is_some()).count() as u64
                })?;
                if section.entries != expected {
                    findings.note(1, || Failure::of_count(expected, section.entries));
                }
            }
        }
        progress.advance(section.bytes);
        report.checks.push(Check::new(step, findings));
        Ok(())
    }

    /// The value of a slot of a flat section; `None` in a damaged block, which is reported already.
    fn flat_value(&self, section: &Section, slot: u64) -> Option<Score> {
        self.book.flat_value(section, slot).ok().flatten()
    }

    /// The value of a slot. A compact section has a value in every slot, so ask it for stored
    /// positions only.
    fn value(&self, section: &Section, read: PlyValues<'_>, slot: u64) -> Option<Score> {
        match section.encoding {
            // Returns impossible values, too.
            Encoding::Flat => self.flat_value(section, slot),
            Encoding::Compact => decode(read.bytes[slot as usize]),
        }
    }

    fn check_entries(&self, section: &Section, read: PlyValues<'_>) -> Result<Check, BookError> {
        let positions = read.positions;
        let ranking = &positions.ranking;
        let step = Step::Entries(section.ply);
        let mut findings = self.check_slots(step, section.slots, &|slots, findings| {
            let mut expected = positions.stored_slots(slots.clone()).peekable();
            findings.checked += slots.end - slots.start;
            for slot in slots {
                let expected = expected.next_if_eq(&slot).is_some();
                match self.value(section, read, slot) {
                    Some(found) if !expected => {
                        findings.note_slot(ranking, slot, "no value", found)
                    }
                    None if expected => findings.note_slot(ranking, slot, "a value", "none"),
                    _ => {}
                }
            }
        })?;
        let expected = positions.counts.stored;
        // Slots that differ are failures already.
        if findings.wrong == 0 && section.entries != expected {
            findings.note(0, || Failure::of_count(expected, section.entries));
        }
        Ok(Check::new(step, findings))
    }

    /// Compares the values of a ply with the values derived from the ply below it, or checks that
    /// the values of the deepest ply are possible. Skips positions without a value, which
    /// [`check_entries`](Self::check_entries) reports.
    fn check_values<B: Word>(
        &self,
        section: &Section,
        read: PlyValues<'_>,
        below: Option<Below<'_>>,
    ) -> Result<Check, BookError> {
        let book = self.book;
        let ply = section.ply;
        let possible = book.kind().possible_values(book.size(), ply);
        let least = possible.start();
        let most = possible.end();
        let expected = |position, found| match below.map(|below| below.best_move(position)) {
            None if possible.contains(&found) => None,
            None => Some(format!("a value from {least} to {most}")),
            Some(Some(expected)) if expected == found => None,
            Some(Some(expected)) => Some(expected.to_string()),
            Some(None) => Some("a value that follows from all those two stones later".to_owned()),
        };
        let step = if below.is_some() { Step::Values(ply) } else { Step::PossibleValues(ply) };
        let findings = self.check_slots(step, section.slots, &|slots, findings| {
            for (slot, position) in read.positions.stored_in::<B>(slots) {
                let Some(found) = self.value(section, read, slot) else { continue };
                findings.checked += 1;
                if let Some(expected) = expected(position, found) {
                    findings.note_slot(&read.positions.ranking, slot, expected, found);
                }
            }
        })?;
        Ok(Check::new(step, findings))
    }

    /// Calls `some` for all slots, block by block, and adds up its findings.
    fn check_slots(
        &self,
        step: Step,
        slots: u64,
        some: &(dyn Fn(Range<u64>, &mut Findings<Failure>) + Sync),
    ) -> Result<Findings<Failure>, BookError> {
        sum_of_step((step, self.resources.progress), slots, |slots| {
            let mut findings = Findings::default();
            some(slots, &mut findings);
            findings
        })
    }
}
