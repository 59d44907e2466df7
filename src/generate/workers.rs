//! Solving the deepest ply with many threads.

use super::GenerateError;
use super::checkpoint::{Checkpoint, CheckpointError, Effort};
use crate::board::Position;
use crate::progress::Progress;
use crate::scores::{ABSENT, ValueKind, encode};
use crate::solver::{Crew, Limits, Solver, Stopped, TableError, TranspositionTable, Worker};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// About how many nodes a block takes: consecutive positions that one thread solves.
/// With smaller blocks, threads would be so near each other that they search the same
/// descendants; with larger ones so far apart that each finds the table full of the others'
/// positions.
const BLOCK_NODES: u64 = 1 << 23;

/// The most positions of a block, for its memory.
const LARGEST_BLOCK: u64 = 1 << 16;

/// The nodes that a position is assumed to take before any has been solved.
const LIKELY_NODES: u64 = 1 << 19;

/// Blocks that each thread takes at least, so that all of them end at about the same time.
const BLOCKS_A_THREAD: u64 = 16;

/// How often what has been solved is sent to the disk: a power loss takes no more than
/// this with it.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// What the threads share.
pub(super) struct Job<'a> {
    pub(super) checkpoint: &'a Checkpoint,
    pub(super) kind: ValueKind,
    pub(super) table: Arc<TranspositionTable>,
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) progress: &'a dyn Progress,
    /// How many positions have no score yet.
    pub(super) left: u64,
}

/// A position to solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// Where its score belongs in the checkpoint.
    pub(super) place: usize,
    pub(super) position: Position,
}

/// What has not been handed to a thread yet.
struct Queue<'a> {
    tasks: &'a mut (dyn Iterator<Item = Task> + Send),
    /// Of the checkpoint: those that are there need not be solved.
    scores: &'a [AtomicU8],
    left: u64,
    threads: u64,
    /// Ends the work.
    cancel: &'a AtomicBool,
}

impl Queue<'_> {
    /// The next positions that have no score yet, if a position takes `nodes_each` nodes.
    /// Blocks become smaller towards the end.
    fn next_block(&mut self, nodes_each: u64) -> Vec<Task> {
        let share = self.left / (BLOCKS_A_THREAD * self.threads);
        let length = share.min(BLOCK_NODES / nodes_each.max(1)).clamp(1, LARGEST_BLOCK);
        let mut block = Vec::new();
        for (passed, task) in (1_u64..).zip(&mut *self.tasks) {
            if self.scores[task.place].load(Ordering::Relaxed) == ABSENT {
                block.push(task);
            }
            // What was solved before can be millions of positions.
            let is_cancelled = || self.cancel.load(Ordering::Relaxed);
            if block.len() as u64 == length || (passed % (1 << 16) == 0 && is_cancelled()) {
                break;
            }
        }
        self.left = self.left.saturating_sub(block.len() as u64);
        block
    }
}

/// What the threads have done together.
#[derive(Debug, Default)]
struct Tally {
    positions: AtomicU64,
    nodes: AtomicU64,
    /// Stops the threads when one of them panics, or saving has failed.
    failed: AtomicBool,
}

impl Tally {
    /// The nodes that a position has taken on average.
    fn nodes_each(&self) -> u64 {
        let positions = self.positions.load(Ordering::Relaxed);
        self.nodes.load(Ordering::Relaxed).checked_div(positions).unwrap_or(LIKELY_NODES)
    }
}

/// Solves all `tasks`, in their order, that the checkpoint has no score for, or as many as
/// it can until `cancel` is set. Returns the work spent on the checkpoint by this run and
/// all runs before.
///
/// # Errors
///
/// If the checkpoint cannot be written or there is no memory for a thread's solver.
pub(super) fn solve(
    job: &Job<'_>,
    pool: &ThreadPool,
    tasks: &mut (dyn Iterator<Item = Task> + Send),
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
    let threads = pool.current_num_threads();
    let crew = Crew::new(&job.table);
    let workers = (0..threads).map(|_| crew.worker()).collect::<Result<Vec<_>, TableError>>()?;
    let (scores, threads) = (job.checkpoint.scores(), threads as u64);
    let queue = Queue { tasks, scores, left: job.left, threads, cancel: &job.cancel };
    let queue = Mutex::new(queue);
    let save = || {
        job.checkpoint.flush()?;
        job.checkpoint.set_effort(&effort_so_far())
    };
    let saved = std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let saver = scope.spawn(|| save_until(ended, save, &tally.failed));
        // Each thread takes one, as none of them ends before all work is done.
        pool.in_place_scope(|scope| {
            for worker in workers {
                scope.spawn(|_| work(job, &queue, &tally, worker));
            }
        });
        drop(end);
        saver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    saved?;
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

/// What one thread does: solves blocks until there are none, and helps the others then.
fn work(job: &Job<'_>, queue: &Mutex<Queue<'_>>, tally: &Tally, mut worker: Worker<'_>) {
    let _guard = FailIfPanicking(&tally.failed);
    solve_blocks(job, queue, tally, worker.solver());
    worker.help_others();
}

/// Stops the other threads when this one panics.
struct FailIfPanicking<'a>(&'a AtomicBool);

impl Drop for FailIfPanicking<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Solves blocks until there are none, or something ends the work.
fn solve_blocks(job: &Job<'_>, queue: &Mutex<Queue<'_>>, tally: &Tally, solver: &mut Solver) {
    let scores = job.checkpoint.scores();
    let limits = Limits { cancel: Some(Arc::clone(&job.cancel)), ..Limits::default() };
    loop {
        // A poisoned lock means that another thread panicked, which ends the run.
        let block =
            queue.lock().unwrap_or_else(PoisonError::into_inner).next_block(tally.nodes_each());
        if block.is_empty() {
            return;
        }
        for Task { place, position } in block {
            if job.cancel.load(Ordering::Relaxed) || tally.failed.load(Ordering::Relaxed) {
                return;
            }
            let nodes_before = solver.nodes();
            let solved = solve_one(solver, position, job.kind, &limits);
            tally.nodes.fetch_add(solver.nodes() - nodes_before, Ordering::Relaxed);
            let Ok(byte) = solved else { return };
            scores[place].store(byte, Ordering::Relaxed);
            tally.positions.fetch_add(1, Ordering::Relaxed);
            job.progress.advance(1);
        }
    }
}

fn solve_one(
    solver: &mut Solver,
    position: Position,
    kind: ValueKind,
    limits: &Limits,
) -> Result<u8, Stopped> {
    Ok(encode(match kind {
        ValueKind::Scores => solver.score(position, limits)?,
        ValueKind::WinDrawLoss => solver.outcome(position, limits)?.sign(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    /// The places in the blocks of a queue for two threads of `number` positions, those
    /// for which `is_solved` left out.
    fn blocks(number: usize, is_solved: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let byte = |place| AtomicU8::new(if is_solved(place) { encode(0) } else { ABSENT });
        let scores: Vec<AtomicU8> = (0..number).map(byte).collect();
        let left = (0..number).filter(|&place| !is_solved(place)).count() as u64;
        let position = Position::empty(Size::STANDARD);
        let mut tasks = (0..number).map(|place| Task { place, position });
        let cancel = AtomicBool::new(false);
        let mut queue =
            Queue { tasks: &mut tasks, scores: &scores, left, threads: 2, cancel: &cancel };
        let next = || Some(queue.next_block(2000)).filter(|block| !block.is_empty());
        std::iter::from_fn(next)
            .map(|block| block.iter().map(|task| task.place).collect())
            .collect()
    }

    #[test]
    fn a_queue_hands_out_what_has_no_score_once_and_in_order() {
        let is_solved = |place| place % 3 == 0 || (5_000..9_000).contains(&place);
        let places = blocks(200_000, is_solved).concat();
        assert_eq!(places, (0..200_000).filter(|&place| !is_solved(place)).collect::<Vec<_>>());
        assert!(blocks(1_000, |_| true).is_empty());
    }

    #[test]
    fn blocks_become_smaller_towards_the_end() {
        let lengths: Vec<usize> = blocks(300_000, |_| false).iter().map(Vec::len).collect();
        assert_eq!(lengths[0], 4194);
        assert!(lengths.is_sorted_by(|first, second| first >= second), "{lengths:?}");
        assert_eq!(lengths.last(), Some(&1));
        // Few positions are hard ones, and every thread is to get some.
        assert_eq!(blocks(25, |_| false).len(), 25);
    }
}
