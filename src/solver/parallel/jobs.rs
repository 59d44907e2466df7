//! Jobs: many positions, solved by several threads side by side.

use super::super::limits::{Budget, Limits, StopReason};
use super::super::{Solver, TableError, TranspositionTable};
use super::queue::on_threads;
use crate::board::{Position, Score, ScoreBounds};
use crate::scores::ValueKind;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Nodes of one position before other threads start: easier positions are solved by the time
/// that a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// The node limit for all positions together, if many are easy.
const EASY_NODES_IN_ALL: u64 = 8 * EASY_NODES;

/// About how many nodes a block takes: consecutive positions that one thread solves. With smaller
/// blocks, neighbouring threads search the same descendants; with larger ones, each thread finds
/// the table full of the others' positions.
const BLOCK_NODES: u64 = 1 << 23;

/// The most positions of a block, for its memory.
const LARGEST_BLOCK: u64 = 1 << 16;

/// The nodes that a position is assumed to take before any has been solved.
const LIKELY_NODES: u64 = 1 << 19;

/// The fewest blocks for each thread, so that all threads end at about the same time.
const BLOCKS_PER_THREAD: u64 = 16;

/// Positions to solve.
pub(crate) struct Job<'a> {
    /// Positions, each with a number of the caller's choice; neighbours share work.
    pub(crate) positions: &'a mut (dyn Iterator<Item = (u64, Position)> + Send),
    /// How many positions there are.
    pub(crate) count: u64,
    /// Returns the known bounds of the score of the position with a number.
    pub(crate) bounds: &'a (dyn Fn(u64) -> ScoreBounds + Sync),
    /// The kind of value to find.
    pub(crate) kind: ValueKind,
    /// The budget of all positions together.
    pub(crate) budget: &'a Arc<Budget>,
    /// The most threads.
    pub(crate) threads: usize,
    /// Called with the number and the value of each position, from any thread and in any
    /// order. No more positions are started after `Break`.
    pub(crate) on_result: &'a (dyn Fn(u64, Score) -> ControlFlow<()> + Sync),
}

/// Solvers for any number of threads, which share a transposition table.
#[derive(Debug)]
pub(crate) struct Solvers {
    table: Arc<TranspositionTable>,
    /// Solvers that no thread is using.
    idle: Mutex<Vec<Solver>>,
    /// Nodes of all budgets.
    nodes: Arc<AtomicU64>,
}

impl Solvers {
    pub(crate) fn new(table: Arc<TranspositionTable>) -> Self {
        Solvers { table, idle: Mutex::default(), nodes: Arc::default() }
    }

    /// A budget whose nodes [`nodes`](Self::nodes) counts, for a call about `position`.
    pub(crate) fn budget(
        &self,
        limits: &Limits,
        is_shared: bool,
        position: Option<Position>,
    ) -> Arc<Budget> {
        Budget::counted(limits, is_shared, position, Arc::clone(&self.nodes))
    }

    /// Nodes visited with the budgets of these solvers, by searches that still run as well.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The table.
    pub(crate) fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Calls `task` with a solver that no other thread is using.
    pub(crate) fn with_one<T>(&self, task: impl FnOnce(&mut Solver) -> T) -> Result<T, TableError> {
        // A thread that panicked with the lock left the list unchanged.
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut solver = match taken {
            Some(solver) => solver,
            None => Solver::sharing(Arc::clone(&self.table))?,
        };
        let result = task(&mut solver);
        idle().push(solver);
        Ok(result)
    }

    /// Solves the positions of a job: easy ones on this thread, the rest on several. Threads
    /// without a position help the others. Returns the limit that ended the job, if one did.
    pub(crate) fn run(&self, job: Job<'_>) -> Result<Option<StopReason>, TableError> {
        let threads = job.threads.max(1);
        let run = Run::new(job);
        let is_done = self.with_one(|solver| match threads {
            1 => {
                run.solve_blocks(solver);
                true
            }
            _ => run.solve_easy(solver),
        })?;
        let no_memory = OnceLock::new();
        if !is_done {
            on_threads(self.table.searches(), threads, &|| {
                // If there is no memory for another solver, the other threads do its work.
                if let Err(error) = self.with_one(|solver| run.solve_blocks(solver)) {
                    let _ = no_memory.set(error);
                }
            });
        }
        // The work is done unless other callers had taken all solvers.
        if let Some(error) = no_memory.into_inner()
            && !run.over.load(Ordering::Relaxed)
            && run.source().next().is_some()
        {
            return Err(error);
        }
        Ok(run.stopped.get().copied())
    }

    /// Returns the values of all positions in order, or the limit that was reached. `bounds` are
    /// the known bounds of each score.
    pub(crate) fn values(
        &self,
        positions: &[Position],
        bounds: &(dyn Fn(usize) -> ScoreBounds + Sync),
        kind: ValueKind,
        budget: &Arc<Budget>,
        threads: usize,
    ) -> Result<Result<Vec<Score>, StopReason>, TableError> {
        let values: Vec<OnceLock<Score>> = positions.iter().map(|_| OnceLock::new()).collect();
        let stopped = self.run(Job {
            positions: &mut (0..).zip(positions.iter().copied()),
            count: positions.len() as u64,
            bounds: &|number| bounds(number as usize),
            kind,
            budget,
            threads,
            on_result: &|number, value| {
                let _ = values[number as usize].set(value);
                ControlFlow::Continue(())
            },
        })?;
        let solved = || values.iter().map(|value| *value.get().expect("all are solved")).collect();
        Ok(stopped.map_or_else(|| Ok(solved()), Err))
    }
}

/// A job under way.
struct Run<'a> {
    source: Mutex<Source<'a>>,
    bounds: &'a (dyn Fn(u64) -> ScoreBounds + Sync),
    kind: ValueKind,
    budget: &'a Arc<Budget>,
    on_result: &'a (dyn Fn(u64, Score) -> ControlFlow<()> + Sync),
    /// Positions solved.
    solved: AtomicU64,
    /// Set when no more positions may start.
    over: AtomicBool,
    stopped: OnceLock<StopReason>,
}

impl<'a> Run<'a> {
    fn new(job: Job<'a>) -> Self {
        let Job { positions, count, bounds, kind, budget, threads, on_result } = job;
        let threads = threads as u64;
        Run {
            source: Mutex::new(Source { positions, returned: None, left: count, threads }),
            bounds,
            kind,
            budget,
            on_result,
            solved: AtomicU64::new(0),
            over: AtomicBool::new(false),
            stopped: OnceLock::new(),
        }
    }

    fn source(&self) -> MutexGuard<'_, Source<'a>> {
        // A poisoned lock means that another thread panicked, which ends the job.
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves one position after the other as long as they are easy; returns whether the job
    /// is done.
    fn solve_easy(&self, solver: &mut Solver) -> bool {
        let before = self.budget.nodes();
        while self.budget.nodes() - before < EASY_NODES_IN_ALL {
            let Some(next) = self.source().next() else { return true };
            let part = self.budget.part(EASY_NODES);
            let solved = solver.value_within(next.1, (self.bounds)(next.0), self.kind, &part);
            self.budget.spend(part.nodes());
            if solved == Err(StopReason::NodeBudget) && self.budget.nodes_left() > 0 {
                self.source().returned = Some(next);
                return false;
            }
            if self.take(next.0, solved).is_break() {
                return true;
            }
        }
        false
    }

    /// Solves blocks of positions until there are none, or the job is over.
    fn solve_blocks(&self, solver: &mut Solver) {
        loop {
            let solved = self.solved.load(Ordering::Relaxed);
            let nodes_each = self.budget.nodes().checked_div(solved).unwrap_or(LIKELY_NODES);
            let block = self.source().next_block(nodes_each);
            if block.is_empty() {
                return;
            }
            for (number, position) in block {
                if self.over.load(Ordering::Relaxed) {
                    return;
                }
                let bounds = (self.bounds)(number);
                let solved = solver.value_within(position, bounds, self.kind, self.budget);
                if self.take(number, solved).is_break() {
                    return;
                }
            }
        }
    }

    fn take(&self, number: u64, solved: Result<Score, StopReason>) -> ControlFlow<()> {
        let flow = match solved {
            Ok(value) => {
                self.solved.fetch_add(1, Ordering::Relaxed);
                (self.on_result)(number, value)
            }
            Err(stopped) => {
                let _ = self.stopped.set(stopped);
                ControlFlow::Break(())
            }
        };
        if flow.is_break() {
            self.over.store(true, Ordering::Relaxed);
        }
        flow
    }
}

/// The positions that no thread has taken.
struct Source<'a> {
    positions: &'a mut (dyn Iterator<Item = (u64, Position)> + Send),
    /// A position that was not easy.
    returned: Option<(u64, Position)>,
    left: u64,
    threads: u64,
}

impl Source<'_> {
    fn next(&mut self) -> Option<(u64, Position)> {
        self.returned.take().or_else(|| {
            self.left = self.left.saturating_sub(1);
            self.positions.next()
        })
    }

    /// The next positions for one thread, if each takes about `nodes_each` nodes. Blocks become
    /// smaller towards the end.
    fn next_block(&mut self, nodes_each: u64) -> Vec<(u64, Position)> {
        let share = self.left / (BLOCKS_PER_THREAD * self.threads.max(1));
        let length = share.min(BLOCK_NODES / nodes_each.max(1)).clamp(1, LARGEST_BLOCK);
        let mut block = Vec::new();
        while (block.len() as u64) < length
            && let Some(next) = self.next()
        {
            block.push(next);
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    /// The numbers in the blocks for two threads of `count` positions.
    fn blocks(count: u64) -> Vec<Vec<u64>> {
        let position = Position::empty(Size::STANDARD);
        let mut positions = (0..count).map(|number| (number, position));
        let mut source =
            Source { positions: &mut positions, returned: None, left: count, threads: 2 };
        let next = || Some(source.next_block(2000)).filter(|block| !block.is_empty());
        std::iter::from_fn(next)
            .map(|block| block.into_iter().map(|(number, _)| number).collect())
            .collect()
    }

    #[test]
    fn blocks_have_every_position_once_and_in_order() {
        assert_eq!(blocks(200_000).concat(), (0..200_000).collect::<Vec<_>>());
        assert!(blocks(0).is_empty());
    }

    #[test]
    fn blocks_become_smaller_towards_the_end() {
        let lengths: Vec<usize> = blocks(300_000).iter().map(Vec::len).collect();
        assert_eq!(lengths[0], 4194);
        assert!(lengths.is_sorted_by(|first, second| first >= second), "{lengths:?}");
        assert_eq!(lengths.last(), Some(&1));
        // A few hard positions are spread over all threads.
        assert_eq!(blocks(25).len(), 25);
    }
}
