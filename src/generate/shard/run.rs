//! Solving one shard.

use super::Shard;
use super::cuts::{self, Profile};
use super::part::{self, Part, PartError, PartIdentity};
use crate::board::OnSize;
use crate::enumerate::{DepthFirst, Visit};
use crate::generate::audit;
use crate::generate::checkpoint::{self, Checkpoint, Effort};
use crate::generate::progress::{Event, Progress};
use crate::generate::sample::count;
use crate::generate::workers::{self, Job, Task};
use crate::generate::{GenerateError, Plan, start_threads};
use crate::solver::TranspositionTable;
use rayon::ThreadPool;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions that are passed between two looks at whether to go on.
const PASSED_AT_ONCE: u64 = 1 << 16;

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

/// Solves a shard of what `plan` says and writes its part to the file `plan.out`,
/// or goes on where a run before was interrupted, as [`run`](crate::generate::run())
/// does. A part that is there already is left as it is; a damaged one is replaced.
///
/// # Errors
///
/// As [`run`](crate::generate::run()); and if the file is something else than
/// this shard's part.
///
/// ```no_run
/// use fourbook::board::Size;
/// use fourbook::generate::{self, Event, Plan, Shard, ValueKind};
/// let shard = Shard::new(2, 4)?;
/// let (size, depth, kind) = (Size::STANDARD, 12, ValueKind::Scores);
/// let out = shard.file_name(size, depth, kind).into();
/// let plan = Plan { size, depth, kind, threads: 2, table_bytes: 1 << 30, out };
/// let solved = generate::solve_shard(&plan, shard, &|_: &Event| (), &Default::default())?;
/// println!("{} positions in {}", solved.identity.count, solved.path.display());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    plan: &Plan,
    shard: Shard,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Solved, GenerateError> {
    plan.size.dispatch(Run { plan, shard, progress, cancel })
}

struct Run<'a> {
    plan: &'a Plan,
    shard: Shard,
    progress: &'a dyn Progress,
    cancel: &'a Arc<AtomicBool>,
}

/// What there is under the name of a part.
enum Found {
    Solved(Solved),
    Damaged(PartError),
    Nothing,
}

impl OnSize for Run<'_> {
    type Output = Result<Solved, GenerateError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        match self.find_part()? {
            Found::Solved(solved) => {
                self.remove_checkpoint();
                return Ok(solved);
            }
            Found::Damaged(error) => tracing::warn!("{error}; that is done now"),
            Found::Nothing => {}
        }
        // Before anything is counted.
        self.plan.check_machine(&self.plan.shard_needs(0)?)?;
        let pool = start_threads(self.plan.threads)?;
        let folder = self.plan.checkpoint_folder();
        let identity = match checkpoint::purpose::<PartIdentity>(&folder)? {
            // An earlier run has found it out.
            Some(found) if found.is_same_shard(&self.identity(0, 0..0)) => found,
            _ => {
                let profile = self.measure::<W, H>(&pool)?;
                self.identity(profile.positions(), profile.range(self.shard))
            }
        };
        self.plan.check_machine(&self.plan.shard_needs(identity.count)?)?;
        let checkpoint = match Checkpoint::open(&folder, &identity) {
            Ok(checkpoint) => checkpoint,
            // Another process may have come to its end just now.
            Err(error) => {
                return match self.find_part()? {
                    Found::Solved(solved) => Ok(solved),
                    _ => Err(error.into()),
                };
            }
        };
        if let Found::Solved(solved) = self.find_part()? {
            drop(checkpoint);
            self.remove_checkpoint();
            return Ok(solved);
        }
        let effort = self.solve::<W, H>(&checkpoint, &identity, &pool)?;
        let path = self.plan.out.clone();
        let scores = checkpoint.freeze();
        part::write(&path, identity, effort, &scores)?;
        drop(scores);
        checkpoint::remove(&folder)?;
        Ok(Solved { path, identity, effort, was_there: false })
    }
}

impl Run<'_> {
    fn identity(&self, positions: u64, range: std::ops::Range<u64>) -> PartIdentity {
        let Plan { size, depth, kind, .. } = *self.plan;
        PartIdentity::new((size, depth, kind), self.shard, positions, &range)
    }

    /// Looks at the file of the part.
    fn find_part(&self) -> Result<Found, PartError> {
        let path = self.plan.out.clone();
        match Part::open(&path) {
            Ok(part) => {
                let (found, expected) = (part.header().identity, self.identity(0, 0..0));
                if !found.is_same_shard(&expected) {
                    let (expected, found) = (Box::new(expected), Box::new(found));
                    return Err(PartError::Misnamed { path, expected, found });
                }
                let effort = part.header().effort;
                let solved = Solved { path, identity: found, effort, was_there: true };
                Ok(Found::Solved(solved))
            }
            Err(error @ PartError::Damaged { .. }) => Ok(Found::Damaged(error)),
            Err(error) if error.is_not_found() => Ok(Found::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Finds out how the work is spread over the positions.
    fn measure<const W: usize, const H: usize>(
        &self,
        pool: &ThreadPool,
    ) -> Result<Profile, GenerateError> {
        let spread = count::<W, H>(self.plan.depth, cuts::MOST_KEPT, self.progress, self.cancel)?
            .ok_or_else(|| self.interrupted(None))?;
        let mut solved = 0;
        let go_on = || {
            solved += 1;
            self.progress.report(&Event::Sampled { positions: solved });
            !self.cancel.load(Ordering::Relaxed)
        };
        // In the pool for its stack; one thread, or the nodes would be others each time.
        let profile = pool.install(|| Profile::measure(&spread, go_on))?;
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
    fn solve<const W: usize, const H: usize>(
        &self,
        checkpoint: &Checkpoint,
        identity: &PartIdentity,
        pool: &ThreadPool,
    ) -> Result<Effort, GenerateError> {
        let Plan { depth, kind, table_bytes, .. } = *self.plan;
        let count_solved = || {
            let count = || audit::count_solved_of_range::<W, H>(checkpoint.scores(), depth, kind);
            pool.install(count).map_err(|bad| checkpoint.damaged(bad.slot, bad.byte))
        };
        let (positions, found) = (identity.count, count_solved()?);
        self.progress.report(&Event::Solving { ply: depth, positions, found });
        if found == positions {
            return Ok(checkpoint.effort());
        }
        let job = Job {
            checkpoint,
            kind,
            table: Arc::new(TranspositionTable::new(table_bytes)?),
            cancel: Arc::clone(self.cancel),
            progress: self.progress,
            left: positions - found,
        };
        let effort = workers::solve(&job, pool, self.tasks::<W, H>(identity)?)?;
        let solved = count_solved()?;
        self.check_cancelled(Some((solved, positions)))?;
        if solved != positions {
            let checkpoint = self.plan.checkpoint_folder();
            return Err(GenerateError::Incomplete { checkpoint, solved, stored: positions });
        }
        Ok(effort)
    }

    /// The positions of the shard.
    fn tasks<const W: usize, const H: usize>(
        &self,
        identity: &PartIdentity,
    ) -> Result<impl Iterator<Item = Task<W, H>> + use<W, H>, GenerateError> {
        let range = identity.range();
        let mut order = DepthFirst::<W, H>::new(self.plan.depth)?;
        for (passed, _) in (0..range.start).zip(&mut order) {
            if passed % PASSED_AT_ONCE == 0 {
                self.check_cancelled(None)?;
            }
        }
        let visits = (0..).zip(order).take(identity.count as usize);
        Ok(visits.map(|(place, Visit { position, .. })| Task { place, position }))
    }

    /// Removes the checkpoint of a part that is there: a run may have ended
    /// between writing the one and removing the other.
    fn remove_checkpoint(&self) {
        let folder = self.plan.checkpoint_folder();
        if folder.is_dir()
            && let Err(error) = checkpoint::remove(&folder)
        {
            tracing::debug!("{error}");
        }
    }
}
