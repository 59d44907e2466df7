//! A position, as Python sees it.

use crate::arguments::{self, Object, number, out_of_range, shown, wrong_type};
use crate::arrays::{self, Layout};
use crate::errors::{OrException, PositionError, at, push};
use crate::waiting::Turns;
use fourbook::board::notation::{self, Notation, diagram};
use fourbook::board::{Word, column_name};
use fourbook::{NameError, Player, Position as Board, Size};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyList, PyString};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

// Python aligns its objects to two words.
const _: () = assert!(align_of::<Board>() <= 2 * size_of::<usize>(), "64-bit systems only");

/// A position on a board of some size. It never changes.
///
/// A text is read in any notation of fourbook: moves (columns from 1), a diagram, bitboards,
/// `rows:` or `key:`. A column is a number from 0, or a text, its name in the notation: from 1 on.
/// `size` is a text such as `7x6` or a pair such as `(7, 6)`; by default it is the size of a diagram,
/// or 7x6. Without a text, or with an empty one, it is the empty board.
///
/// >>> from fourbook import Position
/// >>> position = Position("4453")
/// >>> position
/// Position('4453')
/// >>> print(position)
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . O . . .
/// . . O X X . .
/// 1 2 3 4 5 6 7
/// >>> position.play(3).play(3) == Position("445344")
/// True
/// >>> Position("11", size="4x4").legal_moves()
/// [0, 1, 2, 3]
#[pyclass(frozen, weakref, module = "fourbook")]
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) board: Board,
    /// Whether it was made by moves, so that a game is known to reach it.
    pub(crate) played: bool,
}

impl Position {
    /// A position that a game reaches.
    pub(crate) fn played(board: Board) -> Self {
        Position { board, played: true }
    }

    /// A position that no game may reach.
    pub(crate) fn set_up(board: Board) -> Self {
        Position { board, played: false }
    }

    pub(crate) fn text(&self) -> String {
        Notation::print_short(self.board)
    }

    /// Column, row of each cell, from 0.
    fn places(&self, cells: u128) -> Vec<(usize, usize)> {
        let geometry = u128::geometry(self.board.size());
        cells.cells().map(|cell| geometry.place_of(cell)).collect()
    }
}

/// A position in any form that callers may use.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) position: Position,
    /// The text, if the position was given as text.
    pub(crate) text: Option<Py<PyString>>,
}

impl Asked {
    /// The position that `object` names, of boards of this size if it is given.
    #[inline]
    pub(crate) fn new(object: &Object<'_>, size: impl Into<Option<Size>>) -> PyResult<Self> {
        Self::with_layout(object, Layout::Rows, size.into())
    }

    /// As [`new`](Self::new); arrays have a layout.
    #[inline]
    fn with_layout(object: &Object<'_>, layout: Layout, size: Option<Size>) -> PyResult<Self> {
        let Ok(position) = object.cast::<Position>() else {
            return Self::read(object, layout, size);
        };
        let position = position.get().clone();
        size.map_or(Ok(()), |size| position.board.check_size(size)).or_exception()?;
        Ok(Asked { position, text: None })
    }

    /// The position of a text or an array.
    fn read(object: &Object<'_>, layout: Layout, size: Option<Size>) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else {
            if !arrays::is_array(object)? {
                let expected = "a Position, or a position as a text or an array";
                return Err(wrong_type(expected, object));
            }
            let board = arrays::to_position(object, layout, size)?;
            return Ok(Asked { position: Position::set_up(board), text: None });
        };
        // Invalid characters become replacement characters, which no notation has.
        let inner = text.to_string_lossy();
        // Digits are moves, which name no board.
        let is_digits = inner.bytes().all(|it| it.is_ascii_digit());
        let size = size.or_else(|| if is_digits { None } else { notation::size_of(&inner) });
        let board = Board::parse(size.unwrap_or_default(), &inner).or_exception()?;
        let played = is_digits || Notation::recognise(&inner) == Some(Notation::Moves);
        Ok(Asked { position: Position { board, played }, text: Some(text.clone().unbind()) })
    }
}

/// The positions in an array of boards, or in any iterable of what [`Asked`] takes, and their size:
/// without a `size`, that of the first one. Arrays have a layout.
pub(crate) fn all_of(
    objects: &Object<'_>,
    layout: Layout,
    mut size: Option<Size>,
) -> PyResult<(Size, Vec<Board>)> {
    let py = objects.py();
    let mut items = objects.clone();
    // To ask a list for a missing method takes longer than to look its positions up.
    if !arrays::is_list(objects) {
        let one = objects.is_instance_of::<PyString>() || objects.is_instance_of::<PyBytes>();
        if one || objects.cast::<Position>().is_ok() || !objects.hasattr("__iter__")? {
            return Err(wrong_type("an iterable of positions for positions", objects));
        }
        if let Ok(shape) = objects.getattr("shape")
            && shape.len()? != 1
        {
            return arrays::to_positions(objects, layout, size);
        }
        // The items of pyarrow's arrays are objects of its own.
        if objects.hasattr("to_pylist")? {
            items = objects.call_method0("to_pylist")?;
        }
    }
    let mut boards = Vec::new();
    let mut turns = Turns::new();
    for (index, object) in items.try_iter()?.enumerate() {
        turns.count(py)?;
        let object = object?;
        let asked = Asked::with_layout(&object, layout, size);
        let board = asked.map_err(|error| at(py, index, error))?.position.board;
        size.get_or_insert(board.size());
        push(&mut boards, board)?;
    }
    Ok((size.unwrap_or_default(), boards))
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(
        signature = (position = None, *, size = None),
        text_signature = "(position='', *, size=None)"
    )]
    fn new(
        #[pyo3(from_py_with = arguments::present)] position: Option<Object<'_>>,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Self> {
        let Some(position) = &position else {
            return Ok(Position::played(Board::empty(size.unwrap_or_default())));
        };
        Ok(Asked::new(position, size)?.position)
    }

    /// The position after moves from the empty board: a text, or columns as `play` takes them.
    ///
    /// >>> Position.from_moves("44") == Position.from_moves([3, 3]) == Position.from_moves(["4", "4"])
    /// True
    #[staticmethod]
    #[pyo3(signature = (moves, *, size = None))]
    fn from_moves(
        moves: &Object<'_>,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Self> {
        let size = size.unwrap_or_default();
        let empty = Position::played(Board::empty(size));
        if let Ok(text) = moves.extract::<&str>() {
            return empty.play_text(text);
        }
        let expected = "moves as a text, or columns from 0";
        let mut columns = moves.try_iter().map_err(|_| wrong_type(expected, moves))?;
        columns.try_fold(empty, |position, column| position.play(&column?))
    }

    /// The position of one board of numbers, as an array of any package or as nested lists. `layout`
    /// says how they are a board:
    ///
    /// - `rows`: rows, the top one first; 0 is empty, 1 a stone of the first player, 2 or -1 one of
    ///   the second;
    /// - `mover`: as `rows`, but 1 is the side to move and -1 the other side.
    ///
    /// Numbers that are no position in the layout are an error that names the cell. `size` is the
    /// board, by default that of the shape.
    ///
    /// >>> rows = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0], [0, 1, 1, 0]]
    /// >>> Position.from_array(rows)
    /// Position('223', size='4x4')
    #[staticmethod]
    #[pyo3(
        signature = (array, *, layout = Layout::Rows, size = None),
        text_signature = "(array, *, layout='rows', size=None)"
    )]
    fn from_array(
        array: &Object<'_>,
        #[pyo3(from_py_with = arguments::named)] layout: Layout,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Self> {
        arrays::to_position(array, layout, size).map(Position::set_up)
    }

    /// The position with this `key`.
    ///
    /// >>> Position.from_key(4433222074497) == Position("4453")
    /// True
    #[staticmethod]
    #[pyo3(signature = (key, *, size = None))]
    fn from_key(
        key: &Object<'_>,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Self> {
        let size = size.unwrap_or_default();
        let found = number::<u128>("an int for key", key)?;
        Board::from_key(
            size,
            found
                .ok_or_else(|| out_of_range(&format!("key of a position of {size} boards"), key))?,
        )
        .or_exception()
        .map(Position::set_up)
    }

    /// The board, such as `7x6`: columns and rows.
    #[getter]
    fn size(&self) -> String {
        self.board.size().to_string()
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.board.size().width()
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.board.size().height()
    }

    /// Number of stones.
    #[getter]
    fn ply(&self) -> u32 {
        self.board.ply()
    }

    /// The player who moves next, `X` or `O`; None if the game is over.
    #[getter]
    fn to_move(&self) -> Option<char> {
        (!self.board.is_over()).then(|| self.board.to_move().stone())
    }

    /// Whether the game is over.
    #[getter]
    fn over(&self) -> bool {
        self.board.is_over()
    }

    /// The winner, `X` or `O`, or None.
    #[getter]
    fn winner(&self) -> Option<char> {
        self.board.winner().map(Player::stone)
    }

    /// The cells of all lines of four, each a column and a row from 0, if the game is won.
    ///
    /// >>> Position("1213141").winning_line
    /// [(0, 0), (0, 1), (0, 2), (0, 3)]
    #[getter]
    pub(crate) fn winning_line(&self) -> Option<Vec<(usize, usize)>> {
        self.board.is_won().then(|| self.places(self.board.winning_stones()))
    }

    /// A number that no other position of boards of this size has.
    #[getter]
    pub(crate) fn key<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        arguments::int(py, self.board.key())
    }

    /// The smaller of the keys of the position and its mirror image: the same for both.
    #[getter]
    fn canonical_key<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        arguments::int(py, self.board.canonical_key())
    }

    /// The moves of some game that leads here; None if no game does. A position does not
    /// remember its game.
    #[getter]
    fn moves(&self) -> Option<String> {
        Notation::Moves.print(self.board).ok()
    }

    /// The rows, the top one first, in one line.
    ///
    /// >>> Position("4453").diagram
    /// '......./......./......./......./...O.../..OXX..'
    #[getter]
    fn diagram(&self) -> String {
        Notation::Diagram.print(self.board).unwrap_or_default()
    }

    /// The position in a notation of fourbook: `moves`, `diagram`, `bitboards`, `rows` or
    /// `key`.
    ///
    /// >>> Position("4453").to_text("bitboards")
    /// '[270532608, 4210688, 4]'
    fn to_text(&self, notation: &Object<'_>) -> PyResult<String> {
        arguments::named::<Notation>(notation)?.print(self.board).or_exception()
    }

    /// The board as an array in a `layout` of `from_array`: an array of numpy of type int8, or
    /// without numpy lists of arrays.
    ///
    /// >>> Position("44", size="4x4").to_array(layout="mover").tolist()[-2:]
    /// [[0, 0, 0, -1], [0, 0, 0, 1]]
    #[pyo3(signature = (*, layout = Layout::Rows), text_signature = "($self, *, layout='rows')")]
    fn to_array<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::named)] layout: Layout,
    ) -> PyResult<Object<'py>> {
        let size = self.board.size();
        arrays::shaped(py, size.height(), &[size.width()], false, |numbers| {
            layout.write(self.board, numbers);
            Ok(())
        })
    }

    /// The boards of many positions as one array in a `layout` of `from_array`, of shape (positions,
    /// rows, columns) by default, as `Oracle.scores` takes it: an array of numpy, or without numpy
    /// lists of arrays. All boards have one size, by default that of the first position.
    ///
    /// >>> len(Position.stack(["44", "4453"]))
    /// 2
    #[staticmethod]
    #[pyo3(
        signature = (positions, *, layout = Layout::Rows, size = None),
        text_signature = "(positions, *, layout='rows', size=None)"
    )]
    fn stack<'py>(
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::named)] layout: Layout,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Object<'py>> {
        let (size, boards) = all_of(positions, Layout::Rows, size)?;
        arrays::of_boards(positions.py(), layout, size, &boards)
    }

    /// The positions of many boards in a `layout` of `from_array`: an array with one more axis, the
    /// first, or an iterable of boards. A position that is none is an error with its index. `size`
    /// is the board, by default that of the first one.
    ///
    /// >>> boards = Position.stack(["44", "4453"], layout="mover")
    /// >>> Position.unstack(boards, layout="mover")
    /// [Position('44'), Position('4453')]
    #[staticmethod]
    #[pyo3(
        signature = (boards, *, layout = Layout::Rows, size = None),
        text_signature = "(boards, *, layout='rows', size=None)"
    )]
    fn unstack<'py>(
        boards: &Object<'py>,
        #[pyo3(from_py_with = arguments::named)] layout: Layout,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (_, positions) = all_of(boards, layout, size)?;
        arrays::listed(boards.py(), positions.into_iter().map(Position::set_up))
    }

    /// Which columns of many positions can be played: an array of numpy of type bool and shape
    /// (positions, columns), or without numpy arrays of 0 and 1. `positions` are as in
    /// `Oracle.scores`, `size` as in `stack`.
    ///
    /// >>> [bool(column) for column in Position.legal_masks(["111111"])[0]]
    /// [False, True, True, True, True, True, True]
    #[staticmethod]
    #[pyo3(signature = (positions, *, size = None))]
    fn legal_masks<'py>(
        positions: &Object<'py>,
        #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    ) -> PyResult<Object<'py>> {
        let (size, boards) = all_of(positions, Layout::Rows, size)?;
        let py = positions.py();
        let width = size.width();
        arrays::shaped(py, boards.len(), &[width], true, |masks| {
            for (board, mask) in boards.iter().zip(masks.chunks_exact_mut(width)) {
                board.legal_columns().for_each(|column| mask[column] = 1);
            }
            Ok(())
        })
    }

    /// The columns, from 0, that can be played; none if the game is over.
    fn legal_moves(&self) -> Vec<usize> {
        self.board.legal_columns().collect()
    }

    /// The columns, from 0, after which the opponent cannot win with the next stone.
    ///
    /// >>> Position("121212").non_losing_moves()
    /// [0, 1]
    fn non_losing_moves(&self) -> Vec<usize> {
        let children = self.board.children().enumerate();
        let is_safe = |child: Board| child.is_over() || !child.can_win_at_once();
        children.filter_map(|(column, child)| is_safe(child?).then_some(column)).collect()
    }

    /// Whether a column can be played: a number from 0, or its name.
    ///
    /// >>> Position("444444").can_play(3), Position("444444").can_play("5")
    /// (False, True)
    fn can_play(&self, column: &Object<'_>) -> PyResult<bool> {
        let Ok(name) = column.extract::<String>() else {
            let column = number("a column from 0, or its name", column)?;
            return Ok(column.is_some_and(|it| self.board.can_play(it)));
        };
        let mut columns = self.board.legal_columns();
        Ok(columns.any(|column| column_name(column).to_string() == name))
    }

    /// The position after a move, a column as a number from 0 or by its name, a text; or after all
    /// moves of a text.
    ///
    /// >>> Position().play(3) == Position().play("4")
    /// True
    /// >>> Position().play(3).play("453") == Position("4453")
    /// True
    pub(crate) fn play(&self, moves: &Object<'_>) -> PyResult<Self> {
        moves.extract().map_or_else(|_| self.play_column(moves), |text| self.play_text(text))
    }

    /// The empty cells that complete four stones of a player, `X` or `O`: columns and rows
    /// from 0.
    ///
    /// >>> Position("121212").threats("X")
    /// [(0, 3)]
    fn threats(&self, player: &Object<'_>) -> PyResult<Vec<(usize, usize)>> {
        let player = match &*arguments::text(player)? {
            "X" => Player::X,
            "O" => Player::O,
            other => return Err(NameError::new("player", "X or O", other)).or_exception(),
        };
        Ok(self.places(self.board.threats(player)))
    }

    /// The mirror image: the first column becomes the last. Scores are the same.
    fn mirrored(&self) -> Self {
        Position { board: self.board.mirrored(), ..*self }
    }

    /// This position or its mirror image, whichever has the smaller key.
    fn canonical(&self) -> Self {
        Position { board: self.board.canonical(), ..*self }
    }

    // For an object of another type, Python asks that type.
    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.board == other.get().board
    }

    pub(crate) fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        let mut text = diagram::draw_stones(self.board);
        text.pop();
        text
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Position('{}'", self.text());
        if self.board.size() != Size::STANDARD {
            let _ = write!(text, ", size='{}'", self.board.size());
        }
        text + ")"
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Object<'py>> {
        slf.py().import("fourbook._svg")?.call_method1("svg", (slf,))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Object<'py>, Object<'py>)> {
        let py = slf.py();
        let position = slf.get();
        let again = py.import("copyreg")?.getattr("__newobj_ex__")?;
        let text =
            if position.played { position.text() } else { format!("key:{}", position.board.key()) };
        let size = [("size", position.size())].into_py_dict(py)?;
        Ok((again, (slf.get_type(), (text,), size).into_pyobject(py)?.into_any()))
    }
}

impl Position {
    fn play_text(&self, moves: &str) -> PyResult<Self> {
        let inner = moves.trim();
        // Only an empty text has no move.
        let moves = if inner.is_empty() { moves } else { inner };
        let board = self.board.play_moves(moves).or_exception()?;
        Ok(Position { board, ..*self })
    }

    fn play_column(&self, column: &Object<'_>) -> PyResult<Self> {
        let number = number("a column as a number from 0, or moves as a text", column)?;
        let number = number.ok_or_else(|| {
            let last = self.board.size().width() - 1;
            let found = shown(column);
            PositionError::new_err(format!("expected a column from 0 to {last}, found {found}"))
        })?;
        Ok(Position { board: self.board.try_play(number).or_exception()?, ..*self })
    }
}
