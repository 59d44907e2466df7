//! Compact sections that contradict themselves, in books whose checksums are right: each
//! is refused by name when the book is opened. And flat ones that lack values.

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
            Err(error @ BookError::Inconsistent { .. }) => error.to_string(),
            other => panic!("{expected}: {other:?}"),
        };
        assert!(text.starts_with(&format!("expected {expected}")), "{text}");
        assert!(text.ends_with("make the book again"), "{text}");
    }
}

#[test]
fn a_section_that_was_cut_or_whose_first_bytes_were_changed_is_damaged() {
    let mut book = compact();
    let start = last_section(&book).offset as usize;
    book[start + 2] = 0;
    let error = Book::from_bytes(book).unwrap_err();
    assert!(matches!(error, BookError::Checksum { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("expected the checksum of the section of ply 10 to be"), "{text}");
    assert!(text.contains("fetch or make it again"), "{text}");
}

#[test]
fn a_flat_section_without_values_is_damage_where_it_is_asked() {
    let good = include_bytes!("../../../examples/4x4-d6.book");
    let bytes = with_last_section(good, without_values(&last_section(good)));
    let book = Book::from_bytes(bytes).unwrap();
    let look_up = |moves| book.look_up(Position::parse(book.size(), moves).unwrap());
    assert_eq!(look_up("112234"), Lookup::Damaged);
    assert_eq!(look_up("11223"), Lookup::Damaged);
    assert!(matches!(look_up("1122"), Lookup::Stored(_)));
}
