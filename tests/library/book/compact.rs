//! Compact books answer as flat ones do.

use super::broken::section_bytes;
use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth, mixed};
use fourbook::board::is_reachable;
use fourbook::book::{BookContents, Encoding};
use fourbook::tools::BookReader;
use fourbook::tools::exchange::{ExportOptions, Format, Other, compare as compare_books, export};
use fourbook::tools::pack::{self, pack};
use fourbook::tools::stats::statistics;
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Lookup, Oracle, Position, Score, ValueKind};

use std::sync::Arc;

const KINDS: [ValueKind; 2] = [ValueKind::Scores, ValueKind::WinDrawLoss];

/// A compact book at least one section of which is compact.
fn compact(truth: &Truth, depth: u32, kind: ValueKind) -> Book {
    let book = Book::from_bytes(truth.encoded(depth, kind, Encoding::Compact)).unwrap();
    assert_eq!(book.encoding(), Encoding::Compact);
    book
}

/// The book in another encoding.
fn packed(book: &Book, encoding: Encoding) -> Book {
    let options = pack::PackOptions { depth: book.depth(), kind: book.kind(), encoding };
    Book::from_bytes(pack(book, options, &()).unwrap().to_bytes().unwrap()).unwrap()
}

fn with_flat(book: &Book, flat_to: u32) -> Book {
    let contents = mixed(book, book.depth(), book.kind(), flat_to);
    Book::from_bytes(contents.to_bytes().unwrap()).unwrap()
}

fn compare(truth: &Truth, depth: u32, kind: ValueKind) {
    let flat = Book::from_bytes(truth.book(depth, kind)).unwrap();
    let compact = compact(truth, depth, kind);
    assert!(compact.length() < flat.length());
    for &(position, _) in truth.plies.iter().flatten() {
        let expected = flat.look_up(position).unwrap();
        for image in [position, position.mirrored()] {
            assert_eq!(compact.look_up(image).unwrap(), expected, "{image:?}");
        }
    }
}

#[test]
fn every_position_of_small_boards_is_as_in_the_flat_book() {
    for kind in KINDS {
        for depth in [10, 11, 12] {
            compare(&FOUR_BY_FOUR, depth, kind);
        }
        for depth in [8, 9] {
            compare(&FIVE_BY_FOUR, depth, kind);
        }
    }
}

#[test]
fn plies_that_are_to_be_flat_are_and_the_others_are_as_before() {
    let book = Book::from_bytes(FOUR_BY_FOUR.book(12, ValueKind::Scores)).unwrap();
    let flat = packed(&book, Encoding::Flat);
    let compact = packed(&book, Encoding::Compact);
    let mut last = None;
    for flat_to in [0, 8, 10, 12] {
        let some = with_flat(&flat, flat_to);
        let plies: Vec<u32> = some.sections().iter().map(|section| section.ply).collect();
        let expected = (0..=12).filter(|ply| *ply <= flat_to || ply % 2 == 0);
        assert_eq!(plies, expected.collect::<Vec<_>>());
        for section in some.sections() {
            let other = if section.ply <= flat_to { &flat } else { &compact };
            let Some(expected) = other.sections().iter().find(|s| s.ply == section.ply) else {
                assert_eq!(section.encoding, Encoding::Flat);
                continue;
            };
            assert_eq!(section.encoding, expected.encoding);
            assert!(section_bytes(&some, section) == section_bytes(other, expected));
        }
        for &(position, score) in FOUR_BY_FOUR.plies.iter().take(13).flatten() {
            let found = some.look_up(position).unwrap();
            assert_eq!(found.score(), Some(score), "{position:?}");
            assert_eq!(found.bounds(), flat.look_up(position).unwrap().bounds(), "{position:?}");
            let is_stored = position.score_by_rules().is_none() && some.stores(position.ply());
            assert_eq!(matches!(found, Lookup::Stored(_)), is_stored, "{position:?}");
        }
        assert!(packed(&some, Encoding::Flat).to_bytes().unwrap() == flat.to_bytes().unwrap());
        assert!(
            packed(&some, Encoding::Compact).to_bytes().unwrap() == compact.to_bytes().unwrap()
        );
        assert!(last.is_none_or(|bytes| bytes <= some.length()), "flat is not smaller");
        last = Some(some.length());
    }
    assert!(last > Some(compact.length()));
}

/// With little memory, positions are encoded in several rounds.
#[test]
fn the_bytes_do_not_depend_on_the_memory() {
    let depth = 8;
    let kind = ValueKind::Scores;
    let encoding = Encoding::Compact;
    let options = pack::PackOptions { depth, kind, encoding };
    let contents = pack(&Book::embedded(), options, &()).unwrap();
    let expected = contents.to_bytes().unwrap();
    assert!(Book::from_bytes(expected.clone()).unwrap().sections().len() == 5);
    // In one round, ply 8 takes 1.3 MB; the smallest rounds have one segment each.
    for memory in [1 << 20, 0] {
        let contents = BookContents { memory: Some(memory), ..contents.clone() };
        assert!(contents.to_bytes().unwrap() == expected, "{memory}");
    }
}

/// The results of tools for whole books do not depend on which plies are stored.
#[test]
fn plies_between_change_nothing_but_how_a_value_is_found() {
    for kind in KINDS {
        let flat = Book::from_bytes(FOUR_BY_FOUR.book(11, kind)).unwrap();
        for flat_to in [0, 4, 7, 11] {
            let some = with_flat(&flat, flat_to);
            assert!(verify(&some, &VerifyOptions::default(), &()).unwrap().passed());
            assert_eq!(statistics(&some, &()).unwrap(), statistics(&flat, &()).unwrap());
            for (one, other) in [(&some, &flat), (&flat, &some)] {
                let compared = compare_books(one, Other::Book(other), &(), &mut |_| Ok(()));
                let compared = compared.unwrap();
                assert!(compared.agree() && compared.plies == (0..=11).collect::<Vec<_>>());
            }
            assert!(exported(&some) == exported(&flat));
            assert!(cut(&some) == cut(&flat));
            assert!(positions(&some) == positions(&flat));
        }
    }
}

/// The bytes of a shallower book.
fn cut(book: &Book) -> Vec<u8> {
    mixed(book, 10, book.kind(), 3).to_bytes().unwrap()
}

/// A book as text.
fn exported(book: &Book) -> Vec<u8> {
    let mut text = Vec::new();
    export(book, &ExportOptions::new(Format::Csv), &mut text, &()).unwrap();
    text
}

/// All positions of a book with their values.
fn positions(book: &Book) -> Vec<(Position, Option<Score>)> {
    let mut positions = Vec::new();
    let mut reader = BookReader::new(book, book.depth(), &()).unwrap();
    for ply in 0..=book.depth() {
        let values = reader.read(ply).unwrap();
        positions.extend(values.iter().map(|(position, value)| (position, Some(value))));
    }
    positions
}

#[test]
fn no_position_that_play_cannot_reach_has_a_value() {
    let book = compact(&FIVE_BY_FOUR, 8, ValueKind::Scores);
    check_others_are_absent(&book);
    check_others_are_absent(&with_flat(&book, 5));
}

fn check_others_are_absent(book: &Book) {
    let mut reachable = 0;
    let mut others = 0;
    for ply in 0..=8 {
        let positions = Numbering::new(book.size(), ply).positions();
        for position in positions.filter(|position| position.score_by_rules().is_none()) {
            if is_reachable(position) {
                reachable += 1;
                assert!(book.look_up(position).unwrap().score().is_some(), "{position:?}");
            } else if book.stores(ply) {
                others += 1;
                assert_eq!(book.look_up(position).unwrap(), Lookup::Absent, "{position:?}");
            }
        }
    }
    assert!(reachable > 1000 && others > 1000, "{reachable} {others}");
}

#[test]
fn moves_looked_up_together_have_what_each_has_alone() {
    let flat = Book::from_bytes(FIVE_BY_FOUR.book(8, ValueKind::Scores)).unwrap();
    let compact = compact(&FIVE_BY_FOUR, 8, ValueKind::Scores);
    let with_plies_between = with_flat(&compact, 5);
    let mut known = 0;
    for book in [flat, compact, with_plies_between].map(Arc::new) {
        let oracle = Oracle::new(Arc::clone(&book)).unwrap();
        for ply in 0..=9 {
            // Reachable or not.
            for position in Numbering::new(book.size(), ply).positions() {
                let look_up = |child| book.look_up(child).unwrap().score().map(|score| -score);
                let alone: Vec<_> =
                    position.children().map(|child| child.and_then(look_up)).collect();
                let together = oracle.known(position).unwrap();
                assert_eq!(together.move_scores(), alone, "{position:?}");
                if let Some(score) = book.look_up(position).unwrap().score() {
                    assert_eq!(together.score(), Some(score), "{position:?}");
                    known += 1;
                }
            }
        }
    }
    assert!(known > 10_000, "{known}");
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| compact(&FIVE_BY_FOUR, 9, ValueKind::Scores).to_bytes().unwrap().to_vec())
    };
    let one = bytes(1);
    assert!(one == bytes(2) && one == bytes(3));
}

#[test]
fn a_compact_book_is_verified_to_the_last_position() {
    for kind in KINDS {
        let book = compact(&FOUR_BY_FOUR, 12, kind);
        let options = VerifyOptions { solve: 50, ..VerifyOptions::default() };
        let report = verify(&book, &options, &()).unwrap();
        assert!(report.passed(), "{report:?}");
        assert_eq!(report.checks.last().unwrap().checked, 50);
    }
}

#[test]
fn the_standard_board_has_contexts_of_its_own() {
    let flat = Book::from_bytes(include_bytes!("../../../books/7x6-d8.book")).unwrap();
    let compact = packed(&flat, Encoding::Compact);
    let deepest = compact.sections().last().unwrap();
    assert_eq!((deepest.encoding, deepest.entries), (Encoding::Compact, 77_715));
    let bits = deepest.bytes as f64 * 8.0 / deepest.entries as f64;
    assert!(bits < 3.1, "{bits} bits a position");
    assert!(verify(&compact, &VerifyOptions::default(), &()).unwrap().passed());
    // And back again.
    assert!(packed(&compact, Encoding::Flat).to_bytes().unwrap() == flat.to_bytes().unwrap());
}
