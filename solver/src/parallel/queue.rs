//! Tasks for threads. A thread without a task helps the searches under way.

use super::helper::Helper;
use super::searches::Searches;
use crate::stack::{STACK_BYTES, mark_large_stack};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

type Task<'t> = Box<dyn FnOnce() + Send + 't>;

/// A queue of tasks for any number of threads. Tasks start in order; threads without a task
/// help the searches under way, and leave them when a task comes.
pub(super) struct TaskQueue<'t> {
    searches: Arc<Searches>,
    state: Mutex<State<'t>>,
    /// Set while a task waits, or when all have ended; changed only while the state is locked.
    leave: AtomicBool,
}

#[derive(Default)]
struct State<'t> {
    waiting: VecDeque<Task<'t>>,
    running: usize,
    closed: bool,
}

impl State<'_> {
    fn has_ended(&self) -> bool {
        self.closed && self.waiting.is_empty() && self.running == 0
    }
}

impl<'t> TaskQueue<'t> {
    /// An empty queue whose idle threads help `searches`.
    pub(super) fn new(searches: Arc<Searches>) -> Self {
        TaskQueue { searches, state: Mutex::default(), leave: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State<'t>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task to the end of the queue.
    pub(super) fn push(&self, task: impl FnOnce() + Send + 't) {
        self.change(|state| state.waiting.push_back(Box::new(task)));
    }

    /// Lets [`work`](Self::work) return once all tasks have ended. Tasks that are pushed later
    /// may never run.
    pub(super) fn close(&self) {
        self.change(|state| state.closed = true);
    }

    /// Runs tasks until the queue is closed and all tasks have ended; call it from each thread.
    pub(super) fn work(&self) {
        let mut helper = Helper::default();
        while !self.lock().has_ended() {
            match self.take() {
                Some(task) => {
                    let _running = Running(self);
                    task();
                }
                None => helper.help_until(&self.searches, &self.leave),
            }
        }
    }

    fn take(&self) -> Option<Task<'t>> {
        let mut taken = None;
        self.change(|state| {
            taken = state.waiting.pop_front();
            state.running += usize::from(taken.is_some());
        });
        taken
    }

    /// Changes the state, and makes helpers leave their searches if there is a task for them or the
    /// queue has ended.
    fn change(&self, change: impl FnOnce(&mut State<'t>)) {
        let mut state = self.lock();
        change(&mut state);
        let leave = !state.waiting.is_empty() || state.has_ended();
        if !self.leave.swap(leave, Ordering::Relaxed) && leave {
            self.searches.wake();
        }
    }
}

/// Counts a running task until dropped, also by a panic.
struct Running<'a, 't>(&'a TaskQueue<'t>);

impl Drop for Running<'_, '_> {
    fn drop(&mut self) {
        self.0.change(|state| state.running -= 1);
    }
}

/// The most threads for each processor. More would only slow one another, and starting
/// thousands takes longer than many a deadline.
const THREADS_PER_PROCESSOR: usize = 4;

/// Runs `task` on each of `threads` threads, including the calling one. Uses at most
/// `THREADS_PER_PROCESSOR` threads for each processor, and fewer if the system provides no more.
/// A thread whose task has ended helps the searches of the others.
pub fn on_threads(searches: &Arc<Searches>, threads: usize, task: &(dyn Fn() + Sync)) {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.clamp(1, THREADS_PER_PROCESSOR * processors);
    let queue = TaskQueue::new(Arc::clone(searches));
    for _ in 0..threads {
        queue.push(task);
    }
    queue.close();
    thread::scope(|scope| {
        for number in 1..threads {
            let thread = thread::Builder::new().name(format!("solver-{number}"));
            let work = || {
                mark_large_stack();
                queue.work();
            };
            if thread.stack_size(STACK_BYTES).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        queue.work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Size};
    use crate::search::NODES_BETWEEN_CHECKS;
    use crate::{Budget, Job, Limits, Solver, Solvers, StopReason, TranspositionTable};
    use std::sync::atomic::AtomicU32;
    use std::sync::mpsc;

    fn table(size: &str) -> Arc<TranspositionTable> {
        Arc::new(TranspositionTable::new(size.parse().unwrap(), 1 << 20).unwrap())
    }

    #[test]
    fn every_task_runs_once_and_threads_return_when_all_have_ended() {
        let ran: Vec<AtomicU32> = (0..1000).map(|_| AtomicU32::new(0)).collect();
        let queue = TaskQueue::new(Arc::default());
        thread::scope(|scope| {
            let threads = [(); 3].map(|()| scope.spawn(|| queue.work()));
            for task in &ran {
                queue.push(|| {
                    task.fetch_add(1, Ordering::Relaxed);
                });
            }
            queue.close();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
        assert!(ran.iter().all(|task| task.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn threads_are_bounded_by_the_processors() {
        let (searches, ran) = (Arc::default(), AtomicU32::new(0));
        let task = || {
            ran.fetch_add(1, Ordering::Relaxed);
        };
        on_threads(&searches, 3, &task);
        assert_eq!(ran.swap(0, Ordering::Relaxed), 3);
        on_threads(&searches, usize::MAX, &task);
        let processors = thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(ran.into_inner() as usize, THREADS_PER_PROCESSOR * processors);
    }

    #[test]
    fn a_task_that_panics_counts_as_ended() {
        let queue = TaskQueue::new(Arc::default());
        queue.push(|| std::panic::resume_unwind(Box::new("this task fails")));
        queue.close();
        thread::scope(|scope| {
            let failing = scope.spawn(|| queue.work());
            assert!(failing.join().is_err());
            queue.work();
        });
    }

    /// A thread helps a search until a task comes, and helps again after it; the searches are
    /// over several tables.
    #[test]
    #[cfg_attr(miri, ignore = "searches too long for an interpreter")]
    fn idle_threads_help_until_there_is_a_task() {
        let searches: Arc<Searches> = Arc::default();
        let queue = TaskQueue::new(Arc::clone(&searches));
        thread::scope(|scope| {
            scope.spawn(|| queue.work());
            for size in ["8x8", "7x7"] {
                let size: Size = size.parse().unwrap();
                let table = TranspositionTable::with_searches(size, 1 << 20, Arc::clone(&searches));
                let table = Arc::new(table.unwrap());
                let cancel = Arc::new(AtomicBool::new(false));
                let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
                let search = scope.spawn(move || {
                    let solver = Solver::sharing(table).unwrap();
                    solver.with_limits(limits).score(Position::empty(size))
                });
                for _ in 0..3 {
                    while searches.helpers() == 0 {
                        thread::yield_now();
                    }
                    let (ran, has_run) = mpsc::channel();
                    queue.push(move || ran.send(()).unwrap());
                    has_run.recv().unwrap();
                }
                cancel.store(true, Ordering::Relaxed);
                let stopped = search.join().unwrap().unwrap_err();
                assert!(stopped.to_string().contains("was cancelled"), "{stopped}");
            }
            queue.close();
        });
    }

    /// After a search has been cancelled, each thread visits no more nodes than between two
    /// checks.
    #[test]
    #[cfg_attr(miri, ignore = "searches too long for an interpreter")]
    fn a_cancelled_search_ends_soon_in_all_threads() {
        const THREADS: usize = 3;
        let table = table("8x8");
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
        let budget = Budget::new(&limits);
        let (solvers, empty) = (Solvers::new(Arc::clone(&table)), Position::empty(table.size()));
        thread::scope(|scope| {
            let search = scope.spawn(|| {
                let (positions, kind) = (std::iter::once((0, empty)), Default::default());
                solvers.run(&Job::new(positions, 1, kind, &budget, THREADS, |_, _| ()))
            });
            while table.searches().helpers() < THREADS - 1 {
                thread::yield_now();
            }
            cancel.store(true, Ordering::Relaxed);
            let before = budget.nodes();
            assert_eq!(search.join().unwrap().unwrap(), Some(StopReason::Cancelled));
            // Twice that number, since a check may have begun before the flag was set.
            let most = 2 * THREADS as u64 * NODES_BETWEEN_CHECKS;
            let nodes = budget.nodes();
            assert!(nodes <= before + most, "{nodes} after {before}");
            assert_eq!(table.searches().helpers(), 0);
        });
    }
}
