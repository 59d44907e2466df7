//! Boards and results as arrays: of numpy where it is installed, of Python where not.

use crate::errors::{OrException, PositionError, SizeError};
use fourbook::{Player, Position, Score, Size};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList};

/// What stands in arrays for the score of a column that cannot be played. No score is as low.
pub(crate) const UNPLAYABLE: Score = Score::MIN;

/// numpy, if it is installed.
fn numpy(py: Python<'_>) -> Option<Bound<'_, PyModule>> {
    py.import("numpy").ok()
}

/// Numbers as an array of bytes with a sign: `numpy.ndarray`, or `array.array`.
pub(crate) fn numbers<'py>(py: Python<'py>, numbers: &[i8]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().map(|&number| number as u8).collect();
    match numpy(py) {
        // Of a bytearray, since an array of bytes could not be written to.
        Some(numpy) => numpy.call_method1("frombuffer", (PyByteArray::new(py, &bytes), "int8")),
        None => py.import("array")?.call_method1("array", ("b", PyBytes::new(py, &bytes))),
    }
}

/// The same in rows of so many numbers: an array of two dimensions, or a list of arrays.
pub(crate) fn rows<'py>(py: Python<'py>, all: &[i8], width: usize) -> PyResult<Bound<'py, PyAny>> {
    if numpy(py).is_some() {
        let shape = (all.len() / width, width);
        return numbers(py, all)?.call_method1("reshape", (shape,));
    }
    let rows = all.chunks(width).map(|row| numbers(py, row)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, rows)?.into_any())
}

/// A board as numbers, row by row, the top one first: 0 is empty, 1 a stone of the first
/// player, 2 of the second.
pub(crate) fn of_position<'py>(py: Python<'py>, position: Position) -> PyResult<Bound<'py, PyAny>> {
    let size = position.size();
    let [first, second] = Player::BOTH.map(|player| position.stones(player));
    let cells = (0..size.height()).rev().flat_map(|row| {
        (0..size.width()).map(move |column| 1 << ((size.height() + 1) * column + row))
    });
    let number = |cell: u128| i8::from(first & cell != 0) + 2 * i8::from(second & cell != 0);
    rows(py, &cells.map(number).collect::<Vec<_>>(), size.width())
}

/// The position of a board of numbers as [`of_position`] gives it, where a stone of the second
/// player may be -1, too: an array of numpy, or rows of numbers.
pub(crate) fn to_position(array: &Bound<'_, PyAny>) -> PyResult<Position> {
    let array = match array.hasattr("tolist")? {
        true => array.call_method0("tolist")?,
        false => array.clone(),
    };
    let rows: Vec<Vec<i64>> = array.extract().map_err(|error| {
        let text = format!("expected rows of numbers, the top one first: {error}");
        PyTypeError::new_err(text)
    })?;
    let width = rows.first().map_or(0, Vec::len);
    let size = Size::new(width, rows.len()).or_exception()?;
    if let Some(row) = rows.iter().find(|row| row.len() != width) {
        return Err(PositionError::new_err(format!(
            "expected rows of equal length, found {width} and {} cells",
            row.len()
        )));
    }
    of_cells(size, rows.into_iter().flatten())
}

/// The positions of boards in an array of numpy, if it is one of three dimensions.
pub(crate) fn to_positions(array: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Position>>> {
    let py = array.py();
    let Ok(shape) = array.getattr("shape") else { return Ok(None) };
    let Ok((count, height, width)) = shape.extract::<(usize, usize, usize)>() else {
        let text = format!("expected an array of shape (positions, rows, columns), found {shape}");
        return Err(PositionError::new_err(text));
    };
    let size = Size::new(width, height).or_exception()?;
    let numpy = py.import("numpy")?;
    // Larger numbers wrap around, to others than 0, 1 and 2 hardly ever: look before.
    let least = numpy.call_method1("min", (array, py.None(), py.None(), false, 0))?;
    let most = numpy.call_method1("max", (array, py.None(), py.None(), false, 0))?;
    if least.lt(-1)? || most.gt(2)? {
        let found = if least.lt(-1)? { least } else { most };
        return Err(no_cell(&found.str()?.to_string_lossy()));
    }
    let bytes =
        numpy.call_method1("ascontiguousarray", (array, "int8"))?.call_method0("tobytes")?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    let boards = bytes.chunks(size.cells() as usize);
    let read = |board: &[u8]| of_cells(size, board.iter().map(|&cell| i64::from(cell as i8)));
    let positions = boards.map(read).collect::<PyResult<Vec<_>>>()?;
    debug_assert_eq!(positions.len(), count);
    Ok(Some(positions))
}

/// The position with these cells, row by row, the top one first.
fn of_cells(size: Size, cells: impl Iterator<Item = i64>) -> PyResult<Position> {
    let mut stones = [0_u128; 2];
    for (number, cell) in cells.enumerate() {
        let (row, column) = (size.height() - 1 - number / size.width(), number % size.width());
        let bit = 1 << ((size.height() + 1) * column + row);
        match cell {
            0 => {}
            1 => stones[0] |= bit,
            2 | -1 => stones[1] |= bit,
            other => return Err(no_cell(&other.to_string())),
        }
    }
    let mask = stones[0] | stones[1];
    let mover = stones[mask.count_ones() as usize % 2];
    Position::from_bitboards(size, mover, mask).or_exception()
}

fn no_cell(found: &str) -> PyErr {
    PositionError::new_err(format!(
        "expected 0 for an empty cell, 1 for a stone of the first player, 2 or -1 for one of the \
         second, found {found}"
    ))
}

/// That a position has the board that is asked for.
///
/// # Errors
///
/// If it has another.
#[inline]
pub(crate) fn check_size(expected: Size, found: Size) -> PyResult<()> {
    if expected == found { Ok(()) } else { Err(other_size(expected, found)) }
}

#[cold]
fn other_size(expected: Size, found: Size) -> PyErr {
    SizeError::new_err(format!("expected a position of {expected} boards, found one of {found}"))
}
