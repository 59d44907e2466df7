//! Reading all of a book and checking it.
//!
//! *Plain* verification reads every byte once: the bytes are those that were
//! written. *Deep* verification checks what they say, over every slot and without
//! a solver: that entries are exactly where they should be, by enumerating the
//! games; that every value above the deepest ply follows from the stored ply below
//! it; and that looking a position up gives what its mirror image gives, at every
//! ply. What remains are the values of the deepest ply; a sample of them can be
//! solved again.

mod report;
mod solve;

use super::walk::explore_to;
use crate::board::{Position, Score, with_word};
use crate::book::{Book, BookWord, ChecksumError, Encoding, Section, Value, View};
use crate::enumerate::{PlyError, Reachable, ReachablePly};
use crate::parallel::{BLOCK, sum_of_blocks};
use crate::progress::{Progress, Step};
use crate::solver::TableError;
use report::Findings;
pub use report::{Check, Failure, Place, PlyPositions, Report, SHOWN_FAILURES};
use std::io;

/// Why a book could not be verified, whether it is right or not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// There is no memory to solve positions with.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Enumerate(#[from] PlyError),
    /// There are no threads to solve positions.
    #[error("cannot start threads to solve positions")]
    Threads(#[source] io::Error),
}

/// How to verify a book.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to check what the bytes say, too, and not only that they are those
    /// that were written.
    pub deep: bool,
    /// How many positions of the deepest ply to solve again; all of them if
    /// there are fewer. More than 0 is deep, whatever `deep` says.
    pub solve: u64,
    /// Chooses the positions to solve.
    pub seed: u64,
    /// Memory for the solver's table, in bytes.
    pub table_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { deep: true, solve: 0, seed: 1, table_bytes: 64 << 20 }
    }
}

/// Checks a book, on the threads of the current rayon pool; positions are solved on as many
/// threads of their own.
///
/// Damage in the book is told in the report.
///
/// # Errors
///
/// If there is no memory to enumerate positions, or there are no memory or
/// threads to solve them.
pub fn verify(
    book: &Book,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Report, VerifyError> {
    with_word!(book.size(), B => Verifier::<B> { view: book.view(), progress }.run(options))
}

struct Verifier<'a, B: BookWord> {
    view: View<'a, B>,
    progress: &'a dyn Progress,
}

impl<B: BookWord> Verifier<'_, B> {
    fn run(&self, options: &Options) -> Result<Report, VerifyError> {
        let sections = self.view.book().sections();
        let checks = sections.iter().map(|section| self.check_section(section)).collect();
        let mut report = Report { checks, plies: Vec::new() };
        if options.deep || options.solve > 0 {
            self.verify_deeply(options, &mut report)?;
        }
        Ok(report)
    }

    /// Checks all that the bytes say.
    fn verify_deeply(&self, options: &Options, report: &mut Report) -> Result<(), VerifyError> {
        let book = self.view.book();
        let (sections, depth) = (book.sections(), book.depth());
        let mut reachable = Reachable::<B>::root(book.size());
        explore_to(&mut reachable, depth, self.progress)?;
        let entries = |ply| sections.iter().find(|section| section.ply == ply).map(|s| s.entries);
        report.plies.extend((0..=depth).map(|ply| PlyPositions {
            ply,
            counts: reachable.ply(ply).counts(),
            entries: entries(ply),
        }));
        let checks = &mut report.checks;
        for section in sections {
            checks.push(self.check_entries(section, reachable.ply(section.ply)));
        }
        for section in sections {
            checks.push(self.check_values(section, reachable.ply(section.ply)));
        }
        for ply in 0..=depth {
            checks.push(self.check_mirror_images(reachable.ply(ply)));
        }
        if options.solve > 0 {
            checks.push(self.solve(options, &reachable)?);
        }
        Ok(())
    }

    fn check_section(&self, section: &Section) -> Check {
        let step = Step::Section { ply: section.ply };
        self.progress.begin(step, section.bytes);
        let bytes = self.view.book().section_bytes(section);
        let mut check = Check { checked: bytes.len() as u64, ..Check::new(step) };
        if let Err(ChecksumError { expected, found, .. }) = self.view.book().check_section(section)
        {
            check.fail(Failure::Checksum { expected, found });
        }
        match section.encoding {
            Encoding::Flat => self.check_flat_section(section, &mut check),
            Encoding::Compact => match self.view.compact(section.ply) {
                None => check.fail(Failure::Unreadable),
                Some(compact) if !compact.padding_is_zero(bytes) => check.fail(Failure::Padding),
                Some(_) => {}
            },
        }
        self.progress.advance(section.bytes);
        check
    }

    fn check_flat_section(&self, section: &Section, check: &mut Check) {
        let (bytes, flat) = (self.view.book().section_bytes(section), section.flat());
        if !flat.padding_is_zero(bytes, section.slots) {
            check.fail(Failure::Padding);
        }
        let found = sum_of_blocks(section.slots, BLOCK, |slots| {
            slots.filter(|&slot| flat.value(bytes, slot).is_some()).count() as u64
        });
        if found != section.entries {
            check.fail(Failure::EntryCount { expected: section.entries, found });
        }
    }

    /// The value that a slot has in the book. A compact section has a value for
    /// everything: there, only stored positions are asked for.
    fn value(&self, section: &Section, reachable: &ReachablePly<B>, slot: u64) -> Option<Score> {
        match section.encoding {
            Encoding::Flat => section.flat().value(self.view.book().section_bytes(section), slot),
            Encoding::Compact if !reachable.is_stored(slot) => None,
            Encoding::Compact => self.view.stored(reachable.ranking().unrank(slot), section.ply),
        }
    }

    fn check_entries(&self, section: &Section, reachable: &ReachablePly<B>) -> Check {
        let ranking = reachable.ranking();
        let step = Step::Entries { ply: section.ply };
        let mut check = self.check_slots(step, section.slots, &|slot, findings| {
            let expected = reachable.is_stored(slot);
            findings.checked += 1;
            match self.value(section, reachable, slot) {
                Some(found) if !expected => {
                    let place = Place::of(ranking, slot);
                    findings.fail(slot, Failure::Unexpected { place, found });
                }
                None if expected => {
                    findings.fail(slot, Failure::Missing { place: Place::of(ranking, slot) });
                }
                _ => {}
            }
        });
        let found = reachable.counts().stored;
        // Where slots differ, they have been told of one by one.
        if check.passed() && section.entries != found {
            check.fail(Failure::EntryCount { expected: section.entries, found });
        }
        check
    }

    fn check_values(&self, section: &Section, reachable: &ReachablePly<B>) -> Check {
        let ply = section.ply;
        let ranking = reachable.ranking();
        let book = self.view.book();
        let deepest = ply == book.depth();
        let possible = book.kind().possible_values(book.size(), ply);
        let step = if deepest { Step::PossibleValues { ply } } else { Step::Values { ply } };
        self.check_slots(step, section.slots, &|slot, findings| {
            let Some(found) = self.value(section, reachable, slot) else { return };
            let position = ranking.unrank(slot);
            if position.score_by_rules().is_some() {
                // An entry too many, which check_entries has told of.
                return;
            }
            findings.checked += 1;
            let place = || Place::of(ranking, slot);
            if deepest {
                if !possible.contains(&found) {
                    findings.fail(slot, Failure::Impossible { place: place(), found });
                }
                return;
            }
            match self.best_move(position) {
                Some(expected) if expected == found => {}
                Some(expected) => {
                    findings.fail(slot, Failure::Value { place: place(), expected, found });
                }
                None => findings.fail(slot, Failure::NotDerivable { place: place() }),
            }
        })
    }

    fn check_mirror_images(&self, reachable: &ReachablePly<B>) -> Check {
        let ranking = reachable.ranking();
        let step = Step::MirrorImages { ply: ranking.ply() };
        self.check_slots(step, ranking.slots(), &|slot, findings| {
            if !reachable.is_stored(slot) {
                return;
            }
            findings.checked += 1;
            let position = ranking.unrank(slot);
            let answers = [position, position.mirrored()].map(|p| self.view.look_up_reachable(p));
            if answers[0] != answers[1] {
                let [found, mirrored] = answers.map(|answer| answer.value().map(Value::number));
                let place = Place::of(ranking, slot);
                findings.fail(slot, Failure::MirrorImage { place, found, mirrored });
            }
        })
    }

    /// The value of a stored position that the rules do not score, from the
    /// positions two stones later.
    fn best_move(&self, position: Position<B>) -> Option<Score> {
        let mut best = Score::MIN;
        for child in position.children().flatten() {
            let value = match child.score_by_rules() {
                Some(score) => self.view.value_of(score),
                None => self.view.derived(child, child.ply())?,
            };
            best = best.max(value.saturating_neg());
        }
        Some(best)
    }

    /// Calls `one` for every slot and puts together what it finds.
    fn check_slots(
        &self,
        step: Step,
        slots: u64,
        one: &(dyn Fn(u64, &mut Findings) + Sync),
    ) -> Check {
        self.progress.begin(step, slots);
        let findings = sum_of_blocks(slots, BLOCK, |slots| {
            let units = slots.end - slots.start;
            let mut findings = Findings::default();
            slots.for_each(|slot| one(slot, &mut findings));
            self.progress.advance(units);
            findings
        });
        findings.of_step(step)
    }
}
