//! Solving positions of the deepest ply once more.

use super::{Check, Failure, Options, Place, Step, Verifier, VerifyError};
use crate::board::Position;
use crate::book::format::Section;
use crate::book::splitmix::{STEP, mix};
use crate::enumerate::{PlyError, Reachable, ReachablePly, slots_of};
use crate::scores::ValueKind;
use crate::solver::{Limits, STACK_BYTES, Solver, TranspositionTable};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

impl<const W: usize, const H: usize> Verifier<'_, W, H> {
    /// Solves as many positions as the options say, and compares.
    pub(super) fn solve(
        &self,
        options: &Options,
        reachable: &Reachable<W, H>,
    ) -> Result<Check, VerifyError> {
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
        let solvable = slots_of(ranking)?;
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
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
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
