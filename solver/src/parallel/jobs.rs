//! Jobs: many positions, solved by several threads side by side.

use super::helper::help;
use super::searches::{SharedPositions, Work};
use super::threads::{on_threads, thread_count};
use crate::ValueKind;
use crate::board::{Position, Score, ScoreBounds};
use crate::limits::{Budget, Limits, StopReason};
use crate::stack::on_large_stack;
use crate::{Solver, TableError, TranspositionTable};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Nodes of one position before other threads start: easier positions are solved by the time
/// that a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// The node limit for all positions together, if many are easy.
const EASY_NODES_IN_ALL: u64 = 8 * EASY_NODES;

/// The most empty cells of a position that most likely takes few nodes.
const LATE_CELLS: u32 = 24;

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

/// Solvers for any number of threads, which share a transposition table.
#[derive(Debug)]
pub struct Solvers {
    table: Arc<TranspositionTable>,
    /// Solvers that no thread is using.
    idle: Mutex<Vec<Solver>>,
    /// Nodes of all budgets.
    nodes: Arc<AtomicU64>,
}

impl Solvers {
    /// Solvers over a table, made when they are needed.
    pub fn new(table: Arc<TranspositionTable>) -> Self {
        Solvers { table, idle: Mutex::default(), nodes: Arc::default() }
    }

    /// A budget whose nodes [`nodes`](Self::nodes) counts, for a call about a position, with the
    /// bounds of its score that are known before.
    pub fn budget(
        &self,
        limits: &Limits,
        position: Option<(Position, ScoreBounds)>,
    ) -> Arc<Budget> {
        Budget::counted(limits, position, Some(Arc::clone(&self.nodes)))
    }

    /// Nodes visited with the budgets of these solvers, by searches that still run as well.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The table.
    pub fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Calls `task` with a solver that no other thread is using.
    pub fn with_one<T>(&self, task: impl FnOnce(&mut Solver) -> T) -> Result<T, TableError> {
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

    /// Solves `count` positions on at most `threads` threads, 0 being one for each processor: easy
    /// ones on this thread, the rest on several. Threads without a position help the others. Each
    /// position has a number of the caller's choice; neighbours share work. Calls `on_result` with
    /// the number and the value of each position, from any thread and in any order. Returns the limit
    /// that was reached, if one was.
    pub fn run<'a>(
        &self,
        positions: impl Iterator<Item = (u64, Position)> + Send + 'a,
        count: u64,
        kind: ValueKind,
        budget: &Arc<Budget>,
        threads: usize,
        on_result: impl Fn(u64, Score) + Send + Sync + 'a,
    ) -> Result<Option<StopReason>, TableError> {
        self.run_job(&Job::new(positions, count, kind, budget, threads, on_result))
    }

    fn run_job(&self, job: &Job<'_>) -> Result<Option<StopReason>, TableError> {
        let threads = job.remaining().threads as usize;
        let is_done = self.with_one(|solver| match threads {
            1 => {
                job.solve_blocks(solver, None);
                true
            }
            _ => job.solve_easy(solver),
        })?;
        let no_memory = OnceLock::new();
        if !is_done {
            on_threads(self.table.searches(), threads, &|| {
                // If there is no memory for another solver, the other threads do its work.
                if let Err(error) = self.with_one(|solver| job.solve_blocks(solver, None)) {
                    let _ = no_memory.set(error);
                }
            });
        }
        // The work is done unless other callers had taken all solvers.
        if let Some(error) = no_memory.into_inner()
            && job.stopped.get().is_none()
            && job.remaining().has_next()
        {
            return Err(error);
        }
        Ok(job.stopped.get().copied())
    }

    /// Returns the value of a position whose score is within `bounds` for certain, or the limit that
    /// was reached.
    pub fn value(
        self: &Arc<Self>,
        position: Position,
        bounds: ScoreBounds,
        kind: ValueKind,
        budget: &Arc<Budget>,
        threads: usize,
    ) -> Result<Result<Score, StopReason>, TableError> {
        if threads == 1 {
            return self.with_one(|solver| solver.value(position, bounds, kind, budget, None));
        }
        let (values, stopped) = self.values(
            &[position],
            move |_: &[OnceLock<Score>], _| bounds,
            kind,
            budget,
            threads,
        )?;
        Ok(values[0].ok_or_else(|| stopped.expect("a limit was reached")))
    }

    /// Returns the values of the positions in order, and the limit that was reached: without one,
    /// every position has its value. `bounds` are the known bounds of each score, from the values
    /// found so far. On one thread, idle threads that help the table's searches take positions.
    pub fn values(
        self: &Arc<Self>,
        positions: &[Position],
        bounds: impl Fn(&[OnceLock<Score>], usize) -> ScoreBounds + Send + Sync + 'static,
        kind: ValueKind,
        budget: &Arc<Budget>,
        threads: usize,
    ) -> Result<(Vec<Option<Score>>, Option<StopReason>), TableError> {
        let values: Vec<OnceLock<Score>> = positions.iter().map(|_| OnceLock::new()).collect();
        let stopped = self.solve_late(positions, &values, &bounds, kind, budget)?;
        let solved = values.iter().take_while(|value| value.get().is_some()).count();
        if solved == positions.len() || stopped.is_some() {
            return Ok((values.into_iter().map(OnceLock::into_inner).collect(), stopped));
        }
        let values: Arc<[OnceLock<Score>]> = values.into();
        let known = Arc::clone(&values);
        let found = Arc::clone(&values);
        let count = (positions.len() - solved) as u64;
        let numbered = (0..).zip(positions.to_vec()).skip(solved);
        let mut job = Job::new(numbered, count, kind, budget, threads, move |number, value| {
            let _ = found[number as usize].set(value);
        });
        job.bounds = Box::new(move |number| bounds(&known, number as usize));
        let helper_ended = AtomicBool::new(false);
        let shared = Arc::new(Shared { job, solvers: Arc::clone(self), helper_ended });
        let stopped = match threads {
            1 => self.with_one(|solver| shared.lead(solver))?,
            _ => self.run_job(&shared.job)?,
        };
        Ok((values.iter().map(|value| value.get().copied()).collect(), stopped))
    }

    /// Solves the first positions on this thread, as long as they are late and take few nodes together: a
    /// job takes as long as many nodes. Returns the limit that was reached, if one was.
    fn solve_late(
        &self,
        positions: &[Position],
        values: &[OnceLock<Score>],
        bounds: &impl Fn(&[OnceLock<Score>], usize) -> ScoreBounds,
        kind: ValueKind,
        budget: &Arc<Budget>,
    ) -> Result<Option<StopReason>, TableError> {
        let late = positions.iter().take_while(|it| it.size().cells() - it.ply() <= LATE_CELLS);
        let mut late = late.enumerate().peekable();
        if late.peek().is_none() {
            return Ok(None);
        }
        let part = budget.part(EASY_NODES);
        let ended = self.with_one(|solver| {
            late.try_for_each(|(number, &position)| {
                let bounds = bounds(values, number);
                let value = solver.value(position, bounds, kind, &part, None)?;
                values[number].set(value).expect("no other thread solves it");
                Ok(())
            })
        })?;
        budget.take_back(&part);
        let is_part = ended == Err(StopReason::NodeBudget) && budget.nodes_left() > 0;
        Ok(ended.err().filter(|_| !is_part))
    }
}

/// A job that idle threads can help.
struct Shared {
    job: Job<'static>,
    solvers: Arc<Solvers>,
    /// Set when a helper has ended: all positions may be solved, or some given back.
    helper_ended: AtomicBool,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("helper_ended", &self.helper_ended).finish_non_exhaustive()
    }
}

impl Shared {
    /// Solves all positions beside helpers, and returns the limit that was reached.
    fn lead(self: &Arc<Self>, solver: &mut Solver) -> Option<StopReason> {
        let job = &self.job;
        let searches = self.solvers.table.searches();
        let work = Some(Work::Positions(Arc::clone(self) as _)).filter(|_| job.count > 1);
        let _listed = work.map(|work| searches.open(work));
        let is_ours = |work: &Work| match work {
            Work::Search(search) => Arc::ptr_eq(&search.budget, &job.budget),
            Work::Positions(_) => false,
        };
        loop {
            self.helper_ended.swap(false, Ordering::Acquire);
            job.solve_blocks(solver, None);
            if job.is_done() {
                return job.stopped.get().copied();
            }
            // Helpers have the last positions.
            let mut can_help = true;
            while let Some(Work::Search(search)) =
                searches.next(&self.helper_ended, |work| can_help && is_ours(work))
            {
                can_help = help(search, &solver.late, &self.helper_ended);
            }
        }
    }
}

impl SharedPositions for Shared {
    fn is_open(&self) -> bool {
        self.job.stopped.get().is_none() && self.job.remaining().has_next()
    }

    fn help(&self, leave: &AtomicBool) -> bool {
        let _ended = HelperEnded(self);
        // Without a thread, the leader's job goes on.
        matches!(
            on_large_stack(|| {
                self.solvers
                    .with_one(|solver: &mut Solver| self.job.solve_blocks(solver, Some(leave)))
            }),
            Ok(Ok(()))
        )
    }
}

/// Makes the leader look for positions when a helper has ended, also by a panic.
struct HelperEnded<'a>(&'a Shared);

impl Drop for HelperEnded<'_> {
    fn drop(&mut self) {
        self.0.helper_ended.store(true, Ordering::Release);
        self.0.solvers.table.searches().wake();
    }
}

/// Positions to solve, and how far they are solved.
struct Job<'a> {
    remaining: Mutex<Remaining<'a>>,
    /// Returns the known bounds of the score of the position with a number.
    bounds: Box<dyn Fn(u64) -> ScoreBounds + Send + Sync>,
    kind: ValueKind,
    /// The budget of all positions together.
    budget: Arc<Budget>,
    on_result: Box<dyn Fn(u64, Score) + Send + Sync + 'a>,
    count: u64,
    /// Positions solved.
    solved: AtomicU64,
    /// The limit that ended the job: no more positions start.
    stopped: OnceLock<StopReason>,
}

impl<'a> Job<'a> {
    fn new(
        positions: impl Iterator<Item = (u64, Position)> + Send + 'a,
        count: u64,
        kind: ValueKind,
        budget: &Arc<Budget>,
        threads: usize,
        on_result: impl Fn(u64, Score) + Send + Sync + 'a,
    ) -> Self {
        let positions = Box::new(positions);
        let returned = Vec::new();
        let threads = thread_count(threads) as u64;
        Job {
            remaining: Mutex::new(Remaining { positions, returned, left: count, threads }),
            bounds: Box::new(|_| ScoreBounds::NONE),
            kind,
            budget: Arc::clone(budget),
            on_result: Box::new(on_result),
            count,
            solved: AtomicU64::new(0),
            stopped: OnceLock::new(),
        }
    }

    fn remaining(&self) -> MutexGuard<'_, Remaining<'a>> {
        // A poisoned lock means that another thread panicked, which ends the job.
        self.remaining.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves one position after the other as long as they are easy; returns whether the job
    /// is done.
    fn solve_easy(&self, solver: &mut Solver) -> bool {
        let before = self.budget.nodes();
        while self.budget.nodes() - before < EASY_NODES_IN_ALL {
            let Some(next) = self.remaining().next() else { return true };
            let part = self.budget.part(EASY_NODES);
            let solved = solver.value(next.1, (self.bounds)(next.0), self.kind, &part, None);
            self.budget.take_back(&part);
            if solved == Err(StopReason::NodeBudget) && self.budget.nodes_left() > 0 {
                self.remaining().returned.push(next);
                return false;
            }
            if !self.take(next.0, solved) {
                return true;
            }
        }
        false
    }

    /// Solves blocks of positions until there are none, the job is over, or `leave` is set.
    fn solve_blocks(&self, solver: &mut Solver, leave: Option<&AtomicBool>) {
        loop {
            let solved = self.solved.load(Ordering::Relaxed);
            let nodes_each = self.budget.nodes().checked_div(solved).unwrap_or(LIKELY_NODES);
            let mut block = Block { job: self, left: self.remaining().next_block(nodes_each) };
            if block.left.is_empty() {
                return;
            }
            while let Some(&(number, position)) = block.left.last() {
                if self.stopped.get().is_some() {
                    return;
                }
                let bounds = (self.bounds)(number);
                let value = solver.value(position, bounds, self.kind, &self.budget, leave);
                let is_left = leave.is_some_and(|leave| leave.load(Ordering::Relaxed));
                if value.is_err() && is_left && self.budget.reached().is_none() {
                    return;
                }
                block.left.pop();
                if !self.take(number, value) {
                    return;
                }
            }
        }
    }

    /// Whether all positions are solved, or the job was ended before. What other threads stored of
    /// it can then be read.
    fn is_done(&self) -> bool {
        self.stopped.get().is_some() || self.solved.load(Ordering::Acquire) == self.count
    }

    /// Takes the result of a position; returns whether it has one.
    fn take(&self, number: u64, solved: Result<Score, StopReason>) -> bool {
        match solved {
            Ok(value) => {
                (self.on_result)(number, value);
                // Last, since another thread reads all results when it finds the job done.
                self.solved.fetch_add(1, Ordering::Release);
            }
            Err(stopped) => drop(self.stopped.set(stopped)),
        }
        solved.is_ok()
    }
}

/// Positions that a thread has taken, the next one last. Those that it leaves go back when dropped.
struct Block<'r, 'a> {
    job: &'r Job<'a>,
    left: Vec<(u64, Position)>,
}

impl Drop for Block<'_, '_> {
    fn drop(&mut self) {
        if !self.left.is_empty() {
            self.job.remaining().returned.append(&mut self.left);
        }
    }
}

/// The positions that no thread has taken.
struct Remaining<'a> {
    positions: Box<dyn Iterator<Item = (u64, Position)> + Send + 'a>,
    /// Positions that a thread has left, the next one last.
    returned: Vec<(u64, Position)>,
    /// How many others there are.
    left: u64,
    threads: u64,
}

impl Remaining<'_> {
    fn next(&mut self) -> Option<(u64, Position)> {
        self.returned.pop().or_else(|| {
            self.left = self.left.saturating_sub(1);
            self.positions.next()
        })
    }

    fn has_next(&self) -> bool {
        self.left > 0 || !self.returned.is_empty()
    }

    /// The next positions for one thread, the first one last, if each takes about `nodes_each`
    /// nodes. Blocks become smaller towards the end.
    fn next_block(&mut self, nodes_each: u64) -> Vec<(u64, Position)> {
        let share = self.left / (BLOCKS_PER_THREAD * self.threads);
        let length = share.min(BLOCK_NODES / nodes_each.max(1)).clamp(1, LARGEST_BLOCK);
        let mut block: Vec<_> = std::iter::from_fn(|| self.next()).take(length as usize).collect();
        block.reverse();
        block
    }
}

#[cfg(test)]
mod tests {
    use super::super::helper::Helper;
    use super::*;
    use crate::board::Size;
    use crate::stack::refusals;
    use std::sync::mpsc;
    use std::thread;

    /// The numbers in the blocks for two threads of `count` positions.
    fn blocks(count: u64) -> Vec<Vec<u64>> {
        let position = Position::empty(Size::STANDARD);
        let positions = (0..count).map(|number| (number, position));
        let positions = Box::new(positions);
        let mut remaining = Remaining { positions, returned: Vec::new(), left: count, threads: 2 };
        std::iter::from_fn(|| Some(remaining.next_block(2000)).filter(|block| !block.is_empty()))
            .map(|block| block.into_iter().rev().map(|(number, _)| number).collect())
            .collect()
    }

    #[test]
    fn blocks_have_every_position_once_and_in_order() {
        assert_eq!(blocks(200_000).concat(), (0..200_000).collect::<Vec<_>>());
        assert!(blocks(0).is_empty());
    }

    #[test]
    fn a_job_is_not_done_before_its_last_result_is_stored() {
        let position = Position::from_moves("121212").unwrap();
        let job: Arc<OnceLock<Job<'static>>> = Arc::default();
        let weak = Arc::downgrade(&job);
        let on_result = move |_, score| {
            let job = weak.upgrade().expect("it runs");
            assert_eq!((score, job.get().map(Job::is_done)), (18, Some(false)));
        };
        let positions = std::iter::once((0, position));
        let kind = ValueKind::Scores;
        let budget = Budget::new(&Limits::default());
        let job = job.get_or_init(|| Job::new(positions, 1, kind, &budget, 1, on_result));
        let table = Arc::new(TranspositionTable::new(Size::STANDARD, 1 << 20).unwrap());
        job.solve_blocks(&mut Solver::sharing(table).unwrap(), None);
        assert!(job.is_done());
    }

    /// Helpers take positions of their own, and give them back when they leave.
    #[test]
    #[cfg_attr(miri, ignore = "searches too long for an interpreter")]
    fn helpers_take_positions_until_they_leave() {
        let table = Arc::new(TranspositionTable::new(Size::new(8, 8).unwrap(), 1 << 20).unwrap());
        let searches = Arc::clone(table.searches());
        let leave = AtomicBool::new(false);
        let (come, comes) = mpsc::channel();
        let (left, has_left) = mpsc::channel();
        let solvers = Arc::new(Solvers::new(table));
        let empty = Position::empty(Size::new(8, 8).unwrap());
        let cancel = Arc::new(AtomicBool::new(false));
        let budget =
            Budget::new(&Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() });
        let (taken, was_taken) = mpsc::channel();
        let stopped = thread::scope(|scope| {
            scope.spawn(|| {
                for () in comes {
                    Helper::default().help_until(&searches, &leave);
                    left.send(()).unwrap();
                }
            });
            come.send(()).unwrap();
            let leader = scope.spawn(|| {
                solvers.values(
                    &[empty; 2],
                    move |_: &[OnceLock<Score>], number| {
                        taken.send(number).unwrap();
                        ScoreBounds::NONE
                    },
                    ValueKind::Scores,
                    &budget,
                    1,
                )
            });
            // Neither thread ends its position, so the second one is a helper's.
            let mut first = [was_taken.recv().unwrap(), was_taken.recv().unwrap()];
            first.sort_unstable();
            assert_eq!(first, [0, 1]);
            for _ in 0..3 {
                leave.store(true, Ordering::Relaxed);
                searches.wake();
                has_left.recv().unwrap();
                leave.store(false, Ordering::Relaxed);
                come.send(()).unwrap();
                was_taken.recv().unwrap();
            }
            cancel.store(true, Ordering::Relaxed);
            leave.store(true, Ordering::Relaxed);
            searches.wake();
            drop(come);
            leader.join().unwrap().unwrap()
        });
        assert_eq!(stopped, (vec![None; 2], Some(StopReason::Cancelled)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches too long for an interpreter")]
    fn a_leader_that_gets_no_thread_waits_for_its_helpers() {
        let size = Size::new(8, 8).unwrap();
        let table = Arc::new(TranspositionTable::new(size, 1 << 20).unwrap());
        let searches = Arc::clone(table.searches());
        let solvers = Arc::new(Solvers::new(table));
        let easy = Position::parse(size, "121212").unwrap();
        let positions = [easy, Position::empty(size)];
        let cancel = Arc::new(AtomicBool::new(false));
        let leave = AtomicBool::new(false);
        let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
        let budget = Budget::new(&limits);
        let (taken, was_taken) = mpsc::channel();
        let (helps, has_helper) = mpsc::channel::<()>();
        let (refuses, refused) = mpsc::channel();
        let refuses: &'static mpsc::Sender<()> = Box::leak(Box::new(refuses));
        thread::scope(|scope| {
            let leader = scope.spawn(move || {
                refusals::SENT.set(Some(refuses));
                let has_helper = Mutex::new(has_helper);
                solvers.values(
                    &positions,
                    move |_: &[OnceLock<Score>], number| {
                        taken.send(number).unwrap();
                        if number == 0 {
                            // The helper takes the other position before this one is solved.
                            has_helper.lock().unwrap().iter().for_each(drop);
                        }
                        ScoreBounds::NONE
                    },
                    ValueKind::Scores,
                    &budget,
                    1,
                )
            });
            assert_eq!(was_taken.recv(), Ok(0));
            scope.spawn(|| Helper::default().help_until(&searches, &leave));
            assert_eq!(was_taken.recv(), Ok(1));
            drop(helps);
            refused.recv().unwrap();
            cancel.store(true, Ordering::Relaxed);
            let (values, stopped) = leader.join().unwrap().unwrap();
            assert!(values[0].is_some() && values[1].is_none());
            assert_eq!(stopped, Some(StopReason::Cancelled));
            leave.store(true, Ordering::Relaxed);
            searches.wake();
        });
        assert_eq!(refused.try_iter().count(), 0, "it asked once");
    }

    /// With helpers, values are the same and each is found once.
    #[test]
    fn positions_have_the_same_values_with_helpers() {
        let size = Size::new(5, 4).unwrap();
        let solvers =
            || Arc::new(Solvers::new(Arc::new(TranspositionTable::new(size, 1 << 20).unwrap())));
        let mut positions = vec![Position::empty(size)];
        for _ in 0..3 {
            positions = positions.iter().flat_map(|it| it.children().flatten()).collect();
        }
        let values = |solvers: &Arc<Solvers>| {
            let (budget, none) = (Budget::new(&Limits::default()), |_: &[_], _| ScoreBounds::NONE);
            solvers.values(&positions, none, ValueKind::Scores, &budget, 1).unwrap()
        };
        let alone = values(&solvers());
        assert!(alone.0.iter().all(Option::is_some) && alone.1.is_none());
        let together = solvers();
        let searches = together.table.searches();
        let leave = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| Helper::default().help_until(searches, &leave));
            }
            for _ in 0..3 {
                assert_eq!(values(&together), alone);
            }
            leave.store(true, Ordering::Relaxed);
            searches.wake();
        });
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
