//! Threads that go through a list of positions and help each other with the last ones.

use super::shared::TranspositionTable;
use super::{Solver, TableError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the threads that still have positions of their own: who has none helps the
/// others, until nobody has.
///
/// Workers are best made before the threads start. If all that there are have ended, those
/// that help go home, and who comes later has no help.
///
/// ```
/// use fourbook::solver::{Crew, TranspositionTable};
/// use fourbook::{Limits, Position, Size};
/// use std::sync::Arc;
///
/// let table = Arc::new(TranspositionTable::new(Size::STANDARD, 16 << 20)?);
/// let crew = Crew::new(&table);
/// let workers = [crew.worker()?, crew.worker()?];
/// let positions = [Position::from_moves("5622736721521")?, Position::from_moves("62333261132")?];
/// let scores = std::thread::scope(|scope| {
///     let threads = workers.into_iter().zip(positions).map(|(mut worker, position)| {
///         scope.spawn(move || {
///             let score = worker.solver().score(position, &Limits::default());
///             worker.help_others();
///             score
///         })
///     });
///     let threads: Vec<_> = threads.collect();
///     threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
/// });
/// let scores: Vec<_> = scores;
/// assert_eq!(scores, [Ok(-8), Ok(-4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crew {
    table: Arc<TranspositionTable>,
    /// Threads with positions of their own.
    busy: Mutex<usize>,
    /// Set when there are none; changed only while `busy` is locked.
    done: AtomicBool,
}

impl Crew {
    /// A crew without workers, which are to share a table.
    #[must_use]
    pub fn new(table: &Arc<TranspositionTable>) -> Crew {
        Crew { table: Arc::clone(table), busy: Mutex::new(0), done: AtomicBool::new(true) }
    }

    /// A solver for another thread, which has positions of its own until it says that
    /// it [helps](Worker::help_others), or is dropped.
    ///
    /// # Errors
    ///
    /// If there is no memory for the solver.
    pub fn worker(&self) -> Result<Worker<'_>, TableError> {
        let solver = Solver::sharing(Arc::clone(&self.table))?;
        Ok(Worker { busy: self.join(), solver })
    }

    /// Counts another thread with positions of its own.
    pub(crate) fn join(&self) -> Busy<'_> {
        self.count(|busy| busy + 1);
        Busy { crew: self }
    }

    fn count(&self, change: impl FnOnce(usize) -> usize) {
        // The lock is held for nothing that can panic.
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        *busy = change(*busy);
        self.done.store(*busy == 0, Ordering::Relaxed);
    }
}

/// Counts a thread with positions of its own until dropped, be it by a panic.
#[derive(Debug)]
pub(crate) struct Busy<'a> {
    crew: &'a Crew,
}

impl Busy<'_> {
    /// As [`Worker::help_others`].
    pub(crate) fn help_others(self, solver: &mut Solver) {
        let crew = self.crew;
        drop(self);
        solver.help(&crew.done);
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.crew.count(|busy| busy - 1);
        if self.crew.done.load(Ordering::Relaxed) {
            self.crew.table.wake_helpers();
        }
    }
}

/// A solver of a [`Crew`].
#[derive(Debug)]
pub struct Worker<'a> {
    busy: Busy<'a>,
    solver: Solver,
}

impl Worker<'_> {
    /// The solver.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Has no positions left, and helps the others until no worker has any.
    pub fn help_others(self) {
        let Worker { busy, mut solver } = self;
        busy.help_others(&mut solver);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn crew() -> Crew {
        Crew::new(&Arc::new(TranspositionTable::new(Size::STANDARD, 1 << 20).unwrap()))
    }

    fn is_done(crew: &Crew) -> bool {
        crew.done.load(Ordering::Relaxed)
    }

    #[test]
    fn a_crew_is_done_when_all_workers_have_ended_however_they_do() {
        let crew = crew();
        let [first, second, third] = [(); 3].map(|()| crew.worker().unwrap());
        std::thread::scope(|scope| {
            let helper = scope.spawn(|| first.help_others());
            drop(second);
            assert!(!is_done(&crew));
            let panicking = scope.spawn(|| {
                let _third = third;
                std::panic::resume_unwind(Box::new("this thread fails"));
            });
            assert!(panicking.join().is_err());
            helper.join().unwrap();
        });
        assert!(is_done(&crew));
    }

    #[test]
    fn who_comes_when_all_have_ended_is_waited_for_again() {
        let crew = crew();
        crew.worker().unwrap().help_others();
        let (late, helper) = (crew.worker().unwrap(), crew.worker().unwrap());
        assert!(!is_done(&crew));
        std::thread::scope(|scope| {
            scope.spawn(|| helper.help_others());
            late.help_others();
        });
        assert!(is_done(&crew));
    }
}
