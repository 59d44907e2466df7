//! Levels of play.

use crate::arguments::{Object, index, shown, wrong_type};
use crate::errors::OrException;
use fourbook::Level as Rule;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// How well a player plays: one of eight levels, by number or by name.
///
/// A level sees as many stones ahead as its `horizon` (None is to the end of the game), and
/// in `chance` of 100 positions it plays any move. The same seed in the same position gives
/// the same move, on every machine and in every language.
///
/// >>> from fourbook import Level
/// >>> [level.name for level in Level.all()]
/// ['beginner', 'novice', 'casual', 'intermediate', 'advanced', 'expert', 'master', 'perfect']
/// >>> Level("casual").number, Level(3).horizon, Level(3).chance
/// (3, 4, 20)
#[pyclass(frozen, eq, ord, hash, get_all, str = "{name}", module = "fourbook")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Level {
    /// From 1 for a beginner to 8 for a perfect player.
    number: u8,
    /// Its name.
    name: &'static str,
    /// How many stones it sees ahead, its own next one counted; None for the whole game.
    horizon: Option<u32>,
    /// In how many of 100 positions it plays any move.
    chance: u32,
}

impl From<Rule> for Level {
    fn from(rule: Rule) -> Self {
        let Rule { number, name, horizon, chance, .. } = rule;
        Level { number, name, horizon, chance }
    }
}

#[pymethods]
impl Level {
    #[new]
    fn new(level: &Object<'_>) -> PyResult<Self> {
        rule(level).map(Level::from)
    }

    /// All levels, the weakest first.
    #[staticmethod]
    fn all() -> Vec<Self> {
        Rule::ALL.map(Level::from).to_vec()
    }

    fn __repr__(&self) -> String {
        format!("Level('{}')", self.name)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (&'static str,)) {
        (slf.get_type(), (slf.get().name,))
    }
}

/// The level that a [`Level`], a number or a name means.
pub(crate) fn rule(level: &Object<'_>) -> PyResult<Rule> {
    if let Ok(level) = level.cast::<Level>() {
        return Ok(Rule::ALL[usize::from(level.get().number) - 1]);
    }
    let text = match (level.extract::<String>(), index(level)) {
        (Ok(text), _) => text,
        (_, Some(number)) => shown(&number),
        _ => return Err(wrong_type("a Level, a number or a name for level", level)),
    };
    text.parse().or_exception()
}
