//! Making books.

use crate::arguments::{self, Given, integer, named, wrong_type};
use crate::book::{Book, kind_name};
use crate::errors::OrException;
use crate::waiting::Meter;
use fourbook::ValueKind;
use fourbook::book::Encoding;
use fourbook::generate::{self as making, Plan};
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
        out = None, *, size = None, depth = None, kind = None, encoding = None, memory = None,
        threads = None, overwrite = None, progress = None
    ),
    text_signature = "(out=None, *, size=None, depth=None, kind=None, encoding=None, memory=None, threads=None, overwrite=False, progress=None)"
)]
// One argument for each choice; in Python they have names.
#[allow(clippy::too_many_arguments)]
pub(crate) fn generate(
    py: Python<'_>,
    out: Given<'_, '_>,
    size: Given<'_, '_>,
    depth: Given<'_, '_>,
    kind: Given<'_, '_>,
    encoding: Given<'_, '_>,
    memory: Given<'_, '_>,
    threads: Given<'_, '_>,
    overwrite: Given<'_, '_>,
    progress: Given<'_, '_>,
) -> PyResult<Book> {
    let out = out.map(|out| {
        out.extract::<PathBuf>().map_err(|_| wrong_type("the path of a file for out", out))
    });
    let out = out.transpose()?;
    let overwrite = arguments::flag("overwrite", overwrite)?;
    let progress = arguments::progress(progress)?;
    let size = arguments::size(size)?.unwrap_or_default();
    let depth = match depth {
        Some(depth) => integer("depth", depth, 0..=u64::from(size.cells() - 1))? as u32,
        None => Plan::default_depth(size),
    };
    let kinds = [ValueKind::Scores, ValueKind::WinDrawLoss];
    let kind = kind.map_or(Ok(kinds[0]), |kind| named("kind", kind, &kinds, kind_name))?;
    let encoding = encoding.map_or(Ok(Encoding::Flat), |encoding| {
        named("encoding", encoding, &Encoding::ALL, Encoding::name)
    })?;
    let defaults = Plan::new(size, depth);
    let plan = Plan {
        kind,
        encoding,
        threads: arguments::threads(threads)?,
        table_bytes: arguments::memory(memory)?.unwrap_or(defaults.table_bytes),
        out: out.unwrap_or_else(|| Plan::default_out(size, depth, kind)),
        replace: overwrite,
        ..defaults
    };
    Meter::wait(py, progress, |meter| making::run(&plan, meter))?.or_exception()?;
    Book::at(&plan.out, None)
}
