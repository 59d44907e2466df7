//! Solving the deepest ply with many threads, into a checkpoint.

use super::audit;
use super::checkpoint::{Checkpoint, Effort};
use super::error::GenerateError;
use super::plan::Plan;
use crate::enumerate::{Order, ReachablePly};
use crate::progress::{Progress, Step};
use crate::scores::{ABSENT, encode};
use fourbook_solver::text::{count, grouped};
use fourbook_solver::{
    Budget, Job, Limits, STACK_BYTES, Solvers, TranspositionTable, mark_large_stack,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often solved positions are written to the disk: a power loss costs no more than this.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// Starts threads that can solve.
///
/// # Errors
///
/// If the system does not provide the threads.
#[doc(hidden)]
pub fn start_threads(threads: usize) -> Result<ThreadPool, GenerateError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("solver-{index}"))
        .stack_size(STACK_BYTES)
        .start_handler(|_| mark_large_stack())
        .build()
        .map_err(|source| GenerateError::Threads { threads, source })
}

/// A run for a book, a shard or an estimate, which has passed its checks.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) progress: &'a dyn Progress,
    pub(super) cancel: &'a Arc<AtomicBool>,
    pub(super) pool: ThreadPool,
}

impl Run<'_> {
    pub(super) fn check_cancelled(&self, solved: Option<(u64, u64)>) -> Result<(), GenerateError> {
        let checkpoint = self.plan.checkpoint_folder();
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(GenerateError::Interrupted { checkpoint, solved }),
            false => Ok(()),
        }
    }

    /// Counts the scores in the checkpoint, whose places are all slots of `ply` or, without one,
    /// the positions of a range.
    fn count_solved(
        &self,
        checkpoint: &Checkpoint,
        ply: Option<&ReachablePly>,
    ) -> Result<u64, GenerateError> {
        let Plan { size, depth, kind, .. } = *self.plan;
        let possible = kind.possible_values(size, depth);
        self.pool
            .install(|| audit::count_solved(checkpoint.scores(), &possible, ply))
            .map_err(|(place, byte)| checkpoint.damaged(place, byte))
    }

    /// Makes sure that none of `stored` positions lacks a score.
    pub(super) fn check_complete(
        &self,
        checkpoint: &Checkpoint,
        ply: Option<&ReachablePly>,
        stored: u64,
    ) -> Result<(), GenerateError> {
        let solved = self.count_solved(checkpoint, ply)?;
        self.check_cancelled(Some((solved, stored)))?;
        if solved != stored {
            let expected = count(stored, "position");
            let problem = format!(
                "expected the scores of {expected}, found {}; another program changed them, or this one is at fault",
                grouped(solved)
            );
            return Err(GenerateError::Checkpoint { path: self.plan.checkpoint_folder(), problem });
        }
        Ok(())
    }

    /// Solves the `stored` positions that have no score in the checkpoint yet; each comes with
    /// its place in the checkpoint. Returns the work spent on the checkpoint by all runs.
    pub(super) fn solve(
        &self,
        checkpoint: &Checkpoint,
        ply: Option<&ReachablePly>,
        stored: u64,
        positions: impl FnOnce() -> Result<Order, GenerateError>,
    ) -> Result<Effort, GenerateError> {
        let Plan { size, depth, table_bytes, .. } = *self.plan;
        let found = self.count_solved(checkpoint, ply)?;
        self.progress.begin(Step::SolveAll { ply: depth, found }, stored);
        self.progress.advance(found);
        if found == stored {
            return Ok(checkpoint.effort());
        }
        let solvers = Solvers::new(Arc::new(TranspositionTable::new(size, table_bytes)?));
        let effort = self.fill(checkpoint, &solvers, stored - found, positions()?)?;
        self.check_complete(checkpoint, ply, stored)?;
        Ok(effort)
    }

    /// Solves the `left` positions without a score, until all are done or it is cancelled.
    fn fill(
        &self,
        checkpoint: &Checkpoint,
        solvers: &Solvers,
        left: u64,
        positions: Order,
    ) -> Result<Effort, GenerateError> {
        let scores = checkpoint.scores();
        let limits = Limits { cancel: Some(Arc::clone(self.cancel)), ..Limits::default() };
        let budget = Budget::new(&limits);
        let (solved, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let (before, started) = (checkpoint.effort(), Instant::now());
        let effort_so_far = || Effort {
            runs: before.runs + 1,
            positions: before.positions + solved.load(Ordering::Relaxed),
            nodes: before.nodes + budget.nodes(),
            milliseconds: before.milliseconds + started.elapsed().as_millis() as u64,
        };
        let save = || {
            checkpoint.flush()?;
            checkpoint.set_effort(&effort_so_far())
        };
        // An earlier run may have solved millions of positions, so this looks at `cancel` as well.
        let is_over = || self.cancel.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let unsolved = positions
            .take_while(|_| !is_over())
            .filter(|&(place, _)| scores[place as usize].load(Ordering::Relaxed) == ABSENT);
        let on_result = |place: u64, value| {
            scores[place as usize].store(encode(value), Ordering::Relaxed);
            solved.fetch_add(1, Ordering::Relaxed);
            self.progress.advance(1);
        };
        let threads = self.pool.current_num_threads();
        let job = Job::new(unsolved, left, self.plan.kind, &budget, threads, on_result);
        std::thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let saver = scope.spawn(|| save_until(ended, save, &failed));
            // On a thread of the pool for its stack.
            let done = self.pool.install(|| solvers.run(&job));
            drop(end);
            saver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            done.map_err(GenerateError::from)
        })?;
        Ok(effort_so_far())
    }
}

/// Saves every few seconds, and once more when the other end of the channel is
/// dropped; sets `failed` if that does not work.
fn save_until(
    ended: Receiver<()>,
    save: impl Fn() -> Result<(), GenerateError>,
    failed: &AtomicBool,
) -> Result<(), GenerateError> {
    while ended.recv_timeout(FLUSH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        save().inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
    }
    save()
}
