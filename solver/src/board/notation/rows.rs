//! A row-major pair: `rows:first player:second player`.
//!
//! Every row takes 8 bits on boards of up to 8 columns and 16 bits on wider ones. The cell
//! at (`column`, `row`), both from 0 and row 0 at the bottom, is bit
//! `8 * row + column` or `16 * row + column`.
//! Programs with this layout keep an empty sentinel column to the right of
//! the board and an empty row above it. A board of 8 or 16 columns has no room
//! for a sentinel column: all bits of a row are cells. That is still
//! unambiguous to read, but shift-and-AND on it would run over the edge.

use super::bitboards::from_players;
use super::numbers;
use crate::board::{Player, Position, PositionError, Size, Word};

/// The prefix of a row-major pair, which other pairs lack.
pub(super) const PREFIX: &str = "rows:";

const FORM: &str = "rows:FIRST:SECOND, the stones of each player, 8 bits a row (16 on boards \
                    of more than 8 columns)";

/// A row-major bitboard: bit `n` is bit `n % 64` of word `n / 64`.
///
/// Most boards take one word; tall and wide ones up to 248 bits.
type RowMajor = [u64; 4];

/// Reads the pair; the numbers are hexadecimal after `0x`, or decimal up to 128 bits. The sentinel
/// column and row must be empty.
pub(super) fn parse(size: Size, text: &str) -> Result<Position, PositionError> {
    let numbers = numbers::strip_prefix(text, PREFIX).unwrap_or(text);
    let Some((first, second)) = numbers.split_once(':') else {
        return Err(numbers::no_form(text, FORM));
    };
    let stones = |number| {
        let stones = from_row_major(size, parse_number(number)?);
        stones.ok_or_else(|| PositionError::outside_board().in_text("not a position"))
    };
    from_players(size, stones(first)?, stones(second)?)
}

/// Prints the pair, hexadecimal: two digits are a row, or four on wide boards.
pub(super) fn print(position: Position) -> String {
    let [first, second] = Player::BOTH
        .map(|player| print_number(to_row_major(position.size(), position.stones(player))));
    format!("{PREFIX}{first}:{second}")
}

/// A number of up to 256 bits; decimal ones have at most 128.
fn parse_number(text: &str) -> Result<RowMajor, PositionError> {
    let hex = numbers::strip_prefix(text.trim(), "0x").map(|hex| hex.trim_start_matches('0'));
    let half = |digits: &str| {
        let half = u128::from_str_radix(&format!("0{digits}"), 16);
        half.map_err(|_| numbers::no_number(text))
    };
    let [low, high] = match hex.and_then(|hex| hex.split_at_checked(hex.len().checked_sub(32)?)) {
        Some((high, low)) => [half(low)?, half(high)?],
        None => [numbers::parse(text)?, 0],
    };
    Ok([low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64])
}

fn print_number(words: RowMajor) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// The cells of a bitboard of this crate's layout, row by row.
pub(crate) fn to_row_major(size: Size, stones: u128) -> RowMajor {
    let mut words = [0; 4];
    for (_, bit) in each_cell(size).filter(|&(cell, _)| stones & cell != 0) {
        words[bit / 64] |= 1 << (bit % 64);
    }
    words
}

/// The cells of a row-major bitboard in this crate's layout; `None` if one is
/// outside the board.
pub(crate) fn from_row_major(size: Size, mut stones: RowMajor) -> Option<u128> {
    let mut found = 0;
    for (cell, bit) in each_cell(size) {
        if stones[bit / 64] >> (bit % 64) & 1 != 0 {
            stones[bit / 64] ^= 1 << (bit % 64);
            found |= cell;
        }
    }
    (stones == [0; 4]).then_some(found)
}

/// Every cell of the board in this crate's layout, and its row-major bit.
fn each_cell(size: Size) -> impl Iterator<Item = (u128, usize)> {
    let geometry = u128::geometry(size);
    let row_bits = if size.width() <= 8 { 8 } else { 16 };
    (0..size.width()).flat_map(move |column| {
        (0..size.height()).map(move |row| (geometry.cell(column, row), row_bits * row + column))
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
            ("rows:0x1000000000000000000000000000000000000000000000000:0", "outside the board"),
            ("rows:0x1:0x1", "both players have a stone in column 1, row 1"),
        ] {
            let error = crate::text::with_causes(&parse(Size::STANDARD, text).unwrap_err());
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_board_of_eight_columns_uses_all_bits_of_a_row() {
        let size = Size::new(8, 7).unwrap();
        let position = Position::empty(size).play_moves("8").unwrap();
        assert_eq!(print(position), "rows:0x80:0x0");
        assert_eq!(parse(size, "rows:0x80:0x0"), Ok(position));
        assert_eq!(to_row_major(size, u128::geometry(size).board), [(1 << 56) - 1, 0, 0, 0]);
    }

    #[test]
    fn every_board_is_read_from_what_is_printed() {
        for size in Size::all() {
            let last = crate::board::column_name(size.width() - 1);
            let moves = format!("{last}{last}12{last}{last}{last}");
            let position =
                Position::empty(size).play_moves(&moves[..size.height().min(7)]).unwrap();
            assert_eq!(parse(size, &print(position)), Ok(position), "{size}");
            let board = u128::geometry(size).board;
            assert_eq!(from_row_major(size, to_row_major(size, board)), Some(board), "{size}");
        }
    }
}
