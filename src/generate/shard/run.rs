//! Solving one shard.

use super::Shard;
use super::cuts::{self, Profile};
use super::error::PartError;
use super::part::{self, FoundPart, PartHeader, PartIdentity};
use super::store::Folder;
use crate::board::{Position, Word, with_word};
use crate::enumerate::{DepthFirst, Visit};
use crate::errors::with_causes;
use crate::files::folder_of;
use crate::generate::audit;
use crate::generate::checkpoint::{self, Checkpoint, Effort};
use crate::generate::sample::sample;
use crate::generate::workers::{self, Work};
use crate::generate::{GenerateError, Plan, start_threads};
use crate::progress::{Progress, Step};
use crate::solver::TranspositionTable;
use rayon::ThreadPool;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions of earlier shards that are skipped between two looks at `cancel`.
const SKIPPED_AT_ONCE: u64 = 1 << 16;

/// A shard that is solved.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The file of its part.
    pub path: PathBuf,
    /// What is in it.
    pub identity: PartIdentity,
    /// The work spent on it.
    pub effort: Effort,
    /// Whether it had been solved before, so that nothing was left to do.
    pub was_there: bool,
}

/// Solves a shard of a plan and writes its part to the file `plan.out`. An interrupted run
/// is resumed, as [`run`](crate::generate::run()) does. A part that is there already is left
/// as it is; a damaged one is replaced.
///
/// # Errors
///
/// As [`run`](crate::generate::run()); and if the file is something else than
/// this shard's part.
///
/// ```no_run
/// use fourbook::Size;
/// use fourbook::generate::{self, Plan, Shard};
/// let shard = Shard::new(2, 4)?;
/// let plan = Plan::new(Size::STANDARD, 12);
/// let out = shard.file_name(plan.size, plan.depth, plan.kind).into();
/// let plan = Plan { out, ..plan };
/// let solved = generate::solve_shard(&plan, shard, &(), &Default::default())?;
/// println!("{} positions in {}", solved.identity.count, solved.path.display());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    plan: &Plan,
    shard: Shard,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Solved, GenerateError> {
    let run = ShardRun { plan, shard, progress, cancel };
    with_word!(plan.size, B => run.run::<B>())
}

/// The work on one shard.
struct ShardRun<'a> {
    plan: &'a Plan,
    shard: Shard,
    progress: &'a dyn Progress,
    cancel: &'a Arc<AtomicBool>,
}

impl ShardRun<'_> {
    fn run<B: Word>(&self) -> Result<Solved, GenerateError> {
        match self.find_part()? {
            FoundPart::Whole(header) => {
                self.remove_checkpoint();
                return Ok(self.was_there(&header));
            }
            FoundPart::Damaged(error) => {
                tracing::warn!("{}; that is done now", with_causes(&error));
            }
            FoundPart::Nothing => {}
        }
        // Before anything is counted.
        self.check_machine(0)?;
        let pool = start_threads(self.plan.threads)?;
        let folder = self.plan.checkpoint_folder();
        let identity = match checkpoint::purpose::<PartIdentity>(&folder)? {
            // An earlier run has found it out.
            Some(found) if found.is_same_shard(&self.identity(0, 0..0)) => found,
            _ => {
                let profile = self.measure::<B>(&pool)?;
                self.identity(profile.positions(), profile.range(self.shard))
            }
        };
        self.check_machine(identity.count)?;
        let checkpoint = match Checkpoint::open(&folder, &identity) {
            Ok(checkpoint) => checkpoint,
            // Another process may have come to its end just now.
            Err(error) => {
                return match self.find_part()? {
                    FoundPart::Whole(header) => Ok(self.was_there(&header)),
                    _ => Err(error),
                };
            }
        };
        if let FoundPart::Whole(header) = self.find_part()? {
            drop(checkpoint);
            self.remove_checkpoint();
            return Ok(self.was_there(&header));
        }
        let effort = self.solve::<B>(&checkpoint, &identity, &pool)?;
        let path = self.plan.out.clone();
        let scores = checkpoint.freeze();
        part::write(&path, identity, effort, &scores)?;
        drop(scores);
        checkpoint::remove(&folder)?;
        Ok(Solved { path, identity, effort, was_there: false })
    }

    /// Makes sure that this machine can solve a shard of so many positions.
    fn check_machine(&self, positions: u64) -> Result<(), GenerateError> {
        let needs = self.plan.shard_needs(positions)?;
        // How many positions a shard of another depth has is not known: fewer than slots.
        self.plan.check_machine(&needs, &|plan| plan.shard_needs(plan.needs()?.slots))
    }

    fn identity(&self, positions: u64, range: Range<u64>) -> PartIdentity {
        let Plan { size, depth, kind, .. } = *self.plan;
        PartIdentity::new((size, depth, kind), self.shard, positions, &range)
    }

    /// Looks at the file of the part.
    fn find_part(&self) -> Result<FoundPart, PartError> {
        let out = &self.plan.out;
        let name = out.file_name().unwrap_or_default();
        let folder = Folder::new(folder_of(out));
        part::find(&folder, name, self.identity(0, 0..0))
    }

    fn was_there(&self, header: &PartHeader) -> Solved {
        let (identity, effort) = (header.identity, header.effort);
        Solved { path: self.plan.out.clone(), identity, effort, was_there: true }
    }

    /// Finds out how the work is spread over the positions.
    fn measure<B: Word>(&self, pool: &ThreadPool) -> Result<Profile, GenerateError> {
        let Plan { size, depth, .. } = *self.plan;
        let sample = sample::<B>((size, depth), cuts::MOST_KEPT, self.progress, self.cancel)?
            .ok_or_else(|| self.interrupted(None))?;
        // In the pool for its stack. One thread only: with more, the nodes would differ from
        // run to run.
        let profile =
            pool.install(|| Profile::measure(size, &sample, self.progress, self.cancel))?;
        profile.ok_or_else(|| self.interrupted(None))
    }

    fn interrupted(&self, solved: Option<(u64, u64)>) -> GenerateError {
        GenerateError::Interrupted { checkpoint: self.plan.checkpoint_folder(), solved }
    }

    fn check_cancelled(&self, solved: Option<(u64, u64)>) -> Result<(), GenerateError> {
        if self.cancel.load(Ordering::Relaxed) { Err(self.interrupted(solved)) } else { Ok(()) }
    }

    /// Solves what the checkpoint has no score for, and makes sure that
    /// afterwards nothing lacks one.
    fn solve<B: Word>(
        &self,
        checkpoint: &Checkpoint,
        identity: &PartIdentity,
        pool: &ThreadPool,
    ) -> Result<Effort, GenerateError> {
        let Plan { size, depth, kind, table_bytes, .. } = *self.plan;
        let count_solved = || {
            let count = || audit::count_solved_of_range(checkpoint.scores(), size, depth, kind);
            pool.install(count).map_err(|bad| checkpoint.damaged(bad.slot, bad.byte))
        };
        let (positions, found) = (identity.count, count_solved()?);
        self.progress.begin(Step::SolveAll { ply: depth, found }, positions);
        self.progress.advance(found);
        if found == positions {
            return Ok(checkpoint.effort());
        }
        let work = Work {
            checkpoint,
            kind,
            table: Arc::new(TranspositionTable::new(size, table_bytes)?),
            cancel: self.cancel,
            progress: self.progress,
            left: positions - found,
        };
        let effort = workers::solve(&work, pool, &mut self.positions::<B>(identity)?)?;
        let solved = count_solved()?;
        self.check_cancelled(Some((solved, positions)))?;
        if solved != positions {
            let checkpoint = self.plan.checkpoint_folder();
            return Err(GenerateError::Incomplete { checkpoint, solved, stored: positions });
        }
        Ok(effort)
    }

    /// The positions of the shard, numbered from 0.
    fn positions<B: Word>(
        &self,
        identity: &PartIdentity,
    ) -> Result<impl Iterator<Item = (u64, Position)> + Send + use<B>, GenerateError> {
        let range = identity.range();
        let mut order = DepthFirst::<B>::new(self.plan.size, self.plan.depth)?;
        for (skipped, _) in (0..range.start).zip(&mut order) {
            if skipped % SKIPPED_AT_ONCE == 0 {
                self.check_cancelled(None)?;
            }
        }
        let visits = (0..).zip(order).take(identity.count as usize);
        Ok(visits.map(|(place, Visit { position, .. })| (place, position.widen())))
    }

    /// Removes the checkpoint of a part that is there: a run may have ended
    /// between writing the one and removing the other.
    fn remove_checkpoint(&self) {
        let folder = self.plan.checkpoint_folder();
        if folder.is_dir()
            && let Err(error) = checkpoint::remove(&folder)
        {
            tracing::debug!("{}", with_causes(&error));
        }
    }
}
