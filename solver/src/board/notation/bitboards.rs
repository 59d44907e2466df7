//! A pair of bitboards and a counter: `[first player, second player, moves played]`.
//!
//! The cell at (`column`, `row`), both from 0, is bit `(height + 1) * column + row`,
//! on 7x6 `7 * column + row`. After two moves in the first column the board
//! is `[1, 2, 2]`.
//!
//! Source: D. Herzberg, "Bitboards and Connect Four", the pair with its counter.

use super::numbers;
use super::words::Words;
use crate::board::{Cell, Player, Position, PositionError, Size};
use crate::text::count;

const FORM: &str = "[FIRST, SECOND, MOVES], three numbers: the stones of each player as \
                    bitboards and the number of moves played; three moves stand without brackets";

/// Whether a text can be meant as the pair and its counter: three numbers in brackets.
pub(super) fn looks_like(text: &str, words: &Words) -> bool {
    let all = words.rows.concat();
    let has_number = all.iter().any(|word| word.starts_with(|part: char| part.is_ascii_digit()));
    words.is_list && all.len() == 3 && has_number && !text.contains(['\'', '"'])
}

/// Reads the pair and its counter; the numbers are decimal or hexadecimal
/// after `0x`, with commas or space between them.
pub(super) fn parse(size: Size, text: &str) -> Result<Position, PositionError> {
    let form = || numbers::no_form(text, FORM);
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(form)?;
    let fields: Vec<&str> = if inner.contains(',') {
        inner.split(',').collect()
    } else {
        inner.split_whitespace().collect()
    };
    let [first, second, counter] = fields[..] else { return Err(form()) };
    let first = numbers::parse(first)?;
    let second = numbers::parse(second)?;
    let counter = numbers::parse(counter)?;
    let position = from_players(size, first, second)?;
    if counter != u128::from(position.ply()) {
        let counter = count(counter, "move");
        let stones = count(position.ply(), "stone");
        let problem = format!("the counter says {counter}, but the board has {stones}");
        return Err(PositionError::Text(problem));
    }
    Ok(position)
}

/// Prints the pair and its counter, decimal.
pub(super) fn print(position: Position) -> String {
    let [first, second] = Player::BOTH.map(|player| position.stones(player));
    format!("[{first}, {second}, {}]", position.ply())
}

/// The position with these stones of the first and of the second player.
pub(super) fn from_players(
    size: Size,
    first: u128,
    second: u128,
) -> Result<Position, PositionError> {
    let both = first & second;
    if let Some(cell) = Cell::of_all(size, both).first() {
        let problem = format!("both players have a stone in {cell} (from the bottom)");
        return Err(PositionError::Text(problem));
    }
    let mask = first | second;
    let mover = if mask.count_ones().is_multiple_of(2) { first } else { second };
    Position::from_bitboards(size, mover, mask).map_err(|error| error.in_text("not a position"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_spaces_and_hexadecimal_numbers_are_read() {
        for text in ["[1,2,2]", "[1 2 2]", "[ 0x1 ,\t0x2 , 2 ]"] {
            assert_eq!(
                parse(Size::STANDARD, text),
                Ok(Position::from_moves("11").unwrap()),
                "{text}"
            );
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("[1, 2]", "three numbers"),
            ("[1, 2, 2", "three numbers"),
            ("[1, two, 2]", "'two' is not a number"),
            ("[1, 2, 3]", "the counter says 3 moves, but the board has 2 stones"),
            ("[1, 0, 2]", "the counter says 2 moves, but the board has 1 stone"),
            ("[1, 1, 2]", "both players have a stone in column 1, row 1"),
            ("[2, 0, 1]", "no stone below"),
            ("[64, 0, 1]", "outside the board"),
            ("[0, 1, 1]", "the first player has 0 stones and the second 1"),
        ] {
            let error = crate::text::with_causes(&parse(Size::STANDARD, text).unwrap_err());
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
