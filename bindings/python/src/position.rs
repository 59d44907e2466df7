//! A position, as Python sees it.

use crate::arguments::{
    self, Given, Keywords, Object, named, number, out_of_range, shown, wrong_type,
};
use crate::arrays;
use crate::errors::{OrException, PositionError, at};
use fourbook::board::column_name;
use fourbook::board::notation::{self, Notation};
use fourbook::book::BookError;
use fourbook::{Book, Lookup, Player, Position as Board, Size};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyString, PyType};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

// Python aligns its objects to two words.
const _: () = assert!(align_of::<Board>() <= 2 * size_of::<usize>(), "64-bit systems only");

/// A position on a board of some size. It never changes.
///
/// A text is read in any notation of fourbook: moves (columns from 1), a diagram, bitboards,
/// `rows:` or `key:`. Columns are numbers from 0, but from 1 in every text. `size` is a text such
/// as `7x6` or a pair such as `(7, 6)`; by default it is the size of a diagram, or 7x6.
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
#[pyclass(frozen, module = "fourbook")]
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

    /// The position of a text in any notation.
    pub(crate) fn parse(size: Size, text: &str) -> PyResult<Self> {
        let board = Board::parse(size, text).or_exception()?;
        Ok(Position { board, played: Notation::recognise(text) == Some(Notation::Moves) })
    }

    /// Looks the position up in a book for boards of its size.
    #[inline]
    pub(crate) fn look_up(&self, book: &Book) -> Result<Lookup, BookError> {
        // A compact book answers sooner if a game is known to reach the position.
        if self.played { book.look_up_reachable(self.board) } else { book.look_up(self.board) }
    }

    /// Moves that lead here, if there are any, else a diagram.
    pub(crate) fn text(&self) -> String {
        self.unambiguous_moves().unwrap_or_else(|| self.diagram())
    }

    /// Moves that lead here, if there are any. On a board of more than nine columns, a text of
    /// letters alone has two readings.
    fn unambiguous_moves(&self) -> Option<String> {
        let moves = Notation::Moves.print(self.board).ok();
        moves.filter(|moves| Board::parse(self.board.size(), moves).is_ok())
    }

    /// Column, row of each cell, from 0.
    fn places(&self, cells: u128) -> Vec<(usize, usize)> {
        let bits = self.board.size().height() + 1;
        let places = (0..u128::BITS as usize).filter(|&bit| cells >> bit & 1 != 0);
        places.map(|bit| (bit / bits, bit % bits)).collect()
    }
}

/// A position in any form that callers may use.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) position: Position,
    /// The text, if the position was given as text.
    pub(crate) text: Option<String>,
}

impl Asked {
    /// The position of boards of this size that `object` names.
    #[inline]
    pub(crate) fn new(object: &Object<'_>, size: Size) -> PyResult<Self> {
        let Ok(position) = object.cast::<Position>() else { return Self::of_text(object, size) };
        let position = position.get().clone();
        position.board.check_size(size).or_exception()?;
        Ok(Asked { position, text: None })
    }

    fn of_text(object: &Object<'_>, size: Size) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else {
            return Err(wrong_type("a Position, or a position as a text", object));
        };
        // Invalid characters become replacement characters, which no notation has.
        let text = text.to_string_lossy().into_owned();
        let position = Position::parse(size, &text)?;
        Ok(Asked { position, text: Some(text) })
    }
}

/// Positions between two looks for Ctrl-C.
pub(crate) const BATCH: usize = 1 << 12;

/// The positions in an array of boards, or in any iterable of what [`Asked`] takes, and their size:
/// without a `size`, that of the first one.
pub(crate) fn all_of(objects: &Object<'_>, mut size: Option<Size>) -> PyResult<(Size, Vec<Board>)> {
    let py = objects.py();
    let one = objects.is_instance_of::<PyString>() || objects.is_instance_of::<PyBytes>();
    if one || objects.cast::<Position>().is_ok() || !objects.hasattr("__iter__")? {
        return Err(wrong_type("an iterable of positions for positions", objects));
    }
    if let Ok(shape) = objects.getattr("shape") {
        match shape.len()? {
            1 => {}
            3 => return arrays::to_positions(objects, size),
            _ => {
                let expected = "an array of shape (positions, rows, columns), or of positions";
                return Err(PositionError::new_err(format!("expected {expected}, found {shape}")));
            }
        }
    }
    let mut boards = Vec::new();
    for (index, object) in objects.try_iter()?.enumerate() {
        if index % BATCH == 0 {
            py.check_signals()?;
        }
        let object = object?;
        let size = *size.get_or_insert_with(|| own_size(&object));
        let asked = Asked::new(&object, size).map_err(|error| at(py, index, error))?;
        boards.push(asked.position.board);
    }
    Ok((size.unwrap_or_default(), boards))
}

/// The size of a position or a diagram; 7x6 for other texts.
fn own_size(position: &Object<'_>) -> Size {
    let size = match (position.cast::<Position>(), position.extract::<&str>()) {
        (Ok(position), _) => Some(position.get().board.size()),
        (_, Ok(text)) => notation::size_of(text),
        _ => None,
    };
    size.unwrap_or_default()
}

/// The call by which pickle makes a position: class, arguments and keywords.
type Reduced<'py> = (Object<'py>, (Bound<'py, PyType>, (String,), Keywords<'py>));

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (position = None, *, size = None))]
    fn new(position: Given<'_, '_>, size: Given<'_, '_>) -> PyResult<Self> {
        let size = size.map(arguments::size).transpose()?;
        let Some(position) = position else {
            return Ok(Position::played(Board::empty(size.unwrap_or_default())));
        };
        Ok(Asked::new(position, size.unwrap_or_else(|| own_size(position)))?.position)
    }

    /// The position after moves from the empty board: a text of columns from 1, or columns
    /// as numbers from 0.
    ///
    /// >>> Position.from_moves("44") == Position.from_moves([3, 3])
    /// True
    #[staticmethod]
    #[pyo3(signature = (moves, *, size = None))]
    fn from_moves(moves: &Object<'_>, size: Given<'_, '_>) -> PyResult<Self> {
        let size = size.map(arguments::size).transpose()?.unwrap_or_default();
        let empty = Position::played(Board::empty(size));
        if moves.extract::<&str>().is_ok() {
            return empty.play(moves);
        }
        let expected = "moves as a text, or columns from 0";
        let mut columns = moves.try_iter().map_err(|_| wrong_type(expected, moves))?;
        columns.try_fold(empty, |position, column| position.play(&column?))
    }

    /// The position of a board of numbers, an array of numpy or rows of a list, the top row
    /// first: 0 is empty, 1 a stone of the first player, 2 or -1 one of the second.
    ///
    /// >>> rows = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0], [0, 1, 1, 0]]
    /// >>> Position.from_array(rows)
    /// Position('223', size='4x4')
    #[staticmethod]
    fn from_array(array: &Object<'_>) -> PyResult<Self> {
        arrays::to_position(array).map(Position::set_up)
    }

    /// The position with this `key`.
    ///
    /// >>> Position.from_key(4433222074497) == Position("4453")
    /// True
    #[staticmethod]
    #[pyo3(signature = (key, *, size = None))]
    fn from_key(key: &Object<'_>, size: Given<'_, '_>) -> PyResult<Self> {
        let size = size.map(arguments::size).transpose()?.unwrap_or_default();
        let found = number::<u128>("an int for key", key)?;
        let expected = || out_of_range(&format!("key of a position of {size} boards"), key);
        Board::from_key(size, found.ok_or_else(expected)?).or_exception().map(Position::set_up)
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
    pub(crate) fn key(&self) -> u128 {
        self.board.key()
    }

    /// The smaller of the keys of the position and its mirror image: the same for both.
    #[getter]
    fn canonical_key(&self) -> u128 {
        self.board.canonical_key()
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
        let notation = named("notation", notation, &Notation::ALL, Notation::name)?;
        notation.print(self.board).or_exception()
    }

    /// The board as rows of numbers, the top one first, as `from_array` takes it: an array of
    /// numpy, or without numpy a list of arrays.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        let cells: Vec<i8> = arrays::cells(self.board).collect();
        arrays::shaped(py, &cells, &[self.board.size().width()])
    }

    /// The boards of many positions as one array of shape (positions, rows, columns), as
    /// `Oracle.scores` takes it: an array of numpy, or without numpy lists of arrays. All boards
    /// have one size, by default that of the first position.
    ///
    /// >>> len(Position.stack(["44", "4453"]))
    /// 2
    #[staticmethod]
    #[pyo3(signature = (positions, *, size = None))]
    fn stack<'py>(positions: &Object<'py>, size: Given<'_, 'py>) -> PyResult<Object<'py>> {
        let (size, boards) = all_of(positions, size.map(arguments::size).transpose()?)?;
        let cells: Vec<i8> = boards.into_iter().flat_map(arrays::cells).collect();
        arrays::shaped(positions.py(), &cells, &[size.height(), size.width()])
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

    /// Whether a column, from 0, can be played.
    fn can_play(&self, column: &Object<'_>) -> PyResult<bool> {
        let column = number("an int for column", column)?;
        Ok(column.is_some_and(|it| self.board.can_play(it)))
    }

    /// The position after a move, a column from 0; or after the moves of a text, columns
    /// from 1.
    ///
    /// >>> Position().play(3).play("453") == Position("4453")
    /// True
    pub(crate) fn play(&self, moves: &Object<'_>) -> PyResult<Self> {
        let Ok(moves) = moves.extract::<String>() else { return self.play_column(moves) };
        let board = self.board.play_moves(moves.trim()).or_exception()?;
        Ok(Position { board, ..*self })
    }

    /// The empty cells that complete four stones of a player, `X` or `O`: columns and rows
    /// from 0.
    ///
    /// >>> Position("121212").threats("X")
    /// [(0, 3)]
    fn threats(&self, player: &Object<'_>) -> PyResult<Vec<(usize, usize)>> {
        let name = |player| if player == Player::X { "X" } else { "O" };
        let player = named("player", player, &Player::BOTH, name)?;
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
        let spaced = |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let numbers: String = (0..self.board.size().width()).map(column_name).collect();
        let diagram = self.diagram();
        diagram.split('/').chain([numbers.as_str()]).map(spaced).collect::<Vec<_>>().join("\n")
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (py, position) = (slf.py(), slf.get());
        let again = py.import("copyreg")?.getattr("__newobj_ex__")?;
        let moves = position.played.then(|| position.unambiguous_moves()).flatten();
        let text = moves.unwrap_or_else(|| format!("key:{}", position.board.key()));
        let size = [("size", position.size())].into_py_dict(py)?;
        Ok((again, (slf.get_type(), (text,), size)))
    }
}

impl Position {
    fn play_column(&self, column: &Object<'_>) -> PyResult<Self> {
        let number = number("a column from 0, or moves as a text of columns from 1", column)?;
        let number = number.ok_or_else(|| {
            let (last, found) = (self.board.size().width() - 1, shown(column));
            PositionError::new_err(format!("expected a column from 0 to {last}, found {found}"))
        })?;
        Ok(Position { board: self.board.try_play(number).or_exception()?, ..*self })
    }
}
