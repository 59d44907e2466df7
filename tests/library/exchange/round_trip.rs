//! Books of ten sizes through every format and back.

use super::tools::{assert_same_values, compared, exported, imported, opened};
use crate::truth::reachable;
use fourbook::board::notation::Notation;
use fourbook::board::winning_score;
use fourbook::book::Encoding;
use fourbook::tools::BookReader;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format, export};
use fourbook::{Score, Size};
use std::fmt::Write;

/// Even and odd numbers of cells, of one and of two words.
const SIZES: [&str; 10] = ["4x4", "5x4", "5x5", "7x5", "7x6", "6x7", "7x7", "11x5", "9x7", "9x9"];

/// The lowest and the highest score of a position with `ply` stones. A game ends with a player's
/// fourth stone at the earliest, and here not with the next stone.
fn possible(size: Size, ply: u32) -> [Score; 2] {
    [(-1, ply + 2), (1, ply + 3)].map(|(sign, stone)| {
        let fourth = if stone % 2 == 1 { 7 } else { 8 };
        sign * winning_score(size.cells(), stone.max(fourth))
    })
}

/// A book with every possible score at its deepest ply, about equally often.
fn book(size: Size, depth: u32) -> Vec<u8> {
    let [least, most] = possible(size, depth);
    let mut scores = (least..=most).cycle();
    let mut rows = "position,score\n".to_owned();
    for position in &reachable(size, depth)[depth as usize] {
        if position.score_by_rules().is_none() && position.canonical() == *position {
            let moves = Notation::Moves.print(*position).unwrap();
            writeln!(rows, "{moves},{}", scores.next().unwrap()).unwrap();
        }
    }
    let file = ForeignBook::open(rows.as_bytes(), Format::Csv, Some(size)).unwrap();
    imported(&file, None, Encoding::Flat).unwrap()
}

/// How many positions of each ply have a score that the hash table has no value for.
fn without_value(book: &[u8]) -> Vec<u64> {
    let book = opened(book);
    let least = 3 - (book.size().cells() / 2) as Score;
    let mut reader = BookReader::new(&book, book.depth(), &()).unwrap();
    let mut count = |ply| {
        let values = reader.read(ply).unwrap();
        values.iter().filter(|(_, value)| *value < least).count() as u64
    };
    (0..=book.depth()).map(&mut count).collect()
}

#[test]
fn a_book_of_any_size_comes_back_or_is_refused_with_the_reason() {
    let mut refused = 0;
    for (size, depth) in SIZES.iter().flat_map(|size| [3, 4].map(|depth| (*size, depth))) {
        let size: Size = size.parse().unwrap();
        let book = book(size, depth);
        let (bytes, done) = exported(&book, &ExportOptions::new(Format::Csv));
        assert_eq!((done.replaced, done.unheld), (0, 0));
        let file = ForeignBook::open(&bytes, Format::Csv, None).unwrap();
        assert_same_values(&imported(&file, None, Encoding::Flat).unwrap(), &book);

        let (bytes, done) = exported(&book, &ExportOptions::new(Format::Pons));
        let file = ForeignBook::open(&bytes, Format::Pons, None).unwrap();
        let unheld = without_value(&book);
        assert_eq!((done.replaced, done.unheld), (0, unheld.iter().sum()), "{size}");
        let (comparison, differences) = compared(&book, &file);
        assert!(comparison.agree(), "{size}: {differences:?}");
        assert_eq!((comparison.missing, file.entries), (done.unheld, done.positions - done.unheld));
        match imported(&file, None, Encoding::Flat) {
            Ok(back) => assert_same_values(&back, &book),
            Err(error) => {
                assert!(unheld[depth as usize] > 0, "{size}: {error}");
                assert!(error.to_string().contains("no value for the lowest score"), "{error}");
                refused += 1;
            }
        }

        for format in &Format::ALL[2..5] {
            let options = ExportOptions::new(*format);
            let error = export(&opened(&book), &options, &mut Vec::new(), &()).unwrap_err();
            let reason = if size == Size::STANDARD { "of depth " } else { "for 7x6 boards" };
            assert!(error.to_string().contains(reason), "{size}: {error}");
        }
    }
    // At ply 3 of boards with an odd number of cells.
    assert_eq!(refused, 6);
}

/// A table without entries has nothing to compare, which is no agreement.
#[test]
fn an_empty_table_agrees_with_nothing() {
    let book = book("4x4".parse().unwrap(), 3);
    let (mut bytes, done) = exported(&book, &ExportOptions::new(Format::Pons));
    bytes[6..].fill(0);
    let file = ForeignBook::open(&bytes, Format::Pons, None).unwrap();
    let (comparison, _) = compared(&book, &file);
    assert_eq!((comparison.compared, comparison.missing), (0, done.positions));
    assert!(!comparison.agree());
    assert!(imported(&file, None, Encoding::Flat).is_err());
}
