//! Writing a book.

use crate::truth::{FIVE_BY_FOUR, contents};
use fourbook::book::{BookContents, BookError, PlyScores, encode};
use fourbook::{Book, Size, ValueKind};
use std::fs;

const SCORES: ValueKind = ValueKind::Scores;

/// A book of 4x4 boards.
fn small(plies: &[PlyScores]) -> BookContents {
    contents(Size::new(4, 4).unwrap(), SCORES, plies)
}

#[test]
fn equal_contents_give_equal_bytes_in_a_file_and_in_memory() {
    let top = FIVE_BY_FOUR.scores(0);
    let deepest = FIVE_BY_FOUR.scores(2);
    // The plies may be given in any order.
    let plies = [PlyScores::new(2, deepest), PlyScores::new(0, top)];
    let contents = contents(FIVE_BY_FOUR.size, SCORES, &plies);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5x4.book");
    fs::write(&path, "what was there before").unwrap();
    contents.write_file(&path, &()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), FIVE_BY_FOUR.book(2, SCORES));
    let left: Vec<_> = fs::read_dir(directory.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing but the book is left");
    assert_eq!(Book::open(&path).unwrap().to_bytes().unwrap(), contents.to_bytes().unwrap());
}

#[test]
#[cfg(unix)]
fn a_book_is_readable_as_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let book = directory.path().join("book");
    let other = directory.path().join("other");
    let plies = [PlyScores::new(0, [encode(0)].to_vec())];
    small(&plies).write_file(&book, &()).unwrap();
    fs::write(&other, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&book), mode(&other));
}

#[test]
fn a_live_map_keeps_the_book_that_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book");
    let write = |score| {
        let plies = [PlyScores::new(0, [encode(score)].to_vec())];
        small(&plies).write_file(&path, &()).unwrap();
        Book::open(&path).unwrap()
    };
    let old = write(0);
    let bytes = old.to_bytes().unwrap().to_vec();
    let new = write(1);
    assert_eq!(old.to_bytes().unwrap(), bytes);
    assert_ne!(new.to_bytes().unwrap(), bytes);
    assert_ne!(new.identity(), old.identity());
}

#[test]
fn a_failure_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book");
    let plies = [PlyScores::new(0, [encode(6)].to_vec())];
    let error = small(&plies).write_file(&path, &()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("expected scores from -5 to 5, found 6 in slot 0 of ply 0;"),
        "{text}"
    );
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    let nowhere = path.join("book");
    let error =
        small(&[PlyScores::new(0, [encode(0)].to_vec())]).write_file(&nowhere, &()).unwrap_err();
    assert!(matches!(error, BookError::Io { path, .. } if path == nowhere));
}

#[test]
fn plies_that_are_not_those_of_a_book_are_refused() {
    let written = |plies: &[(u32, usize)]| {
        let plies: Vec<_> =
            plies.iter().map(|&(ply, slots)| PlyScores::new(ply, vec![encode(0); slots])).collect();
        small(&plies).to_bytes()
    };
    let refused = |plies: &[(u32, usize)], found: &str| {
        let text = written(plies).unwrap_err().to_string();
        assert!(text.ends_with(found), "{text}");
    };
    assert!(written(&[(2, 12), (0, 1)]).is_ok());
    // Of two neighbouring plies one has to be stored.
    assert!(written(&[(1, 2), (2, 12), (0, 1)]).is_ok());
    refused(&[(2, 12)], ", found plies [2]");
    assert!(written(&[(1, 2), (2, 12)]).is_ok());
    refused(&[(0, 1), (1, 2), (1, 2), (2, 12)], ", found plies [0, 1, 1, 2]");
    refused(&[(0, 1), (2, 12), (2, 12)], ", found plies [0, 2, 2]");
    refused(&[], ", found plies []");
    refused(&[(17, 1)], "at most 16, found 17");
    refused(&[(0, 1), (2, 13)], "the scores of 12 slots at ply 2, found 13");
}

#[test]
fn control_characters_in_a_provenance_are_refused_and_escaped() {
    let plies = [PlyScores::new(0, [encode(0)].to_vec())];
    for bad in ['\u{1b}', '\n', '\u{7f}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'] {
        let mut contents = small(&plies);
        contents.provenance.arguments = format!("before{bad}after");
        let error = contents.to_bytes().unwrap_err();
        let found = format!(", found {}", bad.escape_unicode());
        assert!(error.to_string().ends_with(&found), "{error}");
        let escaped = contents.provenance.escaped().arguments;
        assert_eq!(escaped, format!("before{}after", bad.escape_unicode()));
    }
    let mut contents = small(&plies);
    contents.provenance.program = "vier in Reihe \u{e9} \u{5d0}".to_owned();
    assert_eq!(contents.provenance.escaped(), contents.provenance);
    assert!(contents.to_bytes().is_ok());
}

#[test]
fn a_provenance_too_long_for_the_header_is_refused() {
    let plies = [PlyScores::new(0, [encode(0)].to_vec())];
    let mut contents = small(&plies);
    contents.provenance.arguments = "x".repeat(1 << 16);
    let text = contents.to_bytes().unwrap_err().to_string();
    assert!(text.contains("at most 65,536 bytes; shorten its provenance, found 65,"), "{text}");
}

#[test]
fn a_book_of_outcomes_takes_two_bits_a_value() {
    let book = Book::from_bytes(FIVE_BY_FOUR.book(6, ValueKind::WinDrawLoss)).unwrap();
    assert!(book.sections().iter().all(|section| section.bits <= 2));
}
