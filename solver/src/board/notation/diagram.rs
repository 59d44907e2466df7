//! Diagrams: the rows, the top one first.
//!
//! `X` is a stone of the first player, `O` one of the second, `.` an empty
//! cell. Rows stand on lines of their own or are separated by `/`; space
//! between cells is ignored, and so is a last row of column numbers.
//!
//! **Capital letters are stones, small letters are empty cells**: `x` marks an
//! empty cell that completes four of `X`, `o` one that completes four of `O`,
//! `*` one that completes four of both. Marks may be left out (`.` is right
//! for every empty cell), but where one stands it must be true. So a diagram
//! with its stones in small letters is refused and not read as something else.

use super::bitboards::from_players;
use crate::board::PositionError;
use crate::board::position::column_name;
use crate::board::threats::winning_cells;
use crate::board::{Player, Position, Size, Word};
use std::fmt;

/// The mark of an empty cell that completes four of both players.
pub const BOTH_MARK: char = '*';

/// Reads a diagram.
///
/// # Errors
///
/// If the text is no diagram of this board size, a mark is wrong, or the
/// stones make no position.
pub fn parse(size: Size, text: &str) -> Result<Position, PositionError> {
    let geometry = u128::geometry(size);
    let place = |row: usize, column: usize| {
        format!("row {} (from the bottom), column {} of the diagram", row + 1, column + 1)
    };
    let rows = split_rows(size, text)?;
    let mut stones = [0; 2];
    let mut marks = Vec::new();
    for (row, cells) in (0..size.height()).rev().zip(&rows) {
        for (column, &found) in cells.iter().enumerate() {
            let cell = geometry.cell(column, row);
            match found {
                '.' => {}
                'X' => stones[0] |= cell,
                'O' => stones[1] |= cell,
                'x' | 'o' | BOTH_MARK => marks.push((found, column, row)),
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
    // Stones in small letters leave the others in the air, so look at marks first.
    let mask = stones[0] | stones[1];
    let threats = stones.map(|stones| winning_cells(geometry, stones, mask));
    for (mark, column, row) in marks {
        if mark_at(threats, geometry.cell(column, row)) != mark {
            let place = place(row, column);
            return Err(PositionError::Text(format!(
                "'{mark}' in {place} marks an empty cell as a threat, and there is no such threat; \
                 write stones in capital letters, X and O, and an empty cell as '.'"
            )));
        }
    }
    from_players(size, stones[0], stones[1])
}

/// The board size that a diagram shows, if the size is allowed.
#[must_use]
pub fn size_of(text: &str) -> Option<Size> {
    let rows = cells(text);
    Size::new(rows.first()?.len(), rows.len()).ok()
}

/// The rows of the text, cell by cell, without the column numbers.
fn cells(text: &str) -> Vec<Vec<char>> {
    let cells = |row: &str| row.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>();
    let mut rows: Vec<Vec<char>> = text.trim().split(['\n', '/']).map(cells).collect();
    rows.pop_if(|row| !row.is_empty() && row.iter().copied().eq((0..row.len()).map(column_name)));
    rows
}

/// Splits the text into the rows and cells of the board; checks their numbers.
fn split_rows(size: Size, text: &str) -> Result<Vec<Vec<char>>, PositionError> {
    let rows = cells(text);
    if rows.len() != size.height() {
        return Err(PositionError::Text(format!(
            "expected a diagram of {} rows, the top one first, with '/' between them \
             (or, where one text may have several lines, on lines of their own), found {}",
            size.height(),
            rows.len()
        )));
    }
    for (row, cells) in (1..=size.height()).rev().zip(&rows) {
        if cells.len() != size.width() {
            return Err(PositionError::Text(format!(
                "row {row} (from the bottom) of the diagram has {} cells; expected {}",
                cells.len(),
                size.width()
            )));
        }
    }
    Ok(rows)
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
#[must_use]
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
#[must_use]
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
    fn stones_in_small_letters_are_refused() {
        let all = error(&format!("{EMPTY_ROWS}/...o.../..oxx.."));
        assert!(all.contains("'o' in row 2 (from the bottom), column 4"), "{all}");
        assert!(all.contains("write stones in capital letters"), "{all}");
        let some = error(&format!("{EMPTY_ROWS}/...O.../..oxx.."));
        assert!(some.contains("'o' in row 1 (from the bottom), column 3"), "{some}");
    }

    #[test]
    fn a_cell_that_completes_four_of_both_has_a_mark_of_its_own() {
        let position = Position::from_moves("172635").unwrap();
        let drawn = draw(position);
        assert_eq!(parse(Size::STANDARD, &drawn), Ok(position), "{drawn}");
        assert!(drawn.ends_with("X X X * O O O\n1 2 3 4 5 6 7\n"), "{drawn}");
    }
}
