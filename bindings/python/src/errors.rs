//! Errors of the library as exceptions of `fourbook._errors`, with the same texts.

use fourbook::book::BookError as LibraryBookError;
use fourbook::generate::GenerateError as MakingError;
use fourbook::oracle::OracleError;
use fourbook::solver::TableError;
use fourbook::{
    NameError, PositionError as NoPosition, SizeError as NoSize, StopReason,
    Stopped as SearchStopped, with_causes,
};
use pyo3::prelude::*;
use std::io;
use std::path::Path;

pyo3::import_exception!(fourbook._errors, ArgumentError);
pyo3::import_exception!(fourbook._errors, PositionError);
pyo3::import_exception!(fourbook._errors, SizeError);
pyo3::import_exception!(fourbook._errors, LevelError);
pyo3::import_exception!(fourbook._errors, BookError);
pyo3::import_exception!(fourbook._errors, FileError);
pyo3::import_exception!(fourbook._errors, MissingFileError);
pyo3::import_exception!(fourbook._errors, GenerateError);
pyo3::import_exception!(fourbook._errors, OutOfMemoryError);
pyo3::import_exception!(fourbook._errors, NodeBudgetError);
pyo3::import_exception!(fourbook._errors, DeadlineError);
pyo3::import_exception!(fourbook._errors, CancelledError);

/// The error of one of many positions, with its index.
#[cold]
pub(crate) fn at(py: Python<'_>, index: usize, error: PyErr) -> PyErr {
    let text = format!("positions[{index}]: {}", error.value(py));
    error.get_type(py).call1((text,)).map_or_else(|error| error, PyErr::from_value)
}

/// An error of the library, as the exception that it is in Python.
///
/// Not `From`, since neither type is of this package.
pub(crate) trait IntoException {
    fn into_exception(self) -> PyErr;
}

/// The same for results.
pub(crate) trait OrException<T> {
    fn or_exception(self) -> Result<T, PyErr>;
}

impl<T, E: IntoException> OrException<T> for Result<T, E> {
    fn or_exception(self) -> Result<T, PyErr> {
        self.map_err(IntoException::into_exception)
    }
}

/// Errors that are always the same exception.
macro_rules! exceptions {
    ($($error:ty => $exception:ident),+ $(,)?) => {$(
        impl IntoException for $error {
            fn into_exception(self) -> PyErr {
                $exception::new_err(with_causes(&self))
            }
        }
    )+};
}

exceptions! {
    NoPosition => PositionError,
    NoSize => SizeError,
    NameError => LevelError,
    TableError => OutOfMemoryError,
}

impl IntoException for SearchStopped {
    fn into_exception(self) -> PyErr {
        let bounds = self.bounds.map(|bounds| (bounds.min, bounds.max));
        let arguments = (self.to_string(), bounds, self.nodes);
        match self.reason {
            StopReason::NodeBudget => NodeBudgetError::new_err(arguments),
            StopReason::Deadline => DeadlineError::new_err(arguments),
            // Ctrl-C, or a callback that fails, has its own exception.
            StopReason::Cancelled => CancelledError::new_err(arguments),
        }
    }
}

impl IntoException for OracleError {
    fn into_exception(self) -> PyErr {
        match self {
            OracleError::Stopped(stopped) => stopped.into_exception(),
            OracleError::Memory(error) => error.into_exception(),
            OracleError::Book(error) => error.into_exception(),
            other => OutOfMemoryError::new_err(with_causes(&other)),
        }
    }
}

impl IntoException for LibraryBookError {
    fn into_exception(self) -> PyErr {
        use LibraryBookError as E;
        let text = with_causes(&self);
        match self {
            E::Open { path, source }
            | E::Folder { folder: path, source }
            | E::WriteFile { path, source } => file_error(text, &path, &source),
            E::WrongSize { .. } => SizeError::new_err(text),
            E::Contents { .. } | E::Write(_) => GenerateError::new_err(text),
            _ => BookError::new_err(text),
        }
    }
}

impl IntoException for MakingError {
    fn into_exception(self) -> PyErr {
        let text = with_causes(&self);
        match self {
            MakingError::Table(error) => error.into_exception(),
            MakingError::Write(error) => error.into_exception(),
            MakingError::Report { path, source }
            | MakingError::Folder { folder: path, source }
            | MakingError::Io { path, source, .. }
            | MakingError::DiskFull { path, source, .. } => file_error(text, &path, &source),
            _ => GenerateError::new_err(text),
        }
    }
}

/// With the number of the system's error and the file, as every `OSError` has them; its text
/// is that of the library.
pub(crate) fn file_error(text: String, path: &Path, source: &io::Error) -> PyErr {
    let arguments = (source.raw_os_error(), text, path.to_owned());
    match source.kind() {
        io::ErrorKind::NotFound => MissingFileError::new_err(arguments),
        _ => FileError::new_err(arguments),
    }
}
