//! Checks of arguments from Python. Errors name the argument, the expected values and the value.

use crate::errors::{ArgumentError, OrException};
use fourbook::level::random_seed;
use fourbook::solver::thread_count;
use fourbook::{Limits, NameError, Size};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The most threads: more than any machine has.
const MOST_THREADS: u64 = 1024;

/// An object of Python.
pub(crate) type Object<'py> = Bound<'py, PyAny>;

/// An optional argument.
pub(crate) type Given<'a, 'py> = Option<&'a Object<'py>>;

/// An argument that may be left out, for which Python's `None` is an argument.
pub(crate) fn present<'py>(found: &Object<'py>) -> PyResult<Option<Object<'py>>> {
    Ok(Some(found.clone()))
}

/// The error for an argument of the wrong type.
#[cold]
pub(crate) fn wrong_type(expected: &str, found: &Object<'_>) -> PyErr {
    let found = found.get_type().name().map_or_else(|_| "another".to_owned(), |it| it.to_string());
    PyTypeError::new_err(format!("expected {expected}, found {found}"))
}

/// An argument's value in an error, shortened.
pub(crate) fn shown(value: &Object<'_>) -> String {
    let text = value.repr().map_or_else(|_| "a huge number".to_owned(), |it| it.to_string());
    if text.len() <= 40 { text } else { text.chars().take(37).chain("...".chars()).collect() }
}

#[cold]
pub(crate) fn out_of_range(expected: &str, found: &Object<'_>) -> PyErr {
    ArgumentError::new_err(format!("expected {expected}, found {}", shown(found)))
}

/// A number of any type with `__index__`, such as an integer of numpy; `None` if it is out of range
/// for `T`. The error of another type, bool included, has `expected`.
pub(crate) fn number<'py, T>(expected: &str, found: &Object<'py>) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    if found.is_instance_of::<PyBool>() {
        return Err(wrong_type(expected, found));
    }
    match found.extract() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyTypeError>(found.py()) => {
            Err(wrong_type(expected, found))
        }
        Err(error) if error.is_instance_of::<PyOverflowError>(found.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A number as an int. Without the numbers of more than 64 bits, it takes a third of the time.
pub(crate) fn int(py: Python<'_>, number: u128) -> PyResult<Object<'_>> {
    Ok(match u64::try_from(number) {
        Ok(short) => short.into_pyobject(py)?.into_any(),
        Err(_) => number.into_pyobject(py)?.into_any(),
    })
}

/// The int that [`number`] reads, of any size; `None` for another type.
pub(crate) fn index<'py>(found: &Object<'py>) -> Option<Object<'py>> {
    let is_bool = found.is_instance_of::<PyBool>();
    if is_bool { None } else { found.call_method0("__index__").ok() }
}

/// An integer argument in a range.
pub(crate) fn integer(name: &str, found: &Object<'_>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let given = number(&format!("an int for {name}"), found)?;
    given.filter(|number| range.contains(number)).ok_or_else(|| {
        let first = range.start();
        let last = range.end();
        out_of_range(&format!("{name} from {first} to {last}"), found)
    })
}

/// A bool argument.
pub(crate) fn flag(found: &Object<'_>) -> PyResult<bool> {
    found.extract().map_err(|_| wrong_type("a bool", found))
}

/// A function that is called with progress events, or `None`.
pub(crate) fn progress(found: &Object<'_>) -> PyResult<Option<Py<PyAny>>> {
    if found.is_none() {
        return Ok(None);
    }
    if !found.is_callable() {
        return Err(wrong_type("a function for progress", found));
    }
    Ok(Some(found.clone().unbind()))
}

/// A text.
pub(crate) fn text(found: &Object<'_>) -> PyResult<String> {
    found.extract().map_err(|_| wrong_type("a text", found))
}

/// One of several choices, by its name.
pub(crate) fn named<T: FromStr<Err = NameError>>(found: &Object<'_>) -> PyResult<T> {
    text(found)?.parse().or_exception()
}

/// A board size, a text such as `7x6`, or columns and rows; or `None`.
pub(crate) fn size(found: &Object<'_>) -> PyResult<Option<Size>> {
    if found.is_none() {
        return Ok(None);
    }
    if let Ok(text) = found.extract::<String>() {
        return text.parse().map(Some).or_exception();
    }
    let pair = found.extract::<(Object<'_>, Object<'_>)>().ok();
    let numbers = pair.and_then(|(width, height)| Some((index(&width)?, index(&height)?)));
    let Some((width, height)) = numbers else {
        return Err(wrong_type("size as a text like '7x6' or two ints like (7, 6)", found));
    };
    format!("{}x{}", shown(&width), shown(&height)).parse().map(Some).or_exception()
}

/// The number of threads; 0 or `None`: one for each processor.
pub(crate) fn threads(found: &Object<'_>) -> PyResult<usize> {
    let threads = if found.is_none() { 0 } else { integer("threads", found, 0..=MOST_THREADS)? };
    Ok(thread_count(threads as usize))
}

/// The most bytes for a solver's table, or `None`.
pub(crate) fn memory(found: &Object<'_>) -> PyResult<Option<usize>> {
    if found.is_none() {
        return Ok(None);
    }
    Ok(Some(integer("memory", found, 0..=isize::MAX as u64)? as usize))
}

/// A seed; `None`: a random one.
pub(crate) fn seed(found: &Object<'_>) -> PyResult<u64> {
    if found.is_none() { Ok(random_seed()) } else { integer("seed", found, 0..=u64::MAX) }
}

/// When to stop a search.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    pub(crate) max_nodes: Option<u64>,
    deadline: Option<Instant>,
    /// A `threading.Event`.
    cancel: Option<Py<PyAny>>,
}

impl Budget {
    /// The arguments `max_nodes`, `timeout` in seconds from now on, and `cancel`.
    #[inline]
    pub(crate) fn new(
        max_nodes: Given<'_, '_>,
        timeout: Given<'_, '_>,
        cancel: Given<'_, '_>,
    ) -> PyResult<Self> {
        if let Some(event) = cancel
            && !event.hasattr("is_set")?
        {
            return Err(wrong_type("a threading.Event for cancel", event));
        }
        let max_nodes = max_nodes.map(|most| integer("max_nodes", most, 0..=u64::MAX));
        Ok(Budget {
            max_nodes: max_nodes.transpose()?,
            deadline: timeout.map(deadline).transpose()?,
            cancel: cancel.map(|event| event.clone().unbind()),
        })
    }

    /// Sets a usual time, where nothing else limits the search.
    pub(crate) fn limit_time(&mut self, usual: Duration) {
        if self.max_nodes.is_none() {
            self.deadline.get_or_insert_with(|| Instant::now() + usual);
        }
    }

    /// The limits of a search of at most `max_nodes` nodes.
    pub(crate) fn limits(&self, max_nodes: Option<u64>) -> Limits {
        Limits {
            max_nodes,
            max_time: self
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now())),
            ..Limits::default()
        }
    }

    /// Whether the caller has cancelled the search.
    pub(crate) fn is_cancelled(&self, py: Python<'_>) -> PyResult<bool> {
        self.cancel.as_ref().map_or(Ok(false), |event: &Py<PyAny>| {
            event.bind(py).call_method0("is_set")?.is_truthy()
        })
    }
}

/// The end of a timeout, at most that of a century.
fn deadline(timeout: &Object<'_>) -> PyResult<Instant> {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 86_400);
    let seconds =
        match timeout.extract::<f64>() {
            Ok(seconds) if !timeout.is_instance_of::<PyBool>() => seconds,
            Err(error) if error.is_instance_of::<PyOverflowError>(timeout.py()) => {
                if timeout.lt(0)? { f64::NEG_INFINITY } else { f64::INFINITY }
            }
            _ => return Err(wrong_type("a number of seconds for timeout", timeout)),
        };
    if seconds.is_nan() || seconds < 0.0 {
        return Err(out_of_range("timeout of 0 seconds or more", timeout));
    }
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or(CENTURY);
    Ok(Instant::now() + timeout.min(CENTURY))
}
