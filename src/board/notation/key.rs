//! The key: `key:` and [`Position::key`], position + mask + bottom.

use super::{NotationError, numbers};
use crate::board::position::Position;

/// What tells a key from a string of moves.
pub const PREFIX: &str = "key:";

/// Reads a key, decimal or hexadecimal after `0x`.
///
/// # Errors
///
/// If it is no number or no position has it.
pub fn parse<const W: usize, const H: usize>(text: &str) -> Result<Position<W, H>, NotationError> {
    let key = numbers::parse(numbers::strip_prefix(text, PREFIX).unwrap_or(text))?;
    Position::from_key(key).map_err(|cause| NotationError::Key { key, width: W, height: H, cause })
}

/// Prints the key, decimal.
#[must_use]
pub fn print<const W: usize, const H: usize>(position: Position<W, H>) -> String {
    print_number(position.key())
}

/// Prints a number that is a key.
#[must_use]
pub fn print_number(key: u64) -> String {
    format!("{PREFIX}{key}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_with_and_without_its_prefix() {
        let position = Position::<7, 6>::from_moves("4453").unwrap();
        assert_eq!(parse(&print(position)), Ok(position));
        assert_eq!(parse(&format!("{:#x}", position.key())), Ok(position));
    }

    #[test]
    fn a_number_that_is_no_key_is_refused() {
        let error = parse::<7, 6>("key:5").unwrap_err().to_string();
        assert!(error.starts_with("no position of a 7x6 board has the key 5"), "{error}");
    }
}
