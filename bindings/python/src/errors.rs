//! Errors of the library as exceptions of `fourbook._errors`, with the same texts.

use fourbook::text::count;
use fourbook::{Classify, ErrorKind, StopReason, with_causes};
use pyo3::prelude::*;
use std::io;

pyo3::import_exception!(fourbook._errors, ArgumentError);
pyo3::import_exception!(fourbook._errors, PositionError);
pyo3::import_exception!(fourbook._errors, SizeError);
pyo3::import_exception!(fourbook._errors, BookError);
pyo3::import_exception!(fourbook._errors, FileError);
pyo3::import_exception!(fourbook._errors, MissingFileError);
pyo3::import_exception!(fourbook._errors, GenerateError);
pyo3::import_exception!(fourbook._errors, OutOfMemoryError);
pyo3::import_exception!(fourbook._errors, Stopped);
pyo3::import_exception!(fourbook._errors, NodeBudgetError);
pyo3::import_exception!(fourbook._errors, DeadlineError);
pyo3::import_exception!(fourbook._errors, CancelledError);

/// Makes room for more items. Without it, Rust ends the process where memory ends.
///
/// # Errors
///
/// If there is no memory for them.
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) -> PyResult<()> {
    items
        .try_reserve(more)
        .map_err(|_| OutOfMemoryError::new_err("no memory for so many positions or results"))
}

/// Appends an item; an error as of [`reserve`].
pub(crate) fn push<T>(items: &mut Vec<T>, item: T) -> PyResult<()> {
    reserve(items, 1)?;
    items.push(item);
    Ok(())
}

/// The error of one of many positions, with its index.
#[cold]
pub(crate) fn at(py: Python<'_>, index: usize, error: PyErr) -> PyErr {
    let text = format!("positions[{index}]: {}", error.value(py));
    error.get_type(py).call1((text,)).map_or_else(|error| error, PyErr::from_value)
}

/// Adds its results to the error that ended a search, such as one of Ctrl-C, and how many of several
/// positions are solved.
#[cold]
pub(crate) fn with_results(
    py: Python<'_>,
    error: PyErr,
    results: &Bound<'_, PyAny>,
    solved: Option<(usize, usize)>,
) -> PyErr {
    let add = || -> PyResult<()> {
        let value = error.value(py);
        value.setattr("results", results)?;
        if let Some((solved, of)) = solved {
            value.setattr("solved", solved)?;
            if error.is_instance_of::<Stopped>(py) {
                let text = format!("{value}; solved {solved} of {}", count(of, "position"));
                value.setattr("args", (text,))?;
            }
        }
        Ok(())
    };
    match add() {
        Err(other) if error.is_instance_of::<Stopped>(py) => other,
        // Not every exception of a callback takes attributes.
        _ => error,
    }
}

/// Results whose error is raised as its exception.
pub(crate) trait OrException<T> {
    fn or_exception(self) -> Result<T, PyErr>;
}

impl<T, E: Classify> OrException<T> for Result<T, E> {
    fn or_exception(self) -> Result<T, PyErr> {
        self.map_err(|error| exception(&error))
    }
}

/// An error of the library, as the exception that it is in Python.
fn exception(error: &impl Classify) -> PyErr {
    let text = with_causes(error);
    match error.kind() {
        ErrorKind::Position => PositionError::new_err(text),
        ErrorKind::Size => SizeError::new_err(text),
        ErrorKind::Argument => ArgumentError::new_err(text),
        ErrorKind::Memory | ErrorKind::TooLarge => OutOfMemoryError::new_err(text),
        ErrorKind::Book => BookError::new_err(text),
        ErrorKind::File(path, source) => {
            // With the system's error number and the file, as every `OSError` has them; the text is
            // that of the library.
            let arguments = (source.raw_os_error(), text, path.to_owned());
            match source.kind() {
                io::ErrorKind::NotFound => MissingFileError::new_err(arguments),
                _ => FileError::new_err(arguments),
            }
        }
        ErrorKind::Stopped(stopped) => {
            let bounds = stopped.bounds.map(|bounds| (bounds.min, bounds.max));
            let arguments = (text, bounds, stopped.nodes);
            match stopped.reason {
                StopReason::NodeBudget => NodeBudgetError::new_err(arguments),
                StopReason::Deadline => DeadlineError::new_err(arguments),
                // Ctrl-C, or a callback that fails, has its own exception.
                _ => CancelledError::new_err(arguments),
            }
        }
        ErrorKind::Output | ErrorKind::Cancelled => GenerateError::new_err(text),
    }
}
