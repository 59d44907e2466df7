//! Reading all of a book and checking it.
//!
//! Three things are checked without a solver, over every slot: that the bytes
//! are those that were written; that entries are exactly where they should be,
//! by enumerating the games; and that every value above the deepest ply
//! follows from the stored ply below it. What remains are the values of the
//! deepest ply; a sample of them can be solved again.

mod report;

use super::Progress;
use super::error::ChecksumError;
use super::format::{Encoding, Section};
use super::reader::{Book, BookView};
use super::walk::explore_to;
use crate::board::{Geometry, OnSize, Position, Score, Size, winning_score};
use crate::enumerate::{PlyError, Reachable, ReachablePly, SlotSet};
use crate::scores::ValueKind;
use crate::solver::{Limits, STACK_BYTES, Solver, TableError, TranspositionTable};
use rayon::prelude::*;
pub use report::{Check, Failure, Place, Report, SHOWN_FAILURES, Step};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

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
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How to verify a book.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many positions of the deepest ply to solve again; all of them if
    /// there are fewer.
    pub solve: u64,
    /// Chooses the positions to solve.
    pub seed: u64,
    /// Memory for the solver's table, in bytes.
    pub table_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { solve: 0, seed: 1, table_bytes: 64 << 20 }
    }
}

/// Checks everything in a book, on the threads of the current rayon pool.
///
/// Damage in the book is told in the report.
///
/// # Errors
///
/// If there is no memory to enumerate positions, or there are no memory or
/// threads to solve them.
pub fn verify<D: AsRef<[u8]>>(
    book: &Book<D>,
    options: &Options,
    progress: &impl Progress<Step>,
) -> Result<Report, VerifyError> {
    verify_borrowed(&book.borrowed(), options, progress)
}

fn verify_borrowed(
    book: &Book<&[u8]>,
    options: &Options,
    progress: &dyn Progress<Step>,
) -> Result<Report, VerifyError> {
    book.size().dispatch(Verify { book, options, progress })
}

struct Verify<'a> {
    book: &'a Book<&'a [u8]>,
    options: &'a Options,
    progress: &'a dyn Progress<Step>,
}

impl OnSize for Verify<'_> {
    type Output = Result<Report, VerifyError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let view = self.book.view::<W, H>().expect("the size is the book's");
        let verifier = Verifier { view, progress: self.progress };
        let mut checks: Vec<Check> =
            self.book.sections().iter().map(|section| verifier.check_section(section)).collect();
        let mut reachable = Reachable::root();
        for section in self.book.sections() {
            let step = |ply| Step::Enumerate { ply };
            explore_to(&mut reachable, section.ply, step, self.progress)?;
            checks.push(verifier.check_entries(section, reachable.deepest()));
        }
        for section in self.book.sections() {
            checks.push(verifier.check_values(section, reachable.ply(section.ply)));
        }
        if self.options.solve > 0 {
            checks.push(verifier.solve(self.options, &reachable)?);
        }
        Ok(Report { checks })
    }
}

/// Slots a unit of parallel work.
const BLOCK: u64 = 4096;

struct Verifier<'a, const W: usize, const H: usize> {
    view: BookView<&'a &'a [u8], W, H>,
    progress: &'a dyn Progress<Step>,
}

impl<const W: usize, const H: usize> Verifier<'_, W, H> {
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
        let entries = (0..section.slots).into_par_iter();
        let found = entries.filter(|&slot| flat.value(bytes, slot).is_some()).count() as u64;
        if found != section.entries {
            check.fail(Failure::EntryCount { expected: section.entries, found });
        }
    }

    /// The value that a slot has in the book. A compact section has a value for
    /// everything: there, only stored positions are asked for.
    fn value(&self, section: &Section, reachable: &ReachablePly<W, H>, slot: u64) -> Option<Score> {
        match section.encoding {
            Encoding::Flat => section.flat().value(self.view.book().section_bytes(section), slot),
            Encoding::Compact if !reachable.is_stored(slot) => None,
            Encoding::Compact => self.view.stored(reachable.ranking().unrank(slot), section.ply),
        }
    }

    fn check_entries(&self, section: &Section, reachable: &ReachablePly<W, H>) -> Check {
        let ranking = reachable.ranking();
        let step = Step::Entries { ply: section.ply };
        let mut check = self.check_slots(step, section.slots, |slot, check| {
            let expected = reachable.is_stored(slot);
            check.checked += 1;
            match self.value(section, reachable, slot) {
                Some(found) if !expected => {
                    check.fail(Failure::Unexpected { place: Place::of(ranking, slot), found });
                }
                None if expected => {
                    check.fail(Failure::Missing { place: Place::of(ranking, slot) });
                }
                _ => {}
            }
        });
        let found = reachable.counts().stored;
        if section.encoding == Encoding::Compact && section.entries != found {
            check.fail(Failure::EntryCount { expected: section.entries, found });
        }
        check
    }

    fn check_values(&self, section: &Section, reachable: &ReachablePly<W, H>) -> Check {
        let ply = section.ply;
        let ranking = reachable.ranking();
        let deepest = ply == self.view.book().depth();
        let step = if deepest { Step::PossibleValues { ply } } else { Step::Values { ply } };
        self.check_slots(step, section.slots, |slot, check| {
            let Some(found) = self.value(section, reachable, slot) else { return };
            let position = ranking.unrank(slot);
            if position.score_by_rules().is_some() {
                // An entry too many, which check_entries has told of.
                return;
            }
            check.checked += 1;
            let place = || Place::of(ranking, slot);
            if deepest {
                if !self.is_possible(ply, found) {
                    check.fail(Failure::Impossible { place: place(), found });
                }
                return;
            }
            match self.best_move(position) {
                Some(expected) if expected == found => {}
                Some(expected) => check.fail(Failure::Value { place: place(), expected, found }),
                None => check.fail(Failure::NotDerivable { place: place() }),
            }
        })
    }

    /// Whether a position of `ply` stones without an immediate win can have this value.
    fn is_possible(&self, ply: u32, value: Score) -> bool {
        let cells = Geometry::<W, H>::CELLS;
        let least = self.view.value_of(-winning_score(cells, ply + 2));
        let most = self.view.value_of(winning_score(cells, ply + 3));
        (least..=most).contains(&value)
    }

    /// The value of a stored position that the rules do not score, from the
    /// positions two stones later.
    fn best_move(&self, position: Position<W, H>) -> Option<Score> {
        let mut best = Score::MIN;
        for child in position.children().into_iter().flatten() {
            let value = match child.score_by_rules() {
                Some(score) => self.view.value_of(score),
                None => self.view.derived(child, child.ply())?,
            };
            best = best.max(value.saturating_neg());
        }
        Some(best)
    }

    /// Calls `one` for every slot and puts the checks of all blocks together,
    /// in the order of the slots.
    fn check_slots(&self, step: Step, slots: u64, one: impl Fn(u64, &mut Check) + Sync) -> Check {
        self.progress.begin(step, slots);
        let blocks = (0..slots.div_ceil(BLOCK)).into_par_iter().map(|block| {
            let slots = block * BLOCK..slots.min((block + 1) * BLOCK);
            let units = slots.end - slots.start;
            let mut check = Check::new(step);
            slots.for_each(|slot| one(slot, &mut check));
            self.progress.advance(units);
            check
        });
        blocks.reduce(|| Check::new(step), Check::and)
    }

    fn solve(&self, options: &Options, reachable: &Reachable<W, H>) -> Result<Check, VerifyError> {
        let book = self.view.book();
        let Some(section) = book.sections().last() else {
            return Ok(Check::new(Step::Solve { ply: book.depth() }));
        };
        let step = Step::Solve { ply: section.ply };
        let reachable = reachable.ply(section.ply);
        let slots = self.sample(section, reachable, options)?;
        let table = Arc::new(TranspositionTable::new(options.table_bytes)?);
        let ranking = reachable.ranking();
        self.progress.begin(step, slots.len() as u64);
        let threads = rayon::current_num_threads();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES);
        let pool = pool.thread_name(|index| format!("solve-{index}")).build()?;
        // One for every thread, which keeps what it has learnt.
        let solvers = (0..threads)
            .map(|_| Solver::<W, H>::new(Arc::clone(&table)))
            .collect::<Result<Vec<_>, _>>()?;
        let solvers = Mutex::new(solvers);
        let idle = || solvers.lock().unwrap_or_else(PoisonError::into_inner);
        let checks = slots.par_iter().with_max_len(1).map(|&slot| {
            let mut solver = idle().pop().expect("there is a solver for every thread");
            let position = ranking.unrank(slot);
            let solved = match book.kind() {
                ValueKind::Scores => solver.score(position, &Limits::default()),
                ValueKind::Outcomes => {
                    solver.outcome(position, &Limits::default()).map(|outcome| outcome.sign())
                }
            };
            idle().push(solver);
            let expected = solved.expect("there is no limit to stop at");
            let mut check = Check { checked: 1, ..Check::new(step) };
            match self.value(section, reachable, slot) {
                Some(found) if found != expected => {
                    let place = Place::of(ranking, slot);
                    check.fail(Failure::Value { place, expected, found });
                }
                _ => {}
            }
            self.progress.advance(1);
            check
        });
        Ok(pool.install(|| checks.reduce(|| Check::new(step), Check::and)))
    }

    /// The slots to solve again, each once and ascending: positions near each
    /// other share work.
    fn sample(
        &self,
        section: &Section,
        reachable: &ReachablePly<W, H>,
        options: &Options,
    ) -> Result<Vec<u64>, PlyError> {
        let ranking = reachable.ranking();
        // What no solver can be asked, check_entries has told of.
        let is_solvable = |&slot: &u64| {
            let position = ranking.unrank(slot);
            self.value(section, reachable, slot).is_some()
                && position.score_by_rules().is_none()
                && Position::<W, H>::from_bitboards(position.position(), position.mask()).is_ok()
        };
        let solvable = SlotSet::new(section.slots).ok_or(PlyError::Memory {
            size: Size::of::<W, H>(),
            ply: section.ply,
            bytes: SlotSet::bytes_for(section.slots),
        })?;
        (0..section.slots).into_par_iter().filter(is_solvable).for_each(|slot| {
            solvable.insert(slot);
        });
        let all = solvable.iter().count() as u64;
        let chosen = choose(all, options.solve, options.seed);
        let numbered = (0..).zip(solvable.iter());
        let slots = numbered.filter(|(number, _)| chosen.contains(number)).map(|(_, slot)| slot);
        Ok(slots.collect())
    }
}

/// `count` different numbers below `all`, chosen at random, or all there are;
/// ascending.
///
/// Source: R. Floyd, in J. Bentley, "Programming pearls: a sample of brilliance" (1987).
fn choose(all: u64, count: u64, seed: u64) -> BTreeSet<u64> {
    let mut random = SplitMix(seed);
    let mut chosen = BTreeSet::new();
    for last in all.saturating_sub(count)..all {
        if !chosen.insert(random.next() % (last + 1)) {
            chosen.insert(last);
        }
    }
    chosen
}

/// Source: S. Vigna, "splitmix64.c".
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_no_number_twice_and_every_one_sooner_or_later() {
        let mut met = BTreeSet::new();
        for seed in 0..50 {
            let chosen = choose(20, 7, seed);
            assert_eq!(chosen.len(), 7);
            assert!(chosen.iter().all(|&number| number < 20));
            met.extend(chosen);
        }
        assert_eq!(met.len(), 20);
        assert_eq!(choose(20, 20, 1).len(), 20);
        assert_eq!(choose(20, 19, 1).len(), 19);
        assert_eq!(choose(20, u64::MAX, 1).len(), 20);
        assert!(choose(0, 5, 1).is_empty() && choose(5, 0, 1).is_empty());
    }
}
