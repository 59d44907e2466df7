//! The key: `key:` and [`Position::key`], position + mask + bottom.

use super::numbers;
use crate::board::PositionError;
use crate::board::{Position, Size, Word};

/// The prefix of a key, which a string of moves never has.
pub const PREFIX: &str = "key:";

/// Reads a key, decimal or hexadecimal after `0x`.
///
/// # Errors
///
/// If the text is no number, or no position has that key.
pub fn parse(size: Size, text: &str) -> Result<Position, PositionError> {
    let key = numbers::parse(numbers::strip_prefix(text, PREFIX).unwrap_or(text))?;
    Position::from_key(size, key).map_err(|error| PositionError::Key {
        key,
        size,
        source: Box::new(error),
    })
}

/// Prints the key, decimal.
#[must_use]
pub fn print(position: Position) -> String {
    print_number(position.key())
}

/// Prints a number that is a key.
#[must_use]
pub(crate) fn print_number<B: Word>(key: B) -> String {
    format!("{PREFIX}{key}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_with_and_without_its_prefix() {
        let position = Position::from_moves("4453").unwrap();
        assert_eq!(parse(Size::STANDARD, &print(position)), Ok(position));
        assert_eq!(parse(Size::STANDARD, &format!("{:#x}", position.key())), Ok(position));
    }

    #[test]
    fn a_number_that_is_no_key_is_refused() {
        let error = parse(Size::STANDARD, "key:5").unwrap_err().to_string();
        assert!(error.starts_with("no position of a 7x6 board has the key 5"), "{error}");
    }
}
