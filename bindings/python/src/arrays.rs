//! Boards and results as arrays. [`Layout`] says which numbers mean which board;
//! `python/fourbook/_arrays.py` reads arrays of numpy.

use crate::arguments::{Given, Object, named, shown};
use crate::errors::{OrException, PositionError, at, push, reserve};
use crate::waiting::{PAUSE, pause};
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

/// The most axes of a board.
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
    let sides = [&[length][..], shape].concat();
    let bytes = sides.iter().product();
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
    items.into_iter().try_for_each(|item| list.append(item))?;
    Ok(list)
}

/// The boards of positions of a size as an array.
pub(crate) fn of_boards<'py>(
    py: Python<'py>,
    layout: Layout,
    size: Size,
    boards: &[Position],
) -> PyResult<Object<'py>> {
    let shape = layout.shape(size);
    shaped(py, boards.len(), &shape, false, |numbers| {
        let places = numbers.chunks_exact_mut(shape.iter().product());
        for (index, (&board, numbers)) in boards.iter().zip(places).enumerate() {
            if index % PAUSE == 0 {
                pause(py)?;
            }
            layout.write(board, numbers);
        }
        Ok(())
    })
}

/// How the numbers of an array are a board, columns from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Rows, the top one first: 1 is the first player, 2 or -1 the second.
    Rows,
    /// Rows, the top one first: 1 is the side to move, -1 the other side.
    Mover,
    /// The numbers of [`Rows`](Self::Rows) in one list, as Kaggle's ConnectX has them.
    Kaggle,
    /// Rows of cells of two numbers, as PettingZoo and pgx have them: whether the side to move has
    /// the cell, and whether the other side has it.
    PettingZoo,
    /// Rows with the stones of the side to move, then rows with the other side's.
    Planes,
    /// Rows with the stones of the first player, of the second, and rows of empty cells, the bottom row
    /// first in each, as OpenSpiel has them.
    OpenSpiel,
}

/// The holder of a cell, an index into [`Layout::numbers`]: the second player.
const SECOND: usize = 1;

fourbook::solver::named!(Layout, "layout", 6:
    Rows = "rows", Mover = "mover", Kaggle = "kaggle", PettingZoo = "pettingzoo",
    Planes = "planes", OpenSpiel = "openspiel"
);

impl Layout {
    /// The layout of the argument `layout`.
    pub(crate) fn given(layout: Given<'_, '_>) -> PyResult<Self> {
        let named = |layout| named("layout", layout, &Self::ALL, Self::name);
        layout.map_or(Ok(Layout::Rows), named)
    }

    /// The shape of a board's array.
    pub(crate) fn shape(self, size: Size) -> Vec<usize> {
        let (width, height) = (size.width(), size.height());
        match self {
            Layout::Rows | Layout::Mover => vec![height, width],
            Layout::Kaggle => vec![height * width],
            Layout::PettingZoo => vec![height, width, 2],
            Layout::Planes => vec![2, height, width],
            Layout::OpenSpiel => vec![3, height, width],
        }
    }

    /// Columns and rows of a board whose array has this shape. A flat array is one of a given size.
    fn sides(self, shape: &[usize], flat: Size) -> Option<(usize, usize)> {
        match (self, shape) {
            (Layout::Rows | Layout::Mover, &[height, width])
            | (Layout::PettingZoo, &[height, width, 2])
            | (Layout::Planes, &[2, height, width])
            | (Layout::OpenSpiel, &[3, height, width]) => Some((width, height)),
            (Layout::Kaggle, &[cells]) if cells == flat.cells() as usize => {
                Some((flat.width(), flat.height()))
            }
            _ => None,
        }
    }

    /// The size of boards, one or `many`, whose array has this shape.
    fn size(self, shape: &[usize], many: bool, given: Option<Size>) -> PyResult<Size> {
        let flat = given.unwrap_or_default();
        let one = if many { shape.get(1..).unwrap_or_default() } else { shape };
        let Some((width, height)) = self.sides(one, flat) else {
            return Err(self.wrong_shape(shape, many, flat));
        };
        let size = Size::new(width, height).or_exception()?;
        given.map_or(Ok(()), |given| Position::empty(size).check_size(given)).or_exception()?;
        Ok(size)
    }

    fn fits(self, shape: &[usize], flat: Size) -> bool {
        let sides = self.sides(shape, flat);
        sides.is_some_and(|(width, height)| Size::new(width, height).is_ok())
    }

    #[cold]
    fn wrong_shape(self, shape: &[usize], many: bool, flat: Size) -> PyErr {
        let (name, rest) = (self.name(), shape.get(1..).unwrap_or_default());
        let (axes, on) = match self {
            Layout::Rows | Layout::Mover => ("rows, columns".to_owned(), String::new()),
            Layout::Kaggle => (flat.cells().to_string(), format!(" on a {flat} board")),
            Layout::PettingZoo => ("rows, columns, 2".to_owned(), String::new()),
            Layout::Planes => ("2, rows, columns".to_owned(), String::new()),
            Layout::OpenSpiel => ("3, rows, columns".to_owned(), String::new()),
        };
        let (expected, one, other) = if many {
            (format!("(positions, {axes}), or of positions,"), rest, shape)
        } else {
            (format!("({axes})"), shape, rest)
        };
        let hint = match Self::ALL.into_iter().find(|layout| layout.fits(one, flat)) {
            Some(layout) => format!("; layout '{}' has this shape", layout.name()),
            None if self.fits(other, flat) && many => "; this is one board".to_owned(),
            None if self.fits(other, flat) => "; Position.unstack reads many boards".to_owned(),
            None if shape.len() == 1 => "; Position.from_moves reads columns".to_owned(),
            None => String::new(),
        };
        let found = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        PositionError::new_err(format!(
            "expected an array of shape {expected} for layout '{name}'{on}, found shape ({found}){hint}"
        ))
    }

    /// How many numbers there are for each cell.
    fn planes(self) -> usize {
        match self {
            Layout::Rows | Layout::Mover | Layout::Kaggle => 1,
            Layout::PettingZoo | Layout::Planes => 2,
            Layout::OpenSpiel => 3,
        }
    }

    /// The index of a cell in a plane of the flattened array. Rows count from the top.
    fn index(self, size: Size, plane: usize, row: usize, column: usize) -> usize {
        let row = if self == Layout::OpenSpiel { size.height() - 1 - row } else { row };
        let cell = row * size.width() + column;
        match self {
            Layout::PettingZoo => 2 * cell + plane,
            _ => plane * size.cells() as usize + cell,
        }
    }

    /// The numbers in a plane for a stone of the first player or the side to move, for a stone of the
    /// other one, and for an empty cell.
    fn numbers(self, plane: usize) -> [i8; 3] {
        match (self, plane) {
            (Layout::Rows | Layout::Kaggle, _) => [1, 2, 0],
            (Layout::Mover, _) => [1, -1, 0],
            (Layout::PettingZoo | Layout::Planes | Layout::OpenSpiel, 0) => [1, 0, 0],
            (Layout::PettingZoo | Layout::Planes | Layout::OpenSpiel, 1) => [0, 1, 0],
            (Layout::PettingZoo | Layout::Planes | Layout::OpenSpiel, _) => [0, 0, 1],
        }
    }

    /// The holders of cells with each of the [`NUMBERS`] in a plane; `None` for a number that the
    /// layout lacks.
    fn holders(self, plane: usize) -> [Option<usize>; NUMBERS.len()] {
        NUMBERS.map(|number| match number {
            -1 if matches!(self, Layout::Rows | Layout::Kaggle) => Some(SECOND),
            number => self.numbers(plane).iter().position(|&it| it == number),
        })
    }

    /// Whether numbers stand for the first and the second player, not for the side to move and the
    /// other side.
    fn is_absolute(self) -> bool {
        matches!(self, Layout::Rows | Layout::Kaggle | Layout::OpenSpiel)
    }

    /// Writes the numbers of a board over zeros.
    pub(crate) fn write(self, board: Position, numbers: &mut [u8]) {
        let size = board.size();
        let first = if self.is_absolute() { board.stones(Player::X) } else { board.mover() };
        let held = [first, board.mask() ^ first, u128::geometry(size).board & !board.mask()];
        for plane in 0..self.planes() {
            for (number, held) in self.numbers(plane).into_iter().zip(held) {
                for (row, column, _) in places(size, if number == 0 { 0 } else { held }) {
                    numbers[self.index(size, plane, row, column)] = number as u8;
                }
            }
        }
    }
}

/// Reads arrays of boards of one layout and size.
struct Reader {
    layout: Layout,
    size: Size,
    /// The plane and the cell of each number.
    places: Vec<(usize, u128)>,
    /// The [`Layout::holders`] of each plane.
    holders: Vec<[Option<usize>; NUMBERS.len()]>,
}

impl Reader {
    fn new(layout: Layout, size: Size) -> Self {
        let mut planes = vec![(0, 0); layout.planes() * size.cells() as usize];
        for plane in 0..layout.planes() {
            for (row, column, cell) in places(size, u128::geometry(size).board) {
                planes[layout.index(size, plane, row, column)] = (plane, cell);
            }
        }
        let holders = (0..layout.planes()).map(|plane| layout.holders(plane)).collect();
        Reader { layout, size, places: planes, holders }
    }

    /// The position with these numbers. `found` is the object of Python at an index that has a
    /// [`WRONG`] one.
    fn read<'py>(
        &self,
        numbers: &[u8],
        found: impl Fn(usize) -> PyResult<Object<'py>>,
    ) -> PyResult<Position> {
        let (layout, mut held) = (self.layout, [0; 3]);
        for (numbers, start) in numbers.chunks(8).zip((0..).step_by(8)) {
            let mut eight = [0; 8];
            eight[..numbers.len()].copy_from_slice(numbers);
            // A 0 is no stone, and most numbers are 0.
            let mut rest = u64::from_le_bytes(eight);
            while rest != 0 {
                let byte = rest.trailing_zeros() as usize / 8;
                rest &= !(0xff << (8 * byte));
                let (plane, cell) = self.places[start + byte];
                // NUMBERS go up from -1 one by one.
                match self.holders[plane].get(usize::from(eight[byte].wrapping_add(1))) {
                    Some(&Some(holder)) => held[holder] |= cell,
                    _ => return Err(self.wrong_number(&found(start + byte)?, plane, cell)),
                }
            }
        }
        let [first, second, _] = held;
        if layout.planes() > 1 {
            self.check_planes(held)?;
        }
        let mask = first | second;
        let mover = if layout.is_absolute() && mask.count_ones() % 2 == 1 { second } else { first };
        let hint = || match (layout.is_absolute(), first.count_ones(), second.count_ones()) {
            (true, first, second) if second == first + 1 && layout.planes() == 1 => {
                "; layout 'mover' reads 1 as the side to move".to_owned()
            }
            (false, first, second) if second != first && second != first + 1 => {
                format!("; layout '{}' shows the board to the side to move", layout.name())
            }
            _ => String::new(),
        };
        Position::from_bitboards(self.size, mover, mask)
            .map_err(|error| PositionError::new_err(format!("{error}{}", hint())))
    }

    #[cold]
    fn wrong_number(&self, found: &Object<'_>, plane: usize, cell: u128) -> PyErr {
        let expected = match self.layout {
            Layout::Rows | Layout::Kaggle => {
                "0 for an empty cell, 1 for a stone of the first player, 2 or -1 for one of the second"
            }
            Layout::Mover => {
                "0 for an empty cell, 1 for a stone of the side to move, -1 for one of the other side"
            }
            Layout::PettingZoo | Layout::Planes | Layout::OpenSpiel => "0 or 1",
        };
        let plane = match self.layout.planes() {
            1 => String::new(),
            _ => format!("plane {}, ", plane + 1),
        };
        let found_in = format!("{} in {plane}{}", shown(found), self.place(cell));
        let text = format!("expected {expected}, found {found_in}");
        match found.hasattr("__float__") {
            Ok(false) => PyTypeError::new_err(text),
            _ => PositionError::new_err(text),
        }
    }

    /// The row and the column of a cell in words.
    fn place(&self, cell: u128) -> String {
        let (row, column, _) = places(self.size, cell).next().expect("a cell of the board");
        format!("row {} from the top, column {}", row + 1, column + 1)
    }

    /// Checks that no cell has a 1 in two planes and, if empty cells have a plane, that every
    /// cell has one.
    fn check_planes(&self, held: [u128; 3]) -> PyResult<()> {
        let [first, second, empty] = held;
        let never = match self.layout {
            Layout::OpenSpiel => u128::geometry(self.size).board & !(first | second | empty),
            _ => 0,
        };
        let wrong = first & second | (first | second) & empty | never;
        if wrong == 0 {
            return Ok(());
        }
        let cell = 1 << wrong.trailing_zeros();
        let found = held.iter().filter(|&held| held & cell != 0).count();
        let expected =
            if self.layout == Layout::OpenSpiel { "one plane" } else { "at most one plane" };
        Err(PositionError::new_err(format!(
            "expected 1 in {expected} for each cell, found {found} in {}",
            self.place(cell)
        )))
    }
}

/// Row from the top and column of each of these cells of the board, and the cell.
fn places(size: Size, cells: u128) -> impl Iterator<Item = (usize, usize, u128)> {
    cells.cells().map(move |cell| {
        let (column, row) = u128::geometry(size).place_of(cell);
        (size.height() - 1 - row, column, cell)
    })
}

fn is_list(object: &Object<'_>) -> bool {
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
    let size = layout.size(&shape, false, size)?;
    Reader::new(layout, size).read(&nested.numbers, |index| {
        let wrong = nested.wrong.iter().find(|(it, _)| *it == index);
        match wrong {
            Some((_, object)) => Ok(object.clone()),
            None => Ok(nested.numbers[index].cast_signed().into_pyobject(array.py())?.into_any()),
        }
    })
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
    items: usize,
}

impl<'py> Nested<'py> {
    fn read(&mut self, object: &Object<'py>, level: usize) -> PyResult<()> {
        self.items += 1;
        if self.items > MOST_ITEMS {
            let text = "expected one board, found more numbers than any board has; \
                        Position.unstack reads many boards";
            return Err(PositionError::new_err(text));
        }
        let is_one = object.is_instance_of::<PyInt>()
            || object.is_instance_of::<PyFloat>()
            || object.is_instance_of::<PyString>();
        let items = if is_one { None } else { object.try_iter().ok() };
        let Some(items) = items else { return self.read_number(object, level) };
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

    fn read_number(&mut self, object: &Object<'py>, level: usize) -> PyResult<()> {
        if *self.depth.get_or_insert(level) != level {
            let found = shown(object);
            let text = format!("expected rows of equal length, found {found} beside a row");
            return Err(PositionError::new_err(text));
        }
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
        if number.is_none() {
            self.wrong.push((self.numbers.len(), object.clone()));
        }
        self.numbers.push(number.unwrap_or(WRONG) as u8);
        Ok(())
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
    let size = layout.size(&shape, true, size)?;
    let reader = Reader::new(layout, size);
    let length = reader.places.len();
    let mut positions = Vec::new();
    reserve(&mut positions, shape[0])?;
    for part in parts.try_iter()? {
        let (numbers, boards): (Bound<'_, PyBytes>, Object<'_>) = part?.extract()?;
        for (start, board) in (0..).step_by(length).zip(numbers.as_bytes().chunks(length)) {
            let found = |index: usize| boards.call_method1("item", (start + index,));
            let position = reader.read(board, found);
            let index = positions.len();
            push(&mut positions, position.map_err(|error| at(py, index, error))?)?;
        }
    }
    Ok((size, positions))
}
