//! Answers from a book, if there is one, and the solver: what `Oracle` and `Solver` share.
//!
//! What the book knows is answered at once, with the interpreter's lock. The rest is
//! searched without it: a few milliseconds on the calling thread, and if that is not enough,
//! by others, while the calling one looks for Ctrl-C.

use crate::analysis::Analysis;
use crate::arguments::Budget;
use crate::arrays::{self, UNPLAYABLE};
use crate::errors::{IntoException, OrException};
use crate::position::{Asked, all_of};
use crate::waiting::wait;
use fourbook::oracle::{Knowledge, OracleError};
use fourbook::{
    Analysis as Scores, Book, Limits, Lookup, Oracle, Outcome, Position as Board, Score, Size,
    Stopped,
};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Nodes of a search on the calling thread: about five milliseconds.
const SLICE: u64 = 50_000;

/// Cells of boards that are searched there at all: for larger ones it may have too small a
/// stack, as threads of Python may have as little as their makers say.
const MOST_CELLS: u32 = Size::STANDARD.cells();

/// A book, if there is one, and a solver; shared by threads.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) size: Size,
    pub(crate) book: Option<Arc<Book>>,
    pub(crate) table_bytes: usize,
    pub(crate) threads: usize,
    /// The oracle of this process.
    current: Mutex<(u32, Arc<Oracle>)>,
}

impl Search {
    pub(crate) fn new(
        size: Size,
        book: Option<Arc<Book>>,
        table_bytes: usize,
        threads: usize,
    ) -> PyResult<Self> {
        let oracle = start(size, book.as_ref(), table_bytes)?;
        let current = Mutex::new((std::process::id(), oracle));
        Ok(Search { size, book, table_bytes, threads, current })
    }

    /// The oracle of this process. After a fork it is a new one: threads that are not there
    /// any more may have held locks of the other.
    fn oracle(&self) -> PyResult<Arc<Oracle>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if current.0 != process {
            let oracle = start(self.size, self.book.as_ref(), self.table_bytes)?;
            // The other stays as it is: what it would take to free it may be locked.
            std::mem::forget(std::mem::replace(&mut *current, (process, oracle)));
        }
        Ok(Arc::clone(&current.1))
    }

    /// What the book, or the rules if there is none, say of a position.
    #[inline]
    fn look_up(&self, asked: &Asked<'_>) -> Lookup {
        match &self.book {
            Some(book) => asked.position().look_up(book),
            None => Lookup::without_book(asked.position().board),
        }
    }

    /// The score of a position.
    #[inline]
    pub(crate) fn score(
        &self,
        py: Python<'_>,
        asked: &Asked<'_>,
        budget: Budget,
    ) -> PyResult<Score> {
        if let Some(score) = self.look_up(asked).score() {
            return Ok(score);
        }
        let board = asked.position().board;
        self.solve(py, budget, |oracle| Ok(oracle.score(board)?.value))
    }

    /// Who wins.
    pub(crate) fn outcome(
        &self,
        py: Python<'_>,
        asked: &Asked<'_>,
        budget: Budget,
    ) -> PyResult<Outcome> {
        if let Some(outcome) = self.look_up(asked).outcome() {
            return Ok(outcome);
        }
        let board = asked.position().board;
        self.solve(py, budget, |oracle| Ok(oracle.outcome(board)?.value))
    }

    /// The scores of a position and of all its moves.
    pub(crate) fn analyse(
        &self,
        py: Python<'_>,
        asked: Asked<'_>,
        budget: Budget,
    ) -> PyResult<Analysis> {
        let mut knowledge = Knowledge::of(self.book.as_deref(), asked.position().board);
        if knowledge.is_complete() {
            return Ok(Analysis::new(asked, knowledge, 0, None));
        }
        let started = Instant::now();
        // Nodes of a search that has not told of any move.
        let mut lost = 0;
        self.solve(py, budget, |oracle| {
            let result = oracle.complete(&mut knowledge, &mut |_| ());
            if result.is_err() {
                lost = oracle
                    .limits()
                    .max_nodes
                    .map_or(0, |most| most.saturating_sub(knowledge.nodes()));
            }
            result
        })?;
        let nodes = lost + knowledge.nodes();
        Ok(Analysis::new(asked, knowledge, nodes, Some(started.elapsed())))
    }

    /// The same as scores alone.
    pub(crate) fn scores_of_moves(
        &self,
        py: Python<'_>,
        board: Board,
        budget: Budget,
    ) -> PyResult<Scores> {
        let mut knowledge = Knowledge::of(self.book.as_deref(), board);
        if !knowledge.is_complete() {
            self.solve(py, budget, |oracle| oracle.complete(&mut knowledge, &mut |_| ()))?;
        }
        Ok(knowledge.answer().expect("all is known when it is complete").value)
    }

    /// The scores of many positions, as an array.
    pub(crate) fn scores<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        budget: Budget,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boards = all_of(positions, self.size)?;
        let oracle = self.oracle()?;
        let work = |cancel: &_| self.all_threads(&oracle, budget, cancel).scores(&boards);
        let scores = wait(py, work, |_| Ok(()))?.or_exception()?;
        arrays::numbers(py, &scores)
    }

    /// The scores of many positions and of their moves, as arrays.
    pub(crate) fn analyse_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        budget: Budget,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let boards = all_of(positions, self.size)?;
        let oracle = self.oracle()?;
        let work = |cancel: &_| self.all_threads(&oracle, budget, cancel).analyse_all(&boards);
        let analyses = wait(py, work, |_| Ok(()))?.or_exception()?;
        let scores: Vec<Score> = analyses.iter().map(|analysis| analysis.score).collect();
        let moves = analyses.iter().flat_map(|analysis| &analysis.moves);
        let moves: Vec<Score> = moves.map(|score| score.unwrap_or(UNPLAYABLE)).collect();
        Ok((arrays::numbers(py, &scores)?, arrays::rows(py, &moves, self.size.width())?))
    }

    /// Nodes that searches of this process have visited.
    pub(crate) fn nodes(&self) -> PyResult<u64> {
        Ok(self.oracle()?.nodes())
    }

    /// Searches, first for a few milliseconds on this thread.
    fn solve<T: Send>(
        &self,
        py: Python<'_>,
        budget: Budget,
        mut task: impl FnMut(&Oracle) -> Result<T, OracleError> + Send,
    ) -> PyResult<T> {
        let oracle = self.oracle()?;
        let mut left = budget;
        if self.size.cells() <= MOST_CELLS {
            let has_more = budget.max_nodes.is_none_or(|most| most > SLICE);
            let slice = budget.max_nodes.map_or(SLICE, |most| most.min(SLICE));
            let short = oracle.with_limits(budget.limits(Some(slice)));
            match py.detach(|| task(&short)) {
                Err(OracleError::Stopped(Stopped::NodeBudget)) if has_more => {}
                result => return result.or_exception(),
            }
            py.check_signals()?;
            left.max_nodes = budget.max_nodes.map(|most| most - SLICE);
        }
        wait(py, |cancel| task(&self.all_threads(&oracle, left, cancel)), |_| Ok(()))?
            .or_exception()
    }

    fn all_threads(&self, oracle: &Oracle, budget: Budget, cancel: &Arc<AtomicBool>) -> Oracle {
        let limits = budget.limits(budget.max_nodes);
        let limits = Limits { cancel: Some(Arc::clone(cancel)), ..limits };
        oracle.with_threads(self.threads).with_limits(limits)
    }
}

fn start(size: Size, book: Option<&Arc<Book>>, table_bytes: usize) -> PyResult<Arc<Oracle>> {
    let oracle = Oracle::with_memory(book.cloned(), size, table_bytes);
    oracle.map(Arc::new).map_err(IntoException::into_exception)
}
