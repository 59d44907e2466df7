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

use super::{NotationError, from_players};
use crate::board::geometry::Geometry;
use crate::board::player::Player;
use crate::board::position::Position;
use crate::board::threats::winning_cells;

/// The mark of an empty cell that completes four of both players.
pub const BOTH_MARK: char = '*';

/// A text that is no diagram. Rows are counted from the bottom, as everywhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// Too many or too few rows.
    #[error(
        "expected a diagram of {expected} rows, the top one first, with '/' between them \
         (or, where one text may have several lines, on lines of their own); \
         the number of rows found is {found}"
    )]
    Rows {
        /// Rows in the text.
        found: usize,
        /// Rows of the board.
        expected: usize,
    },
    /// Too many or too few cells in a row.
    #[error("row {row} (from the bottom) of the diagram has {found} cells; expected {expected}")]
    Cells {
        /// The row, from 1 at the bottom.
        row: usize,
        /// Cells in the text.
        found: usize,
        /// Columns of the board.
        expected: usize,
    },
    /// A character that means nothing.
    #[error(
        "'{}' in row {row} (from the bottom), column {column} of the diagram is no cell; \
         expected X or O for a stone, '.' for an empty cell", .found.escape_debug()
    )]
    Character {
        /// The character.
        found: char,
        /// The row, from 1 at the bottom.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A small letter or `*` where there is no such threat.
    #[error(
        "'{mark}' in row {row} (from the bottom), column {column} of the diagram marks an empty \
         cell as a threat, and there is no such threat; write stones in capital letters, X and O, \
         and an empty cell as '.'"
    )]
    Mark {
        /// The mark.
        mark: char,
        /// The row, from 1 at the bottom.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
}

/// Whether a text can only be meant as a diagram.
pub(super) fn looks_like_one(text: &str) -> bool {
    let is_cell = |c: char| matches!(c, 'X' | 'O' | 'x' | 'o' | '.') || c == BOTH_MARK;
    text.contains(['/', '\n']) || text.chars().all(|c| is_cell(c) || c.is_whitespace())
}

/// Reads a diagram.
///
/// # Errors
///
/// If the text is no diagram of this board size, a mark is wrong, or the
/// stones make no position.
pub fn parse<const W: usize, const H: usize>(text: &str) -> Result<Position<W, H>, NotationError> {
    let rows = split_rows::<W, H>(text)?;
    let (mut first, mut second) = (0, 0);
    let mut marks = Vec::new();
    for (from_top, cells) in rows.iter().enumerate() {
        let row = H - 1 - from_top;
        for (column, &found) in cells.iter().enumerate() {
            let cell = Geometry::<W, H>::cell(column, row);
            match found {
                '.' => {}
                'X' => first |= cell,
                'O' => second |= cell,
                'x' | 'o' | BOTH_MARK => marks.push((found, column, row)),
                _ => {
                    let (row, column) = (row + 1, column + 1);
                    return Err(DiagramError::Character { found, row, column }.into());
                }
            }
        }
    }
    // Stones in small letters leave the others in the air, so look at marks first.
    for (mark, column, row) in marks {
        if mark_at::<W, H>(first, second, Geometry::<W, H>::cell(column, row)) != mark {
            return Err(DiagramError::Mark { mark, row: row + 1, column: column + 1 }.into());
        }
    }
    from_players(first, second)
}

/// The rows of the text, cell by cell; as many as the board has and as long.
fn split_rows<const W: usize, const H: usize>(text: &str) -> Result<Vec<Vec<char>>, DiagramError> {
    let cells = |row: &str| row.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>();
    let mut rows: Vec<Vec<char>> = text.trim().split(['\n', '/']).map(cells).collect();
    let is_column_numbers = |row: &Vec<char>| {
        row.len() == W && row.iter().zip('1'..).all(|(&found, number)| found == number)
    };
    if rows.len() == H + 1 {
        rows.pop_if(|row| is_column_numbers(row));
    }
    if rows.len() != H {
        return Err(DiagramError::Rows { found: rows.len(), expected: H });
    }
    match rows.iter().position(|row| row.len() != W) {
        Some(from_top) => {
            Err(DiagramError::Cells { row: H - from_top, found: rows[from_top].len(), expected: W })
        }
        None => Ok(rows),
    }
}

/// The mark of an empty cell: `x`, `o`, `*`, or `.` if it is a threat of nobody.
fn mark_at<const W: usize, const H: usize>(first: u64, second: u64, cell: u64) -> char {
    let threatened = |stones| winning_cells::<W, H>(stones, first | second) & cell != 0;
    match (threatened(first), threatened(second)) {
        (false, false) => '.',
        (true, false) => Player::X.threat_mark(),
        (false, true) => Player::O.threat_mark(),
        (true, true) => BOTH_MARK,
    }
}

/// Prints a diagram in one line: rows with `/` between them, no marks.
#[must_use]
pub fn print<const W: usize, const H: usize>(position: Position<W, H>) -> String {
    let rows = rows::<W, H>(|cell| stone_at(position, cell).unwrap_or('.'));
    rows.map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

/// Draws the board to look at, in several lines: space between the cells,
/// threats marked, column numbers below. [`parse`] reads this, too.
///
/// ```
/// use fourbook::board::{Position, notation::diagram};
/// let position = Position::<4, 4>::from_moves("121212")?;
/// assert_eq!(diagram::draw(position), "\
/// x o . .
/// X O . .
/// X O . .
/// X O . .
/// 1 2 3 4
/// ");
/// # Ok::<(), fourbook::board::MoveError>(())
/// ```
#[must_use]
pub fn draw<const W: usize, const H: usize>(position: Position<W, H>) -> String {
    let (first, second) = (position.first_player(), position.second_player());
    let cells = rows::<W, H>(|cell| {
        stone_at(position, cell).unwrap_or_else(|| mark_at::<W, H>(first, second, cell))
    });
    let numbers: [char; W] = std::array::from_fn(|column| (b'1' + column as u8) as char);
    let lines = cells.chain([numbers]).map(|row| {
        let cells: Vec<String> = row.iter().map(char::to_string).collect();
        cells.join(" ") + "\n"
    });
    lines.collect()
}

/// The rows of a board from the top, each cell as `symbol` has it.
fn rows<const W: usize, const H: usize>(
    symbol: impl Fn(u64) -> char,
) -> impl Iterator<Item = [char; W]> {
    (0..H)
        .rev()
        .map(move |row| std::array::from_fn(|column| symbol(Geometry::<W, H>::cell(column, row))))
}

/// The letter of the stone on a cell.
fn stone_at<const W: usize, const H: usize>(position: Position<W, H>, cell: u64) -> Option<char> {
    let mut players = Player::BOTH.into_iter();
    players.find(|&player| position.stones(player) & cell != 0).map(Player::stone)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY_ROWS: &str = "......./......./......./.......";

    fn error(text: &str) -> String {
        parse::<7, 6>(text).unwrap_err().to_string()
    }

    #[test]
    fn rows_may_stand_on_lines_with_space_and_column_numbers() {
        let position = Position::<7, 6>::from_moves("4453").unwrap();
        let text = "
            . . . . . . .\r
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . O . . .
            . . O X X . .
            1 2 3 4 5 6 7
        ";
        assert_eq!(parse(text), Ok(position));
        assert_eq!(parse(&format!("{EMPTY_ROWS}/...O.../..OXX..")), Ok(position));
    }

    #[test]
    fn mistakes_are_named_with_their_row_and_column() {
        let rows = error(".../...");
        assert!(rows.contains("expected a diagram of 6 rows") && rows.ends_with("is 2"), "{rows}");
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
        let position = Position::<7, 6>::from_moves("172635").unwrap();
        let drawn = draw(position);
        assert_eq!(parse(&drawn), Ok(position), "{drawn}");
        assert!(drawn.ends_with("X X X * O O O\n1 2 3 4 5 6 7\n"), "{drawn}");
    }
}
