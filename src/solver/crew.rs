//! Threads that go through a list of positions and help each other with the last ones.

use super::shared::TranspositionTable;
use super::{Solver, TableError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Counts the threads that still have positions of their own: who has none helps the
/// others, until nobody has.
///
/// ```
/// use fourbook::solver::{Crew, TranspositionTable};
/// use fourbook::{Limits, Position, Size, Solver};
/// use std::sync::Arc;
///
/// let table = Arc::new(TranspositionTable::new(Size::STANDARD, 16 << 20)?);
/// let crew = Crew::new(&table, 2);
/// let scores = std::thread::scope(|scope| {
///     let score = |moves| {
///         let mut worker = crew.worker()?;
///         let position = Position::from_moves(moves).expect("they are legal");
///         let score = worker.solver().score(position, &Limits::default());
///         worker.help_others();
///         Ok(score)
///     };
///     let threads = ["5622736721521", "62333261132"].map(|moves| scope.spawn(move || score(moves)));
///     threads.map(|thread| thread.join().expect("it does not panic"))
/// });
/// let [first, second] = scores.map(|score: Result<_, fourbook::solver::TableError>| score);
/// assert_eq!((first?, second?), (Ok(-8), Ok(-4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crew {
    table: Arc<TranspositionTable>,
    /// Threads with positions of their own, or yet to come.
    busy: AtomicUsize,
    /// Set when there are none.
    done: AtomicBool,
}

impl Crew {
    /// A crew of so many threads, each of which is to take one [`worker`](Self::worker).
    #[must_use]
    pub fn new(table: &Arc<TranspositionTable>, threads: usize) -> Crew {
        Crew {
            table: Arc::clone(table),
            busy: AtomicUsize::new(threads),
            done: AtomicBool::new(threads == 0),
        }
    }

    /// A solver for one of the threads.
    ///
    /// # Errors
    ///
    /// If there is no memory for the solver.
    pub fn worker(&self) -> Result<Worker<'_>, TableError> {
        match Solver::sharing(Arc::clone(&self.table)) {
            Ok(solver) => Ok(Worker { crew: self, solver, is_busy: true }),
            Err(error) => {
                self.one_less();
                Err(error)
            }
        }
    }

    /// One thread has no positions left.
    fn one_less(&self) {
        if self.busy.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.done.store(true, Ordering::Relaxed);
            self.table.wake_helpers();
        }
    }
}

/// A solver of a [`Crew`].
#[derive(Debug)]
pub struct Worker<'a> {
    crew: &'a Crew,
    solver: Solver,
    is_busy: bool,
}

impl Worker<'_> {
    /// The solver.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Has no positions left, and helps the others until no worker has any.
    pub fn help_others(mut self) {
        self.no_longer_busy();
        self.solver.help(&self.crew.done);
    }

    fn no_longer_busy(&mut self) {
        if std::mem::take(&mut self.is_busy) {
            self.crew.one_less();
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.no_longer_busy();
    }
}
