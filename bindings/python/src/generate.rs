//! Making books.

use crate::arguments;
use crate::book::kind_name;
use crate::errors::OrException;
use crate::json;
use crate::waiting::{Meter, Teller, wait};
use fourbook::ValueKind;
use fourbook::book::Encoding;
use fourbook::generate::{self as making, Plan};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Makes a book: the scores of all positions down to a ply, in a file.
///
/// `out` is the file; without it, it is named after size and depth, such as `7x6-d8.book`.
/// `kind` is `scores`, or `outcomes` for win, draw or loss; `encoding` is `flat` or `compact`.
/// `progress` is called, on the thread that called, with what is being done, how much of it is
/// done, and how much there is.
///
/// What is solved is kept beside the file: after Ctrl-C, or an exception of `progress`, the
/// same call resumes. Returns how the book was made, which is also written to `FILE.json`.
///
/// >>> import tempfile, pathlib
/// >>> from fourbook import Book, generate
/// >>> out = pathlib.Path(tempfile.mkdtemp()) / "small.book"
/// >>> report = generate(out, size="4x4", depth=4)
/// >>> report["depth"], Book(out).look_up("")
/// (4, 0)
#[pyfunction]
#[pyo3(signature = (
    out = None, *, size = "7x6", depth = None, kind = "scores", encoding = "flat", memory = None,
    threads = None, progress = None
))]
// As many as there are choices; in Python they have names.
#[allow(clippy::too_many_arguments)]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    out: Option<PathBuf>,
    size: &str,
    depth: Option<u32>,
    kind: &str,
    encoding: &str,
    memory: Option<usize>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let size = arguments::size(size)?;
    let depth = depth.unwrap_or_else(|| Plan::default_depth(size));
    let kind = named("kind", kind, &[ValueKind::Scores, ValueKind::WinDrawLoss], kind_name)?;
    let encoding = named("encoding", encoding, &Encoding::ALL, Encoding::name)?;
    let defaults = Plan::new(size, depth);
    let plan = Plan {
        kind,
        encoding,
        threads: arguments::threads(threads)?,
        table_bytes: memory.unwrap_or(defaults.table_bytes),
        out: out.unwrap_or_else(|| Plan::default_out(size, depth, kind)),
        ..defaults
    };
    let meter = Meter::default();
    let teller = Teller::new(&meter, progress);
    let work = |cancel: &_| making::run(&plan, &meter, cancel);
    let report = wait(py, work, |py| teller.tell(py, false))?.or_exception()?;
    teller.tell(py, true)?;
    json::to_python(py, &report)
}

/// The one of several with this name.
fn named<T: Copy>(
    what: &str,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|&one| format!("'{}'", name_of(one))).collect();
        let names = names.join(" or ");
        PyValueError::new_err(format!("expected the {what} {names}, found '{name}'"))
    })
}
