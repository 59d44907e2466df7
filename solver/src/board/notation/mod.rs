//! The ways to write a position down, read and printed.
//!
//! | name | on 7x6 after `4453` | what it is |
//! |---|---|---|
//! | `moves` | `4453` | the columns played, from 1, one character a move, a, b, c from the tenth on; the empty text is the empty board |
//! | `diagram` | `......./......./......./......./...O.../..OXX..` | the rows, the top one first, `X` the first player, `O` the second; see [`diagram`] |
//! | `bitboards` | `[270532608, 4210688, 4]` | the stones of each player and the number of moves played; see [`bitboards`] |
//! | `rows` | `rows:0x18:0x804` | the stones of each player, row by row, 8 or 16 bits a row; see [`rows`] |
//! | `key` | `key:4433222074497` | mover + mask + bottom, see [`Position::key`] |
//!
//! [`Position::parse`] infers the notation from the text. It also reads [links](size_of) and what
//! other programs and people write: [moves] with separators, letters or the numbers of turns, and
//! [diagrams](diagram) of other marks. A text with two readings is an error that shows both, unless
//! it is of one of these forms. Only the empty text is the empty board. The result is a position by the rules of gravity and of taking turns; only printing it as moves
//! checks whether [a game can reach it](super::is_reachable).

pub mod bitboards;
pub mod diagram;
mod link;
pub mod moves;
mod numbers;
pub mod rows;
mod words;

use super::position::{column_name, column_named};
use super::{Board, Position, PositionError, Size, Word, find_game};
use crate::named;
use crate::text::shortened;
use crate::with_word;
use link::Link;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt::{self, Write as _};
use std::str::FromStr;
use words::Words;

/// The prefix of a key, which a string of moves never has.
const KEY: &str = "key:";

/// A way to write a position down.
///
/// Parsed from and printed as its name.
///
/// ```
/// use fourbook_solver::board::{Size, notation::Notation};
/// let position = Notation::Bitboards.parse(Size::STANDARD, "[1, 2, 2]")?;
/// assert_eq!(Notation::Moves.print(position)?, "11");
/// assert_eq!("key".parse(), Ok(Notation::Key));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Columns from 1, one character a move: `4453`.
    Moves,
    /// Rows of `X`, `O` and `.`, the top one first.
    Diagram,
    /// `[first player, second player, moves played]`.
    Bitboards,
    /// `rows:first player:second player`.
    Rows,
    /// `key:number`.
    Key,
}

named!(Notation, "notation", 5:
    Moves = "moves", Diagram = "diagram", Bitboards = "bitboards", Rows = "rows", Key = "key"
);

impl Notation {
    /// Infers the notation of `text` from its form; `None` if it
    /// looks like none of them. Space around the text is ignored.
    pub fn recognise(text: &str) -> Option<Notation> {
        let text = trimmed(text);
        let prefixed = |prefix: &str| numbers::strip_prefix(text, prefix).is_some();
        if text.chars().all(|name| matches!(name, '1'..='9' | 'a'..='g' | 'A'..='G')) {
            return Some(Notation::Moves);
        } else if prefixed(rows::PREFIX) {
            return Some(Notation::Rows);
        } else if prefixed(KEY) {
            return Some(Notation::Key);
        } else if let Some(link) = Link::new(text) {
            return link.notation();
        }
        let words = Words::new(text);
        let has_rows = words.is_list && words.rows.len() > 1;
        let may_be_moves = !has_rows && moves::looks_like(&words);
        if bitboards::looks_like(text, &words) {
            Some(Notation::Bitboards)
        } else if diagram::looks_like(words) {
            Some(Notation::Diagram)
        } else if may_be_moves {
            Some(Notation::Moves) // perhaps with a mistake in it, which the reader names
        } else if has_rows || text.trim().contains(['/', '\n', '|']) {
            Some(Notation::Diagram)
        } else {
            None
        }
    }

    /// Reads a position of a board in this notation. Space around the text is ignored,
    /// and `rows:` and `key:` may be left out.
    ///
    /// # Errors
    ///
    /// If the text is no position in this notation.
    pub fn parse(self, size: Size, text: &str) -> Result<Position, PositionError> {
        let text = trimmed(text);
        match self {
            Notation::Moves => Ok(GameRecord::parse_moves(size, text)?.position()),
            Notation::Diagram => diagram::parse(size, text),
            Notation::Bitboards => bitboards::parse(size, text),
            Notation::Rows => rows::parse(size, text),
            Notation::Key => parse_key(size, text),
        }
    }

    /// Prints a position in this notation, in one line. All notations but
    /// [`Notation::Moves`] can print every position. A position does not remember its game, so the
    /// moves need not be those it was made from.
    ///
    /// # Errors
    ///
    /// If this is [`Notation::Moves`] and no game reaches the position.
    pub fn print(self, position: Position) -> Result<String, PositionError> {
        match self {
            Notation::Moves => {
                let game = find_game(position).ok_or(PositionError::NotReachable)?;
                Ok(game.into_iter().map(column_name).collect())
            }
            Notation::Diagram => Ok(diagram::print(position)),
            Notation::Bitboards => Ok(bitboards::print(position)),
            Notation::Rows => Ok(rows::print(position)),
            Notation::Key => Ok(format!("{KEY}{}", position.key())),
        }
    }

    /// Prints a position as moves, or as a diagram if no game reaches it.
    ///
    /// ```
    /// use fourbook_solver::board::{Position, notation::Notation};
    ///
    /// let position = Position::parse("12x4".parse()?, "10, 11")?;
    /// assert_eq!(Notation::print_short(position), "ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn print_short(position: Position) -> String {
        Notation::Moves.print(position).unwrap_or_else(|_| diagram::print(position))
    }
}

/// The text without space around it. Blanks alone are no empty text.
fn trimmed(text: &str) -> &str {
    let inner = text.trim_matches(|part: char| part.is_whitespace() || part == '\u{feff}');
    if inner.is_empty() { text } else { inner }
}

fn parse_key(size: Size, text: &str) -> Result<Position, PositionError> {
    let key = numbers::parse(numbers::strip_prefix(text, KEY).unwrap_or(text))?;
    Position::from_key(size, key).map_err(|error| {
        let advice = whole_key(size, key).map_or(String::new(), |whole| {
            format!("; if its bottom row is missing, write {KEY}{whole}")
        });
        error.in_text(format!("no position of a {size} board has the key {key}{advice}"))
    })
}

/// The key that a number is, as it stands or without the bottom row: many programs count the
/// position with mover + mask.
fn whole_key(size: Size, number: u128) -> Option<u128> {
    let with_bottom = number.checked_add(u128::geometry(size).bottom);
    let mut keys = std::iter::once(number).chain(with_bottom);
    keys.find(|&key| Position::from_key(size, key).is_ok())
}

/// The fewest digits of a number that an error calls a key. Smaller ones are mistakes in moves.
const KEY_DIGITS: usize = 8;

/// The error of digits that cannot be played. They may be the key of a position.
#[cold]
fn or_key(mut error: PositionError, size: Size, text: &str) -> PositionError {
    let number = text.parse().ok().filter(|_| text.len() >= KEY_DIGITS);
    if let Some(key) = number.and_then(|number| whole_key(size, number))
        && let PositionError::Move { problem, .. } = &mut error
    {
        *problem += &format!("; if it is a key, write {KEY}{key}");
    }
    error
}

impl Position {
    /// Reads a position of a board in whatever notation the text is in.
    ///
    /// ```
    /// use fourbook_solver::{Position, Size};
    /// let position: Position = "4453".parse()?; // 7x6
    /// for text in [
    ///     "......./......./......./......./...O.../..OXX..",
    ///     "[270532608, 4210688, 4]",
    ///     "rows:0x18:0x804",
    ///     "key:4433222074497",
    /// ] {
    ///     assert_eq!(Position::parse(Size::STANDARD, text)?, position);
    /// }
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text looks like no notation, or is no position in the one it looks like.
    pub fn parse(size: Size, text: &str) -> Result<Self, PositionError> {
        if text.bytes().all(|name| name.is_ascii_digit())
            && let Ok(position) =
                with_word!(size, B => Board::<B>::start(size).play_moves(text).map(Board::widen))
        {
            return Ok(position);
        }
        Ok(GameRecord::parse(size, text)?.position())
    }
}

/// The content of a text about a game: the position it begins from, and its moves.
///
/// ```
/// use fourbook_solver::{Position, Size, board::notation::GameRecord};
/// let record = GameRecord::parse(Size::STANDARD, "?moves=4453&ply=2")?;
/// assert_eq!((record.moves(), record.made()), (&[3, 3, 4, 2][..], &[3, 3][..]));
/// assert_eq!(record.position(), "44".parse()?);
/// # Ok::<(), fourbook_solver::PositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameRecord {
    start: Position,
    moves: Vec<usize>,
    /// How many of the moves lead to the position.
    ply: usize,
}

impl GameRecord {
    /// Reads a text in any notation, as [`Position::parse`] does.
    ///
    /// # Errors
    ///
    /// If the text looks like no notation, or is no position in the one it looks like.
    pub fn parse(size: Size, text: &str) -> Result<Self, PositionError> {
        let text = trimmed(text);
        if let Some(link) = Link::new(text) {
            return link.record(size);
        }
        match Notation::recognise(text) {
            Some(Notation::Moves) => {
                Self::parse_moves(size, text).map_err(|error| or_key(error, size, text))
            }
            Some(notation) => Ok(Self::new(notation.parse(size, text)?, Vec::new())),
            None => Err(PositionError::Text(format!(
                "'{}' looks like no notation of a position; expected moves like 4453, a diagram \
                 of the letters X, O and '.', a link, bitboards like [1, 2, 2], \
                 rows:NUMBER:NUMBER or key:NUMBER, or nothing at all for the empty board",
                shortened(text)
            ))),
        }
    }

    /// Reads moves from the empty board, in any form of [moves], or a link to them.
    ///
    /// # Errors
    ///
    /// At the first move that cannot be played, and if the text is ambiguous or has no moves.
    pub fn parse_moves(size: Size, text: &str) -> Result<Self, PositionError> {
        let text = trimmed(text);
        match Link::new(text) {
            Some(link) if link.has_start() => {
                Err(PositionError::Text("expected a link with moves alone".to_owned()))
            }
            Some(link) => link.record(size),
            None => Ok(Self::new(Position::empty(size), listed(size, text)?)),
        }
    }

    /// A record whose moves have all been made.
    fn new(start: Position, moves: Vec<usize>) -> Self {
        GameRecord { start, ply: moves.len(), moves }
    }

    /// The position before the moves: the empty board unless the text names another one.
    pub fn start(&self) -> Position {
        self.start
    }

    /// All moves, columns from 0.
    pub fn moves(&self) -> &[usize] {
        &self.moves
    }

    /// The moves that lead to the position: all by default; a link may name fewer.
    pub fn made(&self) -> &[usize] {
        &self.moves[..self.ply]
    }

    /// The position that the text names.
    pub fn position(&self) -> Position {
        self.made().iter().fold(self.start, |position, &column| position.play(column))
    }
}

/// The moves, or a link to them if they begin from another position than the empty board.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start.ply() > 0 {
            write!(f, "?size={}&diagram={}&moves=", self.start.size(), diagram::print(self.start))?;
        }
        self.moves.iter().try_for_each(|&column| f.write_char(column_name(column)))
    }
}

/// The parameters of a link: the size, the diagram of the start unless that is the empty board, the
/// moves, and how many of them lead to the position.
impl Serialize for GameRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves: String = self.moves.iter().map(|&column| column_name(column)).collect();
        let diagram = (self.start.ply() > 0).then(|| diagram::print(self.start));
        let mut record = serializer.serialize_struct("GameRecord", 4)?;
        record.serialize_field("size", &self.start.size().to_string())?;
        record.serialize_field("diagram", &diagram)?;
        record.serialize_field("moves", &moves)?;
        record.serialize_field("ply", &self.ply)?;
        record.end()
    }
}

/// The size of the board that a diagram or a link names.
pub fn size_of(text: &str) -> Option<Size> {
    match Link::new(text) {
        Some(link) => link.size().ok(),
        None if Notation::recognise(text) == Some(Notation::Diagram) => diagram::size_of(text),
        None => None,
    }
}

/// The moves of a text: as fourbook prints them, or else in any form.
fn listed(size: Size, text: &str) -> Result<Vec<usize>, PositionError> {
    let is_printed = !text.bytes().any(|name| name.is_ascii_uppercase());
    match Position::empty(size).play_moves(text) {
        Ok(_) if is_printed => Ok(printed(size, text)),
        _ if Notation::recognise(text) == Some(Notation::Bitboards) => Err(PositionError::Text(
            format!("'{}' is read as bitboards; expected moves such as 4453", shortened(text)),
        )),
        _ => moves::parse(size, text, 1),
    }
}

/// The columns of moves as fourbook prints them.
fn printed(size: Size, text: &str) -> Vec<usize> {
    text.chars().filter_map(|name| column_named(name, size.width())).collect()
}

impl FromStr for Position {
    type Err = PositionError;

    /// As [`Position::parse`], on the board of 7x6.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Position::parse(Size::STANDARD, text)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({}, {})", self.size(), diagram::print(*self))
    }
}

impl<B: Word> fmt::Debug for Board<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.widen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_no_game_reaches_has_no_moves() {
        // O X in column 1 and again in column 2.
        let stones = 0b10_0000010;
        let position = Position::from_bitboards(Size::STANDARD, stones, 0b11_0000011).unwrap();
        assert_eq!(Notation::Moves.print(position), Err(PositionError::NotReachable));
    }

    #[test]
    fn a_key_is_read_with_and_without_its_prefix() {
        let position = Position::from_moves("4453").unwrap();
        for text in [format!("key:{}", position.key()), format!("{:#x}", position.key())] {
            assert_eq!(Notation::Key.parse(Size::STANDARD, &text), Ok(position));
        }
        assert_eq!(Notation::Key.print(position).unwrap(), format!("key:{}", position.key()));
    }

    #[test]
    fn a_number_that_is_no_key_is_refused() {
        let error = Notation::Key.parse(Size::STANDARD, "key:5").unwrap_err().to_string();
        assert!(error.starts_with("no position of a 7x6 board has the key 5"), "{error}");
    }

    #[test]
    fn a_text_is_recognised_by_its_looks() {
        for (text, notation) in [
            ("", Some(Notation::Moves)),
            (" \n", None),
            ("[4, 4, 5, 3]", Some(Notation::Moves)),
            ("x3 o3", Some(Notation::Moves)),
            ("4453", Some(Notation::Moves)),
            ("44x", Some(Notation::Moves)),
            ("44,53", Some(Notation::Moves)),
            ("[1, 2, 2]", Some(Notation::Bitboards)),
            ("rows:1:0", Some(Notation::Rows)),
            ("KEY:0x10", Some(Notation::Key)),
            ("...\n.X.", Some(Notation::Diagram)),
            ("xoxo", None),
            ("12ab", Some(Notation::Moves)),
            ("a1", Some(Notation::Moves)),
            ("1. d1 d2", Some(Notation::Moves)),
            ("?pos=44", Some(Notation::Moves)),
            ("https://example.org/", None),
            ("[0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0]", Some(Notation::Diagram)),
            ("hello", None),
        ] {
            assert_eq!(Notation::recognise(text), notation, "{text:?}");
        }
    }

    #[test]
    fn what_looks_like_nothing_is_answered_with_what_there_is() {
        let error = Position::parse(Size::STANDARD, "hello").unwrap_err().to_string();
        for word in ["'hello'", "4453", "[1, 2, 2]", "rows:", "key:"] {
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn a_notation_is_parsed_from_its_name() {
        for notation in Notation::ALL {
            assert_eq!(notation.to_string().parse(), Ok(notation));
        }
        assert!("fen".parse::<Notation>().unwrap_err().to_string().contains("bitboards"));
    }
}
