//! The deepest book of a folder.

use crate::common::root;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth};
use fourbook::book::{BookError, Encoding, book_files};
use fourbook::{Book, Size, ValueKind, with_causes};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const SCORES: ValueKind = ValueKind::Scores;

/// A folder of these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// The name of the chosen file, and the errors of the skipped ones.
fn chosen(folder: &Path, size: Option<&str>) -> (Result<String, BookError>, Vec<String>) {
    let mut skipped = Vec::new();
    let size = size.map(|size| size.parse::<Size>().unwrap());
    let found = Book::open_deepest(folder, size, &mut |error| skipped.push(with_causes(&error)));
    let name = found.map(|(path, book)| {
        assert_eq!(Book::open(&path).unwrap().identity(), book.identity());
        path.file_name().unwrap().to_str().unwrap().to_owned()
    });
    (name, skipped)
}

/// The name of the chosen file, if none is skipped.
fn name(folder: &Path, size: Option<&str>) -> String {
    let (name, skipped) = chosen(folder, size);
    assert_eq!(skipped, [""; 0]);
    name.unwrap()
}

fn flat(truth: &Truth, depth: u32) -> Vec<u8> {
    truth.book(depth, SCORES)
}

#[test]
fn the_deepest_one_for_the_board_is_chosen() {
    let two = flat(&FOUR_BY_FOUR, 2);
    let ten = flat(&FOUR_BY_FOUR, 10);
    let five = flat(&FIVE_BY_FOUR, 5);
    let folder = folder(&[("a.book", &ten), ("b.book", &two), ("ten.bin", &ten), ("book", &ten)]);
    assert_eq!(name(folder.path(), None), "a.book");
    assert_eq!(name(folder.path(), Some("4x4")), "a.book");
    // A file is taken as it is.
    assert_eq!(name(&folder.path().join("ten.bin"), Some("5x4")), "ten.bin");
    fs::write(folder.path().join("c.book"), five).unwrap();
    assert_eq!(name(folder.path(), Some("4x4")), "a.book");
    assert_eq!(name(folder.path(), Some("5x4")), "c.book");
    // Without a size, the usual board counts.
    let shipped = root().join("books/7x6-d8.book");
    fs::copy(shipped, folder.path().join("d.book")).unwrap();
    assert_eq!(name(folder.path(), None), "d.book");
}

#[test]
fn scores_precede_outcomes_flat_precedes_compact_then_by_name() {
    let outcomes = FOUR_BY_FOUR.book(11, ValueKind::WinDrawLoss);
    let folder = folder(&[("a.book", &outcomes)]);
    let add = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    assert_eq!(name(folder.path(), None), "a.book");
    add("b.book", &FOUR_BY_FOUR.encoded(10, SCORES, Encoding::Compact));
    assert_eq!(name(folder.path(), None), "b.book");
    add("d.book", &flat(&FOUR_BY_FOUR, 10));
    assert_eq!(name(folder.path(), None), "d.book");
    add("c.book", &flat(&FOUR_BY_FOUR, 10));
    assert_eq!(name(folder.path(), None), "c.book");
}

#[test]
fn of_each_size_the_deepest_one_is_chosen() {
    let two = flat(&FOUR_BY_FOUR, 2);
    let ten = flat(&FOUR_BY_FOUR, 10);
    let five = flat(&FIVE_BY_FOUR, 5);
    let place =
        folder(&[("a.book", &two), ("b.book", &five), ("c.book", &ten), ("d.book", b"other")]);
    let mut skipped = Vec::new();
    let books = Book::open_deepest_of_each_size(place.path(), &mut |error| skipped.push(error));
    let found: Vec<_> = books
        .unwrap()
        .into_iter()
        .map(|(path, book)| (book.size().to_string(), path.file_name().unwrap().to_owned()))
        .collect();
    let expected = [("4x4", "c.book"), ("5x4", "b.book")];
    assert_eq!(found, expected.map(|(size, name)| (size.to_owned(), name.into())));
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    let file = Book::open_deepest_of_each_size(place.path().join("a.book"), &mut |_| ()).unwrap();
    assert_eq!((file.len(), file[0].1.depth()), (1, 2));
    let none = folder(&[]);
    let error = Book::open_deepest_of_each_size(none.path(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("expected a book in the folder"), "{error}");
}

#[test]
fn what_is_no_book_is_passed_over_and_named() {
    let book = flat(&FOUR_BY_FOUR, 4);
    let folder = folder(&[("a.book", b"other"), ("b.book", &book), ("c.book", &book[..99])]);
    // A folder is no book, even with the name of one.
    fs::create_dir(folder.path().join("d.book")).unwrap();
    let (found, skipped) = chosen(folder.path(), None);
    assert_eq!(found.unwrap(), "b.book");
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    assert!(skipped[0].contains("a.book': expected a fourbook book"), "{skipped:?}");
    assert!(skipped[1].contains("c.book': expected"), "{skipped:?}");
}

#[test]
#[cfg(unix)]
fn links_are_followed() {
    use std::os::unix::fs::symlink;
    let place = folder(&[("a", &flat(&FOUR_BY_FOUR, 4))]);
    symlink("a", place.path().join("a.book")).unwrap();
    symlink("nowhere", place.path().join("b.book")).unwrap();
    let (found, skipped) = chosen(place.path(), None);
    assert_eq!((found.unwrap().as_str(), skipped.len()), ("a.book", 1));
    assert!(skipped[0].contains("b.book"), "{skipped:?}");
}

#[test]
fn without_a_fitting_one_the_error_says_what_there_is() {
    let none = folder(&[("a.book", b"other")]);
    let refused = |folder: &Path, size, words: &[&str]| {
        let error = chosen(folder, size).0.unwrap_err();
        let text = with_causes(&error);
        assert!(text.contains(folder.to_str().unwrap()), "{text}");
        words.iter().for_each(|words| assert!(text.contains(words), "{text}"));
    };
    refused(none.path(), None, &["expected a book in the folder", "found none"]);
    refused(none.path(), Some("8x8"), &["expected a book for 8x8 boards", "found none"]);
    refused(&none.path().join("no"), None, &["cannot open"]);
    let two = folder(&[("a.book", &flat(&FOUR_BY_FOUR, 2)), ("b.book", &flat(&FIVE_BY_FOUR, 2))]);
    let found = "found books for 4x4 and 5x4";
    refused(two.path(), Some("8x8"), &["expected a book for 8x8 boards", found]);
    refused(two.path(), None, &["expected a book for 7x6 boards", "one other size", found]);
}

#[test]
fn the_files_are_listed_by_name() {
    let folder = folder(&[("b.book", b""), ("a.book", b""), ("c.txt", b"")]);
    let files = book_files(folder.path()).unwrap();
    assert_eq!(files, ["a.book", "b.book"].map(|name| folder.path().join(name)));
}
