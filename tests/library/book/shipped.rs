//! The books of 7x6 in the folder `books`.

use crate::common::root;
use crate::truth::{known_scores, mixed};
use fourbook::book::Encoding;
use fourbook::tools::BookReader;
use fourbook::tools::pack::{self, pack};
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Lookup, Position, ScoreBounds, Size, ValueKind};
use std::path::PathBuf;

/// The properties of a shipped book.
struct Shipped {
    name: &'static str,
    depth: u32,
    encoding: Encoding,
    /// The deepest ply that a compact book stores flat.
    flat_to: Option<u32>,
    /// How many lines of the files with known scores it reaches.
    known: usize,
}

/// Number of positions that a book stores in every second ply, from 0 on.
const ENTRIES: [u64; 9] = [1, 25, 568, 7638, 77_715, 634_338, 4_200_899, 23_192_137, 107_997_313];

/// Number of positions in the plies between that the book in the library stores.
const ENTRIES_BETWEEN: [u64; 4] = [4, 121, 2144, 25_718];

const D8: Shipped = flat("7x6-d8", 8, 113);
const D12: Shipped = flat("7x6-d12", 12, 353);
const DEFAULT: Shipped = compact("7x6-d12-compact", 12, Some(8), 353);
const D14: Shipped = compact("7x6-d14", 14, None, 473);
const D16: Shipped = compact("7x6-d16", 16, None, 592);
const ALL: [Shipped; 5] = [D8, D12, DEFAULT, D14, D16];

const fn flat(name: &'static str, depth: u32, known: usize) -> Shipped {
    Shipped { name, depth, encoding: Encoding::Flat, flat_to: None, known }
}

const fn compact(name: &'static str, depth: u32, flat_to: Option<u32>, known: usize) -> Shipped {
    Shipped { name, depth, encoding: Encoding::Compact, flat_to, known }
}

/// The names and paths of all shipped books.
pub(crate) fn files() -> impl Iterator<Item = (&'static str, PathBuf)> {
    ALL.iter().map(|shipped| (shipped.name, shipped.path()))
}

impl Shipped {
    fn path(&self) -> PathBuf {
        let folder = root().join("books");
        folder.join(self.name).with_extension("book")
    }

    fn book(&self) -> Book {
        Book::open(self.path()).expect("a shipped book opens")
    }

    /// The bytes of this book when made from a deeper one.
    fn cut_from(&self, deeper: &Shipped) -> Vec<u8> {
        let &Shipped { depth, encoding, .. } = self;
        let kind = ValueKind::Scores;
        let contents = match self.flat_to {
            Some(flat_to) => {
                let mut contents = mixed(&deeper.book(), depth, kind, flat_to);
                contents.provenance.arguments += &format!("; with all plies to {flat_to}");
                contents
            }
            None => {
                let options = pack::PackOptions { depth, kind, encoding };
                pack(&deeper.book(), options, &()).expect("a shipped book is whole")
            }
        };
        contents.to_bytes().expect("it can be written")
    }
}

#[test]
fn they_store_the_numbers_of_positions_that_there_are() {
    for shipped in ALL {
        let book = shipped.book();
        assert_eq!((book.size(), book.kind()), (Size::STANDARD, ValueKind::Scores));
        assert_eq!((book.depth(), book.encoding()), (shipped.depth, shipped.encoding));
        let entries = |parity| {
            let sections = book.sections().iter().filter(move |s| s.ply % 2 == parity);
            sections.map(|section| section.entries).collect::<Vec<_>>()
        };
        assert_eq!(entries(0), ENTRIES[..=shipped.depth as usize / 2]);
        let between = shipped.flat_to.map_or(0, |last| last as usize / 2);
        assert_eq!(entries(1), ENTRIES_BETWEEN[..between]);
    }
}

/// The values that the book in the library stores are the ones that others derive.
#[test]
fn plies_between_are_what_follows_from_the_next() {
    let derived = D12.book();
    let stored = Book::embedded();
    let mut compared = [0; 9];
    let mut reader = BookReader::new(&derived, 8, &()).unwrap();
    for ply in 0..=8 {
        for (position, expected) in reader.read(ply).unwrap().iter() {
            for image in [position, position.mirrored()] {
                let found = stored.look_up(image).unwrap();
                assert_eq!(found, Lookup::Stored(ScoreBounds::exactly(expected)), "{image:?}");
                assert_eq!(found.bounds(), derived.look_up(image).unwrap().bounds(), "{image:?}");
            }
            compared[ply as usize] += 1;
        }
    }
    let entries = |ply: usize| [&ENTRIES[..], &ENTRIES_BETWEEN][ply % 2][ply / 2];
    assert_eq!(compared, std::array::from_fn(entries));
}

#[test]
fn they_know_known_positions() {
    for shipped in ALL {
        let book = shipped.book();
        let score = |moves| book.look_up(Position::from_moves(moves).unwrap()).unwrap().score();
        let first = ["1", "2", "3", "4", "5", "6", "7"].map(|moves| score(moves).map(|s| -s));
        assert_eq!(first, [-2, -1, 0, 1, 0, -1, -2].map(Some));
        if shipped.depth >= 12 {
            assert_eq!((score("226744515337"), score("475772722323")), (Some(7), Some(4)));
        }
        let mut compared = 0;
        for (position, expected) in known_scores().filter(|(p, _)| p.ply() <= shipped.depth) {
            let answer = book.look_up(position).unwrap();
            assert_eq!(answer.score(), Some(expected), "{position:?}");
            compared += 1;
        }
        assert_eq!(compared, shipped.known);
    }
}

/// `FOURBOOK_WRITE=1 cargo test --test library the_one_in_the_library -- --ignored` writes it.
#[test]
#[ignore = "reads every value of a large book; `.ci/run nightly` runs it"]
fn the_one_in_the_library_is_part_of_a_deeper_one() {
    let cut = DEFAULT.cut_from(&D14);
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        std::fs::write(DEFAULT.path(), &cut).unwrap();
    }
    assert!(cut == DEFAULT.book().to_bytes().unwrap());
    assert!(cut == Book::embedded().to_bytes().unwrap());
}

/// The books of depth 14 and 16 were each solved from scratch, and yet agree; the others are
/// parts of them.
#[test]
#[ignore = "reads every value of a large book; `.ci/run nightly` runs it"]
fn a_shallower_one_is_part_of_a_deeper_one() {
    for (shallower, deeper) in [(D14, D16), (D12, D14), (D8, D12)] {
        let cut = shallower.cut_from(&deeper);
        assert!(cut == shallower.book().to_bytes().unwrap(), "{}", shallower.name);
    }
}

/// Positions of up to 8 stones are asked for most. Lookups of these take no longer than in a flat
/// book.
#[test]
fn the_one_in_the_library_is_flat_to_ply_8() {
    let book = Book::embedded();
    let encodings = book.sections().iter().map(|section| (section.ply, section.encoding));
    let expected = (0..=8).map(|ply| (ply, Encoding::Flat));
    let expected = expected.chain([(10, Encoding::Compact), (12, Encoding::Compact)]);
    assert!(encodings.eq(expected), "{:?}", book.sections());
}

/// Lookups in the book of the library are as fast, in fewer bytes.
#[test]
#[ignore = "reads every value of a large book; `.ci/run nightly` runs it"]
fn every_value_of_the_depth_12_book_follows_from_the_ply_below() {
    let report = verify(&D12.book(), &VerifyOptions::default(), &()).unwrap();
    assert!(report.passed(), "{report:?}");
}
