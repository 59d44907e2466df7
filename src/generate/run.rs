//! One run, from counting positions to the scores of all plies.
//!
//! The scores of the deepest ply are solved here, or come from parts that were.

use super::audit::{self, stands_for_one_of};
use super::checkpoint::{Checkpoint, Effort};
use super::derive::derive_ply;
use super::memory::Memory;
use super::merge::Parts;
use super::progress::{Event, Progress};
use super::workers::{self, Job, Task};
use super::{GenerateError, Generated, OutcomeCounts, Plan, PlyReport, Report};
use crate::board::OnSize;
use crate::enumerate::{DepthFirst, Reachable, ReachablePly, Visit};
use crate::scores::PlyScores;
use crate::solver::TranspositionTable;
use rayon::ThreadPool;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A run that has passed all checks.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) progress: &'a dyn Progress,
    pub(super) cancel: &'a Arc<AtomicBool>,
    /// The checkpoint's folder.
    pub(super) folder: PathBuf,
    pub(super) checkpoint: Checkpoint,
    pub(super) pool: ThreadPool,
    /// Where the scores of the deepest ply come from, if they are not solved.
    pub(super) parts: Option<&'a Parts>,
}

impl OnSize for Run<'_> {
    type Output = Result<Generated, GenerateError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let started = Instant::now();
        let reachable = self.explore::<W, H>()?;
        let counted = started.elapsed();
        let solving = match self.parts {
            Some(parts) => self.collect(parts, reachable.deepest())?,
            None => self.solve(reachable.deepest())?,
        };
        self.check_complete(reachable.deepest())?;
        let started = Instant::now();
        let deepest = self.checkpoint.freeze();
        let derive = Derive { plan: self.plan, progress: self.progress, cancel: self.cancel };
        let shallower = self.pool.install(|| derive.all(&reachable, &deepest));
        let shallower = shallower.ok_or_else(|| {
            let stored = reachable.deepest().counts().stored;
            let checkpoint = self.folder.clone();
            GenerateError::Interrupted { checkpoint, solved: Some((stored, stored)) }
        })?;
        let report = Report::new(self.plan, self.parts.map(Parts::number), solving);
        let (depth, checkpoint) = (self.plan.depth, self.folder);
        let mut generated = Generated { depth, deepest, shallower, report, checkpoint };
        let plies = self.pool.install(|| report_plies(&reachable, &generated.plies()));
        generated.report.plies = plies;
        generated.report.peak_memory_bytes = Memory::peak();
        generated.report.other_milliseconds = (counted + started.elapsed()).as_millis() as u64;
        Ok(generated)
    }
}

impl Run<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn interrupted(&self, solved: Option<(u64, u64)>) -> GenerateError {
        GenerateError::Interrupted { checkpoint: self.folder.clone(), solved }
    }

    /// Finds the positions of all plies.
    fn explore<const W: usize, const H: usize>(&self) -> Result<Reachable<W, H>, GenerateError> {
        let mut reachable = Reachable::root();
        for ply in 1..=self.plan.depth {
            if self.is_cancelled() {
                return Err(self.interrupted(None));
            }
            let counts = self.pool.install(|| reachable.explore_next())?.counts();
            self.progress.report(&Event::Counted { ply, depth: self.plan.depth, counts });
        }
        Ok(reachable)
    }

    /// Solves what the checkpoint has no score for.
    fn solve<const W: usize, const H: usize>(
        &self,
        deepest: &ReachablePly<W, H>,
    ) -> Result<Effort, GenerateError> {
        let stored = deepest.counts().stored;
        let found = if self.checkpoint.is_resumed() { self.count_solved(deepest)? } else { 0 };
        self.progress.report(&Event::Solving { ply: self.plan.depth, positions: stored, found });
        if found == stored {
            return Ok(self.checkpoint.effort());
        }
        let job = Job {
            checkpoint: &self.checkpoint,
            kind: self.plan.kind,
            table: Arc::new(TranspositionTable::new(self.plan.table_bytes)?),
            cancel: Arc::clone(self.cancel),
            progress: self.progress,
            left: stored - found,
        };
        let tasks = DepthFirst::<W, H>::new(self.plan.depth)?
            .map(|Visit { slot, position }| Task { place: slot as usize, position });
        workers::solve(&job, &self.pool, tasks)
    }

    /// Takes the scores of all parts.
    fn collect<const W: usize, const H: usize>(
        &self,
        parts: &Parts,
        deepest: &ReachablePly<W, H>,
    ) -> Result<Effort, GenerateError> {
        parts.check_number(deepest.counts().stored)?;
        let possible = self.plan.kind.possible_values(self.plan.size, self.plan.depth);
        let scores = self.checkpoint.scores();
        let mut order = DepthFirst::<W, H>::new(self.plan.depth)?;
        let number = parts.number();
        for (index, part) in (1..).zip(parts.read()) {
            if self.is_cancelled() {
                break;
            }
            let part = part?;
            for (&byte, Visit { slot, .. }) in part.scores().iter().zip(&mut order) {
                if !stands_for_one_of(&possible, byte) {
                    return Err(part.impossible(byte).into());
                }
                scores[slot as usize].store(byte, Ordering::Relaxed);
            }
            self.progress.report(&Event::Merged { part: index, of: number });
        }
        Ok(parts.effort())
    }

    /// Makes sure that no position lacks a score.
    fn check_complete<const W: usize, const H: usize>(
        &self,
        deepest: &ReachablePly<W, H>,
    ) -> Result<(), GenerateError> {
        let (solved, stored) = (self.count_solved(deepest)?, deepest.counts().stored);
        if self.is_cancelled() {
            return Err(self.interrupted(Some((solved, stored))));
        }
        if solved != stored {
            let checkpoint = self.folder.clone();
            return Err(GenerateError::Incomplete { checkpoint, solved, stored });
        }
        Ok(())
    }

    fn count_solved<const W: usize, const H: usize>(
        &self,
        deepest: &ReachablePly<W, H>,
    ) -> Result<u64, GenerateError> {
        let scores = self.checkpoint.scores();
        self.pool
            .install(|| audit::count_solved(scores, deepest, self.plan.kind))
            .map_err(|bad| self.checkpoint.damaged(bad.slot, bad.byte).into())
    }
}

/// What deriving the shallower plies takes besides the scores.
struct Derive<'a> {
    plan: &'a Plan,
    progress: &'a dyn Progress,
    cancel: &'a AtomicBool,
}

impl Derive<'_> {
    /// The plies above the deepest one that a book stores, from the deeper to
    /// the shallower; `None` if the run has been cancelled.
    fn all<const W: usize, const H: usize>(
        &self,
        reachable: &Reachable<W, H>,
        deepest: &[u8],
    ) -> Option<Vec<(u32, Vec<u8>)>> {
        let depth = self.plan.depth;
        let mut stored = Vec::new();
        let mut below: Option<Vec<u8>> = None;
        for ply in (0..depth).rev() {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            let bytes = derive_ply(
                reachable.ply(ply),
                reachable.ply(ply + 1).ranking(),
                below.as_deref().unwrap_or(deepest),
                self.plan.kind,
            );
            self.progress.report(&Event::Derived { ply });
            // Between two stored plies one is needed on the way only.
            if let Some(below) = below.replace(bytes)
                && (depth - ply) % 2 == 1
            {
                stored.push((ply + 1, below));
            }
        }
        if let Some(root) = below
            && depth.is_multiple_of(2)
        {
            stored.push((0, root));
        }
        Some(stored)
    }
}

fn report_plies<const W: usize, const H: usize>(
    reachable: &Reachable<W, H>,
    plies: &[PlyScores<'_>],
) -> Vec<PlyReport> {
    let report = |&scores: &PlyScores<'_>| PlyReport {
        ply: scores.ply,
        counts: reachable.ply(scores.ply).counts(),
        outcomes: OutcomeCounts::of(scores),
    };
    plies.iter().map(report).collect()
}
