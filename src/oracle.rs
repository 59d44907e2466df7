//! One answer for a position: from the book if it has it, else from the solver.

use crate::board::{Outcome, Position, Score, plies_to_end};
use crate::book::{Answer, BookView};
use crate::mapping::ReadMap;
use crate::solver::{
    Analysis, Limits, Solver, Stopped, TableError, TranspositionTable, best_first,
};
use serde::{Serialize, Serializer};
use std::sync::{Arc, Mutex, PoisonError};

/// The book that comes with the program: 7x6 to ply 8, exact scores.
pub const DEFAULT_BOOK: &[u8] = include_bytes!("../books/7x6-d8.book");

/// Where a book's bytes are.
#[derive(Debug)]
pub enum BookBytes {
    /// In a mapped file.
    Mapped(ReadMap),
    /// In the program.
    Embedded(&'static [u8]),
    /// In memory, read from a file that may be changed in place.
    Loaded(Vec<u8>),
}

impl AsRef<[u8]> for BookBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            BookBytes::Mapped(map) => map.as_ref(),
            BookBytes::Embedded(bytes) => bytes,
            BookBytes::Loaded(bytes) => bytes,
        }
    }
}

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

/// How a game goes on from a position under perfect play, as it is told to people
/// and programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outlook {
    /// Score of the position.
    pub score: Score,
    /// Who wins, for the side to move.
    pub outcome: Outcome,
    /// Stones of both sides until the game ends; 0 if it has ended.
    pub plies_to_end: u32,
    /// The columns, from 1, that reach the score, those nearest to the centre first.
    pub best_moves: Vec<usize>,
}

impl Outlook {
    /// The outlook for a position with `ply` stones on a board of `cells` cells, from
    /// its score and those of its moves, as in an [`Analysis`].
    ///
    /// ```
    /// use fourbook::oracle::Outlook;
    /// // Three in the fourth column of an otherwise empty 7x6 board.
    /// let moves = [-4, -4, -3, -1, -3, -4, -4].map(Some);
    /// let outlook = Outlook::new(42, 3, -1, &moves);
    /// assert_eq!((outlook.plies_to_end, outlook.best_moves), (38, vec![4]));
    /// ```
    #[must_use]
    pub fn new(cells: u32, ply: u32, score: Score, moves: &[Option<Score>]) -> Self {
        let best = best_first(moves).into_iter().filter(|&column| moves[column] == Some(score));
        Outlook {
            score,
            outcome: Outcome::of(score),
            plies_to_end: plies_to_end(cells, ply, score),
            best_moves: best.map(|column| column + 1).collect(),
        }
    }
}

/// A value, its source and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// What was asked for.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
    /// Nodes that searches for it visited; 0 if nothing was searched.
    pub nodes: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The search reached a limit.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There was no memory for another solver.
    #[error(transparent)]
    Memory(#[from] TableError),
}

/// Answers from a book with the solver as fallback; shared by threads.
///
/// ```
/// use fourbook::board::Position;
/// use fourbook::oracle::{BookBytes, DEFAULT_BOOK, Oracle, Source};
/// use fourbook::book::Book;
/// use fourbook::solver::Limits;
/// let book = Book::from_bytes(BookBytes::Embedded(DEFAULT_BOOK))?.into_view::<7, 6>()?;
/// let oracle = Oracle::new(Some(book), 16 << 20)?;
/// let answer = oracle.score(Position::EMPTY, &Limits::default())?;
/// assert_eq!((answer.value, answer.source), (1, Source::Book));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle<D, const W: usize, const H: usize> {
    book: Option<BookView<D, W, H>>,
    table: Arc<TranspositionTable>,
    /// Solvers that no thread is using.
    idle: Mutex<Vec<Solver<W, H>>>,
}

impl<D: AsRef<[u8]>, const W: usize, const H: usize> Oracle<D, W, H> {
    /// An oracle over a book, if there is one, and a table of about
    /// `table_bytes` bytes for the solver.
    ///
    /// # Errors
    ///
    /// If there is no memory for the table.
    pub fn new(book: Option<BookView<D, W, H>>, table_bytes: usize) -> Result<Self, TableError> {
        Ok(Self::over(book, Arc::new(TranspositionTable::new(table_bytes)?)))
    }

    /// An oracle over a book, if there is one, and a table for the solver that
    /// others may share, if their boards have the same size.
    #[must_use]
    pub fn over(book: Option<BookView<D, W, H>>, table: Arc<TranspositionTable>) -> Self {
        Oracle { book, table, idle: Mutex::new(Vec::new()) }
    }

    /// The book, if there is one.
    #[must_use]
    pub fn book(&self) -> Option<&BookView<D, W, H>> {
        self.book.as_ref()
    }

    /// The exact score of a position.
    ///
    /// # Errors
    ///
    /// If the position has to be searched and a limit is reached.
    pub fn score(
        &self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Sourced<Score>, Unanswered> {
        self.answer(position, Answer::score, |solver| solver.score(position, limits))
    }

    /// Who wins, for the side to move; where a search is needed, cheaper than
    /// the score.
    ///
    /// # Errors
    ///
    /// If the position has to be searched and a limit is reached.
    pub fn outcome(
        &self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Sourced<Outcome>, Unanswered> {
        self.answer(position, Answer::outcome, |solver| solver.outcome(position, limits))
    }

    /// The scores of a position and of all its moves. The source is that of
    /// the position's own score; moves that lead out of the book are searched.
    /// A limit on nodes counts for all searches together.
    ///
    /// # Errors
    ///
    /// If something has to be searched and a limit is reached.
    pub fn analyse(
        &self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Sourced<Analysis<W>>, Unanswered> {
        let mut nodes = 0;
        let value = Analysis::of(position, |position| {
            let answer = self.score(position, &limits.after(nodes))?;
            nodes += answer.nodes;
            Ok::<_, Unanswered>(answer.value)
        })?;
        Ok(Sourced { value, source: self.source_of_score(position), nodes })
    }

    /// As [`analyse`](Self::analyse), but never searches: `None` if the book
    /// does not have the scores of all moves.
    #[must_use]
    pub fn analyse_from_book(&self, position: Position<W, H>) -> Option<Sourced<Analysis<W>>> {
        let known = |position| self.look_up(position).score().ok_or(());
        let value = Analysis::of(position, known).ok()?;
        Some(Sourced { value, source: self.source_of_score(position), nodes: 0 })
    }

    /// Where the exact score of a position comes from: a book of outcomes has none.
    fn source_of_score(&self, position: Position<W, H>) -> Source {
        let known = self.look_up(position);
        if known.score().is_some() { source_of(known) } else { Source::Solver }
    }

    /// What the book knows of a position, or else the solver.
    fn answer<T>(
        &self,
        position: Position<W, H>,
        known: impl FnOnce(Answer) -> Option<T>,
        solve: impl FnOnce(&mut Solver<W, H>) -> Result<T, Stopped>,
    ) -> Result<Sourced<T>, Unanswered> {
        let answer = self.look_up(position);
        Ok(match known(answer) {
            Some(value) => Sourced { value, source: source_of(answer), nodes: 0 },
            None => self.solve(solve)?,
        })
    }

    fn look_up(&self, position: Position<W, H>) -> Answer {
        match &self.book {
            Some(book) => book.score(position),
            None => position.score_by_rules().map_or(Answer::TooDeep, Answer::Rules),
        }
    }

    /// Lets a solver that nobody uses do something.
    fn solve<T>(
        &self,
        task: impl FnOnce(&mut Solver<W, H>) -> Result<T, Stopped>,
    ) -> Result<Sourced<T>, Unanswered> {
        // A thread that panicked holding the lock has left the list as it was.
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut solver = match taken {
            Some(solver) => solver,
            None => Solver::new(Arc::clone(&self.table))?,
        };
        let before = solver.nodes();
        let outcome = task(&mut solver);
        let nodes = solver.nodes() - before;
        idle().push(solver);
        Ok(Sourced { value: outcome?, source: Source::Solver, nodes })
    }
}

/// The source of an answer that has a value.
fn source_of(answer: Answer) -> Source {
    match answer {
        Answer::Stored(_) => Source::Book,
        Answer::Derived(_) | Answer::Rules(_) => Source::Derived,
        Answer::TooDeep | Answer::Absent => Source::Solver,
    }
}
