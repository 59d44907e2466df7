//! Answers for positions: from the book if it has them, else from the solver.
//!
//! [`Oracle::query`] begins to answer a [`Question`], and [`Query::step`] goes on. What is known of a
//! position is its [`Analysis`]; [`PositionReport`] is the one shape in which programs, servers and
//! files print it.

mod ahead;
mod analysis;
mod explanation;
mod game;
mod many;
mod query;
mod report;

pub use analysis::Analysis;
pub use explanation::{Explanation, Four, Reason};
pub use game::{Game, GameReview, Mark, ReviewedMove, ReviewedPosition};
pub use query::{Query, Question, Step};
pub use report::PositionReport;

use crate::book::{Book, BookError, Lookup};
use crate::level::Level;
use crate::strategy::Strategy;
use fourbook_solver::board::{Outcome, Position, Score, ScoreBounds, Size, SizeError};
use fourbook_solver::{
    Budget, HAS_CLOCK, Limits, Solvers, Stopped, TableError, TranspositionTable, thread_count,
};
use fourbook_solver::{ValueKind, named};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

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
    /// The book is damaged where the value is, lacks it, or is for boards of another size.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The position's board has another size than the oracle's.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// An entry of the book.
    Book,
    /// An entry of a strategy.
    Strategy,
    /// Worked out from the rules (the game is over, or won with the next
    /// stone) or from book entries one ply on.
    Derived,
    /// A search.
    Solver,
}

named!(Source, "source", 4: Book = "book", Strategy = "strategy", Derived = "derived", Solver = "solver");

impl Source {
    /// The source of a lookup's result; the solver if there is none.
    fn of(lookup: Lookup) -> Source {
        match lookup {
            Lookup::Stored(_) => Source::Book,
            Lookup::Derived(_) | Lookup::Rules(_) => Source::Derived,
            Lookup::TooDeep | Lookup::Absent => Source::Solver,
        }
    }
}

/// A value, its source and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
    /// Nodes that searches for it visited; 0 if nothing was searched.
    pub nodes: u64,
}

/// The values found, in the order of the positions, and the limit that was reached before all were.
type Values = (Vec<Option<Score>>, Result<(), Stopped>);

/// Answers from a book with the solver as fallback; shared by threads.
///
/// A clone shares the book, the table and the solvers. An oracle searches on one thread and
/// without limits unless [`with_threads`](Self::with_threads) and
/// [`with_limits`](Self::with_limits) say otherwise; limits hold for each call as a whole.
///
/// Every method that takes a position returns an error if its board has another size than the
/// oracle's.
///
/// ```
/// use fourbook::{Book, Oracle, Position, Source};
/// let oracle = Oracle::new(Book::embedded())?;
/// let answer = oracle.score(Position::from_moves("")?)?;
/// assert_eq!((answer.value, answer.source), (1, Source::Book));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Oracle {
    parts: Arc<Parts>,
    limits: Limits,
    threads: usize,
}

/// The parts that clones of an oracle share.
#[derive(Debug)]
struct Parts {
    book: Option<Arc<Book>>,
    strategies: Arc<[Strategy]>,
    solvers: Arc<Solvers>,
}

impl Oracle {
    /// An oracle over a book, which others may share, with a transposition table of
    /// [`DEFAULT_BYTES`](TranspositionTable::DEFAULT_BYTES).
    ///
    /// # Errors
    ///
    /// If there is no memory for the table.
    pub fn new(book: impl Into<Arc<Book>>) -> Result<Oracle, TableError> {
        let book = book.into();
        let table = TranspositionTable::new(book.size(), TranspositionTable::DEFAULT_BYTES)?;
        Ok(Self::sharing(Some(book), Arc::new(table)))
    }

    /// An oracle that solves all positions of boards of a size, with a transposition table of
    /// [`DEFAULT_BYTES`](TranspositionTable::DEFAULT_BYTES).
    ///
    /// ```
    /// use fourbook::{Oracle, Position, Size};
    /// let oracle = Oracle::without_book(Size::new(4, 4)?)?;
    /// let answer = oracle.score(Position::empty(oracle.size()))?;
    /// assert_eq!(answer.value, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no memory for the table.
    pub fn without_book(size: Size) -> Result<Oracle, TableError> {
        let table = TranspositionTable::new(size, TranspositionTable::DEFAULT_BYTES)?;
        Ok(Self::sharing(None, Arc::new(table)))
    }

    /// An oracle over an optional book, for boards of a size, with a transposition table of at
    /// most `table_bytes` bytes.
    ///
    /// # Errors
    ///
    /// If there is no memory for the table, or the book is for boards of another size.
    pub fn with_memory(
        book: Option<Arc<Book>>,
        size: Size,
        table_bytes: usize,
    ) -> Result<Oracle, OracleError> {
        book.iter().try_for_each(|book| book.check_size(size))?;
        Ok(Self::sharing(book, Arc::new(TranspositionTable::new(size, table_bytes)?)))
    }

    /// An oracle over an optional book and a transposition table that others may share.
    ///
    /// # Panics
    ///
    /// If the book is for boards of another size than the table.
    pub fn sharing(book: Option<Arc<Book>>, table: Arc<TranspositionTable>) -> Oracle {
        let size = book.as_ref().map_or(table.size(), |book| book.size());
        assert_eq!(size, table.size(), "book and table are for boards of one size");
        let solvers = Arc::new(Solvers::new(table));
        let parts = Parts { book, strategies: Arc::default(), solvers };
        Oracle { parts: Arc::new(parts), limits: Limits::default(), threads: 1 }
    }

    /// This oracle with strategies, in place of those before. The moves of a strategy of exact scores
    /// are [best moves](Self::best_move) where the book has no answer, and its values, if it has
    /// values, [scores](Self::score). A strategy of outcomes gives neither: the
    /// [perfect level](crate::Level::PERFECT) alone follows it, from the first move on.
    ///
    /// # Errors
    ///
    /// If a strategy is for boards of another size, or two are for the same player.
    pub fn with_strategies(
        &self,
        strategies: impl Into<Arc<[Strategy]>>,
    ) -> Result<Oracle, BookError> {
        let size = self.size();
        let strategies = strategies.into();
        for (number, strategy) in strategies.iter().enumerate() {
            let mut before = strategies[..number].iter();
            let is_second = before.any(|other| other.player() == strategy.player());
            if strategy.size() != size || is_second {
                return Err(BookError::Strategy { size, found: strategy.to_string() });
            }
        }
        let Parts { book, solvers, .. } = &*self.parts;
        let parts = Parts { book: book.clone(), strategies, solvers: Arc::clone(solvers) };
        Ok(Oracle { parts: Arc::new(parts), ..self.clone() })
    }

    /// This oracle with limits on the searches of each call.
    ///
    /// ```
    /// use fourbook::{Limits, Oracle, Position, Size};
    /// let oracle = Oracle::without_book(Size::STANDARD)?;
    /// let limits = Limits { max_nodes: Some(1000), ..Limits::default() };
    /// assert!(oracle.with_limits(limits).score(Position::from_moves("")?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limits(&self, limits: Limits) -> Oracle {
        Oracle { limits, ..self.clone() }
    }

    /// The limits on the searches of each call.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// This oracle with at most `threads` threads for the searches of each call, 0 being one for each
    /// processor, and at most four for each. They start when a search takes longer than about a millisecond, and
    /// change no score.
    #[must_use]
    pub fn with_threads(&self, threads: usize) -> Oracle {
        Oracle { threads: thread_count(threads), ..self.clone() }
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.table().size()
    }

    /// The transposition table.
    pub fn table(&self) -> &Arc<TranspositionTable> {
        self.parts.solvers.table()
    }

    /// The book, if there is one.
    pub fn book(&self) -> Option<&Book> {
        self.parts.book.as_deref()
    }

    /// Nodes that searches have visited, searches under way included; 0 while the book answers
    /// everything.
    pub fn nodes(&self) -> u64 {
        self.parts.solvers.nodes()
    }

    /// The exact score of a position.
    ///
    /// # Errors
    ///
    /// If the position's board has another size. If the position has to be searched, and a limit is
    /// reached or there is no memory for another solver. If the book lacks a value that it should
    /// have: a damaged book is an error, never replaced by a search.
    pub fn score(&self, position: Position) -> Result<Answer<Score>, OracleError> {
        let lookup = self.look_up(position)?;
        if let Some(value) = lookup.score() {
            return Ok(Answer { value, source: Source::of(lookup), nodes: 0 });
        }
        self.ask(position, Question::Score)?.answer(|known| known.score())
    }

    /// Who wins, for the side to move; cheaper than the score if a search is needed.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn outcome(&self, position: Position) -> Result<Answer<Outcome>, OracleError> {
        let lookup = self.look_up(position)?;
        if let Some(value) = lookup.outcome() {
            return Ok(Answer { value, source: Source::of(lookup), nodes: 0 });
        }
        self.ask(position, Question::Outcome)?.answer(|known| known.outcome())
    }

    /// A move of perfect play, a column from 0; `None` if the game is over. If several moves are
    /// best, it is one that the book knows, else that of a strategy of exact scores, else the one
    /// nearest to the centre.
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let best = oracle.best_move(Position::from_moves("44")?)?;
    /// assert_eq!(best.value, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn best_move(&self, position: Position) -> Result<Answer<Option<usize>>, OracleError> {
        self.ask(position, Question::BestMove)?.answer(|known| Some(known.line().first().copied()))
    }

    /// The strategies, at most one for each player.
    pub fn strategies(&self) -> &[Strategy] {
        &self.parts.strategies
    }

    /// The strategy of the side to move.
    fn strategy(&self, position: Position) -> Option<&Strategy> {
        self.parts.strategies.iter().find(|strategy| strategy.player() == position.to_move())
    }

    /// The move of a strategy of this kind, a column from 0; `None` if none has the position.
    pub(crate) fn strategy_move(&self, position: Position, kind: ValueKind) -> Option<usize> {
        self.strategy(position).filter(|it| it.kind() == kind)?.best_move(position)
    }

    /// The score of a position and all its best moves, columns from 0 in ascending order; none if the
    /// game is over. Takes less than [`analyse`](Self::analyse): other moves are only proved worse.
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let best = oracle.best_moves(Position::from_moves("4453")?)?;
    /// assert_eq!(best.value, (-2, vec![2, 5, 6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score). If a limit is reached once the score is known, the
    /// [bounds](Stopped::bounds) are equal.
    pub fn best_moves(
        &self,
        position: Position,
    ) -> Result<Answer<(Score, Vec<usize>)>, OracleError> {
        self.ask(position, Question::BestMoves)?.answer(|known| {
            let mut best = known.best_moves();
            best.sort_unstable();
            Some((known.score()?, best))
        })
    }

    /// The score of a position, and the moves of perfect play from it to the end of the game,
    /// columns from 0.
    ///
    /// ```
    /// use fourbook::{Oracle, Position, Size};
    /// let oracle = Oracle::without_book(Size::new(4, 4)?)?;
    /// let (score, moves) = oracle.line(Position::empty(oracle.size()))?.value;
    /// assert_eq!((score, moves.len()), (0, 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn line(&self, position: Position) -> Result<Answer<(Score, Vec<usize>)>, OracleError> {
        self.ask(position, Question::Line)?
            .answer(|known| Some((known.score()?, known.line().to_vec())))
    }

    /// The scores of a position and of all its moves. Moves that lead out of the book are searched.
    /// Several threads search moves side by side, and help each other with the last ones.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn analyse(&self, position: Position) -> Result<Analysis, OracleError> {
        Ok(self.ask(position, Question::Moves)?.into_known())
    }

    /// Returns the scores that the rules, the book and the strategies give for a position and its
    /// moves, at once and without a search.
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let known = oracle.known(Position::from_moves("4453")?)?;
    /// assert!(known.is_complete());
    /// assert_eq!(known.score(), Some(-2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the position's board has another size, or the book is damaged or lacks a score that it
    /// should have.
    pub fn known(&self, position: Position) -> Result<Analysis, OracleError> {
        position.check_size(self.size())?;
        let mut known = Analysis::of(self.book(), position)?;
        self.ask_strategies(&mut known);
        Ok(known)
    }

    /// The move that a level plays in a position, a column from 0; `None` if the game is over. And if a
    /// limit has ended the search before that was proved, the results of the search: it is the best
    /// move known then. Without limits on time and nodes, it takes [`Level::USUAL_TIME`] at most.
    ///
    /// ```
    /// use fourbook::{Level, Limits, Oracle, Position, Size};
    /// // The first player has two in a row, and must not get a third with both ends open.
    /// let limits = Limits { max_nodes: Some(1000), ..Limits::default() };
    /// let oracle = Oracle::without_book(Size::new(9, 8)?)?.with_limits(limits);
    /// let position = Position::parse(oracle.size(), "415")?;
    /// let (column, stopped) = oracle.choose_move(position, Level::PERFECT, 1)?;
    /// assert_eq!(column, Some(5));
    /// assert!(stopped.is_some_and(|stopped| stopped.bounds.is_some()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score), but not if the search reaches a limit on time or nodes.
    pub fn choose_move(
        &self,
        position: Position,
        level: Level,
        seed: u64,
    ) -> Result<(Option<usize>, Option<Stopped>), OracleError> {
        let mut limits = self.limits.clone();
        if limits.max_nodes.is_none() && HAS_CLOCK {
            limits.max_time.get_or_insert(Level::USUAL_TIME);
        }
        let mut query = self.query(position, Question::Play { level, seed })?;
        let stopped = match query.step(&limits)? {
            Step::Done => None,
            Step::More(stopped) if stopped.reason.is_limit() => Some(stopped),
            Step::More(stopped) => return Err(stopped.into()),
        };
        let (column, is_proved) = query.choice();
        Ok((column, stopped.filter(|_| !is_proved)))
    }

    /// Answers a question in one step.
    fn ask(&self, position: Position, question: Question) -> Result<Query, OracleError> {
        let mut query = self.query(position, question)?;
        match query.step(&self.limits)? {
            Step::Done => Ok(query),
            Step::More(stopped) => Err(stopped.into()),
        }
    }

    /// A column that reaches the score of a position that is not over.
    fn move_reaching(
        &self,
        score: Score,
        position: Position,
        budget: &Arc<Budget>,
    ) -> Result<usize, OracleError> {
        let candidates = self.known(position)?.candidates(score);
        let (&last, others) = candidates.split_last().expect("some move reaches the score");
        let bounds = query::null_window(score);
        for &column in others {
            let child = position.play(column);
            let found = match self.look_up(child)?.score() {
                Some(score) => score,
                None => self.value(child, bounds, ValueKind::Scores, budget)?,
            };
            if -found == score {
                return Ok(column);
            }
        }
        Ok(last)
    }

    /// Looks up the value of a position alone: by the rules, in the book and in the strategies.
    fn known_value(&self, position: Position) -> Result<Analysis, OracleError> {
        let mut known = Analysis::none(position);
        known.learn_lookup(self.look_up(position)?);
        self.ask_strategies(&mut known);
        Ok(known)
    }

    /// Adds what the strategies know of a position that the book does not score.
    fn ask_strategies(&self, known: &mut Analysis) {
        let position = known.position();
        if known.score().is_some() {
            return;
        }
        if let Some(strategy) = self.strategy(position)
            && let Some(value) = strategy.look_up(position)
        {
            known.learn_bounds(strategy.kind().bounds(value), Source::Strategy);
            if let (Some(score), Some(column)) = (known.score(), strategy.best_move(position)) {
                known.all_moves[column] = Some((score, Source::Strategy));
            }
        }
        for bounds in self.parts.strategies.iter().filter_map(|it| it.bounds(position)) {
            known.learn_bounds(bounds, Source::Strategy);
        }
    }

    /// Adds the value of this kind by a search, unless it is known.
    fn find_value(
        &self,
        known: &mut Analysis,
        kind: ValueKind,
        budget: &Arc<Budget>,
    ) -> Result<(), OracleError> {
        if kind.value(known.bounds()).is_none() {
            let value = self.value(known.position(), known.bounds(), kind, budget)?;
            known.learn_bounds(kind.bounds(value), Source::Solver);
        }
        Ok(())
    }

    /// The value of a position whose score is within `bounds` for certain, by a search.
    fn value(
        &self,
        position: Position,
        bounds: ScoreBounds,
        kind: ValueKind,
        budget: &Arc<Budget>,
    ) -> Result<Score, OracleError> {
        let value = self.parts.solvers.value(position, bounds, kind, budget, self.threads)?;
        value.map_err(|reason| budget.stopped(reason).into())
    }

    /// The values of positions whose scores are within `bounds` for certain, by searches, in order;
    /// and the limit that was reached before all were found. `bounds` may depend on the values found
    /// so far.
    fn values(
        &self,
        positions: &[Position],
        bounds: impl Fn(&[OnceLock<Score>], usize) -> ScoreBounds + Send + Sync + 'static,
        kind: ValueKind,
        budget: &Arc<Budget>,
    ) -> Result<Values, TableError> {
        let (values, reason) =
            self.parts.solvers.values(positions, bounds, kind, budget, self.threads)?;
        Ok((values, reason.map_or(Ok(()), |reason| Err(budget.stopped(reason)))))
    }

    fn look_up(&self, position: Position) -> Result<Lookup, OracleError> {
        position.check_size(self.size())?;
        Ok(look_up(self.book(), position)?)
    }
}

/// Looks a position up in a book, or by the rules alone.
pub(crate) fn look_up(book: Option<&Book>, position: Position) -> Result<Lookup, BookError> {
    match book {
        Some(book) => book.look_up(position),
        None => Ok(Lookup::without_book(position)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook_solver::{SolveError, Solver};

    fn shared_by_threads<T: Send + Sync + std::fmt::Debug>() {}

    #[test]
    fn threads_can_share_all_that_answers() {
        shared_by_threads::<Oracle>();
        shared_by_threads::<Book>();
    }

    #[test]
    fn a_board_of_another_size_is_an_error_of_every_call() {
        let size = Size::new(8, 8).unwrap();
        let bytes: &[u8] = include_bytes!("../../books/7x6-d8.book");
        let book = Arc::new(Book::from_bytes(bytes).unwrap());
        let oracle = Oracle::without_book(size).unwrap();
        let other = Position::default();
        let game = Game::parse(Size::STANDARD, "44").unwrap();
        let of_oracle = [
            oracle.score(other).err(),
            oracle.outcome(other).err(),
            oracle.analyse(other).err(),
            oracle.query(other, Question::Score).err(),
            oracle.known(other).err(),
            oracle.choose_move(other, Level::BEGINNER, 1).err(),
            oracle.best_move(other).err(),
            oracle.line(other).err(),
            oracle.scores(&[other]).err(),
            oracle.analyse_all(&[other]).err(),
            oracle.review(&game).err(),
        ];
        for error in of_oracle {
            let text = error.expect("an error").to_string();
            assert_eq!(text, "expected a position of 8x8 boards, found one of 7x6");
        }
        let wide = Position::empty(size);
        let of_book = [
            Oracle::with_memory(Some(Arc::clone(&book)), size, 1 << 20).err(),
            book.look_up(wide).err().map(OracleError::from),
        ];
        for error in of_book {
            let text = error.expect("an error").to_string();
            assert!(
                text.starts_with("expected a book for 8x8 boards, found one for 7x6"),
                "{text}"
            );
        }
        let solved = Solver::new(1 << 20).unwrap().score(wide);
        assert!(matches!(solved, Err(SolveError::Size(_))), "{solved:?}");
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
