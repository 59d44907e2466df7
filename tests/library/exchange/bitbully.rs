//! BitBully's books.

use super::tools::{assert_same_values, compared, exported, imported, imported_as_known, opened};
use crate::book::broken::section_bytes;
use crate::common::root;
use fourbook::book::{ABSENT, BookContents, BookError, Encoding, PlyScores, Provenance, encode};
use fourbook::tools::BookReader;
use fourbook::tools::ToolError;
use fourbook::tools::exchange::bitbully::Variant;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format, export};
use fourbook::tools::pack::{self, pack};
use fourbook::{Book, Position, Size, ValueKind};
use std::collections::{BTreeSet, HashSet};

/// Our book of the same depth.
const OUR_PLY_8: &[u8] = include_bytes!("../../../books/7x6-d8.book");

/// BitBully's own file.
const PLY_8: &[u8] = include_bytes!("../../data/bitbully/book_8ply.dat");

const FORMAT_8: Format = Format::Bitbully(Variant::Ply8);

fn open(bytes: &[u8], variant: Variant) -> Result<ForeignBook<'_>, ToolError> {
    ForeignBook::open(bytes, Format::Bitbully(variant), None)
}

/// The values of a book of 7x6.
fn values(book: &Book, depth: u32, kind: ValueKind) -> BookContents {
    let options = pack::PackOptions { depth, kind, encoding: Encoding::Flat };
    pack(book, options, &()).unwrap()
}

/// The values with outcomes instead of scores.
fn outcomes() -> Vec<u8> {
    values(&opened(OUR_PLY_8), 8, ValueKind::WinDrawLoss).to_bytes().unwrap()
}

#[test]
fn bitbullys_own_file_says_the_same_as_our_book() {
    let file = open(PLY_8, Variant::Ply8).unwrap();
    assert_eq!(file.entries, 34_515);
    let (comparison, differences) = compared(OUR_PLY_8, &file);
    assert!(differences.is_empty(), "{differences:?}");
    let positions = opened(OUR_PLY_8).sections().last().unwrap().entries;
    assert_eq!((comparison.plies, comparison.compared), (vec![8], positions));
    assert_eq!((comparison.extra, comparison.missing), (0, 0), "every entry is of a position");
    let book = imported(&file, None, Encoding::Flat).unwrap();
    assert_same_values(&book, &outcomes());
}

#[test]
fn a_book_comes_back_from_the_list_of_ply_8() {
    let outcomes = outcomes();
    for book in [OUR_PLY_8, &outcomes] {
        let (bytes, done) = exported(book, &ExportOptions::new(FORMAT_8));
        // By this length BitBully knows the format; a position with its mirror image counts once.
        assert_eq!((bytes.len(), done.positions), (PLY_8.len(), 34_515 - 5_593));
        let file = open(&bytes, Variant::Ply8).unwrap();
        let book = imported(&file, None, Encoding::Flat).unwrap();
        assert_same_values(&book, &outcomes);
    }
}

#[test]
fn a_changed_a_missing_and_a_foreign_entry_are_differences() {
    let (good, _) = exported(OUR_PLY_8, &ExportOptions::new(FORMAT_8));
    // An entry without a mirror image.
    let entry = 3 * 12_000;
    let found = |bytes: &[u8]| {
        let (comparison, differences) = compared(OUR_PLY_8, &open(bytes, Variant::Ply8).unwrap());
        assert_eq!(comparison.agree(), differences.is_empty() && comparison.extra == 0);
        (differences, comparison.extra)
    };
    let mut changed = good.clone();
    changed[entry + 2] ^= 1;
    let (differences, extra) = found(&changed);
    assert_eq!((differences.len(), extra), (1, 0));
    // A missing entry means a win.
    let without = [&good[..entry], &good[entry + 3..]].concat();
    let (differences, extra) = found(&without);
    assert_eq!((differences.len(), extra), (1, 0));
    assert_eq!(differences[0].theirs, Some(1));
    // Eight stones of the side to move are no position.
    let more = [&good[..], &[0xff, 0xff, 0xfc]].concat();
    let (differences, extra) = found(&more);
    assert_eq!((differences.len(), extra), (0, 1));
}

/// BitBully's file has some positions twice: their values have to be the same.
#[test]
fn a_position_with_another_value_in_the_mirror_is_a_contradiction() {
    let mut bytes = PLY_8.to_vec();
    let same = |bytes: &[u8]| compared(OUR_PLY_8, &open(bytes, Variant::Ply8).unwrap()).0.agree();
    assert!(same(&bytes));
    let imports = |bytes: &[u8]| {
        imported(&open(bytes, Variant::Ply8).unwrap(), None, Encoding::Flat).unwrap_err()
    };
    // A changed value is a contradiction only if the position has a second entry, so this finds an
    // entry that stands twice.
    let twice = (0..bytes.len() / 3).find(|entry| {
        bytes[entry * 3 + 2] ^= 1;
        let contrary = matches!(imports(&bytes), ToolError::Values { ply: 8, wrong: 1, .. });
        assert!(contrary || entry < &40, "the first entries are not twice there");
        if !contrary {
            bytes[entry * 3 + 2] ^= 1;
        }
        contrary
    });
    assert!(twice.is_some() && !same(&bytes));
}

#[test]
fn other_bytes_are_refused_with_what_was_expected() {
    let refused = |bytes: &[u8], variant| match open(bytes, variant) {
        Err(ToolError::Book(BookError::Format { expected, found, .. })) => {
            format!("{expected}; {found}")
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[], Variant::Ply12), "entries of 4 bytes; an empty file");
    let length = "bytes, which is not a multiple";
    let cut = refused(&PLY_8[1..], Variant::Ply8);
    assert!(cut.starts_with("entries of 3 bytes; ") && cut.ends_with(length), "{cut}");
    assert!(refused(PLY_8, Variant::Ply12).ends_with(length));
    // The length would fit the list with distances.
    assert_eq!(PLY_8.len() % 5, 0);
    let error = open(PLY_8, Variant::Ply12Distances).unwrap_err();
    assert!(error.to_string().contains("choose that format"), "{error}");
    let twice = [&PLY_8[..3], &PLY_8[..3]].concat();
    let order = "ascending codes; entry 1 (from 0) out of order";
    assert_eq!(refused(&twice, Variant::Ply8), order);
    let value = refused(&[0, 0, 2], Variant::Ply8);
    assert_eq!(value, "0 (draw) or 1 (loss) as the value of entry 0 (from 0); 2");
    let value = refused(&[0, 0, 0, 0, 98], Variant::Ply12Distances);
    assert!(value.ends_with(" as the value of entry 0 (from 0); 98"), "{value}");
    let code = refused(&[0, 0, 0, 1, 97], Variant::Ply12Distances);
    assert!(code.ends_with("; 00000001 in entry 0 (from 0)"), "{code}");
    // Ply 12 is in the order of signed numbers, ply 8 in that of unsigned ones.
    assert!(open(&[0xff, 0, 0, 0, 0, 0, 0, 4], Variant::Ply12).is_ok());
    assert_eq!(refused(&[0xff, 0, 0, 0, 0, 4], Variant::Ply8), order);
    let other = ForeignBook::open(PLY_8, FORMAT_8, Some("6x6".parse().unwrap()));
    assert!(matches!(
        other,
        Err(ToolError::Book(BookError::WrongSize { book: Size::STANDARD, .. }))
    ));
}

#[test]
fn a_shallow_book_is_refused() {
    let options = ExportOptions::new(Format::Bitbully(Variant::Ply12));
    let error = export(&opened(OUR_PLY_8), &options, &mut Vec::new(), &()).unwrap_err();
    assert!(matches!(error, ToolError::Book(BookError::Format { .. })), "{error}");
    assert!(error.to_string().contains("of depth 12 to 42 for bitbully-12"), "{error}");
}

/// The code of a position with 8 stones, as the file has it, without its value.
fn code(position: Position) -> [u8; 3] {
    let mut code = 0_u32;
    for column in 0..7 {
        for row in 0..position.height(column) {
            let is_own = position.mover() >> (7 * column + row) & 1 == 1;
            code = code << 2 | if is_own { 0b10 } else { 0b11 };
        }
        code <<= 1;
    }
    let [_, bytes @ ..] = (code << 1).to_be_bytes();
    bytes
}

/// An absent entry means a win, so the entries are counted.
#[test]
fn a_file_that_lacks_entries_is_refused_with_numbers() {
    let refused = |bytes: &[u8]| {
        let file = open(bytes, Variant::Ply8).unwrap();
        let error = imported(&file, None, Encoding::Flat).unwrap_err();
        assert!(matches!(error, ToolError::Book(BookError::Format { .. })), "{error}");
        error.to_string()
    };
    let says = |text: &str, found: &str| {
        let start =
            "expected entries of 28,922 positions drawn or lost at ply 8, and 0 others, found";
        assert!(text.starts_with(&format!("{start} {found}; ")), "{text}");
    };
    let half = refused(&PLY_8[..51_000]);
    let found: Vec<_> = half.split("found ").collect();
    assert!(found[1].contains(" such positions, and 0 others"), "{half}");
    says(&refused(&PLY_8[..3]), "1 such position, and 0 others");
    says(&refused(&[PLY_8, &[0xff, 0xff, 0xfc]].concat()), "28,922 such positions, and 1 others");
    // An older file, which is widespread, lacks 229 positions that have one entry here.
    let entries: HashSet<&[u8]> = PLY_8.chunks(3).collect();
    let book = opened(OUR_PLY_8);
    let mut reader = BookReader::new(&book, 8, &()).unwrap();
    let entries_of = |position: Position| {
        let images = BTreeSet::from([code(position), code(position.mirrored())]);
        let coded = images.into_iter().flat_map(|[a, b, c]| [[a, b, c], [a, b, c | 1]]);
        coded.filter(|entry| entries.contains(&entry[..])).collect::<Vec<_>>()
    };
    let of_positions = reader.read(8).unwrap();
    let single = of_positions.iter().map(|(position, _)| entries_of(position));
    let lacking: HashSet<_> =
        single.filter(|entries| entries.len() == 1).take(229).flatten().collect();
    let old: Vec<u8> = PLY_8
        .as_chunks()
        .0
        .iter()
        .filter(|entry| !lacking.contains(*entry))
        .flatten()
        .copied()
        .collect();
    assert_eq!(old.len(), 102_858);
    says(&refused(&old), "28,693 such positions, and 0 others");
}

/// Two wrong values in a list that has all positions are found only by another book.
#[test]
fn values_are_those_of_a_known_book() {
    let mut bytes = PLY_8.to_vec();
    // Loss and draw are exchanged where the entry has no mirror image.
    for entry in [9_000, 9_001] {
        bytes[3 * entry + 2] ^= 1;
    }
    let known = opened(OUR_PLY_8);
    let import = |bytes: &[u8], known| {
        imported_as_known(&open(bytes, Variant::Ply8).unwrap(), None, Encoding::Flat, known)
    };
    assert!(import(&bytes, None).is_ok());
    let error = import(&bytes, Some(&known)).unwrap_err();
    let ToolError::Different { ply: 8, wrong: 2, ref first } = error else { panic!("{error}") };
    assert!(first.iter().all(|fault| fault.contains(": expected ")), "{error}");
    assert!(import(PLY_8, Some(&known)).is_ok());
    // A deeper file is compared at the depth of the book, a shallower one at its own.
    let shallow = values(&known, 6, ValueKind::Scores);
    let shallow = opened(&shallow.to_bytes().unwrap());
    let error = import(&bytes, Some(&shallow)).map(drop);
    assert!(matches!(error, Ok(()) | Err(ToolError::Different { ply: 6, .. })), "{error:?}");
    assert!(import(PLY_8, Some(&shallow)).is_ok());
}

/// A book with wrong values has another number of draws and losses.
#[test]
fn a_book_with_other_draws_and_losses_is_refused() {
    let mut bytes = PLY_8.to_vec();
    bytes[3 * 9_000 + 2] ^= 1;
    let right = outcomes();
    assert!(
        imported(&open(&bytes, Variant::Ply8).unwrap(), None, Encoding::Flat).unwrap() != right
    );
    let mut contents = values(&opened(&right), 8, ValueKind::WinDrawLoss);
    let deepest = contents.plies.pop().unwrap();
    let changed: Vec<u8> = deepest
        .bytes()
        .iter()
        .map(|&byte| if byte == encode(0) { encode(1) } else { byte })
        .collect();
    contents.plies.push(PlyScores::new(8, changed));
    let book = opened(&contents.to_bytes().unwrap());
    let error = export(&book, &ExportOptions::new(FORMAT_8), &mut Vec::new(), &()).unwrap_err();
    assert!(
        error.to_string().contains("expected a book of 28,922 positions drawn or lost"),
        "{error}"
    );
}

/// A book of 12 plies with invented but possible scores: the file
/// does not depend on their source.
#[test]
#[ignore = "reads every value of a large book; `.ci/run nightly` runs it"]
fn a_book_comes_back_from_the_lists_of_ply_12() {
    let shipped = root().join("books/7x6-d12.book");
    let shipped = Book::open(shipped).unwrap();
    let stored = shipped.sections().last().unwrap().entries;
    let mut plies = values(&shipped, 12, ValueKind::Scores).plies;
    let right = plies.pop().unwrap();
    // The shallower plies only have to exist: they are derived when the list is read.
    for ply in &mut plies {
        *ply = PlyScores::new(ply.ply, vec![ABSENT; ply.bytes().len()]);
    }
    let made_up = |slot: u64| {
        let mixed = slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        encode((mixed % 30) as i8 - 15)
    };
    let bytes: Vec<u8> = (0..)
        .zip(right.bytes())
        .map(|(slot, &byte)| if byte == ABSENT { ABSENT } else { made_up(slot) })
        .collect();
    plies.push(PlyScores::new(12, bytes));
    let contents = BookContents {
        size: Size::STANDARD,
        kind: ValueKind::Scores,
        encoding: Encoding::Flat,
        plies,
        provenance: Provenance::new(ValueKind::Scores, "made up"),
        memory: None,
    };
    let book = contents.to_bytes().unwrap();
    let (file, done) =
        exported(&book, &ExportOptions::new(Format::Bitbully(Variant::Ply12Distances)));
    assert_eq!((done.positions, file.len()), (stored, done.positions as usize * 5));
    let file = open(&file, Variant::Ply12Distances).unwrap();
    let back = imported(&file, None, Encoding::Flat).unwrap();
    let [ours, theirs] = [&book, &back].map(|bytes| opened(bytes));
    let last = |book: &Book| section_bytes(book, book.sections().last().unwrap());
    assert!(last(&ours) == last(&theirs));

    // Invented scores have another number of draws and losses than the right ones.
    let options = ExportOptions::new(Format::Bitbully(Variant::Ply12));
    assert!(export(&opened(&book), &options, &mut Vec::new(), &()).is_err());
    let mut bytes = Vec::new();
    let done = export(&shipped, &options, &mut bytes, &()).unwrap();
    assert_eq!((done.positions, bytes.len()), (1_735_945, 4 * 1_735_945));
    let file = open(&bytes, Variant::Ply12).unwrap();
    let known = Some(&shipped);
    assert!(imported_as_known(&file, Some(4), Encoding::Flat, known).is_ok());
    let cut = open(&bytes[..6_000_000], Variant::Ply12).unwrap();
    let error = imported(&cut, Some(4), Encoding::Flat).unwrap_err();
    assert!(error.to_string().contains("found 1,500,000 such positions, and 0 others"), "{error}");
}
