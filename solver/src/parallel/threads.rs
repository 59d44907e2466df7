//! A task on several threads. A thread that has done it helps the searches under way.

use super::helper::Helper;
use super::searches::Searches;
use crate::stack::{STACK_BYTES, mark_large_stack};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The threads that have not done the task yet.
struct Busy<'a> {
    searches: &'a Searches,
    number: AtomicUsize,
    /// Set when none is left.
    ended: AtomicBool,
}

/// A thread that has not done the task yet: until this is dropped, also by a panic.
struct BusyThread<'a>(&'a Busy<'a>);

impl<'a> BusyThread<'a> {
    fn new(busy: &'a Busy<'a>) -> Self {
        busy.number.fetch_add(1, Ordering::Relaxed);
        BusyThread(busy)
    }

    /// Does the task, then helps the other threads until all have done it.
    fn work(self, task: &(dyn Fn() + Sync)) {
        let busy = self.0;
        task();
        drop(self);
        Helper::default().help_until(busy.searches, &busy.ended);
    }
}

impl Drop for BusyThread<'_> {
    fn drop(&mut self) {
        if self.0.number.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.ended.store(true, Ordering::Relaxed);
            self.0.searches.wake();
        }
    }
}

/// The most threads for each processor. More would only slow one another, and starting
/// thousands takes longer than many a deadline.
const THREADS_PER_PROCESSOR: usize = 4;

/// The number of threads to start where `threads` are asked for: 0 is one for each processor,
/// everywhere in this crate.
pub fn thread_count(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// The number of threads that are started where `threads` are asked for: at most four for each
/// processor.
pub fn started_threads(threads: usize) -> usize {
    thread_count(threads).min(THREADS_PER_PROCESSOR * thread_count(0))
}

/// Runs `task` on each of [`started_threads`], including the calling one, or on fewer if the system
/// provides no more. A thread whose task has ended helps the searches of the others.
pub fn on_threads(searches: &Arc<Searches>, threads: usize, task: &(dyn Fn() + Sync)) {
    let threads = started_threads(threads);
    let busy = Busy { searches, number: AtomicUsize::new(0), ended: AtomicBool::new(false) };
    let this = BusyThread::new(&busy);
    thread::scope(|scope| {
        for number in 1..threads {
            let other = BusyThread::new(&busy);
            let thread = thread::Builder::new().name(format!("solver-{number}"));
            if thread
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || {
                    mark_large_stack();
                    other.work(task);
                })
                .is_err()
            {
                break;
            }
        }
        this.work(task);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Size};
    use crate::search::NODES_BETWEEN_CHECKS;
    use crate::{Budget, Limits, Solver, Solvers, StopReason, TranspositionTable};
    use std::collections::HashSet;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::AtomicU32;
    use std::sync::{Mutex, mpsc};

    fn table(size: &str) -> Arc<TranspositionTable> {
        Arc::new(TranspositionTable::new(size.parse().unwrap(), 1 << 20).unwrap())
    }

    #[test]
    fn each_thread_does_the_task_once_and_threads_return_when_all_have_done_it() {
        let searches = Arc::default();
        let done = Mutex::new(Vec::new());
        let task = || done.lock().unwrap().push(thread::current().id());
        for _ in 0..100 {
            on_threads(&searches, 3, &task);
            let threads: HashSet<_> = done.lock().unwrap().drain(..).collect();
            assert_eq!(threads.len(), 3);
        }
    }

    #[test]
    fn threads_are_bounded_by_the_processors() {
        let searches = Arc::default();
        let ran = AtomicU32::new(0);
        let task = || {
            ran.fetch_add(1, Ordering::Relaxed);
        };
        on_threads(&searches, 3, &task);
        assert_eq!(ran.swap(0, Ordering::Relaxed), 3);
        on_threads(&searches, usize::MAX, &task);
        assert_eq!(
            ran.swap(0, Ordering::Relaxed) as usize,
            THREADS_PER_PROCESSOR * thread_count(0)
        );
        on_threads(&searches, 0, &task);
        assert_eq!(ran.into_inner() as usize, thread_count(0));
    }

    #[test]
    fn a_task_that_panics_counts_as_done() {
        let has_failed = AtomicBool::new(false);
        let task = || {
            if !has_failed.swap(true, Ordering::Relaxed) {
                resume_unwind(Box::new("this task fails"));
            }
        };
        assert!(catch_unwind(AssertUnwindSafe(|| on_threads(&Arc::default(), 3, &task))).is_err());
    }

    /// A helper leaves a search on request, and helps again; the searches are over several tables.
    #[test]
    #[cfg_attr(miri, ignore = "searches too long for an interpreter")]
    fn helpers_leave_and_come_again() {
        let searches: Arc<Searches> = Arc::default();
        let leave = AtomicBool::new(false);
        let (come, comes) = mpsc::channel();
        let (left, has_left) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut helper = Helper::default();
                for () in comes {
                    helper.help_until(&searches, &leave);
                    left.send(()).unwrap();
                }
            });
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
                    come.send(()).unwrap();
                    while searches.helpers() == 0 {
                        thread::yield_now();
                    }
                    leave.store(true, Ordering::Relaxed);
                    searches.wake();
                    has_left.recv().unwrap();
                    leave.store(false, Ordering::Relaxed);
                }
                cancel.store(true, Ordering::Relaxed);
                let stopped = search.join().unwrap().unwrap_err();
                assert!(stopped.to_string().contains("was cancelled"), "{stopped}");
            }
            drop(come);
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
        let solvers = Solvers::new(Arc::clone(&table));
        let empty = Position::empty(table.size());
        thread::scope(|scope| {
            let search = scope.spawn(|| {
                let positions = std::iter::once((0, empty));
                let kind = Default::default();
                solvers.run(positions, 1, kind, &budget, THREADS, |_, _| ())
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
