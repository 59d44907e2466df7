//! The library's JSON as dictionaries and lists, with the same names.

use crate::arguments::Object;
use pyo3::prelude::*;
use serde::Serialize;

/// The value that Python's own reader of JSON returns.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Object<'py>> {
    let text = serde_json::to_string(value).expect("reports of the library have texts as keys");
    py.import("json")?.call_method1("loads", (text,))
}
