//! What callers may say, and what is taken if they do not.

use crate::errors::OrException;
use fourbook::Memory;
use fourbook::{Limits, Size};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// A board size: a text such as `7x6`.
pub(crate) fn size(text: &str) -> PyResult<Size> {
    text.parse().or_exception()
}

/// How many threads there may be; one for each processor if nothing is said.
pub(crate) fn threads(asked_for: Option<usize>) -> PyResult<usize> {
    match asked_for {
        Some(0) => Err(PyValueError::new_err("expected at least one thread, found 0")),
        Some(threads) => Ok(threads),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// The most bytes for the table of a solver that answers questions.
pub(crate) fn table_bytes(asked_for: Option<usize>) -> usize {
    asked_for.unwrap_or_else(|| Memory::now().table_bytes())
}

/// A seed by chance, if nobody has chosen one.
pub(crate) fn seed(asked_for: Option<u64>) -> u64 {
    asked_for.unwrap_or_else(|| RandomState::new().hash_one(0))
}

/// When to give up a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    pub(crate) max_nodes: Option<u64>,
    pub(crate) deadline: Option<Instant>,
}

impl Budget {
    /// So many nodes, and so many seconds from now on.
    ///
    /// # Errors
    ///
    /// If the number of seconds is none.
    #[inline]
    pub(crate) fn new(max_nodes: Option<u64>, timeout: Option<f64>) -> PyResult<Self> {
        let deadline = timeout.map(deadline).transpose()?;
        Ok(Budget { max_nodes, deadline })
    }

    /// The same as limits, with another number of nodes.
    pub(crate) fn limits(&self, max_nodes: Option<u64>) -> Limits {
        Limits { max_nodes, deadline: self.deadline, cancel: None }
    }
}

fn deadline(timeout: f64) -> PyResult<Instant> {
    let expected = || {
        PyValueError::new_err(format!("expected a timeout of 0 seconds or more, found {timeout}"))
    };
    let timeout = Duration::try_from_secs_f64(timeout).map_err(|_| expected())?;
    Instant::now().checked_add(timeout).ok_or_else(expected)
}
