//! BitBully's books.

use super::tools::{assert_same_values, compared, exported, imported, opened};
use crate::book::broken::section_bytes;
use fourbook::book::{ABSENT, BookContents, BookError, Encoding, Provenance, encode};
use fourbook::tools::ToolError;
use fourbook::tools::exchange::bitbully::Variant;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format, export};
use fourbook::tools::pack::{self, Packed, pack};
use fourbook::{Book, Size, ValueKind};

/// Our book of the same depth.
const OUR_PLY_8: &[u8] = include_bytes!("../../../books/7x6-d8.book");

/// BitBully's own file.
const PLY_8: &[u8] = include_bytes!("../../data/bitbully/book_8ply.dat");

const FORMAT_8: Format = Format::Bitbully(Variant::Ply8);

fn open(bytes: &[u8], variant: Variant) -> Result<ForeignBook<'_>, ToolError> {
    ForeignBook::open(bytes, Format::Bitbully(variant), None)
}

/// The values of a book of 7x6.
fn values(book: &Book, depth: u32, kind: ValueKind) -> Packed {
    let options = pack::PackOptions { depth, kind, encoding: Encoding::Flat, flat_to: None };
    pack(book, options, &()).unwrap()
}

/// The values with outcomes instead of scores.
fn outcomes() -> Vec<u8> {
    let packed = values(&opened(OUR_PLY_8), 8, ValueKind::WinDrawLoss);
    packed.contents(&packed.plies()).to_bytes().unwrap()
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
        assert_eq!(bytes.len() as u64, 3 * done.positions);
        // A position that BitBully's file has with its mirror image counts once.
        assert_eq!(done.positions, 34_515 - 5_593);
        let file = open(&bytes, Variant::Ply8).unwrap();
        let book = imported(&file, None, Encoding::Flat).unwrap();
        assert_same_values(&book, &outcomes);
    }
}

#[test]
fn a_changed_a_missing_and_a_foreign_entry_are_differences() {
    let (good, _) = exported(OUR_PLY_8, &ExportOptions::new(FORMAT_8));
    let entry = 3 * 1000;
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
        Err(ToolError::File { expected, found, .. }) => format!("{expected}; {found}"),
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
    assert!(matches!(error, ToolError::Unfit { .. }), "{error}");
    assert!(error.to_string().contains("of depth 12 to 42 for bitbully-12"), "{error}");
}

/// A book of 12 plies with invented but possible scores: the file
/// does not depend on their source.
#[test]
#[ignore = "reads every value of a large book; `.ci/run nightly` runs it"]
fn a_book_comes_back_from_the_lists_of_ply_12() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/books/7x6-d12.book");
    let shipped = Book::open(shipped).unwrap();
    let stored = shipped.sections().last().unwrap().entries;
    let right = values(&shipped, 12, ValueKind::Scores);
    let mut plies = right.plies();
    // The shallower plies only have to exist: they are derived when the list is read.
    let absent: Vec<Vec<u8>> = plies.iter().map(|ply| vec![ABSENT; ply.bytes.len()]).collect();
    plies.iter_mut().zip(&absent).for_each(|(ply, bytes)| ply.bytes = bytes);
    let right = right.plies().last().unwrap().bytes;
    let made_up = |slot: u64| {
        let mixed = slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        encode((mixed % 30) as i8 - 15)
    };
    let bytes: Vec<u8> = (0..)
        .zip(right)
        .map(|(slot, &byte)| if byte == ABSENT { ABSENT } else { made_up(slot) })
        .collect();
    plies.last_mut().unwrap().bytes = &bytes;
    let contents = BookContents {
        size: Size::STANDARD,
        kind: ValueKind::Scores,
        encoding: Encoding::Flat,
        flat_to: None,
        plies: &plies,
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

    let (file, done) = exported(&book, &ExportOptions::new(Format::Bitbully(Variant::Ply12)));
    let wins = bytes.iter().filter(|&&byte| byte > encode(0)).count() as u64;
    assert_eq!(done.positions, stored - wins);
    let (comparison, _) = compared(&book, &open(&file, Variant::Ply12).unwrap());
    assert!(comparison.agree() && comparison.compared == stored);
}
