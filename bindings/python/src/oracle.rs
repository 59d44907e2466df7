//! `Oracle` and `Solver`, as Python sees them.

use crate::analysis::Analysis;
use crate::arguments::{self, Budget};
use crate::book::Book;
use crate::errors::{OrException, PositionError};
use crate::level;
use crate::position::Asked;
use crate::search::Search;
use fourbook::level::scores_within;
use fourbook::{Score, Size};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Finds scores by search alone, without a book. It remembers what it has proved for the
/// positions that come after.
///
/// A position is a `Position` or a text. `memory` is the most bytes for the solver's table (a
/// quarter of what is free, at most 1 GiB, used as it fills), `threads` the most threads that
/// search at a time: one for each processor, and only while a search takes longer than some
/// milliseconds.
///
/// Searches end with `NodeBudgetError` after `max_nodes` nodes, and with `DeadlineError` after
/// `timeout` seconds; Ctrl-C stops them. Other threads of Python run meanwhile, and may use the
/// same solver.
///
/// >>> from fourbook import Solver
/// >>> solver = Solver(size="5x4")
/// >>> solver.score(""), solver.score("3")
/// (0, 0)
/// >>> solver.nodes > 0
/// True
#[pyclass(frozen, subclass, module = "fourbook")]
#[derive(Debug)]
pub(crate) struct Solver {
    search: Search,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (*, size = "7x6", memory = None, threads = None))]
    fn new(size: &str, memory: Option<usize>, threads: Option<usize>) -> PyResult<Self> {
        let (memory, threads) = (arguments::table_bytes(memory), arguments::threads(threads)?);
        Ok(Solver { search: Search::new(arguments::size(size)?, None, memory, threads)? })
    }

    /// The board, such as `7x6`.
    #[getter]
    fn size(&self) -> String {
        self.search.size.to_string()
    }

    /// The most threads that search at a time.
    #[getter]
    fn threads(&self) -> usize {
        self.search.threads
    }

    /// Nodes that its searches have visited so far.
    #[getter]
    fn nodes(&self) -> PyResult<u64> {
        self.search.nodes()
    }

    /// The score of a position, for the side to move: 0 is a draw, a positive score a win, a
    /// negative one a loss, and the larger, the sooner the end.
    ///
    /// >>> Oracle().score("44")
    /// 1
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None))]
    fn score(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<Score> {
        let asked = Asked::new(position, self.search.size)?;
        self.search.score(py, &asked, Budget::new(max_nodes, timeout)?)
    }

    /// Who wins, for the side to move: `win`, `draw` or `loss`. Where a search is needed,
    /// cheaper than the score.
    ///
    /// >>> Oracle().outcome("4453")
    /// 'loss'
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None))]
    fn outcome(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<String> {
        let asked = Asked::new(position, self.search.size)?;
        let outcome = self.search.outcome(py, &asked, Budget::new(max_nodes, timeout)?)?;
        Ok(outcome.to_string())
    }

    /// The scores of a position and of all its moves.
    ///
    /// >>> Oracle().analyse("4453").scores
    /// [-5, -5, -2, -3, -4, -2, -2]
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None))]
    fn analyse(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<Analysis> {
        let asked = Asked::new(position, self.search.size)?;
        self.search.analyse(py, asked, Budget::new(max_nodes, timeout)?)
    }

    /// A best move, a column from 0. Of several best ones `ties` chooses: `centre` the one
    /// nearest to the centre, `first` the leftmost, `random` one by chance, those nearer to the
    /// centre more often; the same `seed` in the same position gives the same move.
    ///
    /// >>> [Oracle().best_move("4453", ties="random", seed=seed) for seed in (1, 2, 3)]
    /// [5, 2, 2]
    #[pyo3(signature = (position, *, ties = "centre", seed = None, max_nodes = None, timeout = None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        ties: &str,
        seed: Option<u64>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<usize> {
        let tie = level::tie(ties, seed)?;
        let board = Asked::new(position, self.search.size)?.position().board;
        let budget = Budget::new(max_nodes, timeout)?;
        let scores = self.search.scores_of_moves(py, board, budget)?;
        tie.choose(board, &scores).ok_or_else(game_over)
    }

    /// The move that a player of a level chooses, a column from 0: `level` is a `Level`, its
    /// number or its name. The same `seed` in the same position gives the same move.
    ///
    /// >>> Oracle().play("4453", level="casual", seed=7)
    /// 6
    #[pyo3(signature = (position, *, level = None, seed = None, max_nodes = None, timeout = None))]
    fn play(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        level: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<usize> {
        let level = level.map(level::rule).transpose()?.unwrap_or(fourbook::Level::PERFECT);
        let board = Asked::new(position, self.search.size)?.position().board;
        let budget = Budget::new(max_nodes, timeout)?;
        let moves = match level.horizon() {
            Some(plies) if level.is_quick() => py.detach(|| scores_within(board, plies)),
            _ => self.search.scores_of_moves(py, board, budget)?.moves,
        };
        level.choose(board, &moves, arguments::seed(seed)).ok_or_else(game_over)
    }

    /// The scores of many positions, on all threads: an array of numpy of type int8, or
    /// without numpy an `array.array`. `positions` is an iterable of positions and texts, or
    /// an array of numpy of boards as `Position.from_array` takes them.
    ///
    /// >>> [int(score) for score in Oracle().scores(["44", "4453", ""])]
    /// [1, -2, 1]
    #[pyo3(signature = (positions, *, max_nodes = None, timeout = None))]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.search.scores(py, positions, Budget::new(max_nodes, timeout)?)
    }

    /// The scores of many positions, and those of their moves by column from 0, on all
    /// threads: two arrays of numpy of type int8, or without numpy an `array.array` and a
    /// list of them. `UNPLAYABLE`, less than any score, stands for a column that cannot be
    /// played.
    ///
    /// >>> scores, moves = Oracle().analyse_many(["4453", "111111"])
    /// >>> [int(score) for score in moves[0]]
    /// [-5, -5, -2, -3, -4, -2, -2]
    /// >>> int(moves[1][0])
    /// -128
    #[pyo3(signature = (positions, *, max_nodes = None, timeout = None))]
    fn analyse_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        max_nodes: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.search.analyse_many(py, positions, Budget::new(max_nodes, timeout)?)
    }

    fn __repr__(&self) -> String {
        let Search { size, threads, .. } = self.search;
        format!("<Solver {size}, threads {threads}>")
    }

    /// What pickle makes the solver of again; what it has found out is not kept.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), keywords(py, &self.search)?))
    }
}

/// A solver that looks positions up in a book first, and searches for those that it does not
/// have.
///
/// `book` is a `Book`, a path or bytes; without one it is the book that comes with fourbook,
/// for boards that it is for, and `False` is none. `size` is the board; without it that of
/// the book, or 7x6. `memory` and `threads` are those of a `Solver`.
///
/// >>> from fourbook import Oracle
/// >>> oracle = Oracle()
/// >>> oracle.score("4453")
/// -2
/// >>> oracle.best_move("4453")
/// 2
/// >>> Oracle(size="4x4").score("")
/// 0
#[pyclass(frozen, extends = Solver, module = "fourbook")]
#[derive(Debug)]
pub(crate) struct Oracle {
    book: Option<Py<Book>>,
}

#[pymethods]
impl Oracle {
    #[new]
    #[pyo3(signature = (book = None, *, size = None, memory = None, threads = None))]
    fn new(
        py: Python<'_>,
        book: Option<&Bound<'_, PyAny>>,
        size: Option<&str>,
        memory: Option<usize>,
        threads: Option<usize>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let asked_for = size.map(arguments::size).transpose()?;
        let book = match book {
            Some(book) if book.is(pyo3::types::PyBool::new(py, false)) => None,
            Some(book) => Some(Book::named(book, size)?),
            None if asked_for.is_none_or(|size| size == Size::STANDARD) => Some(Book::of_library()),
            None => None,
        };
        let contents = book.as_ref().map(|book| &book.contents);
        if let (Some(contents), Some(size)) = (contents, asked_for) {
            contents.check_size(size).or_exception()?;
        }
        let size = contents.map(|book| book.size()).or(asked_for).unwrap_or_default();
        let (memory, threads) = (arguments::table_bytes(memory), arguments::threads(threads)?);
        let search = Search::new(size, contents.cloned(), memory, threads)?;
        let book = book.map(|book| Py::new(py, book)).transpose()?;
        Ok(PyClassInitializer::from(Solver { search }).add_subclass(Oracle { book }))
    }

    /// The book; None if there is none.
    #[getter]
    fn book(&self, py: Python<'_>) -> Option<Py<Book>> {
        self.book.as_ref().map(|book| book.clone_ref(py))
    }

    fn __repr__(slf: PyRef<'_, Self>, py: Python<'_>) -> PyResult<String> {
        let book = match &slf.book {
            Some(book) => book.bind(py).repr()?.to_string(),
            None => "no book".to_owned(),
        };
        let Search { size, threads, .. } = slf.as_super().search;
        Ok(format!("<Oracle {size}, {book}, threads {threads}>"))
    }

    /// What pickle makes the oracle of again; what it has found out is not kept.
    fn __getnewargs_ex__<'py>(
        slf: PyRef<'_, Self>,
        py: Python<'py>,
    ) -> PyResult<((Bound<'py, PyAny>,), Bound<'py, PyDict>)> {
        let book = match &slf.book {
            Some(book) => book.bind(py).clone().into_any(),
            None => pyo3::types::PyBool::new(py, false).to_owned().into_any(),
        };
        Ok(((book,), keywords(py, &slf.as_super().search)?))
    }
}

fn keywords<'py>(py: Python<'py>, search: &Search) -> PyResult<Bound<'py, PyDict>> {
    let keywords = PyDict::new(py);
    keywords.set_item("size", search.size.to_string())?;
    keywords.set_item("memory", search.table_bytes)?;
    keywords.set_item("threads", search.threads)?;
    Ok(keywords)
}

#[cold]
fn game_over() -> PyErr {
    PositionError::new_err("expected a position in which the game goes on, found one that is over")
}
