//! The known scores of a position and of its moves.

use crate::arguments::Object;
use crate::json;
use crate::position::{Asked, Position};
use fourbook::oracle::{Analysis as Known, PositionReport};
use fourbook::{Outcome, Score};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::fmt::Write;
use std::time::Duration;

/// The scores of a position and of all its moves, with the names that the server and
/// `fourbook lookup --json` use. Columns are numbers from 0; the report of `to_dict` has their
/// names, such as `"3"`.
///
/// A score is for the side to move: 0 is a draw, a positive score a win, a negative one a
/// loss, and the larger, the sooner the end.
///
/// >>> from fourbook import Oracle
/// >>> analysis = Oracle().analyse("4453")
/// >>> analysis
/// Analysis('4453', score=-2, best_moves=[2, 5, 6])
/// >>> analysis.move_scores
/// [-5, -5, -2, -3, -4, -2, -2]
/// >>> analysis.outcome, analysis.plies_to_end, analysis.source
/// ('loss', 36, 'book')
/// >>> analysis.moves[0].column, analysis.moves[0].score
/// (2, -2)
///
/// Analyses are equal if they have the same position, score and scores of moves.
#[pyclass(frozen, weakref, module = "fourbook")]
#[derive(Debug)]
pub(crate) struct Analysis {
    asked: Asked,
    known: Known,
    took: Option<Duration>,
}

impl Analysis {
    /// The analysis of a position, and the time of its search if there was one.
    pub(crate) fn new(asked: Asked, known: Known, took: Option<Duration>) -> Self {
        Analysis { asked, known, took }
    }

    /// The position as it was asked for, or moves that lead there.
    fn text(&self, py: Python<'_>) -> String {
        let asked = self.asked.text.as_ref();
        asked.map_or_else(|| self.asked.position.text(), |text| text.bind(py).to_string())
    }
}

/// The parts of an analysis that pickle stores: its position, the position's text, its JSON and the time.
type Parts = (Position, Option<Py<PyString>>, String, Option<Duration>);

#[pymethods]
impl Analysis {
    /// Makes an analysis from the parts that pickle stores.
    #[new]
    fn restored(
        position: &Bound<'_, Position>,
        text: Option<Py<PyString>>,
        json: &str,
        took: Option<Duration>,
    ) -> PyResult<Self> {
        let asked = Asked { position: position.get().clone(), text };
        let known = serde_json::from_str(json).map_err(|error| {
            PyValueError::new_err(format!("expected a pickled Analysis: {error}"))
        })?;
        Ok(Analysis::new(asked, known, took))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, Parts) {
        let Analysis { asked, known, took, .. } = slf.get();
        let Asked { position, text } = asked;
        let text = text.as_ref().map(|text| text.clone_ref(slf.py()));
        let json = serde_json::to_string(known).expect("an analysis has only text for keys");
        (slf.get_type(), (position.clone(), text, json, *took))
    }

    // For an object of another type, Python asks that type.
    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        let parts = |of: &Self| (of.known.position(), of.score(), of.move_scores());
        parts(self) == parts(other.get())
    }

    fn __hash__(&self) -> u64 {
        self.asked.position.__hash__()
    }

    /// The position.
    #[getter]
    fn position(&self) -> Position {
        self.asked.position.clone()
    }

    /// The board, such as `7x6`.
    #[getter]
    fn size(&self) -> String {
        self.known.position().size().to_string()
    }

    /// The position's key.
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        self.asked.position.key(py)
    }

    /// Number of stones.
    #[getter]
    fn ply(&self) -> u32 {
        self.known.position().ply()
    }

    /// The player who moves next, `X` or `O`; None if the game is over.
    #[getter]
    fn to_move(&self) -> Option<char> {
        (!self.over()).then(|| self.known.position().to_move().stone())
    }

    /// Whether the game is over.
    #[getter]
    fn over(&self) -> bool {
        self.known.position().is_over()
    }

    /// The cells of all lines of four, each a column and a row from 0, if the game is won.
    #[getter]
    fn winning_line(&self) -> Option<Vec<(usize, usize)>> {
        self.asked.position.winning_line()
    }

    /// Score of the position, for the side to move.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.known.score()
    }

    /// Who wins, for the side to move: `win`, `draw` or `loss`.
    #[getter]
    fn outcome(&self) -> Option<String> {
        Some(self.known.outcome()?.to_string())
    }

    /// Stones of both sides until the game ends; 0 if it is over.
    #[getter]
    fn plies_to_end(&self) -> Option<u32> {
        self.known.plies_to_end()
    }

    /// The columns, from 0, that reach the score, those nearest to the centre first.
    #[getter]
    fn best_moves(&self) -> Vec<usize> {
        self.known.best_moves()
    }

    /// All columns: the best first, columns that cannot be played last.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Object<'py>>> {
        let named = py.import("fourbook._results")?.getattr("Move")?;
        let board = self.known.position();
        let moves = self.known.columns().into_iter().map(|column| {
            let (score, source) = self.known.moves()[column].unzip();
            let playable = board.can_play(column);
            let known = score.is_some() || !playable;
            let outcome = score.map(|score| Outcome::of(score).to_string());
            let plies = score.map(|score| board.plies_to_end(score));
            let source = source.map(|source| source.name());
            named.call1((column, playable, known, score, outcome, plies, source))
        });
        moves.collect()
    }

    /// The score of each column, from 0, for the side to move; None if it cannot be played.
    #[getter]
    fn move_scores(&self) -> Vec<Option<Score>> {
        self.known.move_scores()
    }

    /// Where the score, or else the outcome, comes from: `book`, `strategy`, `derived` or `solver`.
    #[getter]
    fn source(&self) -> Option<&'static str> {
        self.known.source().map(|source| source.name())
    }

    /// Whether the scores of the position and of all its moves are known.
    #[getter]
    fn complete(&self) -> bool {
        self.known.is_complete()
    }

    /// Nodes visited; None if nothing was searched.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        Some(self.known.nodes()).filter(|&nodes| nodes > 0)
    }

    /// Milliseconds that the search took; None if nothing was searched.
    #[getter]
    fn time_ms(&self) -> Option<u64> {
        self.took.map(|took| took.as_millis() as u64)
    }

    /// The report as a dictionary, as the server and the command line print it: with the names of
    /// columns and rows.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        json::to_python(py, &PositionReport::new(self.text(py), self.known.clone(), self.took))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let mut text = format!("Analysis('{}'", self.text(py));
        if let Some(score) = self.score() {
            let _ = write!(text, ", score={score}");
        }
        let _ = write!(text, ", best_moves={:?})", self.best_moves());
        text
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Object<'py>> {
        slf.py().import("fourbook._svg")?.call_method1("svg", (slf,))
    }
}
