//! Compact sections that contradict themselves, in books whose checksums are right: opening such a
//! book fails and names the fault. Also flat sections that lack values.

use super::broken::{BREAKS, last_section, with_last_section, without_values};
use crate::truth::FOUR_BY_FOUR;
use fourbook::book::{BookError, Encoding};
use fourbook::{Book, Lookup, Position, ValueKind};

/// A compact book of 4x4.
fn compact() -> Vec<u8> {
    let book = FOUR_BY_FOUR.encoded(10, ValueKind::Scores, Encoding::Compact);
    let section = last_section(&book);
    assert_eq!((section.ply, section.encoding), (10, Encoding::Compact));
    book
}

#[test]
fn everything_in_a_compact_section_has_to_fit() {
    for (expected, change) in BREAKS {
        let text = match Book::from_bytes(with_last_section(&compact(), change)) {
            Err(error @ BookError::Format { .. }) => error.to_string(),
            other => panic!("{expected}: {other:?}"),
        };
        assert!(text.starts_with(&format!("expected {expected}")), "{text}");
        assert!(text.ends_with("make the book again"), "{text}");
    }
}

#[test]
fn a_changed_byte_of_a_table_is_damage_that_opening_notices() {
    let mut book = compact();
    let start = last_section(&book).offset as usize;
    book[start + 2] ^= 1;
    let error = Book::from_bytes(book).unwrap_err();
    assert!(matches!(error, BookError::Block { block: 0, .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("expected the checksum of block "), "{text}");
    assert!(text.contains("fetch or make the book again"), "{text}");
}

#[test]
fn a_flat_section_without_values_is_an_error_where_it_is_asked() {
    let good = include_bytes!("../../../examples/4x4-d6.book");
    let bytes = with_last_section(good, without_values(&last_section(good)));
    let book = Book::from_bytes(bytes).unwrap();
    let look_up = |moves| book.look_up(Position::parse(book.size(), moves).unwrap());
    for moves in ["112234", "11223"] {
        let error = look_up(moves).unwrap_err();
        assert!(matches!(error, BookError::MissingValue { ply: 6, .. }), "{error}");
    }
    assert!(matches!(look_up("1122"), Ok(Lookup::Stored(_))));
}
