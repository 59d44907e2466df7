//! Solves positions of the deepest ply again.

use super::{Check, Verifier};
use crate::book::{BookError, Section};
use crate::enumerate::ReachablePly;
use crate::findings::Findings;
use crate::parallel::BLOCK;
use crate::progress::Step;
use crate::tools::error::ToolError;
use crate::tools::plies::PlyValues;
use fourbook_solver::splitmix::sample;
use fourbook_solver::{Budget, Limits, Solvers, TranspositionTable};
use std::sync::{Arc, Mutex, PoisonError};

/// Memory for the solver's table, in bytes.
const TABLE_BYTES: usize = 64 << 20;

impl Verifier<'_> {
    /// Solves a sample of positions and compares their values.
    pub(super) fn solve(&self, section: &Section, read: PlyValues<'_>) -> Result<Check, ToolError> {
        let book = self.book;
        let step = Step::Solve(section.ply);
        let slots = self.sample(read.positions);
        let table = Arc::new(TranspositionTable::new(book.size(), TABLE_BYTES)?);
        let ranking = &read.positions.ranking;
        let findings = Mutex::new(Findings::default());
        self.resources.progress.begin(step, 0, slots.len() as u64);
        let check = |slot, expected| {
            // A thread that panicked ends the job.
            let mut findings = findings.lock().unwrap_or_else(PoisonError::into_inner);
            findings.checked += 1;
            if let Some(found) = self.value(section, read, slot)
                && found != expected
            {
                findings.note_slot(ranking, slot, expected, found);
            }
            self.resources.progress.advance(1);
        };
        let cancel = self.resources.progress.cancel().cloned();
        let budget = Budget::new(&Limits { cancel, ..Limits::default() });
        let count = slots.len() as u64;
        let threads = rayon::current_num_threads();
        let positions = slots.iter().map(|&slot| (slot, ranking.unrank::<u128>(slot).widen()));
        let solvers = Solvers::new(table);
        let stopped = solvers.run(positions, count, book.kind(), &budget, threads, check)?;
        if let Some(reason) = stopped {
            return Err(BookError::Stopped(budget.stopped(reason)).into());
        }
        let findings = findings.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Check::new(step, findings))
    }

    /// Returns the slots to solve again in ascending order, as neighbours share work.
    fn sample(&self, positions: &ReachablePly) -> Vec<u64> {
        let chosen = sample(positions.counts.stored, self.options.solve, self.options.seed);
        let progress = self.resources.progress;
        let numbered = (0..).zip(positions.stored_slots(0..positions.ranking.slots));
        numbered
            // The search sees the flag, too.
            .take_while(|(number, _)| number % BLOCK != 0 || progress.check().is_ok())
            .filter(|(number, _)| chosen.contains(number))
            .map(|(_, slot)| slot)
            .collect()
    }
}
