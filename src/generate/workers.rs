//! Solving the deepest ply with many threads.

use super::GenerateError;
use super::checkpoint::{Checkpoint, CheckpointError, Effort};
use super::progress::{Event, Progress};
use crate::board::Position;
use crate::scores::{ABSENT, ValueKind, encode};
use crate::solver::{Limits, Solver, Stopped, TableError, TranspositionTable};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Consecutive positions that a thread takes at a time: enough that threads
/// seldom meet, few enough that they end together and share what they find.
const BLOCK: usize = 64;

/// How often what has been solved is sent to the disk, and so the most that a
/// power loss makes lost.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// What the threads share.
pub(super) struct Job<'a> {
    pub(super) checkpoint: &'a Checkpoint,
    pub(super) kind: ValueKind,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) progress: &'a dyn Progress,
}

/// A position to solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<const W: usize, const H: usize> {
    /// Where its score belongs in the checkpoint.
    pub(super) place: usize,
    pub(super) position: Position<W, H>,
}

/// What the threads have done together.
#[derive(Debug, Default)]
struct Tally {
    positions: AtomicU64,
    nodes: AtomicU64,
    /// Stops the threads when one of them, or saving, has failed.
    failed: AtomicBool,
}

/// Solves all `tasks`, in their order, that the checkpoint has no score for, or as
/// many as there is time for until `cancel` is set; returns the work spent on
/// the checkpoint by this run and those before.
///
/// # Errors
///
/// If the checkpoint cannot be written or a thread lacks memory.
pub(super) fn solve<const W: usize, const H: usize>(
    job: &Job<'_>,
    pool: &ThreadPool,
    tasks: impl Iterator<Item = Task<W, H>> + Send,
) -> Result<Effort, GenerateError> {
    let tally = Tally::default();
    let before = job.checkpoint.effort();
    let started = Instant::now();
    let effort_so_far = || Effort {
        runs: before.runs + 1,
        positions: before.positions + tally.positions.load(Ordering::Relaxed),
        nodes: before.nodes + tally.nodes.load(Ordering::Relaxed),
        milliseconds: before.milliseconds + started.elapsed().as_millis() as u64,
    };
    let tasks = Mutex::new(tasks);
    let save = || {
        job.checkpoint.flush()?;
        job.checkpoint.set_effort(&effort_so_far())
    };
    let (worked, saved) = std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let saver = scope.spawn(|| save_until(ended, save, &tally.failed));
        let worked = pool.broadcast(|_| {
            work(job, &tasks, &tally).inspect_err(|_| tally.failed.store(true, Ordering::Relaxed))
        });
        drop(end);
        (worked, saver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    saved?;
    worked.into_iter().collect::<Result<(), _>>()?;
    Ok(effort_so_far())
}

/// Saves every few seconds, and once more when the other end of the channel is
/// dropped; sets `failed` if that does not work.
fn save_until(
    ended: Receiver<()>,
    save: impl Fn() -> Result<(), CheckpointError>,
    failed: &AtomicBool,
) -> Result<(), CheckpointError> {
    while ended.recv_timeout(FLUSH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        save().inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
    }
    save()
}

/// What one thread does.
fn work<const W: usize, const H: usize>(
    job: &Job<'_>,
    tasks: &Mutex<impl Iterator<Item = Task<W, H>>>,
    tally: &Tally,
) -> Result<(), TableError> {
    let scores = job.checkpoint.scores();
    let mut solver = Solver::<W, H>::new(Arc::clone(&job.table))?;
    let limits = Limits { cancel: Some(Arc::clone(&job.cancel)), ..Limits::default() };
    loop {
        // A poisoned lock means that another thread panicked, which ends the run.
        let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let block = next_block(&mut *tasks, scores);
        drop(tasks);
        if block.is_empty() {
            return Ok(());
        }
        for Task { place, position } in block {
            if job.cancel.load(Ordering::Relaxed) || tally.failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let nodes_before = solver.nodes();
            let solved = solve_one(&mut solver, position, job.kind, &limits);
            tally.nodes.fetch_add(solver.nodes() - nodes_before, Ordering::Relaxed);
            let Ok(byte) = solved else { return Ok(()) };
            scores[place].store(byte, Ordering::Relaxed);
            tally.positions.fetch_add(1, Ordering::Relaxed);
            job.progress.report(&Event::Solved);
        }
    }
}

/// The next positions that have no score yet.
fn next_block<const W: usize, const H: usize>(
    tasks: &mut impl Iterator<Item = Task<W, H>>,
    scores: &[AtomicU8],
) -> Vec<Task<W, H>> {
    tasks.filter(|task| scores[task.place].load(Ordering::Relaxed) == ABSENT).take(BLOCK).collect()
}

fn solve_one<const W: usize, const H: usize>(
    solver: &mut Solver<W, H>,
    position: Position<W, H>,
    kind: ValueKind,
    limits: &Limits,
) -> Result<u8, Stopped> {
    Ok(encode(match kind {
        ValueKind::Scores => solver.score(position, limits)?,
        ValueKind::Outcomes => solver.outcome(position, limits)?.sign(),
    }))
}
