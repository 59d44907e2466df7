//! Answers from a book, if there is one, and the solver: `Search`, the base of `Oracle`.
//!
//! Positions in the book are answered at once, with the interpreter's lock. Other positions are
//! searched without it: a step of a few milliseconds on the calling thread, and if that is not enough,
//! one on other threads, while the calling thread checks for Ctrl-C.

use crate::analysis::Analysis;
use crate::arguments::{self, Budget, Given, Object};
use crate::arrays::{self, Layout};
use crate::book::Book;
use crate::errors::{
    DeadlineError, NodeBudgetError, OrException, PositionError, reserve, with_results,
};
use crate::json::to_python;
use crate::level;
use crate::position::{Asked, Position, all_of};
use crate::waiting::{Meter, wait};
use fourbook::board::ScoreBounds;
use fourbook::level::random_seed;
use fourbook::oracle::{Analysis as Known, Explanation, OracleError, Query, Question, Step};
use fourbook::progress::Progress;
use fourbook::solver::SearchProgress;
use fourbook::{
    Level, Limits, Lookup, Memory, Oracle, Position as Board, Score, Size, StopReason, Stopped,
    Strategy,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Instant;

/// Nodes of a search on the calling thread: about five milliseconds.
const SLICE: u64 = 50_000;

/// The forks that led to this process; the system's number of a process takes longer than a lookup.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Counts a fork, in the child.
#[pyfunction]
#[pyo3(name = "_forked")]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// The base of `Oracle`. Every search takes `max_nodes`, `timeout` in seconds,
/// and `cancel`, a `threading.Event` that stops it when it is set.
#[pyclass(frozen, subclass, weakref, module = "fourbook._fourbook")]
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
    /// The bytes of strategies; None if they come with fourbook.
    #[pyo3(get)]
    strategies: Option<Vec<Vec<u8>>>,
    /// Locked by the search that has all threads.
    all_threads: Mutex<()>,
    /// The oracle of this process, and the [`FORKS`] before it.
    current: Mutex<(u32, Arc<Oracle>)>,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (book, size, memory, threads, strategies))]
    fn new(
        book: Option<Py<Book>>,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
        #[pyo3(from_py_with = arguments::memory)] memory: Option<usize>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        strategies: Option<Vec<Vec<u8>>>,
    ) -> PyResult<Self> {
        let contents = book.as_ref().map(|book| &book.get().contents);
        if let (Some(contents), Some(size)) = (contents, size) {
            contents.check_size(size).or_exception()?;
        }
        let size = contents.map(|book| book.size()).or(size).unwrap_or_default();
        let table_bytes = memory.unwrap_or_else(|| Memory::now().table_bytes());
        let opened = match &strategies {
            Some(given) => given.iter().map(|bytes| Strategy::from_bytes(bytes)).collect(),
            None => Ok(Strategy::embedded_for(size)),
        };
        let oracle = start(size, book.as_ref(), table_bytes, opened.or_exception()?)?;
        let current = Mutex::new((FORKS.load(Ordering::Relaxed), oracle));
        let all_threads = Mutex::default();
        Ok(Search { size, book, table_bytes, threads, strategies, all_threads, current })
    }

    /// Refuses wrong arguments that all questions have.
    #[pyo3(signature = (*, progress = None, max_nodes = None, timeout = None, cancel = None))]
    #[expect(unused_variables, reason = "their conversion checks them")]
    fn _check(
        &self,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<()> {
        Budget::new(max_nodes, timeout, cancel).map(drop)
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
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None, cancel = None))]
    fn score(
        &self,
        position: &Object<'_>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Score> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        self.value(position, &budget, Question::Score, Lookup::score, |query| query.known().score())
    }

    /// Who wins, for the side to move: `win`, `draw` or `loss`. Cheaper than the score if a
    /// search is needed.
    ///
    /// >>> Oracle().outcome("4453")
    /// 'loss'
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None, cancel = None))]
    fn outcome(
        &self,
        position: &Object<'_>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<String> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        let known = |query: &Query| query.known().outcome();
        let outcome = self.value(position, &budget, Question::Outcome, Lookup::outcome, known)?;
        Ok(outcome.to_string())
    }

    /// The scores of a position and of all its moves.
    ///
    /// >>> Oracle().analyse("4453").move_scores
    /// [-5, -5, -2, -3, -4, -2, -2]
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None, cancel = None))]
    fn analyse(
        &self,
        position: &Object<'_>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Analysis> {
        let py = position.py();
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        let asked = Asked::new(position, self.size)?;
        let mut query = self.query(&asked, Question::Moves)?;
        let started = (!query.is_done()).then(Instant::now);
        let ended = self.finish(py, &mut query, &budget);
        let known = query.into_known();
        let took = started.filter(|_| known.nodes() > 0).map(|started| started.elapsed());
        let analysis = Analysis::new(asked, known, took);
        match ended {
            Ok(()) => Ok(analysis),
            Err(error) => Err(with_results(py, error, Bound::new(py, analysis)?.as_any(), None)),
        }
    }

    /// A best move, a column from 0; None if the game is over. It is the one nearest to the centre, or
    /// that of a strategy of exact scores where the book has no answer. To choose one of several by
    /// chance, call `choose_move`.
    ///
    /// >>> Oracle().best_move("4453")
    /// 2
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None, cancel = None))]
    fn best_move(
        &self,
        position: &Object<'_>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Option<usize>> {
        let query =
            self.ask(position, &Budget::new(max_nodes, timeout, cancel)?, Question::BestMove)?;
        Ok(query.known().line().first().copied())
    }

    /// The move that a player of a level chooses: `level` is a `Level`, its number or its name.
    /// The same `seed` in the same position gives the same move.
    ///
    /// If a limit ends the search, the result is the best move known, with `proved` False and
    /// `bounds` of the position's score. Without `max_nodes` and `timeout`, it takes at most 3
    /// seconds.
    ///
    /// >>> Oracle().choose_move("4453", level="casual", seed=7).column
    /// 6
    #[pyo3(
        signature = (
            position, *, level = None, seed = random_seed(), max_nodes = None, timeout = None,
            cancel = None
        ),
        text_signature = "($self, position, *, level=None, seed=None, max_nodes=None, timeout=None, cancel=None)"
    )]
    fn choose_move<'py>(
        &self,
        position: &Object<'py>,
        level: Given<'_, '_>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        static CHOICE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = position.py();
        let level = level.map(level::rule).transpose()?.unwrap_or(Level::PERFECT);
        let asked = Asked::new(position, self.size)?;
        let mut query = self.query(&asked, Question::Play { level, seed })?;
        let mut budget = Budget::new(max_nodes, timeout, cancel)?;
        budget.limit_time(Level::USUAL_TIME);
        match self.finish(py, &mut query, &budget) {
            Err(error)
                if !(error.is_instance_of::<NodeBudgetError>(py)
                    || error.is_instance_of::<DeadlineError>(py)) =>
            {
                return Err(error);
            }
            _ => {}
        }
        let (column, is_proved) = query.choice();
        let text = "expected a position in which the game goes on, found one that is over";
        let column = column.ok_or_else(|| PositionError::new_err(text))?;
        let ScoreBounds { min, max } = query.known().bounds();
        let choice = (column, is_proved, (!is_proved).then_some((min, max)));
        CHOICE.import(py, "fourbook._results", "Choice")?.call1(choice)
    }

    /// Why perfect play from a position ends as it does: the four, since when it was a
    /// threat, and why the loser could not prevent it. The names are those of the server's
    /// JSON; `text` has the whole explanation in a few sentences.
    ///
    /// >>> explanation = Oracle().explain("44335")
    /// >>> explanation["winner"], explanation["reason"]
    /// ('X', 'double-threat')
    #[pyo3(signature = (position, *, max_nodes = None, timeout = None, cancel = None))]
    fn explain<'py>(
        &self,
        position: &Object<'py>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        let query =
            self.ask(position, &Budget::new(max_nodes, timeout, cancel)?, Question::Line)?;
        let known = query.known();
        to_python(position.py(), &Explanation::new(known.position(), known.line()))
    }

    /// The scores of many positions, on all threads: an array of numpy of type int8, or
    /// without numpy a list. `positions` is an iterable of positions, texts and boards,
    /// such as a list or a series of pandas or polars, or an array of numpy of boards as
    /// `Position.stack` makes them; `Position.unstack` reads those of layout `mover`.
    /// `progress` is called with a step, the positions done and the positions in total.
    /// Limits hold for all positions together. When one is reached, `Stopped.results` has the scores
    /// found in a masked array, or without numpy None for the others; so does the `KeyboardInterrupt`
    /// of Ctrl-C.
    ///
    /// >>> [int(score) for score in Oracle().scores(["44", "4453", ""])]
    /// [1, -2, 1]
    #[pyo3(
        signature = (positions, *, progress = None, max_nodes = None, timeout = None, cancel = None)
    )]
    fn scores<'py>(
        &self,
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        Batch::new(self, positions, progress, budget)?.answer(
            Oracle::scores_into,
            |_, score| score,
            |_| true,
            |batch, scores| arrays::of_numbers(batch.py, &scores),
        )
    }

    /// Who wins many positions, for the side to move: a masked array of the texts `win`, `draw` and
    /// `loss`, or without numpy a list. Cheaper than the scores if searches are needed. Everything else is as
    /// in `scores`.
    ///
    /// >>> [str(outcome) for outcome in Oracle().outcomes(["44", "4453", "3"])]
    /// ['win', 'loss', 'draw']
    #[pyo3(
        signature = (positions, *, progress = None, max_nodes = None, timeout = None, cancel = None)
    )]
    fn outcomes<'py>(
        &self,
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        Batch::new(self, positions, progress, budget)?.answer(
            Oracle::outcomes_into,
            |_, outcome| Some(outcome?.to_string()),
            |_| true,
            |batch, texts| arrays::of_values(batch.py, texts, "str"),
        )
    }

    /// The stones of both sides until the games of many positions end, in an array like that of
    /// `scores`: 0 if a game is over.
    ///
    /// >>> [int(plies) for plies in Oracle().plies_to_end(["4453", "121212"])]
    /// [36, 1]
    #[pyo3(
        signature = (positions, *, progress = None, max_nodes = None, timeout = None, cancel = None)
    )]
    fn plies_to_end<'py>(
        &self,
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        Batch::new(self, positions, progress, budget)?.answer(
            Oracle::scores_into,
            |board, score| Some(board.plies_to_end(score?) as i8),
            |_| true,
            |batch, plies| arrays::of_numbers(batch.py, &plies),
        )
    }

    /// A best move of many positions, a column from 0, in a masked array of numpy; masked where the
    /// game is over. Without numpy it is a list, with None there. Of several, it is the one nearest to
    /// the centre; everything else is as in `scores`.
    ///
    /// >>> Oracle().best_moves(["44", "4453", "1213141"]).tolist()
    /// [3, 2, None]
    #[pyo3(
        signature = (positions, *, progress = None, max_nodes = None, timeout = None, cancel = None)
    )]
    fn best_moves<'py>(
        &self,
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        Batch::new(self, positions, progress, budget)?.answer(
            Oracle::analyse_into,
            |_, known| known.is_complete().then(|| known.best_moves().first().copied()),
            |_| true,
            |batch, columns| {
                arrays::of_values(batch.py, columns.into_iter().map(Option::flatten), "int8")
            },
        )
    }

    /// The scores of many positions and of all their moves, on all threads: a tuple of analyses, with
    /// arrays of their values. `positions`, `progress` and limits are as in `scores`.
    ///
    /// >>> analyses = Oracle().analyse_many(["4453", "111111"])
    /// >>> analyses.move_scores.tolist()[1]
    /// [None, -2, 0, 1, -2, 0, -2]
    /// >>> analyses[0].best_moves
    /// [2, 5, 6]
    #[pyo3(
        signature = (positions, *, progress = None, max_nodes = None, timeout = None, cancel = None)
    )]
    fn analyse_many<'py>(
        &self,
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Object<'py>> {
        let budget = Budget::new(max_nodes, timeout, cancel)?;
        Batch::new(self, positions, progress, budget)?.answer(
            Oracle::analyse_into,
            |_, known| Some(known),
            Known::is_complete,
            |batch, found| {
                static ANALYSES: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                let analyses = batch.boards.iter().zip(found).map(|(&board, known)| {
                    let asked = Asked { position: Position::set_up(board), text: None };
                    Analysis::new(asked, known.unwrap_or_else(|| Known::none(board)), None)
                });
                let arguments = (arrays::listed(batch.py, analyses)?, self.size());
                ANALYSES.import(batch.py, "fourbook._results", "Analyses")?.call1(arguments)
            },
        )
    }
}

/// Positions of one call between two progress events.
const PART: usize = 256;

/// Positions that are searched together without progress events, and whose results are kept in
/// full at a time.
const LARGE_PART: usize = 1 << 14;

/// The most positions that the calling thread looks up itself: about a millisecond.
const BATCH: usize = 1 << 10;

/// Many positions of a call.
struct Batch<'a, 'py> {
    py: Python<'py>,
    search: &'a Search,
    boards: Vec<Board>,
    budget: Budget,
    meter: Meter,
}

impl<'a, 'py> Batch<'a, 'py> {
    fn new(
        search: &'a Search,
        positions: &Object<'py>,
        progress: Option<Py<PyAny>>,
        budget: Budget,
    ) -> PyResult<Self> {
        let (_, boards) = all_of(positions, Layout::Rows, Some(search.size))?;
        Ok(Batch { py: positions.py(), search, boards, budget, meter: Meter::new(progress) })
    }

    /// Calls `find` for the positions in parts, and makes results of a `value` for each position, none
    /// if it is not found. The error that ends a search has the results as well.
    fn answer<T: Send, V: Send>(
        &self,
        find: impl Fn(&Oracle, &[Board], &mut Vec<T>) -> Result<(), OracleError> + Sync,
        value: impl Fn(Board, T) -> Option<V> + Sync,
        is_solved: impl Fn(&V) -> bool,
        make: impl FnOnce(&Self, Vec<Option<V>>) -> PyResult<Object<'py>>,
    ) -> PyResult<Object<'py>> {
        let Batch { boards, budget, meter, .. } = self;
        let length = if meter.callback.is_some() { PART } else { LARGE_PART };
        meter.start("solving positions", 0, boards.len() as u64);
        let mut found = Vec::new();
        let mut values = Vec::new();
        reserve(&mut values, boards.len())?;
        let keep = |found: &mut Vec<T>, values: &mut Vec<Option<V>>| {
            let found = boards[values.len()..].iter().zip(found.drain(..));
            values.extend(found.map(|(&board, found)| value(board, found)));
        };
        let search = self.search;
        let oracle = search.oracle()?;
        let spent = Arc::new(SearchProgress::default());
        let step = |limits: &Limits, threads| {
            let oracle = oracle.with_threads(threads);
            let before = spent.nodes();
            while values.len() < boards.len() {
                let rest = &boards[values.len()..];
                let spent_now = spent.nodes() - before;
                let limits = Limits {
                    cancel: limits.cancel.clone(),
                    progress: Some(Arc::clone(&spent)),
                    ..budget.limits(limits.max_nodes.map(|most| most.saturating_sub(spent_now)))
                };
                let part = &rest[..length.min(rest.len())];
                match find(&oracle.with_limits(limits), part, &mut found) {
                    Err(OracleError::Stopped(stopped)) => {
                        return Ok(Step::More(Stopped { nodes: spent.nodes(), ..stopped }));
                    }
                    ended => ended?,
                }
                keep(&mut found, &mut values);
                meter.advance(part.len() as u64);
            }
            Ok(Step::Done)
        };
        let ended = search.steps(self.py, budget, boards.len() <= BATCH, Some(meter), step);
        // Of the part that a limit ended.
        keep(&mut found, &mut values);
        values.resize_with(boards.len(), || None);
        let ended = ended.and_then(|()| meter.tell(self.py));
        let solved =
            Some((values.iter().flatten().filter(|&it| is_solved(it)).count(), boards.len()));
        let results = make(self, values)?;
        ended.map_err(|error| with_results(self.py, error, &results, solved))?;
        Ok(results)
    }
}

impl Search {
    /// The oracle of this process. After a fork it is a new one: threads of the parent may have
    /// held locks of the old one.
    fn oracle(&self) -> PyResult<Arc<Oracle>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let forks = FORKS.load(Ordering::Relaxed);
        if current.0 != forks {
            let strategies = current.1.strategies().to_vec();
            let oracle = start(self.size, self.book.as_ref(), self.table_bytes, strategies)?;
            // This frees the old oracle unless a search was under way at the fork: the search holds
            // it, and perhaps its locks, and neither is ever released.
            *current = (forks, oracle);
        }
        Ok(Arc::clone(&current.1))
    }

    /// Begins to answer a question about a position.
    fn query(&self, position: &Asked, question: Question) -> PyResult<Query> {
        self.oracle()?.query(position.position.board, question).or_exception()
    }

    /// Answers a question about a position.
    fn ask(&self, position: &Object<'_>, budget: &Budget, question: Question) -> PyResult<Query> {
        let mut query = self.query(&Asked::new(position, self.size)?, question)?;
        self.finish(position.py(), &mut query, budget)?;
        Ok(query)
    }

    /// Answers from a lookup if the answer is `known` from it, else by a search.
    #[inline]
    fn value<T>(
        &self,
        position: &Object<'_>,
        budget: &Budget,
        question: Question,
        known: impl Fn(Lookup) -> Option<T>,
        found: impl Fn(&Query) -> Option<T>,
    ) -> PyResult<T> {
        let asked = Asked::new(position, self.size)?;
        let lookup = match &self.book {
            Some(book) => book.get().contents.look_up(asked.position.board).or_exception()?,
            None => Lookup::without_book(asked.position.board),
        };
        if let Some(answer) = known(lookup) {
            return Ok(answer);
        }
        let mut query = self.query(&asked, question)?;
        self.finish(position.py(), &mut query, budget)?;
        Ok(found(&query).expect("the answer is complete"))
    }

    /// Takes steps to the complete answer.
    fn finish(&self, py: Python<'_>, query: &mut Query, budget: &Budget) -> PyResult<()> {
        if query.is_done() {
            return Ok(());
        }
        self.steps(py, budget, true, None, |limits, threads| {
            query.set_threads(threads);
            query.step(limits)
        })
    }

    /// Takes a step of at most [`SLICE`] nodes on this thread if the work may be `short`, and if that is
    /// not enough, one on other threads, which a meter reports. `step` takes its limits and the number
    /// of threads.
    fn steps(
        &self,
        py: Python<'_>,
        budget: &Budget,
        short: bool,
        meter: Option<&Meter>,
        mut step: impl FnMut(&Limits, usize) -> Result<Step, OracleError> + Send,
    ) -> PyResult<()> {
        let mut spent = 0;
        if short && !budget.is_cancelled(py)? {
            let most = budget.max_nodes.map_or(SLICE, |most| most.min(SLICE));
            let limits = budget.limits(Some(most));
            match py.detach(|| step(&limits, 1)).or_exception()? {
                Step::Done => return Ok(()),
                Step::More(stopped) => {
                    let is_slice = stopped.reason == StopReason::NodeBudget;
                    if !is_slice || budget.max_nodes == Some(most) {
                        return Err(stopped).or_exception();
                    }
                    spent = stopped.nodes;
                }
            }
            py.check_signals()?;
        }
        let guard = self.all_threads.try_lock();
        let is_free = !matches!(guard, Err(TryLockError::WouldBlock));
        let threads = if is_free { self.threads } else { 1 };
        let alone = Meter::new(None);
        let meter = meter.unwrap_or(&alone);
        let Meter { cancel, .. } = meter;
        cancel.store(budget.is_cancelled(py)?, Ordering::Relaxed);
        let limits = Limits {
            cancel: Some(Arc::clone(cancel)),
            ..budget.limits(budget.max_nodes.map(|most| most.saturating_sub(spent)))
        };
        let ended = wait(
            py,
            cancel,
            || step(&limits, threads),
            |py| {
                cancel.fetch_or(budget.is_cancelled(py)?, Ordering::Relaxed);
                meter.tell(py)
            },
        )?;
        match ended.or_exception()? {
            Step::Done => Ok(()),
            Step::More(stopped) => Err(stopped).or_exception(),
        }
    }
}

fn start(
    size: Size,
    book: Option<&Py<Book>>,
    table_bytes: usize,
    strategies: Vec<Strategy>,
) -> PyResult<Arc<Oracle>> {
    let book = book.map(|book| Arc::clone(&book.get().contents));
    let oracle = Oracle::with_memory(book, size, table_bytes).or_exception()?;
    oracle.with_strategies(strategies).map(Arc::new).or_exception()
}
