//! The hash table of Pascal Pons' solver.

use super::tools::{assert_same_values, compared, exported, imported, opened, positions_to_depth};
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR};
use fourbook::ValueKind;
use fourbook::book::{BookError, Encoding};
use fourbook::tools::ToolError;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format, export};

const OPTIONS: ExportOptions = ExportOptions::new(Format::Pons);

fn table_of(book: &[u8], log2: u32) -> (Vec<u8>, u64) {
    let (file, done) = exported(book, &ExportOptions { log2_size: Some(log2), ..OPTIONS });
    assert_eq!(done.log2_size, Some(log2));
    (file, done.replaced)
}

#[test]
fn a_book_comes_back_from_a_table_that_loses_nothing() {
    let book = FOUR_BY_FOUR.book(7, ValueKind::Scores);
    let (file, done) = exported(&book, &OPTIONS);
    assert_eq!((done.replaced, done.positions), (0, positions_to_depth(&book)));
    // Three to the power of stones and gaps is less than the slots of the smallest table.
    assert_eq!(done.log2_size, Some(21));
    assert_eq!(file[..6], [4, 4, 7, 1, 1, 21]);
    assert_eq!(file.len(), 6 + 2 * 2_097_169, "the least prime from 2^21 on, twice");
    let table = ForeignBook::open(&file, Format::Pons, None).unwrap();
    assert_eq!(table.entries, done.positions);
    assert_same_values(&imported(&table, None, Encoding::Flat).unwrap(), &book);
    let (comparison, _) = compared(&book, &table);
    assert!(comparison.agree() && comparison.missing == 0);
    assert_eq!(comparison.compared, done.positions);
}

#[test]
fn what_a_small_table_loses_is_counted() {
    let book = FIVE_BY_FOUR.book(9, ValueKind::Scores);
    let all = positions_to_depth(&book);
    let (file, replaced) = table_of(&book, 10);
    assert!(all > 1031 && replaced >= all - 1031, "{replaced} of {all} into 1031 slots");
    let table = ForeignBook::open(&file, Format::Pons, None).unwrap();
    assert_eq!(table.entries, all - replaced);
    let (comparison, differences) = compared(&book, &table);
    assert!(comparison.agree(), "{differences:?}");
    assert_eq!((comparison.missing, comparison.compared), (replaced, all - replaced));
    // Deep positions give way to shallow ones: all positions of ply 3 are there.
    let three = FIVE_BY_FOUR.book(3, ValueKind::Scores);
    assert_eq!(compared(&three, &table).0.missing, 0);
    let error = imported(&table, None, Encoding::Flat).unwrap_err();
    assert!(matches!(error, ToolError::Values { ply: 9, .. }), "{error}");
    let shallow = imported(&table, Some(3), Encoding::Flat).unwrap();
    assert_same_values(&shallow, &three);
}

#[test]
fn a_wrong_value_is_a_difference() {
    let book = FOUR_BY_FOUR.book(6, ValueKind::Scores);
    let (mut file, _) = table_of(&book, 14);
    let slots = (file.len() - 6) / 2;
    let slot = (0..slots).rfind(|slot| file[6 + slots + slot] != 0).unwrap();
    let value = &mut file[6 + slots + slot];
    *value = if *value == 1 { 2 } else { *value - 1 };
    let table = ForeignBook::open(&file, Format::Pons, None).unwrap();
    let (comparison, differences) = compared(&book, &table);
    assert_eq!((comparison.different, differences.len(), comparison.agree()), (1, 1, false));
}

#[test]
fn other_bytes_are_refused_with_what_was_expected() {
    let book = FOUR_BY_FOUR.book(6, ValueKind::Scores);
    let (file, _) = table_of(&book, 14);
    let refused = |bytes: &[u8]| match ForeignBook::open(bytes, Format::Pons, None) {
        Err(ToolError::Book(BookError::Format { expected, found, .. })) => (expected, found),
        other => panic!("{other:?}"),
    };
    let changed = |place: usize, byte: u8| {
        let mut file = file.clone();
        file[place] = byte;
        refused(&file)
    };
    for length in [0, 5, 6, 7, file.len() - 1] {
        let (expected, found) = refused(&file[..length]);
        assert!(expected.ends_with(" bytes") && found == length.to_string(), "{expected}");
    }
    let longer = [&file[..], &[0]].concat();
    let texts = |expected: &str, found: &str| (expected.to_owned(), found.to_owned());
    let expected = format!("{} bytes", file.len());
    assert_eq!(refused(&longer), texts(&expected, &longer.len().to_string()));
    assert_eq!(changed(0, 17), texts("a board that can be played", "17x4"));
    for (place, byte) in [(2, 17), (3, 0), (3, 9), (4, 2), (5, 255)] {
        let (expected, found) = changed(place, byte);
        assert!(expected.contains(" to be ") && found == byte.to_string(), "{expected}");
    }
    assert!(changed(5, 15).0.ends_with(" bytes"));
    // At this depth, two positions may have the same slot and the same lowest byte.
    let (expected, found) = changed(2, 16);
    assert!(expected.starts_with("partial keys of at least 3 bytes") && found == "1", "{expected}");
    let last = file.len() - 1;
    let (expected, found) = changed(last, 255);
    assert!(expected == "values of at most 11" && found.starts_with("255 in slot "), "{found}");
    let other_board = ForeignBook::open(&file, Format::Pons, Some("5x4".parse().unwrap()));
    assert!(matches!(other_board, Err(ToolError::Book(BookError::WrongSize { .. }))));
}

#[test]
fn a_book_that_the_format_cannot_hold_is_refused() {
    let refused = |book: &[u8], options: ExportOptions| {
        export(&opened(book), &options, &mut Vec::new(), &()).unwrap_err()
    };
    let book = FOUR_BY_FOUR.book(6, ValueKind::WinDrawLoss);
    assert!(refused(&book, OPTIONS).to_string().contains("expected a book of exact scores"));
    let book = FOUR_BY_FOUR.book(6, ValueKind::Scores);
    for log2 in [1, 28] {
        let options = ExportOptions { log2_size: Some(log2), ..OPTIONS };
        let error = refused(&book, options).to_string();
        assert!(error.contains(&format!("found 2^{log2};")), "{error}");
    }
    for format in &Format::ALL[2..5] {
        let error = refused(&book, ExportOptions::new(*format));
        assert!(error.to_string().contains("expected a book for 7x6 boards"), "{error}");
        assert!(error.to_string().contains(format.name()), "{error}");
    }
}
