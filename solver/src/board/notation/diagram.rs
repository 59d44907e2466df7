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
//! - Stones are `x` and `o`, `1` and `2` or `-1`, letters of colours or coloured discs. Empty cells
//!   are `.`, `_`, `-`, `0`, a white or black disc or square, or nothing between bars. The colour with
//!   more stones moved first.
//! - Cells may stand between bars, commas or brackets, with borders of `+`, `-` and `=`.
//! - A list has all cells, the top row first. With `b` for an empty cell, it goes up the columns, as
//!   in the data set connect-4 of UCI, perhaps with `win`, `loss` or `draw` at the end.

use super::bitboards::from_players;
use crate::board::PositionError;
use crate::board::position::column_name;
use crate::board::threats::winning_cells;
use crate::board::{Player, Position, Size, Word};
use std::fmt;
use std::ops::RangeInclusive;

/// The mark of an empty cell that completes four of both players.
const BOTH_MARK: char = '*';

/// The stone -1.
const MINUS_ONE: char = '−';

/// Marks of the first and the second player.
const PAIRS: [(char, char); 3] = [('X', 'O'), ('1', '2'), ('1', MINUS_ONE)];

/// Marks of stones in the colour of a player.
const COLOURS: &str = "RYBWG🔴🟡🔵🟢🟠🟣🟤🟥🟨🟦🟩";

/// Marks of empty cells.
const EMPTY: &str = "._-·0 ⚪⚫⬜⬛";

/// The cells of a text, as they are written.
struct Cells {
    rows: Vec<Vec<char>>,
    /// Whether a list of cells goes up the columns.
    by_columns: bool,
}

impl Cells {
    fn new(text: &str) -> Self {
        let (cells, class) = text.trim().rsplit_once(',').unwrap_or((text, ""));
        let has_class = matches!(class.trim(), "win" | "loss" | "draw");
        let text = if has_class { cells } else { text };
        let (has_bars, is_list) = (text.contains('|'), text.contains(['[', '(']));
        let is_row = |row: &&str| !row.contains(['+', '=']) && (!has_bars || row.contains('|'));
        let rows = text.split(['\n', '/', ']', ')']).filter(is_row);
        let rows = rows.map(|row| cells_of(row, is_list)).filter(|row| !row.is_empty());
        let mut rows: Vec<Vec<char>> = rows.collect();
        if rows.last().is_some_and(|row| is_numbers(row, 4..=16)) {
            rows.pop();
        } else if rows.first().is_some_and(|row| is_numbers(row, 4..=16)) {
            rows.remove(0);
        }
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

    /// The rows of a board of this size, the top one first.
    fn rows_of(mut self, size: Size) -> Result<Vec<Vec<char>>, PositionError> {
        let (width, height) = (size.width(), size.height());
        if let [list] = &self.rows[..] {
            let found = list.len();
            if found > width && found != width * height {
                let cells = width * height;
                let problem = format!("expected a list of {cells} cells, found one of {found}");
                return Err(PositionError::Text(problem));
            }
            if self.by_columns && found == width * height {
                let row = |row| (0..width).map(|column| list[height * column + row]).collect();
                self.rows = (0..height).rev().map(row).collect();
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

/// The cells of a row, or of a list.
fn cells_of(row: &str, is_list: bool) -> Vec<char> {
    let is_between = |part: char| part.is_whitespace() || ",;[(\"'|\u{fe0f}".contains(part);
    if let Some((_, inner)) = row.split_once('|')
        && let Some((inner, _)) = inner.rsplit_once('|')
        && inner.contains('|')
    {
        let cell = |cell: &str| cell.trim().chars().next().unwrap_or(' ');
        return inner.split('|').map(cell).collect();
    }
    let mut cells = Vec::new();
    for word in row.split(is_between) {
        match word.strip_suffix(".0").or_else(|| word.strip_suffix('.').filter(|_| is_list)) {
            Some("-1") => cells.push(MINUS_ONE),
            Some(word @ ("0" | "1" | "2")) => cells.extend(word.chars()),
            _ if word == "-1" => cells.push(MINUS_ONE),
            _ => cells.extend(word.chars()),
        }
    }
    cells
}

/// Whether a row has the numbers or letters of the columns of a board of one of these widths.
fn is_numbers(row: &[char], mut widths: RangeInclusive<usize>) -> bool {
    let row = String::from_iter(row).to_ascii_lowercase();
    // Nearly every row is one of cells.
    if !["12", "01", "ab"].iter().any(|start| row.starts_with(start)) {
        return false;
    }
    widths.any(|width| {
        let columns = 0..width;
        row == columns.clone().map(column_name).collect::<String>()
            || row == columns.clone().map(|it| (it + 1).to_string()).collect::<String>()
            || row == columns.clone().map(|it| it.to_string()).collect::<String>()
            || row == columns.map(|it| char::from(b'a' + it as u8)).collect::<String>()
    })
}

fn is_stone(mark: char) -> bool {
    COLOURS.contains(mark) || PAIRS.iter().any(|&(first, second)| [first, second].contains(&mark))
}

/// Whether a text can be meant as a diagram: it has the cells of a board, and is no list of moves.
pub(super) fn looks_like(text: &str) -> bool {
    let cells = Cells::new(text);
    let is_cell = |mark| is_stone(mark) || EMPTY.contains(mark) || "xo*".contains(mark);
    let is_board =
        cells.rows.len() >= 4 && cells.rows.iter().all(|row| row.len() == cells.rows[0].len());
    let is_no_move =
        |mark: char| !mark.is_ascii_digit() && mark != 'B' && mark != 'G' || mark == '0';
    cells.all().count() >= 16
        && match cells.all().filter(|&mark| !is_cell(mark)).count() {
            0 => is_board || cells.all().any(is_no_move),
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
    let rows = Cells::new(text).rows_of(size)?;
    let mut stones: Vec<(char, u128)> = Vec::new();
    let (mut marks, mut empty) = (Vec::new(), None);
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
    let is_in =
        |&&(first, second): &&(char, char)| marks.iter().all(|it| [first, second].contains(it));
    match (PAIRS.iter().find(is_in), stones) {
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
    let Cells { rows, .. } = Cells::new(text);
    Size::new(rows.first()?.len(), rows.len()).ok()
}

/// Whether a line is a row of a diagram of this size, and no position by itself.
pub fn is_row(size: Size, line: &str) -> bool {
    // Moves in digits need no closer look: no cell is a digit past 2.
    let has_move = line.bytes().any(|part| matches!(part, b'3'..=b'9'));
    if has_move && !line.contains(['|', '/', ']', ')'])
        || line.bytes().all(|part| matches!(part, b'1'..=b'2'))
    {
        return false;
    }
    let cells = Cells::new(line);
    let is_no_move = |mark: char| {
        line.contains('|') || !mark.is_ascii_alphanumeric() || "0XORYxo".contains(mark)
    };
    cells.rows.len() == 1
        && cells.all().count() == size.width()
        && cells.all().all(|mark| is_stone(mark) || EMPTY.contains(mark) || "xo*".contains(mark))
        && cells.all().any(is_no_move)
}

/// Whether a line stands above, between or below the rows of a diagram of this size: a border, or
/// the numbers of the columns with space between them.
pub fn is_frame(size: Size, line: &str) -> bool {
    let line = line.trim();
    let is_border = !line.is_empty() && line.chars().all(|it| "+-=|_ ".contains(it));
    let widths = size.width()..=size.width();
    is_border || line.contains([' ', '|']) && is_numbers(&cells_of(line, false), widths)
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
    let rows = rows(position.size(), |cell| stone_at(position, cell).unwrap_or('.'));
    rows.map(String::from_iter).collect::<Vec<_>>().join("/")
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
    let size = position.size();
    let threats = position.open_threats();
    let cells =
        rows(size, |cell| stone_at(position, cell).unwrap_or_else(|| mark_at(threats, cell)));
    let numbers = (0..size.width()).map(column_name).collect();
    let lines = cells.chain([numbers]).map(|row| {
        let cells: Vec<String> = row.iter().map(char::to_string).collect();
        cells.join(" ") + "\n"
    });
    lines.collect()
}

/// The rows of a board from the top, each cell as the character that `symbol` returns.
fn rows(size: Size, symbol: impl Fn(u128) -> char) -> impl Iterator<Item = Vec<char>> {
    let geometry = u128::geometry(size);
    (0..size.height()).rev().map(move |row| {
        (0..size.width()).map(|column| symbol(geometry.cell(column, row))).collect()
    })
}

/// The letter of the stone on a cell.
fn stone_at(position: Position, cell: u128) -> Option<char> {
    let mut players = Player::BOTH.into_iter();
    players.find(|&player| position.stones(player) & cell != 0).map(Player::stone)
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
