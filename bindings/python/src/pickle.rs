//! Pickling and copying, under every protocol.

use crate::arguments::{Keywords, Object};
use pyo3::BoundObject;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// The function that makes an object again: its class, arguments and keyword arguments.
pub(crate) type Reduced<'py> = (Object<'py>, (Bound<'py, PyType>, Object<'py>, Keywords<'py>));

/// What an object's `__reduce__` returns when its class takes these arguments.
pub(crate) fn reduce<'py, T>(
    object: &Bound<'py, T>,
    arguments: impl IntoPyObject<'py, Error: Into<PyErr>>,
    keywords: &[(&str, String)],
) -> PyResult<Reduced<'py>> {
    let py = object.py();
    let again = py.import("copyreg")?.getattr("__newobj_ex__")?;
    let arguments = arguments.into_pyobject(py).map_err(Into::into)?.into_any().into_bound();
    let names = PyDict::new(py);
    keywords.iter().try_for_each(|(name, value)| names.set_item(name, value))?;
    Ok((again, (object.as_any().get_type(), arguments, names)))
}
