//! The books of 7x6 in the folder `books`.

use crate::truth::known_scores;
use fourbook::book::Encoding;
use fourbook::tools::pack::{self, pack};
use fourbook::tools::verify::{Options, verify};
use fourbook::{Book, Position, Size, Value, ValueKind};
use std::path::Path;

/// What a book is to be.
struct Shipped {
    depth: u32,
    encoding: Encoding,
    /// How many lines of the files with known scores it reaches.
    known: usize,
}

/// Positions that a book stores of every second ply from 0 on.
const ENTRIES: [u64; 9] = [1, 25, 568, 7638, 77_715, 634_338, 4_200_899, 23_192_137, 107_997_313];

const D8: Shipped = Shipped { depth: 8, encoding: Encoding::Flat, known: 113 };
const D12: Shipped = Shipped { depth: 12, encoding: Encoding::Flat, known: 353 };
const D14: Shipped = Shipped { depth: 14, encoding: Encoding::Compact, known: 473 };
const D16: Shipped = Shipped { depth: 16, encoding: Encoding::Compact, known: 592 };
const ALL: [Shipped; 4] = [D8, D12, D14, D16];

impl Shipped {
    fn book(&self) -> Book {
        let name = format!("books/7x6-d{}.book", self.depth);
        Book::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a shipped book opens")
    }

    /// The bytes of this book as they are cut from a deeper one.
    fn cut_from(&self, deeper: &Shipped) -> Vec<u8> {
        let kind = ValueKind::Scores;
        let options =
            pack::Options { depth: self.depth, kind, encoding: self.encoding, flat_to: None };
        let packed = pack(&deeper.book(), options, &()).expect("a shipped book is whole");
        packed.contents(&packed.plies()).to_bytes().expect("it can be written")
    }
}

#[test]
fn they_store_the_numbers_of_positions_that_there_are() {
    for shipped in ALL {
        let book = shipped.book();
        assert_eq!((book.size(), book.kind()), (Size::STANDARD, ValueKind::Scores));
        assert_eq!((book.depth(), book.encoding()), (shipped.depth, shipped.encoding));
        let entries: Vec<u64> = book.sections().iter().map(|section| section.entries).collect();
        assert_eq!(entries, ENTRIES[..=shipped.depth as usize / 2]);
    }
}

#[test]
fn they_know_known_positions() {
    for shipped in ALL {
        let book = shipped.book();
        let score = |moves| book.look_up(Position::from_moves(moves).unwrap()).score();
        let first = ["1", "2", "3", "4", "5", "6", "7"].map(|moves| score(moves).map(|s| -s));
        assert_eq!(first, [-2, -1, 0, 1, 0, -1, -2].map(Some));
        if shipped.depth >= 12 {
            assert_eq!((score("226744515337"), score("475772722323")), (Some(7), Some(4)));
        }
        let mut compared = 0;
        for (position, expected) in known_scores().filter(|(p, _)| p.ply() <= shipped.depth) {
            let answer = book.look_up(position);
            assert_eq!(answer.value(), Some(Value::Score(expected)), "{position:?}");
            compared += 1;
        }
        assert_eq!(compared, shipped.known);
    }
}

/// The books of depth 14 and 16 were each made from nothing, and yet agree; the others
/// have to be parts of them.
#[test]
fn a_shallower_one_is_part_of_a_deeper_one() {
    for (shallower, deeper) in [(D14, D16), (D12, D14), (D8, D14)] {
        assert!(shallower.cut_from(&deeper) == shallower.book().bytes());
    }
    assert!(D8.book().bytes() == Book::embedded().bytes());
}

#[test]
fn every_value_of_the_one_of_depth_12_follows_from_those_below_it() {
    let report = verify(&D12.book(), &Options::default(), &()).unwrap();
    assert!(report.passed(), "{report:?}");
}
