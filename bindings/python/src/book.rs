//! Books, as Python sees them.

use crate::arguments::{self, Given, Object, integer, wrong_type};
use crate::arrays::{self, Layout};
use crate::errors::{BookError, OrException, push, reserve};
use crate::json;
use crate::position::{Asked, Position};
use crate::waiting::{Meter, PAUSE, Turns};
use fourbook::book::BookError as Fault;
use fourbook::solver::thread_count;
use fourbook::tools::BookReader;
use fourbook::tools::stats::statistics;
use fourbook::tools::verify::{self, verify};
use fourbook::{Book as Contents, Position as Board, Score, Size, ValueKind};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyMemoryView};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// A book: the values of all positions to some ply, ready to look up.
///
/// `Book()` is the built-in book: 7x6 to ply 12, and for most other boards of up to
/// 49 cells `Book(size="6x5")` to ply 8. `Book(path)` opens a file or the deepest book of a folder,
/// for boards of `size` if it is given. `Book(bytes)` copies one from memory. If a file changes
/// while it is open, lookups answer as before or raise an error.
///
/// >>> from fourbook import Book, Position
/// >>> book = Book()
/// >>> book
/// <Book 7x6, depth 12, scores, compact, embedded>
/// >>> book.look_up(Position("44"))
/// 1
/// >>> book.look_up("4444443333331") is None  # deeper than the book
/// True
#[pyclass(frozen, weakref, module = "fourbook")]
#[derive(Debug)]
pub(crate) struct Book {
    pub(crate) contents: Arc<Contents>,
    origin: Origin,
}

/// Where a book comes from, to open it again in another process.
#[derive(Clone, Debug)]
enum Origin {
    Embedded,
    /// The path as it was given, and from the root.
    File(PathBuf, PathBuf),
    Bytes,
}

impl Book {
    /// Opens the book of a path or of bytes.
    fn named(source: &Object<'_>, size: Option<Size>) -> PyResult<Self> {
        if let Ok(bytes) = PyMemoryView::from(source) {
            let bytes = bytes.call_method0("tobytes")?;
            let given = bytes.extract::<&[u8]>()?;
            let mut bytes = Vec::new();
            reserve(&mut bytes, given.len())?;
            bytes.extend_from_slice(given);
            let contents = Contents::from_bytes(bytes).or_exception()?;
            return Ok(Book { contents: Arc::new(contents), origin: Origin::Bytes });
        }
        match source.extract::<PathBuf>() {
            Ok(path) => Self::at(&path, size),
            Err(_) => Err(wrong_type("the path of a file or folder, or bytes", source)),
        }
    }

    fn embedded(size: Size) -> Option<Self> {
        let contents = Arc::new(Contents::embedded_for(size)?);
        Some(Book { contents, origin: Origin::Embedded })
    }

    pub(crate) fn at(path: &Path, size: Option<Size>) -> PyResult<Self> {
        let (path, contents) = Contents::open_deepest(path, size, &mut |_| ()).or_exception()?;
        // The folder of the process may change later.
        let from_root = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        Ok(Book { contents: Arc::new(contents), origin: Origin::File(path, from_root) })
    }

    /// A ply of the book.
    fn ply(&self, ply: &Object<'_>) -> PyResult<u32> {
        Ok(integer("ply", ply, 0..=self.contents.depth().into())? as u32)
    }
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (source = None, *, size = None))]
    fn new(
        source: Given<'_, '_>,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Self> {
        let book = match source {
            Some(source) => Self::named(source, size)?,
            None => {
                let size = size.unwrap_or_default();
                Self::embedded(size).ok_or_else(|| {
                    BookError::new_err(format!("no book for {size} comes with fourbook"))
                })?
            }
        };
        size.map_or(Ok(()), |size| book.contents.check_size(size)).or_exception()?;
        Ok(book)
    }

    /// The board it is for, such as `7x6`.
    #[getter]
    fn size(&self) -> String {
        self.contents.size().to_string()
    }

    /// The most stones of a position that it answers for.
    #[getter]
    fn depth(&self) -> u32 {
        self.contents.depth()
    }

    /// The kind of its values: `scores`, or `outcomes`, which are win, draw or loss.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.contents.kind() {
            ValueKind::Scores => "scores",
            ValueKind::WinDrawLoss => "outcomes",
        }
    }

    /// Its encoding: `flat` or `compact`.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.contents.encoding().name()
    }

    /// A checksum in hexadecimal that differs between books with different contents. Books are equal
    /// if their contents are.
    #[getter]
    fn identity(&self) -> String {
        format!("{:08x}", self.contents.identity())
    }

    /// The file; None if it is in memory.
    #[getter]
    fn path(&self) -> Option<&OsStr> {
        match &self.origin {
            Origin::File(path, _) => Some(path.as_os_str()),
            Origin::Embedded | Origin::Bytes => None,
        }
    }

    /// The value of a position for the side to move: its score or, in a book of outcomes,
    /// 1, 0 or -1. None if the book does not have it.
    fn look_up(&self, position: &Object<'_>) -> PyResult<Option<Score>> {
        let asked = Asked::new(position, self.contents.size())?;
        let lookup = self.contents.look_up(asked.position.board).or_exception()?;
        // Outcomes also for positions that the rules score.
        Ok(lookup.value(self.contents.kind()))
    }

    fn __contains__(&self, position: &Object<'_>) -> PyResult<bool> {
        Ok(self.look_up(position)?.is_some())
    }

    /// The header, with the names of `fourbook info --json`.
    ///
    /// >>> info = Book().info()
    /// >>> info["depth"], [section["ply"] for section in info["sections"]]
    /// (12, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12])
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        let info = json::to_python(py, &self.contents.info())?;
        info.set_item("file", self.path())?;
        Ok(info)
    }

    /// The positions of a ply with their values, stored in the book or derived from it; a position
    /// and its mirror image count once.
    ///
    /// **Positions in which the side to move wins with its next stone are left out**, since books
    /// do not store them: data made of the others alone has no such wins. With `all`, they are
    /// included, and so is every position that a game reaches and in which it goes on. Positions of
    /// games that are over never are.
    ///
    /// >>> [(str(position.moves), value) for position, value in Book().positions(1)]
    /// [('3', 0), ('2', 1), ('1', 2), ('4', -1)]
    /// >>> [len(list(Book().positions(6, all=each))) for each in (False, True)]
    /// [7638, 8231]
    #[pyo3(signature = (ply, *, all = false), text_signature = "($self, ply, *, all=False)")]
    fn positions(
        &self,
        ply: &Object<'_>,
        #[pyo3(from_py_with = arguments::flag)] all: bool,
    ) -> PyResult<BookPositions> {
        let book = Arc::clone(&self.contents);
        let ply = self.ply(ply)?;
        let found = Contents::positions(book, ply, all).or_exception()?;
        Ok(BookPositions { found: Mutex::new((Box::new(found), Turns::new())) })
    }

    /// The boards and values of the positions that `positions` yields, in its order, as two arrays of
    /// numpy of type int8, or without numpy lists of arrays. The boards are in a `layout` of
    /// `Position.from_array`. `progress` is called with a step, the units done and the units in total.
    ///
    /// >>> boards, values = Book().arrays(1, layout="mover")
    /// >>> boards.shape, values.tolist()
    /// ((4, 6, 7), [0, 1, 2, -1])
    #[pyo3(
        signature = (ply, *, layout = Layout::Rows, all = false, progress = None),
        text_signature = "($self, ply, *, layout='rows', all=False, progress=None)"
    )]
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        ply: &Object<'_>,
        #[pyo3(from_py_with = arguments::named)] layout: Layout,
        #[pyo3(from_py_with = arguments::flag)] all: bool,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
    ) -> PyResult<(Object<'py>, Object<'py>)> {
        let ply = self.ply(ply)?;
        let found: PyResult<(Vec<Board>, Vec<_>)> = Meter::wait(py, 1, progress, |meter| {
            let mut reader = BookReader::new(&self.contents, ply, meter).or_exception()?;
            let read = reader.read(ply).or_exception()?;
            let mut boards = Vec::new();
            let mut values = Vec::new();
            for (board, value) in if all { read.ongoing() } else { read.iter() } {
                push(&mut boards, board)?;
                push(&mut values, Some(value))?;
                if values.len() % PAUSE == 0 && meter.cancel.load(Ordering::Relaxed) {
                    break;
                }
            }
            Ok((boards, values))
        })?;
        let (boards, values) = found?;
        let boards = arrays::of_boards(py, layout, self.contents.size(), &boards)?;
        Ok((boards, arrays::of_numbers(py, &values)?))
    }

    /// Checks the book: every byte, with `deep` every entry and every value. `solve` is a number of
    /// random positions to solve again. The result has the names of `fourbook
    /// verify --report`; `passed` says whether all is well. `progress` is called with a
    /// step, the units done and the units in total.
    ///
    /// >>> Book().verify()["passed"]
    /// True
    #[pyo3(
        signature = (*, deep = false, solve = None, seed = None, threads = thread_count(0), progress = None),
        text_signature = "($self, *, deep=False, solve=None, seed=None, threads=None, progress=None)"
    )]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::flag)] deep: bool,
        solve: Given<'_, '_>,
        seed: Given<'_, '_>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
    ) -> PyResult<Object<'py>> {
        let solve = solve.map_or(Ok(0), |solve| integer("solve", solve, 0..=u64::MAX))?;
        let seed = seed.map_or(Ok(1), |seed| integer("seed", seed, 0..=u64::MAX))?;
        let options = verify::VerifyOptions { deep, solve, seed };
        let report =
            Meter::wait(py, threads, progress, |meter| verify(&self.contents, &options, meter))?
                .or_exception()?;
        let facts = json::to_python(py, &report)?;
        facts.set_item("passed", report.passed())?;
        Ok(facts)
    }

    /// How the positions of every ply end under perfect play: a list, by ply.
    ///
    /// >>> from fourbook import generate
    /// >>> generate("small.book", size="4x4", depth=2).statistics()[1]["distinct"]["draws"]
    /// 4
    #[pyo3(
        signature = (*, threads = thread_count(0), progress = None),
        text_signature = "($self, *, threads=None, progress=None)"
    )]
    fn statistics<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        #[pyo3(from_py_with = arguments::progress)] progress: Option<Py<PyAny>>,
    ) -> PyResult<Object<'py>> {
        let counts = Meter::wait(py, threads, progress, |meter| statistics(&self.contents, meter))?
            .or_exception()?;
        json::to_python(py, &counts)
    }

    // For an object of another type, Python asks that type.
    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        let facts = |book: &Contents| {
            (book.identity(), book.size(), book.depth(), book.kind(), book.encoding())
        };
        facts(&self.contents) == facts(&other.get().contents)
    }

    fn __hash__(&self) -> u32 {
        self.contents.identity()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.contents.to_bytes().or_exception()?))
    }

    fn __repr__(&self) -> String {
        let place = match &self.origin {
            Origin::Embedded => "embedded".to_owned(),
            Origin::File(path, _) => format!("'{}'", path.display()),
            Origin::Bytes => "in memory".to_owned(),
        };
        let size = self.contents.size();
        let kind = self.kind();
        let depth = self.contents.depth();
        let encoding = self.encoding();
        format!("<Book {size}, depth {depth}, {kind}, {encoding}, {place}>")
    }

    // It never changes, and its file may.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Object<'_>) -> PyRef<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Object<'py>, Object<'py>)> {
        let py = slf.py();
        let book = slf.get();
        let class = slf.get_type().into_any();
        Ok(match &book.origin {
            Origin::Embedded => {
                let embedded = py.import("fourbook._fourbook")?.getattr("_embedded")?;
                (embedded, (book.size(),).into_pyobject(py)?.into_any())
            }
            Origin::File(_, path) => {
                let reopen = py.import("fourbook._fourbook")?.getattr("_reopen")?;
                (reopen, (path.as_os_str(), book.identity()).into_pyobject(py)?.into_any())
            }
            Origin::Bytes => (class, (book.__bytes__(py)?,).into_pyobject(py)?.into_any()),
        })
    }
}

/// The built-in book for boards of a size, if there is one.
#[pyfunction]
#[pyo3(name = "_embedded", signature = (size = None))]
pub(crate) fn embedded(#[pyo3(from_py_with = arguments::size)] size: Option<Size>) -> Option<Book> {
    Book::embedded(size.unwrap_or_default())
}

/// Opens the book of a pickled one, which must have the same contents.
#[pyfunction]
#[pyo3(name = "_reopen")]
pub(crate) fn reopen(path: PathBuf, identity: &str) -> PyResult<Book> {
    let book = Book::at(&path, None)?;
    let path_text = path.display();
    if book.identity() != identity {
        let text = format!(
            "cannot open the pickled book '{path_text}' again: expected the identity {identity}, \
             found {}; the file has changed",
            book.identity()
        );
        return Err(BookError::new_err(text));
    }
    Ok(book)
}

/// The positions of a ply of a book.
type Positions = Box<dyn Iterator<Item = Result<(Board, Score), Fault>> + Send>;

/// The positions of a ply of a book, one after the other, with their values.
#[pyclass(frozen, module = "fourbook")]
pub(crate) struct BookPositions {
    found: Mutex<(Positions, Turns)>,
}

#[pymethods]
impl BookPositions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(Position, Score)>> {
        let mut found = self.found.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let (positions, turns) = &mut *found;
        turns.count(py)?;
        let Some(next) = positions.next() else { return Ok(None) };
        let (board, value) = next.or_exception()?;
        Ok(Some((Position::played(board), value)))
    }
}
