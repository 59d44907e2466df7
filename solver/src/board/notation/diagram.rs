//! Diagrams: the rows, the top one first.
//!
//! `X` is a stone of the first player, `O` one of the second, `.` an empty
//! cell. Rows stand on lines of their own or are separated by `/`; space
//! between cells is ignored, and so is a last row of column numbers.
//!
//! **Beside capital letters, small letters are empty cells**: `x` marks an
//! empty cell that completes four of `X`, `o` one that completes four of `O`,
//! `*` one that completes four of both. Marks may be left out (`.` is right
//! for every empty cell), but where one stands it must be true.
//!
//! Diagrams of other programs are read too:
//! - Stones are `x` and `o`, `1` and `2` or `-1`, letters or names of colours, coloured discs or their
//!   names, such as `:red_circle:`. Empty cells are `.`, `_`, `-`, `0`, a white or black disc or square,
//!   `null`, or nothing between bars, commas or quotes. The colour with more stones moved first.
//! - Cells may stand between bars, commas or brackets. Frames, and the numbers or letters of the rows
//!   and columns on any side, belong to the board.
//! - A list has all cells, the top row first. With `b` for an empty cell, it goes up the columns, as
//!   in the data set connect-4 of UCI, perhaps with `win`, `loss` or `draw` at the end.

use super::bitboards::from_players;
use super::words::Words;
use crate::board::PositionError;
use crate::board::position::column_name;
use crate::board::threats::winning_cells;
use crate::board::{Player, Position, Size, Word};
use crate::text::number;
use std::fmt;

/// The mark of an empty cell that completes four of both players.
const BOTH_MARK: char = '*';

/// The stone -1.
const MINUS_ONE: char = '−';

/// Marks of the first and the second player.
const PAIRS: [(char, char); 4] = [('X', 'O'), ('1', '2'), ('1', MINUS_ONE), ('❌', '⭕')];

/// Marks of stones in the colour of a player.
const COLOURS: &str = "RYBWG●○🔴🟡🔵🟢🟠🟣🟤🟥🟨🟦🟩";

/// Marks of empty cells.
const EMPTY: &str = "._-·0 ⚪⚫⬜⬛";

/// The cells of a text, as they are written.
struct Cells {
    rows: Vec<Vec<char>>,
    /// Whether a list of cells goes up the columns.
    by_columns: bool,
}

impl Cells {
    fn new(words: Words) -> Self {
        let Words { mut rows, is_list, .. } = words;
        rows.retain(|row| !are_columns(row));
        if let Some(list) = rows.last_mut()
            && let [_, .., class] = &list[..]
            && matches!(&**class, "win" | "loss" | "draw")
        {
            list.pop();
        }
        // A line of dashes is a row only if dashes are the empty cells.
        for rule in ['-', '_'] {
            if rows.iter().any(|row| {
                !is_rule(row, rule)
                    && row.concat().contains(|mark: char| EMPTY.contains(mark) && mark != rule)
            }) {
                rows.retain(|row| !is_rule(row, rule));
            }
        }
        if step_of_labels(rows.iter().map(|row| &*row[0])).is_some() {
            rows.iter_mut().for_each(|row| drop(row.remove(0)));
        }
        if step_of_labels(rows.iter().map(|row| row.last().map_or("", |word| word))).is_some() {
            rows.iter_mut().for_each(|row| drop(row.pop()));
        }
        let mut rows: Vec<Vec<char>> = rows.iter().map(|row| cells_of(row, is_list)).collect();
        let has = |mark: char| rows.iter().flatten().any(|&cell| cell == mark);
        let by_columns = has('b') && (has('x') || has('o'));
        let has_capitals = has('X') || has('O');
        for cell in rows.iter_mut().flatten() {
            *cell = match *cell {
                'b' if by_columns => '.',
                'x' | 'o' if has_capitals => *cell,
                other => other.to_ascii_uppercase(),
            };
        }
        Cells { rows, by_columns }
    }

    fn all(&self) -> impl Iterator<Item = char> {
        self.rows.iter().flatten().copied()
    }

    /// Whether some mark is no column.
    fn has_no_move(&self) -> bool {
        self.all().any(|mark| !matches!(mark, '1'..='9' | 'B' | 'G'))
    }

    /// Whether numbers and letters are mixed, as moves of named players are: `x1 o2`.
    fn is_mixed(&self) -> bool {
        self.all().any(|mark| matches!(mark, '1' | '2'))
            && self.all().any(|mark| mark.is_ascii_alphabetic())
    }

    /// The rows of a board of this size, the top one first.
    fn rows_of(mut self, size: Size) -> Result<Vec<Vec<char>>, PositionError> {
        let width = size.width();
        let height = size.height();
        if let [list] = &self.rows[..] {
            let found = list.len();
            if found > width && found != width * height {
                let cells = width * height;
                let problem = format!("expected a list of {cells} cells, found one of {found}");
                return Err(PositionError::Text(problem));
            }
            if self.by_columns && found == width * height {
                self.rows = (0..height)
                    .rev()
                    .map(|row| (0..width).map(|column| list[height * column + row]).collect())
                    .collect();
            } else if found == width * height {
                self.rows = list.chunks(width).map(<[char]>::to_vec).collect();
            }
        }
        let found = self.rows.len();
        if found != height {
            return Err(PositionError::Text(format!(
                "expected a diagram of {height} rows, the top one first, with '/' between them \
                 (or, where one text may have several lines, on lines of their own), found {found}"
            )));
        }
        for (row, cells) in (1..=height).rev().zip(&self.rows) {
            if cells.len() != width {
                let found = cells.len();
                return Err(PositionError::Text(format!(
                    "row {row} (from the bottom) of the diagram has {found} cells; expected {width}"
                )));
            }
        }
        Ok(self.rows)
    }
}

/// The cells of a row. In a list, numbers may end with a point.
fn cells_of(row: &[String], is_list: bool) -> Vec<char> {
    let mut cells = Vec::new();
    for word in row {
        let number = word.strip_suffix(".0").or_else(|| word.strip_suffix('.').filter(|_| is_list));
        match number.unwrap_or(word) {
            "-1" => cells.push(MINUS_ONE),
            number @ ("0" | "1" | "2") => cells.extend(number.chars()),
            _ => cells.extend(word.chars()),
        }
    }
    cells
}

fn is_rule(row: &[String], mark: char) -> bool {
    row.iter().all(|word| word.chars().all(|part| part == mark))
}

/// The step of words that count, 1 or -1: the numbers or letters of columns or rows.
fn step_of_labels<'a>(words: impl Iterator<Item = &'a str>) -> Option<i32> {
    let numbers: Vec<i32> = words.map(label).collect::<Option<_>>()?;
    let step = numbers.get(1)? - numbers[0];
    let is_even = numbers.windows(2).all(|pair| pair[1] - pair[0] == step);
    (numbers.len() >= 4 && step.abs() == 1 && is_even).then_some(step)
}

/// The number of a row or column, also of a letter.
fn label(word: &str) -> Option<i32> {
    let mut characters = word.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) => one.to_digit(36).map(|number| number as i32),
        _ => number::<u8>(word).map(i32::from),
    }
}

/// Whether a row has the numbers or letters of the columns.
fn are_columns(row: &[String]) -> bool {
    let step = match row {
        [word] => step_of_labels(word.split("").filter(|name| !name.is_empty())),
        _ => step_of_labels(row.iter().map(|word| &**word)),
    };
    step == Some(1)
}

fn is_cell(mark: char) -> bool {
    is_stone(mark) || EMPTY.contains(mark) || "xo*".contains(mark)
}

fn is_stone(mark: char) -> bool {
    COLOURS.contains(mark) || PAIRS.iter().any(|&(first, second)| [first, second].contains(&mark))
}

/// Whether a text can be meant as a diagram: it has the cells of a board, and is no list of moves.
pub(super) fn looks_like(words: Words) -> bool {
    let cells = Cells::new(words);
    let is_board =
        cells.rows.len() >= 4 && cells.rows.iter().all(|row| row.len() == cells.rows[0].len());
    cells.all().count() >= 16
        && match cells.all().filter(|&mark| !is_cell(mark)).count() {
            0 => !cells.is_mixed() && (is_board || cells.has_no_move()),
            // A mistake in a board.
            1 => is_board,
            _ => false,
        }
}

/// Reads a diagram.
///
/// # Errors
///
/// If the text is no diagram of this board size, a mark is wrong, either colour may have moved
/// first, or the stones make no position.
pub fn parse(size: Size, text: &str) -> Result<Position, PositionError> {
    let geometry = u128::geometry(size);
    let place = |row: usize, column: usize| {
        format!("row {} (from the bottom), column {} of the diagram", row + 1, column + 1)
    };
    let rows = Cells::new(Words::new(text)).rows_of(size)?;
    let mut stones: Vec<(char, u128)> = Vec::new();
    let mut marks = Vec::new();
    let mut empty = None;
    for (row, cells) in (0..size.height()).rev().zip(&rows) {
        for (column, &found) in cells.iter().enumerate() {
            let cell = geometry.cell(column, row);
            let known = stones.iter_mut().find(|(mark, _)| *mark == found);
            match found {
                _ if known.is_some() => known.into_iter().for_each(|(_, cells)| *cells |= cell),
                'x' | 'o' | BOTH_MARK => marks.push((found, column, row)),
                _ if EMPTY.contains(found) && *empty.get_or_insert(found) == found => {}
                _ if is_stone(found) && stones.len() < 2 => stones.push((found, cell)),
                _ => {
                    return Err(PositionError::Text(format!(
                        "'{}' in {} is no cell; expected X or O for a stone, '.' for an empty cell",
                        found.escape_debug(),
                        place(row, column)
                    )));
                }
            }
        }
    }
    let [first, second] = players(&stones, empty)?;
    // Stones in small letters leave the others in the air, so look at marks first.
    let threats = [first, second].map(|stones| winning_cells(geometry, stones, first | second));
    for (mark, column, row) in marks {
        if mark_at(threats, geometry.cell(column, row)) != mark {
            let place = place(row, column);
            return Err(PositionError::Text(format!(
                "'{mark}' in {place} marks an empty cell as a threat, and there is no such threat; \
                 write stones in capital letters, X and O, and an empty cell as '.'"
            )));
        }
    }
    let position = from_players(size, first, second);
    let is_known = stones.iter().any(|&(mark, _)| !COLOURS.contains(mark))
        || first.count_ones() != second.count_ones();
    if let (false, Ok(one), Ok(other)) = (is_known, &position, from_players(size, second, first))
        && *one != other
    {
        return Err(PositionError::Text(format!(
            "'{}' and '{}' have as many stones, so either may have moved first; \
             write {one} or {other}",
            stones[0].0, stones[1].0
        )));
    }
    position
}

/// The stones of the first and of the second player, by their marks.
fn players(stones: &[(char, u128)], empty: Option<char>) -> Result<[u128; 2], PositionError> {
    let of = |mark| stones.iter().find(|(it, _)| *it == mark).map_or(0, |&(_, cells)| cells);
    let marks: Vec<char> = stones.iter().map(|&(mark, _)| mark).collect();
    match (
        PAIRS.iter().find(|&&(first, second)| marks.iter().all(|it| [first, second].contains(it))),
        stones,
    ) {
        (Some(('X', 'O')), [_, ..]) if empty == Some('0') => {}
        (Some(&(first, second)), _) => return Ok([of(first), of(second)]),
        (None, [(one, _), rest @ ..]) if marks.iter().all(|&it| COLOURS.contains(it)) => {
            let other = rest.first().map_or(0, |&(_, cells)| cells);
            let mut both = [of(*one), other];
            both.sort_by_key(|cells| std::cmp::Reverse(cells.count_ones()));
            return Ok(both);
        }
        _ => {}
    }
    let marks: Vec<String> =
        marks.into_iter().chain(empty).map(|mark| format!("'{mark}'")).collect();
    Err(PositionError::Text(format!(
        "{} do not go together; expected X or O for a stone, '.' for an empty cell",
        marks.join(" and ")
    )))
}

/// The board size that a diagram shows, if the size is allowed.
pub(super) fn size_of(text: &str) -> Option<Size> {
    let Cells { rows, .. } = Cells::new(Words::new(text));
    let width = rows.first()?.len();
    // Where rows differ, one is wrong, and the error for the usual board says which.
    let is_board = rows.iter().all(|row| row.len() == width);
    Size::new(width, rows.len()).ok().filter(|_| is_board)
}

/// A line of a board over several lines.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardLine {
    /// A row. Some rows of numbers may be moves, too.
    Row {
        /// Whether the row may be moves.
        may_be_moves: bool,
    },
    /// Dashes, which are a row or a part of a frame.
    Dashes,
    /// A part of a frame.
    Frame,
    /// The numbers or letters of the columns. They may be moves, too.
    Columns,
}

impl BoardLine {
    /// The part of a board of this size that a line of text can be.
    pub fn new(size: Size, line: &str) -> Option<BoardLine> {
        // Most lines are moves in digits, or begin with them.
        let start = line.as_bytes().get(..3).filter(|start| start.iter().all(u8::is_ascii_digit));
        if start.is_some_and(|start| start.iter().any(|&part| part > b'3')) {
            return None;
        }
        let width = size.width();
        let Words { rows, is_list, has_frame } = Words::new(line);
        let [row] = &rows[..] else {
            let is_text = line.contains(char::is_alphanumeric) || line.trim().is_empty();
            let is_frame = rows.is_empty() && !is_text;
            return is_frame.then_some(BoardLine::Frame);
        };
        if are_columns(row) {
            let columns = if let [word] = &row[..] { word.len() } else { row.len() };
            return (columns == width).then_some(BoardLine::Columns);
        }
        if is_rule(row, '-') || is_rule(row, '_') {
            let is_row = row.concat().len() == width;
            return Some(if is_row { BoardLine::Dashes } else { BoardLine::Frame });
        }
        let mut inner = row.clone();
        for place in [0, row.len() - 1] {
            let has_more = inner.len() > 1 && cells_of(&inner, is_list).len() > width;
            if has_more && label(&row[place]).is_some() {
                inner.remove(place.min(inner.len() - 1));
            }
        }
        let is_labelled = inner.len() < row.len();
        let cells = Cells::new(Words { rows: vec![inner], is_list, has_frame });
        let is_row = cells.all().count() == width && cells.all().all(is_cell) && !cells.is_mixed();
        let has_no_move = match is_labelled {
            // The scores after a position are no cells.
            true => !cells.all().all(|mark| mark.is_ascii_digit() || mark == MINUS_ONE),
            false => cells.has_no_move(),
        };
        is_row.then_some(BoardLine::Row { may_be_moves: !has_frame && !has_no_move })
    }
}

/// The number of rows of the board in a text.
pub fn rows_in(text: &str) -> usize {
    Cells::new(Words::new(text)).rows.len()
}

/// The mark of an empty cell, from the threats of both players: `x`, `o`, `*`, or `.` if
/// neither player threatens it.
fn mark_at(threats: [u128; 2], cell: u128) -> char {
    match threats.map(|threats| threats & cell != 0) {
        [false, false] => '.',
        [true, false] => Player::X.threat_mark(),
        [false, true] => Player::O.threat_mark(),
        [true, true] => BOTH_MARK,
    }
}

/// Prints a diagram in one line: rows with `/` between them, no marks.
pub fn print(position: Position) -> String {
    let mut text = cells(position, [0; 2], 1, b'/');
    text.pop();
    text
}

/// The rows of a board from the top, with these threats marked and `end` after each row. Cells are `step`
/// characters apart.
fn cells(position: Position, threats: [u128; 2], step: usize, end: u8) -> String {
    let size = position.size();
    let geometry = u128::geometry(size);
    let mut row = vec![b' '; step * (size.width() - 1) + 2];
    row.iter_mut().step_by(step).for_each(|cell| *cell = b'.');
    *row.last_mut().expect("it has an end") = end;
    let mut text = row.repeat(size.height());
    let [x, o] = Player::BOTH.map(|player| position.stones(player));
    for cell in (x | o | threats[0] | threats[1]).cells() {
        let (column, height) = geometry.place_of(cell);
        text[row.len() * (size.height() - 1 - height) + step * column] = match (x & cell, o & cell)
        {
            (0, 0) => mark_at(threats, cell),
            (0, _) => Player::O.stone(),
            _ => Player::X.stone(),
        } as u8;
    }
    String::from_utf8(text).expect("all marks are ASCII")
}

/// The [diagram in one line](print()), which [`Position::parse`] reads.
///
/// ```
/// use fourbook_solver::{Position, Size};
/// let position = Position::from_moves("4453")?;
/// let text = "......./......./......./......./...O.../..OXX..";
/// assert_eq!(position.to_string(), text);
/// assert_eq!(Position::parse(Size::STANDARD, text)?, position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&print(*self))
    }
}

/// Draws the board to look at, in several lines: space between the cells,
/// threats marked, column numbers below. [`parse`] reads this, too.
///
/// ```
/// use fourbook_solver::board::{Position, Size, notation::diagram};
/// let position = Position::empty(Size::new(4, 4)?).play_moves("121212")?;
/// assert_eq!(diagram::draw(position), "\
/// x o . .
/// X O . .
/// X O . .
/// X O . .
/// 1 2 3 4
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw(position: Position) -> String {
    draw_with(position, position.open_threats())
}

/// Draws the board as [`draw`] does, without threats.
pub fn draw_stones(position: Position) -> String {
    draw_with(position, [0; 2])
}

fn draw_with(position: Position, threats: [u128; 2]) -> String {
    let mut text = cells(position, threats, 2, b'\n');
    text.extend((0..position.size().width()).flat_map(|column| [column_name(column), ' ']));
    text.pop();
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_shows_its_size() {
        for size in ["7x6", "4x4", "16x7"].map(|size| size.parse::<Size>().unwrap()) {
            let position = Position::empty(size).play_moves("11").unwrap();
            assert_eq!(size_of(&print(position)), Some(size));
            assert_eq!(size_of(&draw(position)), Some(size));
        }
        assert_eq!(size_of("X"), None);
        assert_eq!(size_of("1"), None);
    }

    const EMPTY_ROWS: &str = "......./......./......./.......";

    fn error(text: &str) -> String {
        crate::text::with_causes(&parse(Size::STANDARD, text).unwrap_err())
    }

    #[test]
    fn rows_may_stand_on_lines_with_space_and_column_numbers() {
        let position = Position::from_moves("4453").unwrap();
        let text = "
            . . . . . . .\r
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . O . . .
            . . O X X . .
            1 2 3 4 5 6 7
        ";
        assert_eq!(parse(Size::STANDARD, text), Ok(position));
        assert_eq!(parse(Size::STANDARD, &format!("{EMPTY_ROWS}/...O.../..OXX..")), Ok(position));
    }

    #[test]
    fn mistakes_are_named_with_their_row_and_column() {
        let rows = error(".../...");
        assert!(
            rows.contains("expected a diagram of 6 rows") && rows.ends_with("found 2"),
            "{rows}"
        );
        let cells = error(&format!("{EMPTY_ROWS}/...O../..OXX.."));
        assert!(cells.contains("row 2 (from the bottom) of the diagram has 6 cells"), "{cells}");
        let character = error(&format!("{EMPTY_ROWS}/...O.../..OXX.?"));
        assert!(character.contains("'?' in row 1 (from the bottom), column 7"), "{character}");
        let floating = error(&format!("{EMPTY_ROWS}/X....../......."));
        assert!(floating.contains("column 1 (from 1), row 2"), "{floating}");
    }

    #[test]
    fn small_letters_are_stones_unless_there_are_capital_ones() {
        let position = Position::from_moves("4453");
        let all = format!("{EMPTY_ROWS}/...o.../..oxx..");
        assert_eq!(parse(Size::STANDARD, &all), position);
        let some = error(&format!("{EMPTY_ROWS}/...O.../..oxx.."));
        assert!(some.contains("'o' in row 1 (from the bottom), column 3"), "{some}");
        assert!(some.contains("write stones in capital letters"), "{some}");
    }

    #[test]
    fn a_cell_that_completes_four_of_both_has_a_mark_of_its_own() {
        let position = Position::from_moves("172635").unwrap();
        let drawn = draw(position);
        assert_eq!(parse(Size::STANDARD, &drawn), Ok(position), "{drawn}");
        assert!(drawn.ends_with("X X X * O O O\n1 2 3 4 5 6 7\n"), "{drawn}");
    }
}
