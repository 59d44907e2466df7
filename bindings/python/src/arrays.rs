//! Boards and results as arrays; `python/fourbook/_arrays.py` knows numpy.

use crate::arguments::Object;
use crate::errors::{OrException, at};
use fourbook::{Player, Position, Score, Size};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

/// The number in arrays for a column that cannot be played. No score is as low.
pub(crate) const UNPLAYABLE: Score = Score::MIN;

/// The number in the results of a search that was stopped for a score that is not known.
pub(crate) const UNKNOWN: Score = Score::MIN + 1;

/// Numbers as an array of any length and a shape after that.
pub(crate) fn shaped<'py>(
    py: Python<'py>,
    numbers: &[i8],
    shape: &[usize],
) -> PyResult<Object<'py>> {
    let bytes: Vec<u8> = numbers.iter().map(|&number| number as u8).collect();
    let bytes = PyByteArray::new(py, &bytes);
    py.import("fourbook._arrays")?.call_method1("shaped", (bytes, shape))
}

/// A board as numbers, row by row, the top one first: 0 is empty, 1 a stone of the first
/// player, 2 of the second.
pub(crate) fn cells(position: Position) -> impl Iterator<Item = i8> {
    let size = position.size();
    let [first, second] = Player::BOTH.map(|player| position.stones(player));
    let cells = (0..size.height()).rev().flat_map(move |row| {
        (0..size.width()).map(move |column| 1 << ((size.height() + 1) * column + row))
    });
    cells.map(move |cell: u128| i8::from(first & cell != 0) + 2 * i8::from(second & cell != 0))
}

/// The position of one board of numbers as [`cells`] gives them, where a stone of the second
/// player may be -1, too.
pub(crate) fn to_position(array: &Object<'_>) -> PyResult<Position> {
    let (size, cells) = read(array, "board")?;
    of_cells(size, cells.cast::<PyBytes>()?.as_bytes()).or_exception()
}

/// The positions of an array of boards, which have this size if it is given.
pub(crate) fn to_positions(
    array: &Object<'_>,
    size: Option<Size>,
) -> PyResult<(Size, Vec<Position>)> {
    let py = array.py();
    let (found, parts) = read(array, "boards")?;
    let size = size.unwrap_or(found);
    Position::empty(found).check_size(size).or_exception()?;
    let mut positions = Vec::new();
    for part in parts.try_iter()? {
        for board in part?.cast::<PyBytes>()?.as_bytes().chunks(size.cells() as usize) {
            let position = of_cells(size, board).or_exception();
            positions.push(position.map_err(|error| at(py, positions.len(), error))?);
        }
    }
    Ok((size, positions))
}

fn read<'py>(array: &Object<'py>, how: &str) -> PyResult<(Size, Object<'py>)> {
    let read = array.py().import("fourbook._arrays")?.call_method1(how, (array,))?;
    let (width, height, cells): (usize, usize, Object<'_>) = read.extract()?;
    Ok((Size::new(width, height).or_exception()?, cells))
}

/// The position with these cells, row by row, the top one first.
fn of_cells(size: Size, cells: &[u8]) -> Result<Position, fourbook::PositionError> {
    let mut stones = [0_u128; 2];
    for (number, &cell) in cells.iter().enumerate() {
        let (row, column) = (size.height() - 1 - number / size.width(), number % size.width());
        let bit = 1 << ((size.height() + 1) * column + row);
        match cell {
            0 => {}
            1 => stones[0] |= bit,
            _ => stones[1] |= bit,
        }
    }
    let mask = stones[0] | stones[1];
    Position::from_bitboards(size, stones[mask.count_ones() as usize % 2], mask)
}
