//! Solving the deepest ply with many threads, into a checkpoint.

use super::checkpoint::Checkpoint;
use super::error::GenerateError;
use super::plan::Plan;
use super::report::Effort;
use crate::book::BookError;
use crate::enumerate::{Order, depth_first};
use crate::progress::{Progress, Step};
use crate::scores::encode;
use fourbook_solver::{
    Budget, Limits, Solvers, TranspositionTable, on_large_stack, started_threads,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often solved positions are written: a process that is killed loses no more than this.
const SAVE_INTERVAL: Duration = Duration::from_millis(200);

/// After this number of times, they are written to the disk: a power loss costs no more than five seconds.
const SAVES_TO_DISK: u32 = 25;

/// Positions that are counted between two progress events.
const COUNTED_AT_ONCE: u64 = 1 << 16;

/// A run for a book, a shard or an estimate, which has passed its checks.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) progress: &'a dyn Progress,
    /// The threads of all loops but the search, which starts its own.
    pub(super) pool: ThreadPool,
}

impl<'a> Run<'a> {
    pub(super) fn start(plan: &'a Plan, progress: &'a dyn Progress) -> Result<Self, GenerateError> {
        let pool = ThreadPoolBuilder::new().num_threads(started_threads(plan.threads)).build();
        let pool = pool.map_err(|error| plan.no_threads(io::Error::other(error)))?;
        Ok(Run { plan, progress, pool })
    }

    pub(super) fn check_cancelled(&self, solved: Option<(u64, u64)>) -> Result<(), GenerateError> {
        self.interruptible(solved, self.progress.check())
    }

    /// The result of a loop. If it was cancelled, the error has the numbers of positions `solved` and
    /// kept, and of all.
    pub(super) fn interruptible<T>(
        &self,
        solved: Option<(u64, u64)>,
        result: Result<T, BookError>,
    ) -> Result<T, GenerateError> {
        result.map_err(|error| match error {
            BookError::Stopped(_) => {
                let checkpoint = self.plan.checkpoint_file();
                GenerateError::Interrupted { checkpoint, solved }
            }
            error => error.into(),
        })
    }

    /// The stored positions of a ply in depth-first order, each after its slot, to the last one or
    /// until the run is cancelled.
    pub(super) fn order(&self, ply: u32) -> Result<Order, GenerateError> {
        let order = depth_first(self.plan.size, ply)?;
        let Some(cancel) = self.progress.cancel().cloned() else { return Ok(order) };
        Ok(Box::new(order.take_while(move |_| !cancel.load(Ordering::Relaxed))))
    }

    /// Counts the stored positions of the deepest ply.
    pub(super) fn count(&self) -> Result<u64, GenerateError> {
        self.progress.begin(Step::Divide, 0, 0);
        let mut positions = 0_u64;
        for _ in self.order(self.plan.depth)? {
            positions += 1;
            if positions.is_multiple_of(COUNTED_AT_ONCE) {
                self.progress.advance(COUNTED_AT_ONCE);
            }
        }
        self.progress.advance(positions % COUNTED_AT_ONCE);
        self.check_cancelled(None)?;
        Ok(positions)
    }

    /// Runs a search on a thread whose stack suffices.
    pub(super) fn search<T: Send>(
        &self,
        search: impl FnOnce() -> T + Send,
    ) -> Result<T, GenerateError> {
        on_large_stack(search).map_err(|source| self.plan.no_threads(source))
    }

    /// Solves the positions that have no score in the checkpoint yet. Returns the work spent on the
    /// checkpoint by all runs.
    pub(super) fn solve(&self, checkpoint: &Checkpoint) -> Result<Effort, GenerateError> {
        let Plan { size, depth, table_bytes, .. } = *self.plan;
        let found = checkpoint.count_solved();
        let stored = checkpoint.identity.count;
        self.progress.begin(Step::SolveAll(depth), found, stored);
        if found == stored {
            return Ok(checkpoint.effort);
        }
        let solvers = Solvers::new(Arc::new(TranspositionTable::new(size, table_bytes)?));
        let effort = self.fill(checkpoint, &solvers, stored - found)?;
        let solved = checkpoint.count_solved();
        self.check_cancelled(Some((solved, stored)))?;
        assert_eq!(solved, stored, "every position of the order is solved");
        Ok(effort)
    }

    /// Solves the `left` positions without a score, until all are done or it is cancelled.
    fn fill(
        &self,
        checkpoint: &Checkpoint,
        solvers: &Solvers,
        left: u64,
    ) -> Result<Effort, GenerateError> {
        let range = checkpoint.identity.range();
        let mut order = self.order(self.plan.depth)?;
        (0..range.start).zip(order.by_ref()).for_each(drop);
        let positions =
            (0..).zip(order.map(|(_, position)| position)).take(checkpoint.identity.count as usize);
        let cancel = self.progress.cancel().cloned();
        let budget = Budget::new(&Limits { cancel, ..Limits::default() });
        let solved = AtomicU64::new(0);
        let failed = AtomicBool::new(false);
        let before = checkpoint.effort;
        let started = Instant::now();
        let effort_so_far = || Effort {
            runs: before.runs + 1,
            positions: before.positions + solved.load(Ordering::Relaxed),
            nodes: before.nodes + budget.nodes(),
            milliseconds: before.milliseconds + started.elapsed().as_millis() as u64,
        };
        let unsolved = positions
            .take_while(|_| !failed.load(Ordering::Relaxed))
            .filter(|&(place, _)| !checkpoint.is_solved(place as usize));
        let Plan { kind, threads, .. } = *self.plan;
        thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let saver = thread::Builder::new().name("saver".to_owned());
            let saver = saver.spawn_scoped(scope, || {
                save_until(ended, |to_disk| checkpoint.save(effort_so_far(), to_disk), &failed)
            });
            let saver = saver.map_err(|source| self.plan.no_threads(source))?;
            let done = self.search(|| {
                solvers.run(unsolved, left, kind, &budget, threads, |place: u64, value| {
                    checkpoint.keep(place as usize, encode(value));
                    solved.fetch_add(1, Ordering::Relaxed);
                    self.progress.advance(1);
                })
            });
            drop(end);
            saver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            done?.map_err(GenerateError::from)
        })?;
        Ok(effort_so_far())
    }
}

/// Saves at every interval, and once more when the other end of the channel is dropped; sets `failed` if
/// that does not work.
fn save_until(
    ended: Receiver<()>,
    save: impl Fn(bool) -> Result<(), GenerateError>,
    failed: &AtomicBool,
) -> Result<(), GenerateError> {
    let mut saves = 0;
    while ended.recv_timeout(SAVE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        saves += 1;
        save(saves % SAVES_TO_DISK == 0).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
    }
    save(true)
}
