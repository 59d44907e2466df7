//! Solving the deepest ply with many threads, into a checkpoint.

use super::GenerateError;
use super::checkpoint::{Checkpoint, Effort};
use crate::board::Position;
use crate::progress::Progress;
use crate::scores::{ABSENT, ValueKind, encode};
use crate::solver::{Budget, Job, Limits, Solvers, TranspositionTable};
use rayon::ThreadPool;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often solved positions are written to the disk: a power loss costs no more than this.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// What to solve, and where the values go.
pub(super) struct Work<'a> {
    pub(super) checkpoint: &'a Checkpoint,
    pub(super) kind: ValueKind,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) cancel: &'a Arc<AtomicBool>,
    pub(super) progress: &'a dyn Progress,
    /// How many positions have no value yet.
    pub(super) left: u64,
}

/// Solves all `positions` that the checkpoint has no value for, or as many as it can until
/// `cancel` is set; each comes with its place in the checkpoint. Returns the work spent on the
/// checkpoint by all runs.
pub(super) fn solve(
    work: &Work<'_>,
    pool: &ThreadPool,
    positions: &mut (dyn Iterator<Item = (u64, Position)> + Send),
) -> Result<Effort, GenerateError> {
    let (checkpoint, cancel) = (work.checkpoint, work.cancel);
    let scores = checkpoint.scores();
    let limits = Limits { cancel: Some(Arc::clone(cancel)), ..Limits::default() };
    let budget = Budget::new(&limits, true);
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
    let mut unsolved = positions
        .take_while(|_| !cancel.load(Ordering::Relaxed))
        .filter(|&(place, _)| scores[place as usize].load(Ordering::Relaxed) == ABSENT);
    let on_result = |place: u64, value| {
        scores[place as usize].store(encode(value), Ordering::Relaxed);
        solved.fetch_add(1, Ordering::Relaxed);
        work.progress.advance(1);
        match failed.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let solvers = Solvers::new(Arc::clone(&work.table));
    let job = Job {
        positions: &mut unsolved,
        count: work.left,
        kind: work.kind,
        budget: &budget,
        threads: pool.current_num_threads(),
        on_result: &on_result,
    };
    std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let saver = scope.spawn(|| save_until(ended, save, &failed));
        // On a thread of the pool for its stack.
        let done = pool.install(|| solvers.run(job));
        drop(end);
        saver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        done?;
        Ok::<_, GenerateError>(())
    })?;
    Ok(effort_so_far())
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
