//! One run, from counting positions to the scores of all plies.
//!
//! The positions of the deepest ply are solved here, or their scores are read from parts.

use super::audit::{self, stands_for_one_of};
use super::checkpoint::{Checkpoint, Effort};
use super::merge::Parts;
use super::workers::{self, Work};
use super::{GenerateError, Generated, OutcomeCounts, Plan, PlyReport, Report};
use crate::board::Word;
use crate::derive::{Below, derive_ply};
use crate::enumerate::{DepthFirst, Reachable, ReachablePly, Visit};
use crate::memory::Memory;
use crate::progress::{Progress, Step};
use crate::scores::PlyScores;
use crate::solver::TranspositionTable;
use rayon::ThreadPool;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A run that has passed all checks.
pub(super) struct Generation<'a> {
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

impl Generation<'_> {
    pub(super) fn run<B: Word>(self) -> Result<Generated, GenerateError> {
        let started = Instant::now();
        let reachable = self.explore::<B>()?;
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
        let (plan, pool) = (self.plan.clone(), self.pool);
        let mut generated = Generated { plan, pool, deepest, shallower, report };
        let plies = generated.pool.install(|| report_plies(&reachable, &generated.plies()));
        generated.report.plies = plies;
        generated.report.peak_memory_bytes = Memory::peak();
        generated.report.other_milliseconds = (counted + started.elapsed()).as_millis() as u64;
        Ok(generated)
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn interrupted(&self, solved: Option<(u64, u64)>) -> GenerateError {
        GenerateError::Interrupted { checkpoint: self.folder.clone(), solved }
    }

    /// Finds the positions of all plies.
    fn explore<B: Word>(&self) -> Result<Reachable<B>, GenerateError> {
        let mut reachable = Reachable::root(self.plan.size);
        for ply in 1..=self.plan.depth {
            if self.is_cancelled() {
                return Err(self.interrupted(None));
            }
            let slots = reachable.deepest().ranking().slots();
            self.progress.begin(Step::Enumerate { ply }, slots);
            self.pool.install(|| reachable.explore_next().map(drop))?;
            self.progress.advance(slots);
        }
        Ok(reachable)
    }

    /// Solves what the checkpoint has no score for.
    fn solve<B: Word>(&self, deepest: &ReachablePly<B>) -> Result<Effort, GenerateError> {
        let Plan { size, depth, kind, table_bytes, .. } = *self.plan;
        let stored = deepest.counts().stored;
        let found = if self.checkpoint.is_resumed() { self.count_solved(deepest)? } else { 0 };
        self.progress.begin(Step::SolveAll { ply: depth, found }, stored);
        self.progress.advance(found);
        if found == stored {
            return Ok(self.checkpoint.effort());
        }
        let work = Work {
            checkpoint: &self.checkpoint,
            kind,
            table: Arc::new(TranspositionTable::new(size, table_bytes)?),
            cancel: self.cancel,
            progress: self.progress,
            left: stored - found,
        };
        let mut positions = DepthFirst::<B>::new(size, depth)?
            .map(|Visit { slot, position }| (slot, position.widen()));
        workers::solve(&work, &self.pool, &mut positions)
    }

    /// Reads the scores of all parts.
    fn collect<B: Word>(
        &self,
        parts: &Parts,
        deepest: &ReachablePly<B>,
    ) -> Result<Effort, GenerateError> {
        parts.check_number(deepest.counts().stored)?;
        let Plan { size, depth, kind, .. } = *self.plan;
        let possible = kind.possible_values(size, depth);
        let scores = self.checkpoint.scores();
        let mut order = DepthFirst::<B>::new(size, depth)?;
        self.progress.begin(Step::Merge, parts.number().into());
        for part in parts.read() {
            if self.is_cancelled() {
                break;
            }
            let part = part?;
            part.read_scores(|block| {
                for (&byte, Visit { slot, .. }) in block.iter().zip(&mut order) {
                    if !stands_for_one_of(&possible, byte) {
                        return Err(part.impossible(byte));
                    }
                    scores[slot as usize].store(byte, Ordering::Relaxed);
                }
                Ok(())
            })?;
            self.progress.advance(1);
        }
        Ok(parts.effort())
    }

    /// Makes sure that no position lacks a score.
    fn check_complete<B: Word>(&self, deepest: &ReachablePly<B>) -> Result<(), GenerateError> {
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

    fn count_solved<B: Word>(&self, deepest: &ReachablePly<B>) -> Result<u64, GenerateError> {
        let scores = self.checkpoint.scores();
        self.pool
            .install(|| audit::count_solved(scores, deepest, self.plan.kind))
            .map_err(|bad| self.checkpoint.damaged(bad.slot, bad.byte))
    }
}

/// Derives the shallower plies.
struct Derive<'a> {
    plan: &'a Plan,
    progress: &'a dyn Progress,
    cancel: &'a AtomicBool,
}

impl Derive<'_> {
    /// The plies above the deepest one that a book stores, from the deeper to
    /// the shallower; `None` if the run has been cancelled.
    fn all<B: Word>(
        &self,
        reachable: &Reachable<B>,
        deepest: &[u8],
    ) -> Option<Vec<(u32, Vec<u8>)>> {
        let depth = self.plan.depth;
        let mut stored = Vec::new();
        let mut below: Option<Vec<u8>> = None;
        for ply in (0..depth).rev() {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            let slots = reachable.ply(ply).ranking().slots();
            self.progress.begin(Step::Derive { ply }, slots);
            let of_next = Below {
                ranking: reachable.ply(ply + 1).ranking(),
                bytes: below.as_deref().unwrap_or(deepest),
                kind: self.plan.kind,
            };
            let bytes = derive_ply(reachable.ply(ply), of_next, self.progress);
            // A book stores every second ply; those between are derived for the next one only.
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

fn report_plies<B: Word>(reachable: &Reachable<B>, plies: &[PlyScores<'_>]) -> Vec<PlyReport> {
    let report = |&scores: &PlyScores<'_>| PlyReport {
        ply: scores.ply,
        counts: reachable.ply(scores.ply).counts(),
        outcomes: OutcomeCounts::of(scores),
    };
    plies.iter().map(report).collect()
}
