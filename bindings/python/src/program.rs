//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program `fourbook` with these arguments, its name the first, and returns its exit code.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| fourbook_cli::run(arguments))
}
