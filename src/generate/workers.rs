//! Solving the deepest ply with many threads, into a checkpoint.

use super::checkpoint::Checkpoint;
use super::error::GenerateError;
use super::plan::Plan;
use super::report::Effort;
use crate::enumerate::{Order, depth_first};
use crate::progress::{Progress, Step};
use crate::scores::{ABSENT, decode, encode};
use fourbook_solver::text::{count, grouped};
use fourbook_solver::{Budget, Limits, Solvers, TranspositionTable, on_large_stack};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often solved positions are written to the disk: a power loss costs no more than this.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// A run for a book, a shard or an estimate, which has passed its checks.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) progress: &'a dyn Progress,
    pub(super) cancel: &'a Arc<AtomicBool>,
    /// The threads of all loops but the search, which starts its own.
    pub(super) pool: ThreadPool,
}

impl<'a> Run<'a> {
    pub(super) fn start(
        plan: &'a Plan,
        progress: &'a dyn Progress,
        cancel: &'a Arc<AtomicBool>,
    ) -> Result<Self, GenerateError> {
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build();
        let pool = pool.map_err(|error| plan.no_threads(io::Error::other(error)))?;
        Ok(Run { plan, progress, cancel, pool })
    }

    pub(super) fn check_cancelled(&self, solved: Option<(u64, u64)>) -> Result<(), GenerateError> {
        let checkpoint = self.plan.checkpoint_file();
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(GenerateError::Interrupted { checkpoint, solved }),
            false => Ok(()),
        }
    }

    /// The stored positions of a ply in depth-first order, each after its slot, to the last one or
    /// until the run is cancelled.
    pub(super) fn order(&self, ply: u32) -> Result<Order, GenerateError> {
        let cancel = Arc::clone(self.cancel);
        let order = depth_first(self.plan.size, ply)?;
        Ok(Box::new(order.take_while(move |_| !cancel.load(Ordering::Relaxed))))
    }

    /// Runs a search on a thread whose stack suffices.
    pub(super) fn search<T: Send>(
        &self,
        search: impl FnOnce() -> T + Send,
    ) -> Result<T, GenerateError> {
        on_large_stack(search).map_err(|source| self.plan.no_threads(source))
    }

    /// Counts the scores in the checkpoint.
    fn count_solved(&self, checkpoint: &Checkpoint) -> Result<u64, GenerateError> {
        let Plan { size, depth, kind, .. } = *self.plan;
        let possible = kind.possible_values(size, depth);
        let mut solved = 0;
        for (place, byte) in checkpoint.scores().iter().enumerate() {
            let byte = byte.load(Ordering::Relaxed);
            match decode(byte) {
                None => {}
                Some(score) if possible.contains(&score) => solved += 1,
                Some(_) => {
                    return Err(checkpoint.error(format!(
                        "expected a score of ply {depth} or 0 for position {place}, found byte {byte}"
                    )));
                }
            }
        }
        Ok(solved)
    }

    /// Solves the positions that have no score in the checkpoint yet. Returns the work spent on the
    /// checkpoint by all runs.
    pub(super) fn solve(&self, checkpoint: &Checkpoint) -> Result<Effort, GenerateError> {
        let Plan { size, depth, table_bytes, .. } = *self.plan;
        let (found, stored) = (self.count_solved(checkpoint)?, checkpoint.identity.count);
        self.progress.begin(Step::SolveAll(depth), found, stored);
        if found == stored {
            return Ok(checkpoint.effort);
        }
        let solvers = Solvers::new(Arc::new(TranspositionTable::new(size, table_bytes)?));
        let effort = self.fill(checkpoint, &solvers, stored - found)?;
        let solved = self.count_solved(checkpoint)?;
        self.check_cancelled(Some((solved, stored)))?;
        if solved != stored {
            return Err(checkpoint.error(format!(
                "expected the scores of {}, found {}; another program changed them, or this one is at fault",
                count(stored, "position"),
                grouped(solved)
            )));
        }
        Ok(effort)
    }

    /// Solves the `left` positions without a score, until all are done or it is cancelled.
    fn fill(
        &self,
        checkpoint: &Checkpoint,
        solvers: &Solvers,
        left: u64,
    ) -> Result<Effort, GenerateError> {
        let scores = checkpoint.scores();
        let range = checkpoint.identity.range();
        let mut order = self.order(self.plan.depth)?;
        (0..range.start).zip(order.by_ref()).for_each(drop);
        let positions = (0..).zip(order.map(|(_, position)| position)).take(scores.len());
        let limits = Limits { cancel: Some(Arc::clone(self.cancel)), ..Limits::default() };
        let budget = Budget::new(&limits);
        let (solved, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let (before, started) = (checkpoint.effort, Instant::now());
        let effort_so_far = || Effort {
            runs: before.runs + 1,
            positions: before.positions + solved.load(Ordering::Relaxed),
            nodes: before.nodes + budget.nodes(),
            milliseconds: before.milliseconds + started.elapsed().as_millis() as u64,
        };
        let save = || checkpoint.save(effort_so_far());
        let unsolved = positions
            .take_while(|_| !failed.load(Ordering::Relaxed))
            .filter(|&(place, _)| scores[place as usize].load(Ordering::Relaxed) == ABSENT);
        let on_result = |place: u64, value| {
            scores[place as usize].store(encode(value), Ordering::Relaxed);
            solved.fetch_add(1, Ordering::Relaxed);
            self.progress.advance(1);
        };
        let Plan { kind, threads, .. } = *self.plan;
        std::thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let saver = scope.spawn(|| save_until(ended, save, &failed));
            let run = || solvers.run(unsolved, left, kind, &budget, threads, on_result);
            let done = self.search(run);
            drop(end);
            saver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            done?.map_err(GenerateError::from)
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
