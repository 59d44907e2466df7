//! Boards and results as arrays. [`Layout`] says which numbers mean which board;
//! `python/fourbook/_arrays.py` reads arrays of numpy.

use crate::arguments::{Object, shown};
use crate::errors::{OrException, PositionError, at, push, reserve};
use crate::waiting::Turns;
use fourbook::board::Word;
use fourbook::{Player, Position, Size};
use pyo3::exceptions::{PyImportError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

/// The numbers that boards may have.
const NUMBERS: [i8; 4] = [-1, 0, 1, 2];

/// Stands for any other number.
const WRONG: i8 = i8::MIN;

/// The most axes of an array of many boards.
const AXES: usize = 3;

/// More numbers and lists than any board has.
const MOST_ITEMS: usize = 1 << 10;

/// Numbers or bools, which `write` writes, as an array of any length, with this shape for each item.
/// Without numpy it is nested lists.
pub(crate) fn shaped<'py>(
    py: Python<'py>,
    length: usize,
    shape: &[usize],
    are_bools: bool,
    write: impl FnOnce(&mut [u8]) -> PyResult<()>,
) -> PyResult<Object<'py>> {
    static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let bytes = shape.iter().fold(length, |bytes, side| bytes * side);
    let sides = PyTuple::new(py, [&[length][..], shape].concat())?;
    // If there is no memory, `bytearray` prints an error as well.
    reserve(&mut Vec::<u8>::new(), bytes)?;
    // An array over a buffer that may be changed.
    let numbers = PyByteArray::new_with(py, bytes, write)?;
    // The codes of numpy and memory views for bool and int8.
    let kind = if are_bools { "?" } else { "b" };
    match ARRAY.import(py, "numpy", "ndarray") {
        Ok(array) => array.call1((sides, kind, numbers)),
        // numpy is optional.
        Err(error) if error.is_instance_of::<PyImportError>(py) => {
            py.import("fourbook._arrays")?.call_method1("nested", (sides, kind, numbers))
        }
        Err(error) => Err(error),
    }
}

/// Small numbers as an array; if one is missing, as a masked array.
pub(crate) fn of_numbers<'py>(py: Python<'py>, found: &[Option<i8>]) -> PyResult<Object<'py>> {
    if found.contains(&None) {
        return of_values(py, found.iter().copied(), "int8");
    }
    shaped(py, found.len(), &[], false, |bytes| {
        let numbers = found.iter().flatten();
        bytes.iter_mut().zip(numbers).for_each(|(byte, &number)| *byte = number as u8);
        Ok(())
    })
}

/// Values of this type of numpy as a masked array. Without numpy it is a list.
pub(crate) fn of_values<'py>(
    py: Python<'py>,
    found: impl IntoIterator<Item = impl IntoPyObject<'py>>,
    kind: &str,
) -> PyResult<Object<'py>> {
    let found = listed(py, found)?;
    py.import("fourbook._arrays")?.call_method1("masked", (found, kind))
}

/// A list of Python; an error, not a panic, if there is no memory.
pub(crate) fn listed<'py>(
    py: Python<'py>,
    items: impl IntoIterator<Item = impl IntoPyObject<'py>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    let mut turns = Turns::new();
    for item in items {
        turns.count(py)?;
        list.append(item)?;
    }
    Ok(list)
}

/// The boards of positions of a size as an array.
pub(crate) fn of_boards<'py>(
    py: Python<'py>,
    layout: Layout,
    size: Size,
    boards: &[Position],
) -> PyResult<Object<'py>> {
    shaped(py, boards.len(), &[size.height(), size.width()], false, |numbers| {
        let places = numbers.chunks_exact_mut(size.cells() as usize);
        let mut turns = Turns::new();
        for (&board, numbers) in boards.iter().zip(places) {
            turns.count(py)?;
            layout.write(board, numbers);
        }
        Ok(())
    })
}

/// Which numbers stand for whose stones, in rows, the top one first, with columns from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// 1 is the first player, 2 or -1 the second.
    Rows,
    /// 1 is the side to move, -1 the other side.
    Mover,
}

fourbook::solver::named!(Layout, "layout", 2: Rows = "rows", Mover = "mover");

impl Layout {
    /// Writes the numbers of a board over zeros.
    pub(crate) fn write(self, board: Position, numbers: &mut [u8]) {
        let (first, other) = match self {
            Layout::Rows => (board.stones(Player::X), 2_i8),
            Layout::Mover => (board.mover(), -1),
        };
        for (index, cell) in places(board.size(), board.mask()) {
            let number = if first & cell == 0 { other } else { 1 };
            numbers[index] = number.cast_unsigned();
        }
    }
}

/// The size of boards, one or `many`, whose array has this shape.
fn size_of(shape: &[usize], many: bool, given: Option<Size>) -> PyResult<Size> {
    let (height, width) = match (many, shape) {
        (false, &[height, width]) | (true, &[_, height, width]) => (height, width),
        _ => return Err(wrong_shape(shape, many)),
    };
    let size = Size::new(width, height).or_exception()?;
    given.map_or(Ok(()), |given| Position::empty(size).check_size(given)).or_exception()?;
    Ok(size)
}

#[cold]
fn wrong_shape(shape: &[usize], many: bool) -> PyErr {
    let expected = if many { "(positions, rows, columns)" } else { "(rows, columns)" };
    let hint = match (many, shape.len()) {
        (true, 2) => "; this is one board",
        (false, 3) => "; Position.unstack reads many boards",
        (_, 1) => "; Position.from_moves reads columns",
        _ => "",
    };
    let found = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    PositionError::new_err(format!(
        "expected an array of shape {expected}, found shape ({found}){hint}"
    ))
}

/// Reads arrays of boards of one layout and size.
struct Reader {
    layout: Layout,
    size: Size,
    /// The cell of each number.
    cells: Vec<u128>,
}

impl Reader {
    fn new(layout: Layout, size: Size) -> Self {
        let mut cells = vec![0; size.cells() as usize];
        for (index, cell) in places(size, u128::geometry(size).board) {
            cells[index] = cell;
        }
        Reader { layout, size, cells }
    }

    /// The position with these numbers. `found` is the object of Python at an index that has a
    /// [`WRONG`] one.
    fn read<'py>(
        &self,
        numbers: &[u8],
        found: impl Fn(usize) -> PyResult<Object<'py>>,
    ) -> PyResult<Position> {
        let mut first = 0_u128;
        let mut second = 0_u128;
        for (numbers, start) in numbers.chunks(8).zip((0..).step_by(8)) {
            let mut eight = [0; 8];
            eight[..numbers.len()].copy_from_slice(numbers);
            // A 0 is no stone, and most numbers are 0.
            let mut rest = u64::from_le_bytes(eight);
            while rest != 0 {
                let byte = rest.trailing_zeros() as usize / 8;
                rest &= !(0xff << (8 * byte));
                let index = start + byte;
                match (self.layout, eight[byte].cast_signed()) {
                    (_, 1) => first |= self.cells[index],
                    (_, -1) | (Layout::Rows, 2) => second |= self.cells[index],
                    _ => return Err(self.wrong_number(&found(index)?, index)),
                }
            }
        }
        let mask = first | second;
        let second_moves = self.layout == Layout::Rows && mask.count_ones() % 2 == 1;
        let mover = if second_moves { second } else { first };
        let hint = || match (self.layout, first.count_ones(), second.count_ones()) {
            (Layout::Rows, first, second) if second == first + 1 => {
                "; layout 'mover' reads 1 as the side to move"
            }
            (Layout::Mover, first, second) if second != first && second != first + 1 => {
                "; layout 'mover' shows the board to the side to move"
            }
            _ => "",
        };
        Position::from_bitboards(self.size, mover, mask)
            .map_err(|error| PositionError::new_err(format!("{error}{}", hint())))
    }

    #[cold]
    fn wrong_number(&self, found: &Object<'_>, index: usize) -> PyErr {
        let stones = match self.layout {
            Layout::Rows => "1 for a stone of the first player, 2 or -1 for one of the second",
            Layout::Mover => "1 for a stone of the side to move, -1 for one of the other side",
        };
        let row = index / self.size.width() + 1;
        let column = index % self.size.width() + 1;
        let text = format!(
            "expected 0 for an empty cell, {stones}, found {} in row {row} from the top, column {column}",
            shown(found)
        );
        match found.hasattr("__float__") {
            Ok(false) => PyTypeError::new_err(text),
            _ => PositionError::new_err(text),
        }
    }
}

/// The index in an array of each of these cells of the board, and the cell.
fn places(size: Size, cells: u128) -> impl Iterator<Item = (usize, u128)> {
    cells.cells().map(move |cell| {
        let (column, row) = u128::geometry(size).place_of(cell);
        ((size.height() - 1 - row) * size.width() + column, cell)
    })
}

pub(crate) fn is_list(object: &Object<'_>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// Whether an object may be an array: of numpy or another package, or nested lists.
pub(crate) fn is_array(object: &Object<'_>) -> PyResult<bool> {
    if is_list(object) {
        return Ok(true);
    }
    let has_type = object.hasattr("shape")? || object.hasattr("tolist")?;
    // Single numbers of numpy have no length.
    Ok(has_type && object.hasattr("__len__")?)
}

/// The lists of an array of any package; lists as they are.
fn lists<'py>(array: &Object<'py>) -> PyResult<Object<'py>> {
    let method = |name| if is_list(array) { Ok(None) } else { array.getattr_opt(name) };
    if let Some(tolist) = method("tolist")? {
        return tolist.call0();
    }
    // Iterating over a table of pandas or polars gives columns.
    match method("to_numpy")? {
        Some(to_numpy) => lists(&to_numpy.call0()?),
        None => Ok(array.clone()),
    }
}

/// The position of the array of one board.
pub(crate) fn to_position(
    array: &Object<'_>,
    layout: Layout,
    size: Option<Size>,
) -> PyResult<Position> {
    let mut nested = Nested::default();
    nested.read(&lists(array)?, 0)?;
    let shape: Vec<usize> = nested.shape.into_iter().map_while(|length| length).collect();
    let size = size_of(&shape, false, size)?;
    Reader::new(layout, size).read(&nested.numbers, |index| {
        let wrong = nested.wrong.iter().find(|(other, _)| *other == index);
        match wrong {
            Some((_, object)) => Ok(object.clone()),
            None => Ok(nested.numbers[index].cast_signed().into_pyobject(array.py())?.into_any()),
        }
    })
}

/// The number of a cell, or [`WRONG`].
fn number(object: &Object<'_>) -> PyResult<u8> {
    let py = object.py();
    let read = if object.is_instance_of::<PyInt>() {
        object.extract::<i64>().map(|number| number as f64)
    } else {
        object.extract()
    };
    let number = match read {
        Ok(number) => NUMBERS.into_iter().find(|&it| f64::from(it) == number),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => None,
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => None,
        Err(error) => return Err(error),
    };
    Ok(number.unwrap_or(WRONG).cast_unsigned())
}

/// The numbers of lists in lists.
#[derive(Default)]
struct Nested<'py> {
    /// The lengths of the lists at each level.
    shape: [Option<usize>; AXES],
    /// How many lists are around each number.
    depth: Option<usize>,
    numbers: Vec<u8>,
    /// The objects that are [`WRONG`] numbers, with their indices.
    wrong: Vec<(usize, Object<'py>)>,
    /// How many numbers and lists have been read.
    read: usize,
}

impl<'py> Nested<'py> {
    fn read(&mut self, object: &Object<'py>, level: usize) -> PyResult<()> {
        self.read += 1;
        if self.read > MOST_ITEMS {
            let text = "expected one board, found more numbers than any board has; \
                        Position.unstack reads many boards";
            return Err(PositionError::new_err(text));
        }
        let is_one = object.is_instance_of::<PyInt>()
            || object.is_instance_of::<PyFloat>()
            || object.is_instance_of::<PyString>();
        let items = if is_one { None } else { object.try_iter().ok() };
        let Some(items) = items else {
            if *self.depth.get_or_insert(level) != level {
                let found = shown(object);
                let text = format!("expected rows of equal length, found {found} beside a row");
                return Err(PositionError::new_err(text));
            }
            let number = number(object)?;
            if number == WRONG.cast_unsigned() {
                self.wrong.push((self.numbers.len(), object.clone()));
            }
            self.numbers.push(number);
            return Ok(());
        };
        if level == AXES {
            let expected = "an array of at most three axes, found lists in lists of more levels";
            return Err(PositionError::new_err(format!("expected {expected}")));
        }
        let mut length = 0;
        for item in items {
            self.read(&item?, level + 1)?;
            length += 1;
        }
        match self.shape[level].replace(length) {
            Some(other) if other != length => Err(PositionError::new_err(format!(
                "expected rows of equal length, found {other} and {length} cells"
            ))),
            _ => Ok(()),
        }
    }
}

/// The positions of an array of boards, which have this size if it is given.
pub(crate) fn to_positions(
    array: &Object<'_>,
    layout: Layout,
    size: Option<Size>,
) -> PyResult<(Size, Vec<Position>)> {
    let py = array.py();
    let read = py.import("fourbook._arrays")?.call_method1("boards", (array,))?;
    let (shape, parts): (Vec<usize>, Object<'_>) = read.extract()?;
    let size = size_of(&shape, true, size)?;
    let reader = Reader::new(layout, size);
    let length = reader.cells.len();
    let mut positions = Vec::new();
    reserve(&mut positions, shape[0])?;
    for part in parts.try_iter()? {
        let (numbers, boards): (Bound<'_, PyBytes>, Object<'_>) = part?.extract()?;
        for (start, board) in (0..).step_by(length).zip(numbers.as_bytes().chunks(length)) {
            let position =
                reader.read(board, |index: usize| boards.call_method1("item", (start + index,)));
            let index = positions.len();
            push(&mut positions, position.map_err(|error| at(py, index, error))?)?;
        }
    }
    Ok((size, positions))
}
