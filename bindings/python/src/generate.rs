//! Making books.

use crate::arguments::{self, Given, Object, integer, wrong_type};
use crate::book::Book;
use crate::errors::OrException;
use crate::waiting::Meter;
use fourbook::book::Encoding;
use fourbook::generate::{self as making, Plan};
use fourbook::solver::thread_count;
use fourbook::{NameError, Size, ValueKind};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Makes a book: the scores of all positions down to a ply, in a file.
///
/// `out` is the file; without it, it is named after size and depth, such as `7x6-d8.book`.
/// `kind` is `scores`, or `outcomes` for win, draw or loss; `encoding` is `flat` or `compact`.
/// `progress` is called on the calling thread with a step, its units done and its units in total;
/// every step ends with all of them. With `overwrite`, the new book
/// replaces an existing file when it is complete.
///
/// A checkpoint beside the file keeps solved positions: after Ctrl-C, or an exception of `progress`,
/// the same call resumes. A report on the run is written to `FILE.json`.
///
/// >>> import tempfile, pathlib
/// >>> from fourbook import generate
/// >>> book = generate(pathlib.Path(tempfile.mkdtemp()) / "small.book", size="4x4", depth=4)
/// >>> book.depth, book.look_up("")
/// (4, 0)
#[pyfunction]
#[pyo3(
    signature = (
        out = None, *, size = None, depth = None, kind = ValueKind::Scores, encoding = Encoding::Flat,
        memory = None,
        threads = thread_count(0), overwrite = false, progress = None
    ),
    text_signature = "(out=None, *, size=None, depth=None, kind='scores', encoding='flat', memory=None, threads=None, overwrite=False, progress=None)"
)]
// One argument for each choice; in Python they have names.
#[allow(clippy::too_many_arguments)]
pub(crate) fn generate(
    py: Python<'_>,
    out: Given<'_, '_>,
    #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    depth: Given<'_, '_>,
    #[pyo3(from_py_with = given_kind)] kind: ValueKind,
    #[pyo3(from_py_with = arguments::named)] encoding: Encoding,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<usize>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    #[pyo3(from_py_with = arguments::flag)] overwrite: bool,
    #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
) -> PyResult<Book> {
    let out = out.map(|out| {
        out.extract::<PathBuf>().map_err(|_| wrong_type("the path of a file for out", out))
    });
    let out = out.transpose()?;
    let size = size.unwrap_or_default();
    let depth = match depth {
        Some(depth) => integer("depth", depth, 0..=u64::from(size.cells() - 1))? as u32,
        None => Plan::default_depth(size),
    };
    let defaults = Plan::new(size, depth);
    let plan = Plan {
        kind,
        encoding,
        threads,
        table_bytes: memory.unwrap_or(defaults.table_bytes),
        out: out.unwrap_or_else(|| Plan::default_out(size, depth, kind)),
        replace: overwrite,
        ..defaults
    };
    // It starts threads of its own.
    Meter::wait(py, 1, progress, |meter| making::run(&plan, meter))?.or_exception()?;
    Book::at(&plan.out, None)
}

fn given_kind(kind: &Object<'_>) -> PyResult<ValueKind> {
    match &*arguments::text(kind)? {
        "scores" => Ok(ValueKind::Scores),
        "outcomes" => Ok(ValueKind::WinDrawLoss),
        other => Err(NameError::new("kind", "scores or outcomes", other)).or_exception(),
    }
}
