//! The values of whole plies equal the values of lookups.

use super::broken::with_last_section;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR};
use fourbook::book::{BookError, Encoding};
use fourbook::tools::stats::statistics;
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::tools::{BookReader, Resources, ToolError};
use fourbook::{Book, Lookup, Position, Score, ScoreBounds, ValueKind};
use std::collections::HashSet;

/// A memory limit above the bits of a small board, and below its values.
const LITTLE: u64 = 40_000;

fn bounds(lookup: Lookup) -> Option<ScoreBounds> {
    match lookup {
        Lookup::Stored(bounds) | Lookup::Derived(bounds) => Some(bounds),
        Lookup::Rules(_) | Lookup::TooDeep | Lookup::Absent => None,
    }
}

/// Compares plies with lookups, read in this order.
fn check(book: &Book, plies: impl Iterator<Item = u32>, resources: Resources<'_>) {
    let mut reader = BookReader::new(book, u32::MAX, resources).unwrap();
    for ply in plies {
        let values = reader.read(ply).unwrap();
        let all: Vec<(Position, Score)> = values.iter().collect();
        for &(position, found) in &all {
            assert_eq!(position.ply(), ply);
            let expected = bounds(book.look_up(position).unwrap());
            assert_eq!(Some(book.kind().bounds(found)), expected, "{position:?}");
        }
        let keys: HashSet<u128> =
            all.iter().map(|(position, _)| position.canonical_key()).collect();
        assert_eq!(keys.len(), all.len());
    }
}

#[test]
#[ignore = "reads every value of a large book; `.ci/run slow` runs it"]
fn values_are_those_of_lookups_in_whatever_order_plies_are_read() {
    for (encoding, depth) in [(Encoding::Flat, 11), (Encoding::Compact, 12)] {
        for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
            let bytes = FOUR_BY_FOUR.encoded(depth, kind, encoding);
            let book = Book::from_bytes(bytes).unwrap();
            assert_eq!(book.encoding(), encoding);
            check(&book, 0..=depth, Resources::new(&()));
            check(&book, (0..=depth).rev(), Resources::new(&()));
            check(
                &book,
                [3, 9, 0, 8].into_iter(),
                Resources { memory: Some(LITTLE), ..Resources::new(&()) },
            );
        }
    }
    let book = Book::from_bytes(FIVE_BY_FOUR.book(8, ValueKind::Scores)).unwrap();
    check(&book, 0..=8, Resources::new(&()));
    check(&Book::embedded(), [7, 9, 8].into_iter(), Resources::new(&()));
}

#[test]
fn a_ply_that_is_too_deep_or_lacks_a_value_is_refused() {
    let book = Book::from_bytes(FOUR_BY_FOUR.book(6, ValueKind::Scores)).unwrap();
    let mut reader = BookReader::new(&book, 5, &()).unwrap();
    let Err(ToolError::DepthTooDeep { depth: 6, deepest: 5 }) = reader.read(6).map(drop) else {
        panic!("it was not asked for")
    };
    // A code of all ones is no entry.
    let bytes = with_last_section(&book.to_bytes().unwrap(), |bytes| bytes.fill(0xff));
    let damaged = Book::from_bytes(bytes).unwrap();
    let mut reader = BookReader::new(&damaged, 6, &()).unwrap();
    for ply in [6, 5] {
        assert!(
            matches!(
                reader.read(ply).map(drop),
                Err(ToolError::Book(BookError::MissingValue { .. }))
            ),
            "{ply}"
        );
    }
    assert!(reader.read(4).is_ok());
}

#[test]
fn values_beyond_the_memory_go_to_a_file_but_bits_must_fit() {
    let book = Book::from_bytes(FOUR_BY_FOUR.encoded(12, ValueKind::Scores, Encoding::Compact));
    let book = book.unwrap();
    let little = Resources { memory: Some(LITTLE), ..Resources::new(&()) };
    assert_eq!(statistics(&book, little).unwrap(), statistics(&book, &()).unwrap());
    assert!(verify(&book, &VerifyOptions::default(), little).unwrap().passed());
    let error =
        statistics(&book, Resources { memory: Some(1000), ..Resources::new(&()) }).unwrap_err();
    let ToolError::Memory { ply: 12, needed, available: 1000 } = error else { panic!("{error}") };
    assert!(needed < LITTLE, "{needed}");
    assert!(statistics(&book, Resources { memory: Some(needed), ..Resources::new(&()) }).is_ok());
}
