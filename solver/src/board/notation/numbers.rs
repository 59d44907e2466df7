//! Helpers shared by the notations made of numbers.

use crate::board::PositionError;
use crate::text::{hexadecimal, number, shortened};

/// Reads a decimal number, or a hexadecimal one after `0x`.
pub(super) fn parse(text: &str) -> Result<u128, PositionError> {
    let text = text.trim();
    let number = strip_prefix(text, "0x").map_or_else(|| number(text), hexadecimal);
    number.ok_or_else(|| no_number(text))
}

/// The error for a text that should be a number.
pub(super) fn no_number(text: &str) -> PositionError {
    let text = shortened(text);
    PositionError::Text(format!(
        "'{text}' is not a number; expected a decimal one or a hexadecimal one after 0x, of at most 128 bits"
    ))
}

/// The error for a text that does not have the form of its notation.
pub(super) fn no_form(text: &str, expected: &str) -> PositionError {
    PositionError::Text(format!("'{}' does not have the form {expected}", shortened(text)))
}

/// The rest of `text` after `prefix` (ASCII), which may be in capital or small letters.
pub(super) fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hexadecimal_and_have_128_bits() {
        assert_eq!(parse("128"), Ok(128));
        assert_eq!(parse(" 0X1f "), Ok(31));
        assert_eq!(parse("340282366920938463463374607431768211455"), Ok(u128::MAX));
        for text in
            ["", "0x", "+1", "-1", "1f", "340282366920938463463374607431768211456", "0x+1", "é"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
