//! fourbook for Python: the extension module `fourbook._fourbook`.
//!
//! Data flows down this list; no module uses one below it.
//!
//! | module | what is there |
//! |---|---|
//! | `errors` | errors of the library as exceptions |
//! | `waiting` | work that takes long: the interpreter's lock is released, Ctrl-C stops it |
//! | `arguments` | arguments, checked |
//! | `json` | the library's JSON as objects of Python |
//! | `arrays` | boards and results as arrays |
//! | `position` | `Position` |
//! | `random` | random positions |
//! | `level` | `Level`, and which of several best moves is played |
//! | `analysis` | `Analysis` |
//! | `book` | `Book`, and its positions one after the other |
//! | `search` | `Search`: answers from a book, if there is one, and the solver |
//! | `generate` | `generate` |
//!
//! `python/fourbook` has the rest: `Oracle` over `Search`, results, arrays, pictures.
//! The documentation of what Python sees is in the doc comments, with examples that the tests
//! run; `python/fourbook/_fourbook.pyi` has the types.

mod analysis;
mod arguments;
mod arrays;
mod book;
mod errors;
mod generate;
mod json;
mod level;
mod position;
mod random;
mod search;
mod waiting;

use pyo3::pymodule;

/// fourbook in Rust; the package `fourbook` exports the public names.
#[pymodule]
mod _fourbook {
    #[pymodule_export]
    use crate::{
        analysis::Analysis,
        book::{Book, BookPositions, embedded, reopen},
        generate::generate,
        level::Level,
        position::Position,
        random::random_position,
        search::{Search, forked},
    };
    use pyo3::prelude::*;
    use std::ffi::OsString;

    /// Runs the program `fourbook` with these arguments, its name the first, and returns its exit
    /// code.
    #[pyfunction]
    fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| fourbook_cli::run(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
