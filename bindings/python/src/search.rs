//! Answers from a book, if there is one, and the solver: `Search`, the base of `Oracle` and `Solver`.
//!
//! Positions in the book are answered at once, with the interpreter's lock. Other positions are
//! searched without it: a few milliseconds on the calling thread, and if that is not enough, on
//! other threads, while the calling thread checks for Ctrl-C.

use crate::analysis::Analysis;
use crate::arguments::{self, Budget, Given, Keywords, Object};
use crate::arrays::{self, UNKNOWN, UNPLAYABLE};
use crate::book::Book;
use crate::errors::{OrException, PositionError, with_results};
use crate::json::to_python;
use crate::level;
use crate::position::{Asked, BATCH, all_of};
use crate::waiting::wait;
use fourbook::oracle::{Answer, Knowledge, Known, OracleError};
use fourbook::{
    Level, Limits, Lookup, Oracle, Position as Board, Score, Size, StopReason, Stopped,
};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Instant;

/// Nodes of a search on the calling thread: about five milliseconds.
const SLICE: u64 = 50_000;

/// The most cells of boards that are searched on the calling thread. For larger boards its stack
/// may be too small, since programs choose the stack size of Python's threads.
const MOST_CELLS: u32 = Size::STANDARD.cells();

/// The base of `Oracle` and `Solver`. Every search takes `max_nodes`, `timeout` in seconds,
/// and `cancel`, a `threading.Event` that stops it when it is set.
#[pyclass(frozen, subclass, module = "fourbook._fourbook")]
#[derive(Debug)]
pub(crate) struct Search {
    size: Size,
    /// The book; None if there is none.
    #[pyo3(get)]
    book: Option<Py<Book>>,
    /// The most bytes for the solver's table.
    #[pyo3(get, name = "memory")]
    table_bytes: usize,
    /// The most threads that search at a time, and one for each further search.
    #[pyo3(get)]
    threads: usize,
    /// Locked by the search that has all threads.
    all_threads: Mutex<()>,
    /// The oracle of this process.
    current: Mutex<(u32, Arc<Oracle>)>,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (book, size, memory, threads))]
    fn new(
        book: Option<Py<Book>>,
        size: Given<'_, '_>,
        memory: Given<'_, '_>,
        threads: Given<'_, '_>,
    ) -> PyResult<Self> {
        let given = size.map(arguments::size).transpose()?;
        let contents = book.as_ref().map(|book| &book.get().contents);
        if let (Some(contents), Some(size)) = (contents, given) {
            contents.check_size(size).or_exception()?;
        }
        let size = contents.map(|book| book.size()).or(given).unwrap_or_default();
        let (table_bytes, threads) =
            (arguments::table_bytes(memory)?, arguments::threads(threads)?);
        let current = Mutex::new((std::process::id(), start(size, book.as_ref(), table_bytes)?));
        Ok(Search { size, book, table_bytes, threads, all_threads: Mutex::default(), current })
    }

    /// Refuses wrong limits.
    #[pyo3(signature = (**limits))]
    fn _check(&self, limits: Option<&Keywords<'_>>) -> PyResult<()> {
        Budget::new(limits).map(drop)
    }

    /// The board, such as `7x6`.
    #[getter]
    fn size(&self) -> String {
        self.size.to_string()
    }

    /// Number of nodes visited, by searches under way as well.
    #[getter]
    fn nodes(&self) -> PyResult<u64> {
        Ok(self.oracle()?.nodes())
    }

    /// The score of a position, for the side to move: 0 is a draw, a positive score a win, a
    /// negative one a loss, and the larger, the sooner the end.
    ///
    /// >>> Oracle().score("44")
    /// 1
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn score(&self, position: &Object<'_>, limits: Option<&Keywords<'_>>) -> PyResult<Score> {
        self.ask(position, limits, Lookup::score, Oracle::score)
    }

    /// Who wins, for the side to move: `win`, `draw` or `loss`. Cheaper than the score if a
    /// search is needed.
    ///
    /// >>> Oracle().outcome("4453")
    /// 'loss'
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn outcome(&self, position: &Object<'_>, limits: Option<&Keywords<'_>>) -> PyResult<String> {
        Ok(self.ask(position, limits, Lookup::outcome, Oracle::outcome)?.to_string())
    }

    /// The scores of a position and of all its moves.
    ///
    /// >>> Oracle().analyse("4453").scores
    /// [-5, -5, -2, -3, -4, -2, -2]
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn analyse(&self, position: &Object<'_>, limits: Option<&Keywords<'_>>) -> PyResult<Analysis> {
        let asked = Asked::new(position, self.size)?;
        self.complete(position.py(), asked, &Budget::new(limits)?)
    }

    /// A best move, a column from 0. If several moves are best, `ties` chooses: `centre` the one
    /// nearest to the centre, `first` the leftmost, `random` one by chance, more often near the
    /// centre. The same `seed` in the same position gives the same move.
    ///
    /// >>> [Oracle().best_move("4453", ties="random", seed=seed) for seed in (1, 2, 3)]
    /// [5, 2, 2]
    #[pyo3(
        signature = (position, *, ties = None, seed = None, **limits),
        text_signature = "($self, position, *, ties='centre', seed=None, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn best_move(
        &self,
        position: &Object<'_>,
        ties: Given<'_, '_>,
        seed: Given<'_, '_>,
        limits: Option<&Keywords<'_>>,
    ) -> PyResult<usize> {
        let tie = level::tie(ties, seed)?;
        let asked = Asked::new(position, self.size)?;
        let board = asked.position.board;
        let analysis = self.complete(position.py(), asked, &Budget::new(limits)?)?;
        let answer = analysis.knowledge.answer().expect("all is known when it is complete");
        tie.choose(board, &answer.value).ok_or_else(game_over)
    }

    /// The move that a player of a level chooses, a column from 0: `level` is a `Level`, its
    /// number or its name. The same `seed` in the same position gives the same move.
    ///
    /// >>> Oracle().choose_move("4453", level="casual", seed=7)
    /// 6
    #[pyo3(
        signature = (position, *, level = None, seed = None, **limits),
        text_signature = "($self, position, *, level=None, seed=None, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn choose_move(
        &self,
        position: &Object<'_>,
        level: Given<'_, '_>,
        seed: Given<'_, '_>,
        limits: Option<&Keywords<'_>>,
    ) -> PyResult<usize> {
        let level = level.map(level::rule).transpose()?.unwrap_or(Level::PERFECT);
        let board = Asked::new(position, self.size)?.position.board;
        let (budget, seed) = (Budget::new(limits)?, arguments::seed(seed)?);
        let chosen =
            self.solve(position.py(), &budget, |oracle| level.find_move(board, oracle, seed))?;
        chosen.ok_or_else(game_over)
    }

    /// Why perfect play from a position ends as it does: the four, since when it was a
    /// threat, and why the loser could not prevent it. The names are those of the server's
    /// JSON; `text` has the whole explanation in a few sentences.
    ///
    /// >>> explanation = Oracle().explain("44335")
    /// >>> explanation["winner"], explanation["reason"]
    /// ('X', 'double-threat')
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn explain<'py>(
        &self,
        position: &Object<'py>,
        limits: Option<&Keywords<'py>>,
    ) -> PyResult<Object<'py>> {
        to_python(position.py(), &self.ask(position, limits, |_| None, Oracle::explain)?)
    }

    /// The scores of many positions, on all threads: an array of numpy of type int8, or
    /// without numpy an `array.array`. `positions` is an iterable of positions and texts, such as
    /// a list or a series of pandas or polars, or an array of numpy of boards as
    /// `Position.stack` makes them. Limits hold for all positions together. When one is reached,
    /// `Stopped.results` has the scores found, and `UNKNOWN`, less than any score, for the others.
    ///
    /// >>> [int(score) for score in Oracle().scores(["44", "4453", ""])]
    /// [1, -2, 1]
    #[pyo3(
        signature = (positions, **limits),
        text_signature = "($self, positions, *, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn scores<'py>(
        &self,
        positions: &Object<'py>,
        limits: Option<&Keywords<'py>>,
    ) -> PyResult<Object<'py>> {
        let (py, budget) = (positions.py(), Budget::new(limits)?);
        let (_, boards) = all_of(positions, Some(self.size))?;
        let mut found = Vec::with_capacity(boards.len());
        let ended =
            self.many(py, &budget, &boards, |oracle| oracle.scores_into(&boards, &mut found));
        let solved = found.iter().flatten().count();
        let mut scores: Vec<Score> = found.iter().map(|it| it.unwrap_or(UNKNOWN)).collect();
        scores.resize(boards.len(), UNKNOWN);
        let results = arrays::shaped(py, &scores, &[])?;
        let solved = Some((solved, boards.len()));
        ended.map_err(|error| with_results(py, error, &results, solved))?;
        Ok(results)
    }

    /// The scores of many positions and of their moves by column from 0, on all threads: a named
    /// tuple of two arrays of numpy of type int8, `scores` and `moves`. Without numpy, they are an
    /// `array.array` and a list of them. `UNPLAYABLE`, less than any score, stands for a column
    /// that cannot be played. When a limit is reached, `Stopped.results` has the scores found, and
    /// `UNKNOWN` for the others.
    ///
    /// >>> analyses = Oracle().analyse_many(["4453", "111111"])
    /// >>> [int(score) for score in analyses.moves[0]]
    /// [-5, -5, -2, -3, -4, -2, -2]
    /// >>> int(analyses.moves[1][0])
    /// -128
    #[pyo3(
        signature = (positions, **limits),
        text_signature = "($self, positions, *, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn analyse_many<'py>(
        &self,
        positions: &Object<'py>,
        limits: Option<&Keywords<'py>>,
    ) -> PyResult<Object<'py>> {
        let (py, budget) = (positions.py(), Budget::new(limits)?);
        let (_, boards) = all_of(positions, Some(self.size))?;
        let (mut found, width) = (Vec::with_capacity(boards.len()), self.size.width());
        let ended =
            self.many(py, &budget, &boards, |oracle| oracle.analyse_into(&boards, &mut found));
        let score = |known: Option<Known>| known.map_or(UNKNOWN, |known| known.score);
        let mut scores: Vec<Score> = found.iter().map(|known| score(known.score())).collect();
        let mut moves = Vec::with_capacity(boards.len() * width);
        for known in &found {
            let unknown = known.unknown_moves();
            moves.extend(known.moves().iter().enumerate().map(|(column, known)| match known {
                None if !unknown.contains(&column) => UNPLAYABLE,
                known => score(*known),
            }));
        }
        scores.resize(boards.len(), UNKNOWN);
        moves.resize(boards.len() * width, UNKNOWN);
        let arrays = (arrays::shaped(py, &scores, &[])?, arrays::shaped(py, &moves, &[width])?);
        let results = py.import("fourbook._results")?.call_method1("Analyses", arrays)?;
        let solved = found.iter().filter(|known| known.is_complete()).count();
        let solved = Some((solved, boards.len()));
        ended.map_err(|error| with_results(py, error, &results, solved))?;
        Ok(results)
    }
}

impl Search {
    /// The oracle of this process. After a fork it is a new one: threads of the parent may have
    /// held locks of the old one.
    fn oracle(&self) -> PyResult<Arc<Oracle>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if current.0 != process {
            let oracle = start(self.size, self.book.as_ref(), self.table_bytes)?;
            // The old oracle leaks: freeing it may need a lock of a thread that is gone.
            std::mem::forget(std::mem::replace(&mut *current, (process, oracle)));
        }
        Ok(Arc::clone(&current.1))
    }

    /// Answers from a lookup if the answer is `known` from it, else by a search.
    #[inline]
    fn ask<T: Send>(
        &self,
        position: &Object<'_>,
        limits: Option<&Keywords<'_>>,
        known: impl Fn(Lookup) -> Option<T>,
        search: impl Fn(&Oracle, Board) -> Result<Answer<T>, OracleError> + Sync,
    ) -> PyResult<T> {
        let Asked { position: asked, .. } = Asked::new(position, self.size)?;
        let budget = Budget::new(limits)?;
        let lookup = match &self.book {
            Some(book) => asked.look_up(&book.get().contents).or_exception()?,
            None => Lookup::without_book(asked.board),
        };
        if let Some(answer) = known(lookup) {
            return Ok(answer);
        }
        self.solve(position.py(), &budget, |oracle| Ok(search(oracle, asked.board)?.value))
    }

    /// Looks a position and its moves up, and solves those outside the book.
    fn complete(&self, py: Python<'_>, asked: Asked, budget: &Budget) -> PyResult<Analysis> {
        let started = Instant::now();
        let book = self.book.as_ref().map(|book| &*book.get().contents);
        let mut knowledge = Knowledge::of(book, asked.position.board).or_exception()?;
        let ended = match knowledge.is_complete() {
            true => Ok(()),
            false => self.solve(py, budget, |oracle| oracle.complete(&mut knowledge, &mut |_| ())),
        };
        let took = (knowledge.nodes() > 0).then(|| started.elapsed());
        let analysis = Analysis::new(asked, knowledge, took);
        match ended {
            Ok(()) => Ok(analysis),
            Err(error) => Err(with_results(py, error, Bound::new(py, analysis)?.as_any(), None)),
        }
    }

    /// Searches many positions on other threads; looks a few up on this one if no node is left.
    fn many(
        &self,
        py: Python<'_>,
        budget: &Budget,
        boards: &[Board],
        task: impl FnMut(&Oracle) -> Result<(), OracleError> + Send,
    ) -> PyResult<()> {
        if budget.max_nodes == Some(0) && boards.len() <= BATCH {
            return self.solve(py, budget, task);
        }
        self.search(py, budget, 0, task)
    }

    /// Searches, first for a few milliseconds on this thread.
    fn solve<T: Send>(
        &self,
        py: Python<'_>,
        budget: &Budget,
        mut task: impl FnMut(&Oracle) -> Result<T, OracleError> + Send,
    ) -> PyResult<T> {
        let mut spent = 0;
        if (self.size.cells() <= MOST_CELLS || budget.max_nodes == Some(0))
            && !budget.is_cancelled(py)?
        {
            let has_more = budget.max_nodes.is_none_or(|most| most > SLICE);
            let slice = budget.max_nodes.map_or(SLICE, |most| most.min(SLICE));
            let short = self.oracle()?.with_limits(budget.limits(Some(slice)));
            match py.detach(|| task(&short)) {
                Err(OracleError::Stopped(it))
                    if has_more && it.reason == StopReason::NodeBudget =>
                {
                    spent = it.nodes;
                }
                result => return result.or_exception(),
            }
            py.check_signals()?;
        }
        self.search(py, budget, spent, task)
    }

    /// Searches on other threads, after `spent` nodes on this one.
    fn search<T: Send>(
        &self,
        py: Python<'_>,
        budget: &Budget,
        spent: u64,
        task: impl FnOnce(&Oracle) -> Result<T, OracleError> + Send,
    ) -> PyResult<T> {
        let most = self.all_threads.try_lock();
        let is_free = !matches!(most, Err(TryLockError::WouldBlock));
        let threads = if is_free { self.threads } else { 1 };
        let limits = budget.limits(budget.max_nodes.map(|most| most - spent));
        let (oracle, is_cancelled) = (self.oracle()?, budget.is_cancelled(py)?);
        let work = |cancel: &Arc<AtomicBool>| {
            cancel.fetch_or(is_cancelled, Ordering::Relaxed);
            let limits = Limits { cancel: Some(Arc::clone(cancel)), ..limits };
            task(&oracle.with_threads(threads).with_limits(limits))
        };
        let pass_cancel = |py: Python<'_>, cancel: &AtomicBool| {
            // A level that looks some stones ahead ends by the flag alone.
            cancel.fetch_or(budget.is_late() || budget.is_cancelled(py)?, Ordering::Relaxed);
            Ok(())
        };
        let with_spent = |error| match error {
            OracleError::Stopped(it) => {
                let is_late = it.reason == StopReason::Cancelled && budget.is_late();
                let reason = if is_late { StopReason::Deadline } else { it.reason };
                Stopped { reason, nodes: spent + it.nodes, ..it }.into()
            }
            error => error,
        };
        wait(py, work, pass_cancel)?.map_err(with_spent).or_exception()
    }
}

fn start(size: Size, book: Option<&Py<Book>>, table_bytes: usize) -> PyResult<Arc<Oracle>> {
    let book = book.map(|book| Arc::clone(&book.get().contents));
    let oracle = Oracle::with_memory(book, size, table_bytes);
    oracle.map(Arc::new).or_exception()
}

#[cold]
fn game_over() -> PyErr {
    PositionError::new_err("expected a position in which the game goes on, found one that is over")
}
