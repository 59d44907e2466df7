//! Answers for positions: from the book if it has them, else from the solver.
//!
//! The known scores of a position are its [`Knowledge`]; [`PositionReport`] is the one
//! shape in which programs, servers and files print it. A [`GameReview`] goes through a
//! whole game.

mod ahead;
mod explanation;
mod game;
mod knowledge;
mod many;
mod report;

pub use explanation::{Explanation, Four, Reason};
pub use game::{Game, GameReview, Mark, ReviewedMove, ReviewedPosition};
pub use knowledge::{Knowledge, Known};
pub use report::{MoveReport, PositionReport};

use crate::book::{Book, BookError, Lookup};
use crate::strategy::Strategy;
use fourbook_solver::board::{Outcome, Position, Score, ScoreBounds, Size, SizeError};
use fourbook_solver::{
    Budget, Limits, Solvers, Stopped, TableError, TranspositionTable, thread_count,
};
use fourbook_solver::{ValueKind, named};
use serde::Serialize;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    book: Option<Arc<Book>>,
    strategies: Arc<[Strategy]>,
    solvers: Arc<Solvers>,
    limits: Limits,
    threads: usize,
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
        let strategies = Arc::default();
        Oracle { book, strategies, solvers, limits: Limits::default(), threads: 1 }
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
        Ok(Oracle { strategies, ..self.clone() })
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
        self.solvers.table()
    }

    /// The book, if there is one.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_deref()
    }

    /// Nodes that searches have visited, searches under way included; 0 while the book answers
    /// everything.
    pub fn nodes(&self) -> u64 {
        self.solvers.nodes()
    }

    /// The exact score of a position.
    ///
    /// # Errors
    ///
    /// If the position's board has another size. If the position has to be searched, and a limit is
    /// reached or there is no memory for another solver. If the book lacks a value that it should
    /// have: a damaged book is an error, never replaced by a search.
    pub fn score(&self, position: Position) -> Result<Answer<Score>, OracleError> {
        self.find(position, ValueKind::Scores, || self.budget(Some(position)))
    }

    /// Who wins, for the side to move; cheaper than the score if a search is needed.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn outcome(&self, position: Position) -> Result<Answer<Outcome>, OracleError> {
        let Answer { value, source, nodes } =
            self.find(position, ValueKind::WinDrawLoss, || self.budget(Some(position)))?;
        Ok(Answer { value: Outcome::of(value), source, nodes })
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
        if let Some(column) = self.exact_strategy_move(position)? {
            return Ok(Answer { value: Some(column), source: Source::Strategy, nodes: 0 });
        }
        let budget = self.budget(Some(position));
        let Answer { value: score, source, .. } = self.score_within(position, &budget)?;
        let value = if position.is_over() {
            None
        } else {
            Some(self.move_reaching(score, position, &budget)?)
        };
        Ok(Answer { value, source, nodes: budget.nodes() })
    }

    /// The strategies, at most one for each player.
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// The strategy of the side to move.
    fn strategy(&self, position: Position) -> Option<&Strategy> {
        self.strategies.iter().find(|strategy| strategy.player() == position.to_move())
    }

    /// The move of a strategy of this kind, a column from 0; `None` if none has the position.
    pub(crate) fn strategy_move(&self, position: Position, kind: ValueKind) -> Option<usize> {
        self.strategy(position).filter(|it| it.kind() == kind)?.best_move(position)
    }

    /// The move of a strategy of exact scores, a column from 0; `None` if none has the position, or the
    /// book has its score.
    ///
    /// # Errors
    ///
    /// If the position's board has another size, or the book is damaged.
    pub fn exact_strategy_move(&self, position: Position) -> Result<Option<usize>, OracleError> {
        if self.look_up(position)?.score().is_some() {
            return Ok(None);
        }
        Ok(self.strategy_move(position, ValueKind::Scores))
    }

    /// The value of a position in a strategy, if it has one of this kind.
    fn strategy_value(&self, position: Position, kind: ValueKind) -> Option<Score> {
        self.strategy(position)?.look_up(position)?.number_of(kind)
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
        let budget = self.budget(Some(position));
        let Answer { value: score, source, .. } = self.score_within(position, &budget)?;
        let known = self.known(position)?;
        let mut best = known.reaching(score);
        let unknown = known.unknown_moves();
        match unknown[..] {
            // Without an unknown move, no solver is needed.
            [] => {}
            [only] if best.is_empty() => best.push(only),
            _ => {
                let children: Vec<_> =
                    unknown.iter().map(|&column| position.play(column)).collect();
                let bounds = null_window(score);
                let (values, ended) =
                    self.values(&children, move |_| bounds, ValueKind::Scores, &budget)?;
                ended?;
                let found = unknown.into_iter().zip(values);
                best.extend(
                    found.filter_map(|(column, value)| (value == Some(-score)).then_some(column)),
                );
            }
        }
        best.sort_unstable();
        Ok(Answer { value: (score, best), source, nodes: budget.nodes() })
    }

    /// The score of a position, and the moves of perfect play from it to the end of the game
    /// (the principal variation), columns from 0.
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
        self.line_within(position, &self.budget(Some(position)))
    }

    fn line_within(
        &self,
        mut position: Position,
        budget: &Arc<Budget>,
    ) -> Result<Answer<(Score, Vec<usize>)>, OracleError> {
        let Answer { value: score, source, .. } = self.score_within(position, budget)?;
        let mut moves = Vec::new();
        let mut to_reach = score;
        while !position.is_over() {
            let column = self.move_reaching(to_reach, position, budget)?;
            moves.push(column);
            position = position.play(column);
            to_reach = -to_reach;
        }
        Ok(Answer { value: (score, moves), source, nodes: budget.nodes() })
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
        let bounds = null_window(score);
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

    /// The budget of a call about `position`, or about several.
    fn budget(&self, position: Option<Position>) -> Arc<Budget> {
        self.solvers.budget(&self.limits, position)
    }

    /// The score of a position, which is proved for the budget.
    fn score_within(
        &self,
        position: Position,
        budget: &Arc<Budget>,
    ) -> Result<Answer<Score>, OracleError> {
        let answer = self.find(position, ValueKind::Scores, || Arc::clone(budget))?;
        budget.prove(position, ScoreBounds::exactly(answer.value));
        Ok(answer)
    }

    /// The value of a position, from the book or by a search. After a search, the answer has all
    /// nodes of the budget.
    fn find(
        &self,
        position: Position,
        kind: ValueKind,
        budget: impl FnOnce() -> Arc<Budget>,
    ) -> Result<Answer<Score>, OracleError> {
        let lookup = self.look_up(position)?;
        if let Some(value) = lookup.number(kind) {
            return Ok(Answer { value, source: Source::of(lookup), nodes: 0 });
        }
        if let Some(value) = self.strategy_value(position, kind) {
            return Ok(Answer { value, source: Source::Strategy, nodes: 0 });
        }
        let budget = budget();
        let value = self.value(position, ScoreBounds::NONE, kind, &budget)?;
        Ok(Answer { value, source: Source::Solver, nodes: budget.nodes() })
    }

    /// The value of a position that is not in the book, but within `bounds` for certain.
    fn value(
        &self,
        position: Position,
        bounds: ScoreBounds,
        kind: ValueKind,
        budget: &Arc<Budget>,
    ) -> Result<Score, OracleError> {
        let value = self.solvers.value(position, bounds, kind, budget, self.threads)?;
        value.map_err(|reason| budget.stopped(reason).into())
    }

    /// The values of positions that are not in the book, but within `bounds` for certain; those
    /// that were found if a limit was reached.
    fn values(
        &self,
        positions: &[Position],
        bounds: impl Fn(usize) -> ScoreBounds + Send + Sync + 'static,
        kind: ValueKind,
        budget: &Arc<Budget>,
    ) -> Result<Values, TableError> {
        let (bounds, threads) = (move |_: &[OnceLock<Score>], number| bounds(number), self.threads);
        let (values, reason) =
            self.solvers.values(positions, bounds, kind, budget, threads, &mut |_| ())?;
        Ok((values, reason.map_or(Ok(()), |reason| Err(budget.stopped(reason)))))
    }

    fn look_up(&self, position: Position) -> Result<Lookup, OracleError> {
        position.check_size(self.size())?;
        Ok(look_up(self.book(), position)?)
    }
}

/// The bounds of a search after a move in a position of this score. No move is worth more, so one
/// null window shows whether a move is worth less.
fn null_window(score: Score) -> ScoreBounds {
    ScoreBounds { min: -score, max: 1 - score }
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
        let mut knowledge = Knowledge::of(None, other).unwrap();
        let game = Game::parse(Size::STANDARD, "44").unwrap();
        let of_oracle = [
            oracle.score(other).err(),
            oracle.outcome(other).err(),
            oracle.analyse(other).err(),
            oracle.complete_knowledge(other).err(),
            oracle.known(other).err(),
            oracle.complete(&mut knowledge, &mut |_| ()).err(),
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
            Knowledge::of(Some(&book), wide).err().map(OracleError::from),
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
