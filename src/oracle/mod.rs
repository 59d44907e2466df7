//! Answers for positions: from the book if it has them, else from the solver.
//!
//! What is known of a position so far is its [`Knowledge`]; [`PositionReport`] is the one
//! shape in which programs, servers and files tell of it. A [`GameReview`] goes through a
//! whole game.

mod game;
mod knowledge;
mod many;
mod report;

pub use game::{Game, GameReview, Mark, ReviewedMove, ReviewedPosition};
pub use knowledge::{Knowledge, Known};
pub use report::{MoveReport, PositionReport};

use crate::board::{Outcome, Position, Score, Size};
use crate::book::{Book, Lookup, MissingValue};
use crate::solver::{Analysis, Limits, Solver, Stopped, TableError, TranspositionTable, score_all};
use serde::{Serialize, Serializer};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// An entry of the book.
    Book,
    /// Worked out from the rules (the game is over, or won with the next
    /// stone) or from book entries one ply on.
    Derived,
    /// A search.
    Solver,
}

impl Source {
    /// All there are.
    pub const ALL: [Source; 3] = [Source::Book, Source::Derived, Source::Solver];

    /// Its name in everything that is printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::Book => "book",
            Source::Derived => "derived",
            Source::Solver => "solver",
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A value, its source and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What was asked for.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
    /// Nodes that searches for it visited; 0 if nothing was searched.
    pub nodes: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The search reached a limit.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There was no memory for another solver.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The book should have a value and has none: it is damaged.
    #[error(transparent)]
    Missing(#[from] MissingValue),
}

/// Answers from a book with the solver as fallback; shared by threads.
///
/// A position whose board has another size than the oracle's is a mistake of the program:
/// every method that takes one panics.
///
/// ```
/// use fourbook::{Book, Limits, Oracle, Position, Source};
/// let oracle = Oracle::new(Book::embedded(), 16 << 20)?;
/// let answer = oracle.score(Position::from_moves("")?, &Limits::default())?;
/// assert_eq!((answer.value, answer.source), (1, Source::Book));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle {
    book: Option<Arc<Book>>,
    table: Arc<TranspositionTable>,
    /// Solvers that no thread is using.
    idle: Mutex<Vec<Solver>>,
    /// Nodes of all searches that have ended.
    nodes: AtomicU64,
}

impl Oracle {
    /// An oracle over a book, which others may share, and a table of about `table_bytes` bytes
    /// for the solver.
    ///
    /// # Errors
    ///
    /// If there is no memory for the table.
    pub fn new(book: impl Into<Arc<Book>>, table_bytes: usize) -> Result<Oracle, TableError> {
        let book = book.into();
        let table = TranspositionTable::new(book.size(), table_bytes)?;
        Ok(Self::sharing(Some(book), Arc::new(table)))
    }

    /// An oracle that solves all positions of boards of a size, with a table of about
    /// `table_bytes` bytes.
    ///
    /// ```
    /// use fourbook::{Limits, Oracle, Position, Size};
    /// let oracle = Oracle::without_book(Size::new(4, 4)?, 1 << 20)?;
    /// let answer = oracle.score(Position::empty(oracle.size()), &Limits::default())?;
    /// assert_eq!(answer.value, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no memory for the table.
    pub fn without_book(size: Size, table_bytes: usize) -> Result<Oracle, TableError> {
        Ok(Self::sharing(None, Arc::new(TranspositionTable::new(size, table_bytes)?)))
    }

    /// An oracle over a book, if there is one, and a table for the solver that
    /// others may share.
    ///
    /// # Panics
    ///
    /// If the book is for boards of another size than the table.
    #[must_use]
    pub fn sharing(book: Option<Arc<Book>>, table: Arc<TranspositionTable>) -> Oracle {
        let size = book.as_ref().map_or(table.size(), |book| book.size());
        assert_eq!(size, table.size(), "book and table are for boards of one size");
        Oracle { book, table, idle: Mutex::new(Vec::new()), nodes: AtomicU64::new(0) }
    }

    /// The boards that it answers for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.table.size()
    }

    /// The solver's table.
    #[must_use]
    pub fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// The book, if there is one.
    #[must_use]
    pub fn book(&self) -> Option<&Book> {
        self.book.as_deref()
    }

    /// Nodes that its searches have visited so far; 0 as long as the book knew all that was
    /// asked.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The exact score of a position.
    ///
    /// # Errors
    ///
    /// If the position has to be searched and a limit is reached, or there is no memory for
    /// another solver; or if the book should have its value and has not. Nothing is searched
    /// in place of a damaged book.
    ///
    /// # Panics
    ///
    /// If the position's board has another size.
    pub fn score(&self, position: Position, limits: &Limits) -> Result<Answer<Score>, OracleError> {
        self.answer(position, Lookup::score, |solver| solver.score(position, limits))
    }

    /// Who wins, for the side to move; where a search is needed, cheaper than
    /// the score.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the position's board has another size.
    pub fn outcome(
        &self,
        position: Position,
        limits: &Limits,
    ) -> Result<Answer<Outcome>, OracleError> {
        self.answer(position, Lookup::outcome, |solver| solver.outcome(position, limits))
    }

    /// The scores of a position and of all its moves. The source is that of
    /// the position's own score; moves that lead out of the book are searched.
    /// Limits count for all searches together. Several threads search moves side by side,
    /// and help each other with the last ones.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the position's board has another size.
    pub fn analyse(
        &self,
        position: Position,
        limits: &Limits,
    ) -> Result<Answer<Analysis>, OracleError> {
        let mut knowledge = self.known(position);
        self.complete(&mut knowledge, limits, &mut |_| ())?;
        Ok(knowledge.answer().expect("all is known when it is complete"))
    }

    /// What the rules and the book say about a position and its moves, at once: nothing is
    /// searched.
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded(), 16 << 20)?;
    /// let knowledge = oracle.known(Position::from_moves("4453")?);
    /// assert_eq!(knowledge.score().map(|known| known.score), Some(-2));
    /// assert!(knowledge.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the position's board has another size.
    #[must_use]
    pub fn known(&self, position: Position) -> Knowledge {
        self.assert_size(position);
        Knowledge::of(self.book(), position)
    }

    /// Solves the moves of which nothing is known, those nearest to the centre first.
    /// `on_move` is told what is known by then after each of them; if several threads solve
    /// moves side by side, only at the end. Limits count for all moves together. What has
    /// been found when a limit is reached is kept.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the position's board has another size.
    pub fn complete(
        &self,
        knowledge: &mut Knowledge,
        limits: &Limits,
        on_move: &mut dyn FnMut(&Knowledge),
    ) -> Result<(), OracleError> {
        let unknown = knowledge.unknown_moves();
        if unknown.is_empty() {
            return Ok(());
        }
        if knowledge.score().is_none() {
            let position = knowledge.position();
            self.check_damage(position, self.look_up(position))?;
        }
        let at_a_time = if limits.threads.unwrap_or(1) > 1 { unknown.len() } else { 1 };
        let mut spent = 0;
        for columns in unknown.chunks(at_a_time) {
            let position = knowledge.position();
            let children: Vec<Position> =
                columns.iter().map(|&column| position.play(column)).collect();
            let answer = self.solve_all(&children, &limits.after(spent))?;
            spent += answer.nodes;
            knowledge.learn(columns, &answer.value, answer.nodes);
            on_move(knowledge);
        }
        Ok(())
    }

    /// The moves of perfect play from a position to the end of the game, columns from 0;
    /// where several moves are best, one that the book knows, else the one nearest to the
    /// centre.
    ///
    /// ```
    /// use fourbook::{Limits, Oracle, Position, Size};
    /// let oracle = Oracle::without_book(Size::new(4, 4)?, 1 << 20)?;
    /// let line = oracle.principal_variation(Position::empty(oracle.size()), &Limits::default())?;
    /// assert_eq!(line.value.len(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the position's board has another size.
    pub fn principal_variation(
        &self,
        mut position: Position,
        limits: &Limits,
    ) -> Result<Answer<Vec<usize>>, OracleError> {
        let Answer { value: mut score, source, mut nodes } = self.score(position, limits)?;
        let mut line = Vec::new();
        while !position.is_over() {
            let best = self.best_move(position, score, &limits.after(nodes))?;
            nodes += best.nodes;
            line.push(best.value);
            position = position.play(best.value);
            score = -score;
        }
        Ok(Answer { value: line, source, nodes })
    }

    /// A column that reaches the score of a position that is not over.
    fn best_move(
        &self,
        position: Position,
        score: Score,
        limits: &Limits,
    ) -> Result<Answer<usize>, OracleError> {
        let knowledge = self.known(position);
        let mut nodes = 0;
        for column in knowledge.candidates(score) {
            let answer = self.score(position.play(column), &limits.after(nodes))?;
            nodes += answer.nodes;
            if -answer.value == score {
                return Ok(Answer { value: column, source: answer.source, nodes });
            }
        }
        unreachable!("some move reaches the score")
    }

    /// Helps all searches over this oracle's [table](Self::table), whenever one takes long,
    /// until `leave` is set. Who sets it calls
    /// [`wake_helpers`](TranspositionTable::wake_helpers) then.
    ///
    /// Where many threads share an oracle, those that have nothing to answer can make
    /// themselves useful so.
    ///
    /// # Errors
    ///
    /// If there is no memory for another solver.
    ///
    /// ```
    /// use fourbook::{Limits, Oracle, Position, Size};
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// let oracle = Oracle::without_book(Size::STANDARD, 16 << 20)?;
    /// let leave = AtomicBool::new(false);
    /// let answer = std::thread::scope(|scope| {
    ///     scope.spawn(|| oracle.help(&leave));
    ///     let answer = oracle.score(Position::from_moves("5622736721521")?, &Limits::default());
    ///     leave.store(true, Ordering::Relaxed);
    ///     oracle.table().wake_helpers();
    ///     Ok::<_, Box<dyn std::error::Error>>(answer?)
    /// })?;
    /// assert_eq!(answer.value, -8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn help(&self, leave: &AtomicBool) -> Result<(), OracleError> {
        self.with_solver(|solver| solver.help(leave))?;
        Ok(())
    }

    /// What the book knows of a position, or else the solver.
    fn answer<T>(
        &self,
        position: Position,
        known: impl FnOnce(Lookup) -> Option<T>,
        solve: impl FnOnce(&mut Solver) -> Result<T, Stopped>,
    ) -> Result<Answer<T>, OracleError> {
        let lookup = self.look_up(position);
        Ok(match known(lookup) {
            Some(value) => Answer { value, source: source_of(lookup), nodes: 0 },
            None => {
                self.check_damage(position, lookup)?;
                self.solve(solve)?
            }
        })
    }

    /// Makes sure that a position may be solved as the book was not to have it.
    fn check_damage(&self, position: Position, lookup: Lookup) -> Result<(), MissingValue> {
        match (&self.book, lookup) {
            (Some(book), Lookup::Damaged) => Err(book.missing(position)),
            _ => Ok(()),
        }
    }

    fn assert_size(&self, position: Position) {
        assert_eq!(position.size(), self.size(), "an oracle is for boards of one size");
    }

    fn look_up(&self, position: Position) -> Lookup {
        self.assert_size(position);
        look_up(self.book(), position)
    }

    /// The scores of positions, by this solver and one for each other thread.
    fn score_all(
        &self,
        solver: &mut Solver,
        positions: &[Position],
        limits: &Limits,
    ) -> Result<Vec<Score>, Stopped> {
        let lend = |task: &mut dyn FnMut(&mut Solver)| {
            // Without memory for another solver, the others do its work.
            let _ = self.with_solver(task);
        };
        score_all(solver, positions, limits, &lend)
    }

    /// Solves something.
    fn solve<T>(
        &self,
        task: impl FnOnce(&mut Solver) -> Result<T, Stopped>,
    ) -> Result<Answer<T>, OracleError> {
        let (result, nodes) = self.with_solver(|solver| {
            let before = solver.nodes();
            (task(solver), solver.nodes() - before)
        })?;
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        Ok(Answer { value: result?, source: Source::Solver, nodes })
    }

    /// Lets a solver that nobody uses do something.
    fn with_solver<T>(&self, task: impl FnOnce(&mut Solver) -> T) -> Result<T, TableError> {
        // A thread that panicked holding the lock has left the list as it was.
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
}

/// What the rules and a book, if there is one, say about a position.
fn look_up(book: Option<&Book>, position: Position) -> Lookup {
    match book {
        Some(book) => book.look_up(position),
        None => Lookup::without_book(position),
    }
}

/// The source of an answer that has a value.
fn source_of(lookup: Lookup) -> Source {
    match lookup {
        Lookup::Stored(_) => Source::Book,
        Lookup::Derived(_) | Lookup::Rules(_) => Source::Derived,
        Lookup::TooDeep | Lookup::Absent | Lookup::Damaged => Source::Solver,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared_by_threads<T: Send + Sync + std::fmt::Debug>() {}

    #[test]
    fn threads_can_share_all_that_answers() {
        shared_by_threads::<Oracle>();
        shared_by_threads::<Book>();
    }

    #[test]
    #[should_panic(expected = "boards of one size")]
    fn a_position_of_another_size_is_refused() {
        let oracle = Oracle::without_book(Size::new(8, 8).unwrap(), 1 << 20).unwrap();
        let _ = oracle.outcome(Position::default(), &Limits::default());
    }

    #[test]
    #[should_panic(expected = "boards of one size")]
    fn a_table_for_other_boards_than_the_book_is_refused() {
        let bytes: &[u8] = include_bytes!("../../books/7x6-d8.book");
        let book = Arc::new(Book::from_bytes(bytes).unwrap());
        let table = TranspositionTable::new(Size::new(6, 6).unwrap(), 1 << 20).unwrap();
        let _ = Oracle::sharing(Some(book), Arc::new(table));
    }
}
