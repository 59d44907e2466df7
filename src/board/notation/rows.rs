//! A row-major pair: `rows:first player:second player`.
//!
//! Every row takes 8 bits, whatever the width, and the cell at (`column`,
//! `row`), both from 0 and row 0 at the bottom, is bit `8 * row + column`.
//! Programs with this layout keep an empty sentinel column to the right of
//! the board and an empty row above it. A board 8 columns wide has no room
//! for a sentinel column: all 8 bits of a row are cells. That is still
//! unambiguous to read, but shift-and-AND on it would run over the edge.

use super::{NotationError, from_players, numbers};
use crate::board::geometry::Geometry;
use crate::board::position::{BoardError, Position};

/// What tells the row-major pair from other pairs.
pub const PREFIX: &str = "rows:";

/// Bits from one row to the next.
const ROW_BITS: usize = 8;

const FORM: &str = "rows:FIRST:SECOND, the stones of each player, 8 bits a row";

/// Reads the pair; the numbers are decimal or hexadecimal after `0x`.
///
/// # Errors
///
/// If the text has another form, a bit outside the board is set (the sentinel
/// column and row are empty), or the stones make no position.
pub fn parse<const W: usize, const H: usize>(text: &str) -> Result<Position<W, H>, NotationError> {
    let numbers = numbers::strip_prefix(text, PREFIX).unwrap_or(text);
    let Some((first, second)) = numbers.split_once(':') else {
        return Err(NotationError::Form { text: numbers::shortened(text), expected: FORM });
    };
    let stones = |number| {
        let stones = from_row_major::<W, H>(numbers::parse(number)?);
        stones.ok_or(NotationError::Board(BoardError::OutsideBoard))
    };
    from_players(stones(first)?, stones(second)?)
}

/// Prints the pair, hexadecimal: two digits are a row.
#[must_use]
pub fn print<const W: usize, const H: usize>(position: Position<W, H>) -> String {
    let first = to_row_major::<W, H>(position.first_player());
    let second = to_row_major::<W, H>(position.second_player());
    format!("{PREFIX}{first:#x}:{second:#x}")
}

/// The cells of a bitboard of this crate's layout, row by row.
#[must_use]
pub fn to_row_major<const W: usize, const H: usize>(stones: u64) -> u64 {
    each_cell::<W, H>().filter(|(ours, _)| stones & ours != 0).map(|(_, theirs)| theirs).sum()
}

/// The cells of a row-major bitboard in this crate's layout; `None` if one is
/// outside the board.
#[must_use]
pub fn from_row_major<const W: usize, const H: usize>(stones: u64) -> Option<u64> {
    let outside = each_cell::<W, H>().fold(stones, |rest, (_, theirs)| rest & !theirs);
    let found = each_cell::<W, H>().filter(|(_, theirs)| stones & theirs != 0);
    (outside == 0).then(|| found.map(|(ours, _)| ours).sum())
}

/// Every cell of the board, in this crate's layout and row-major.
fn each_cell<const W: usize, const H: usize>() -> impl Iterator<Item = (u64, u64)> {
    (0..W).flat_map(|column| {
        (0..H).map(move |row| (Geometry::<W, H>::cell(column, row), 1 << (ROW_BITS * row + column)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("rows:1", "rows:FIRST:SECOND"),
            ("rows:0x1:0xg", "'0xg' is not a number"),
            ("rows:0x80:0", "outside the board"),
            ("rows:0x1000000000000:0", "outside the board"),
            ("rows:0x1:0x1", "both players have a stone in column 1, row 1"),
        ] {
            let error = parse::<7, 6>(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn the_widest_board_uses_all_bits_of_a_row() {
        let position = Position::<8, 7>::from_moves("8").unwrap();
        assert_eq!(print(position), "rows:0x80:0x0");
        assert_eq!(parse("rows:0x80:0x0"), Ok(position));
        assert_eq!(to_row_major::<8, 7>(Geometry::<8, 7>::BOARD), (1 << 56) - 1);
    }
}
