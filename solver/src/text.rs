//! Errors as texts.

use std::error::Error;
use std::fmt::{Display, Write};
use std::str::FromStr;

/// The text of an error and of everything that caused it, with `: ` between them.
///
/// Errors of this library say what went wrong; the reason is their
/// [source](Error::source) and not repeated in their text.
///
/// ```
/// let error = fourbook_solver::Position::parse(fourbook_solver::Size::STANDARD, "key:5").unwrap_err();
/// assert!(error.to_string().starts_with("no position of a 7x6 board has the key 5"));
/// assert!(fourbook_solver::with_causes(&error).ends_with(
///     ": the key has no bit that marks the top of column 2 (from 1)"
/// ));
/// ```
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        write!(text, ": {error}").expect("a text takes everything");
        cause = error.source();
    }
    text
}

/// Returns a number with its unit: `1 byte`, `1,200 bytes`.
///
/// The program's messages use it, so that they look like this library's.
pub fn count(number: impl Display, what: &str) -> String {
    let number = grouped(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Returns a whole number that is not negative with its thousands apart: `1,200`.
pub fn grouped(number: impl Display) -> String {
    let mut number = number.to_string();
    let digits = number.len();
    for place in (3..digits).step_by(3) {
        number.insert(digits - place, ',');
    }
    number
}

/// Reads a number, without the plus sign that the standard parsers take.
pub fn number<N: FromStr>(text: &str) -> Option<N> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Reads a hexadecimal number, without a plus sign either.
pub(crate) fn hexadecimal(text: &str) -> Option<u128> {
    u128::from_str_radix(text, 16).ok().filter(|_| !text.starts_with('+'))
}

/// A text that names none of a fixed set of things, such as levels or notations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a {kind}; expected {expected}")]
pub struct NameError {
    /// The kind of thing, such as `level`.
    pub kind: &'static str,
    /// The names.
    pub expected: String,
    /// The text, shortened.
    pub text: String,
}

impl NameError {
    /// Says that `text` is none of the `expected` names of a kind of thing.
    pub fn new(kind: &'static str, expected: impl Into<String>, text: &str) -> Self {
        NameError { kind, expected: expected.into(), text: shortened(text) }
    }
}

/// Gives the values of an enumeration their names: `ALL`, `name`, [`Display`] and
/// [`FromStr`](std::str::FromStr).
#[macro_export]
#[doc(hidden)]
macro_rules! named {
    (
        $type:ident, $kind:literal, $number:literal:
        $($value:ident $(($inner:path))? = $name:literal),+
    ) => {
        impl $type {
            #[doc = concat!("Every ", $kind, ".")]
            pub const ALL: [$type; $number] = [$($type::$value $(($inner))?),+];

            #[doc = concat!("The name of the ", $kind, ", in all that is read and printed.")]
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value $(($inner))? => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::text::NameError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::text::{NameError, listed};
                let found = $type::ALL.into_iter().find(|it| it.name() == text);
                found.ok_or_else(|| NameError::new($kind, listed($type::ALL, "or"), text))
            }
        }
    };
}

/// Returns the items in a sentence, such as `a, b or c`.
pub fn listed(items: impl IntoIterator<Item: ToString>, word: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match &items[..] {
        [others @ .., last] if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => items.concat(),
    }
}

/// Whether a character controls a terminal or changes the direction of text.
pub fn is_invisible(character: char) -> bool {
    let changes_direction = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || changes_direction
}

/// Returns a text with escapes, such as `\u{1b}`, for [invisible](is_invisible) characters.
pub fn escaped(text: impl Display) -> String {
    let mut safe = String::new();
    for character in text.to_string().chars() {
        if is_invisible(character) {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Returns a text in one line for a message, cut after 60 characters.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 2].map(|n| count(n, "byte")), ["0 bytes", "1 byte", "2 bytes"]);
        assert_eq!(count(11_u64, "thread"), "11 threads");
    }

    #[test]
    fn items_are_in_a_sentence() {
        let sentences = [&["1"][..], &["1", "a"], &["1", "a", "c"]].map(|it| listed(it, "or"));
        assert_eq!(sentences, ["1", "1 or a", "1, a or c"]);
    }

    #[test]
    fn long_texts_are_cut_short() {
        assert_eq!(shortened("a\nb"), "a\\nb");
        assert_eq!(shortened(&"é".repeat(99)).chars().count(), 61);
    }

    #[test]
    fn thousands_are_apart() {
        let counted = [999, 1200, 123_456, 1_000_000].map(|number| count(number, "node"));
        assert_eq!(counted, ["999 nodes", "1,200 nodes", "123,456 nodes", "1,000,000 nodes"]);
    }
}
