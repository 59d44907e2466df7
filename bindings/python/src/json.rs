//! The library's JSON as dictionaries and lists, with the same names.

use crate::arguments::Object;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

/// The value that Python's own reader of JSON returns.
///
/// # Errors
///
/// If the value cannot be written as JSON; none of the library's does that.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Object<'py>> {
    let text =
        serde_json::to_string(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
