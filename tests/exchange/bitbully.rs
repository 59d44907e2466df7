//! BitBully's books.

use crate::tools::{assert_same_values, compared, exported, imported};
use fourbook::board::Size;
use fourbook::book::exchange::bitbully::{BitbullyError, Variant};
use fourbook::book::exchange::import::ImportError;
use fourbook::book::exchange::{
    ExportError, ExportOptions, ForeignBook, ForeignError, Format, export,
};
use fourbook::book::{
    Book, BookContents, Encoding, Provenance, ValueKind,
    pack::{self, pack},
};
use fourbook::enumerate::Reachable;
use fourbook::oracle::DEFAULT_BOOK;
use fourbook::scores::{ABSENT, PlyScores, encode};

/// BitBully's own file.
const PLY_8: &[u8] = include_bytes!("../data/bitbully/book_8ply.dat");

const FORMAT_8: Format = Format::Bitbully(Variant::Ply8);

fn open(bytes: &[u8], variant: Variant) -> Result<ForeignBook<'_>, BitbullyError> {
    match ForeignBook::open(bytes, Format::Bitbully(variant), None) {
        Err(ForeignError::Bitbully(error)) => Err(error),
        other => Ok(other.unwrap()),
    }
}

/// The book in the program, with outcomes instead of scores.
fn outcomes() -> Vec<u8> {
    let book = Book::from_bytes(DEFAULT_BOOK).unwrap();
    let (depth, kind, encoding) = (8, ValueKind::Outcomes, Encoding::Flat);
    let packed = pack(&book, pack::Options { depth, kind, encoding }, &()).unwrap();
    packed.contents(&packed.plies()).to_bytes().unwrap()
}

#[test]
fn bitbullys_own_file_says_the_same_as_our_book() {
    let file = open(PLY_8, Variant::Ply8).unwrap();
    assert_eq!(file.entries(), 34_515);
    let (comparison, differences) = compared(DEFAULT_BOOK, &file);
    assert!(differences.is_empty(), "{differences:?}");
    let positions = Book::from_bytes(DEFAULT_BOOK).unwrap().sections().last().unwrap().entries;
    assert_eq!((comparison.plies, comparison.compared), (vec![8], positions));
    assert_eq!((comparison.extra, comparison.missing), (0, 0), "every entry is of a position");
    let book = imported(&file, None, Encoding::Flat).unwrap();
    assert_same_values(&book, &outcomes());
}

#[test]
fn a_book_comes_back_from_the_list_of_ply_8() {
    let outcomes = outcomes();
    for book in [DEFAULT_BOOK, &outcomes] {
        let (bytes, done) = exported(book, &ExportOptions::new(FORMAT_8));
        assert_eq!(bytes.len() as u64, 3 * done.positions);
        // A position that BitBully's file has as itself and in the mirror is here once.
        assert_eq!(done.positions, 34_515 - 5_593);
        let file = open(&bytes, Variant::Ply8).unwrap();
        let book = imported(&file, None, Encoding::Flat).unwrap();
        assert_same_values(&book, &outcomes);
    }
}

#[test]
fn a_changed_a_missing_and_a_foreign_entry_are_differences() {
    let (good, _) = exported(DEFAULT_BOOK, &ExportOptions::new(FORMAT_8));
    let entry = 3 * 1000;
    let found = |bytes: &[u8]| {
        let (comparison, differences) =
            compared(DEFAULT_BOOK, &open(bytes, Variant::Ply8).unwrap());
        assert_eq!(comparison.agree(), differences.is_empty() && comparison.extra == 0);
        (differences, comparison.extra)
    };
    let mut changed = good.clone();
    changed[entry + 2] ^= 1;
    let (differences, extra) = found(&changed);
    assert_eq!((differences.len(), extra), (1, 0));
    // What is not there is a win.
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
    let same =
        |bytes: &[u8]| compared(DEFAULT_BOOK, &open(bytes, Variant::Ply8).unwrap()).0.agree();
    assert!(same(&bytes));
    let imports = |bytes: &[u8]| {
        imported(&open(bytes, Variant::Ply8).unwrap(), None, Encoding::Flat).unwrap_err()
    };
    // The stones 44444444 cannot be; find an entry that stands twice by what comes of it.
    let twice = (0..bytes.len() / 3).find(|entry| {
        bytes[entry * 3 + 2] ^= 1;
        let contrary =
            matches!(imports(&bytes), ImportError::Contradiction { ply: 8, wrong: 1, .. });
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
    use BitbullyError::{Code, Empty, Length, Order, Value};
    let refused = |bytes: &[u8], variant| open(bytes, variant).unwrap_err();
    assert_eq!(refused(&[], Variant::Ply12), Empty { expected: 4 });
    assert_eq!(refused(&PLY_8[1..], Variant::Ply8), Length { expected: 3, found: PLY_8.len() - 1 });
    assert!(matches!(refused(PLY_8, Variant::Ply12), Length { .. }));
    // The length would do for the list with distances.
    assert_eq!(PLY_8.len() % 5, 0);
    let error = refused(PLY_8, Variant::Ply12Distances);
    assert!(matches!(error, Order { .. } | Value { .. } | Code { .. }), "{error}");
    assert!(error.to_string().contains("--format"), "{error}");
    let twice = [&PLY_8[..3], &PLY_8[..3]].concat();
    assert_eq!(refused(&twice, Variant::Ply8), Order { entry: 1 });
    assert!(matches!(refused(&[0, 0, 2], Variant::Ply8), Value { entry: 0, found: 2, .. }));
    assert!(matches!(refused(&[0, 0, 0, 0, 98], Variant::Ply12Distances), Value { found: 98, .. }));
    assert!(matches!(refused(&[0, 0, 0, 1, 97], Variant::Ply12Distances), Code { code: 1, .. }));
    // The order is that of signed numbers for ply 12, and of others for ply 8.
    assert!(open(&[0xff, 0, 0, 0, 0, 0, 0, 4], Variant::Ply12).is_ok());
    assert_eq!(refused(&[0xff, 0, 0, 0, 0, 4], Variant::Ply8), Order { entry: 1 });
    let other = ForeignBook::open(PLY_8, FORMAT_8, Some("6x6".parse().unwrap()));
    assert!(matches!(other, Err(ForeignError::Size { found: Size::STANDARD, .. })));
}

#[test]
fn a_shallow_book_is_refused() {
    let book = Book::from_bytes(DEFAULT_BOOK).unwrap();
    let options = ExportOptions::new(Format::Bitbully(Variant::Ply12));
    let error = export(&book, &options, &mut Vec::new(), &()).unwrap_err();
    assert!(matches!(error, ExportError::Depth { least: 12, found: 8, .. }), "{error}");
}

/// A book of 12 plies with scores that are made up, but possible: what is written
/// does not depend on where they come from.
#[test]
fn a_book_comes_back_from_the_lists_of_ply_12() {
    let reachable = Reachable::<7, 6>::to_depth(12).unwrap();
    let ply = reachable.deepest();
    let mut bytes = vec![ABSENT; ply.ranking().slots() as usize];
    for slot in ply.ongoing().iter().filter(|&slot| ply.is_stored(slot)) {
        let mixed = slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        bytes[slot as usize] = encode((mixed % 30) as i8 - 15);
    }
    // Those above only have to be there: they are derived when the list is read.
    let above: Vec<(u32, Vec<u8>)> = (0..12)
        .step_by(2)
        .map(|depth| (depth, vec![ABSENT; reachable.ply(depth).ranking().slots() as usize]))
        .collect();
    let mut plies: Vec<PlyScores<'_>> =
        above.iter().map(|(ply, bytes)| PlyScores { ply: *ply, bytes }).collect();
    plies.push(PlyScores { ply: 12, bytes: &bytes });
    let contents = BookContents {
        size: Size::STANDARD,
        kind: ValueKind::Scores,
        encoding: Encoding::Flat,
        plies: &plies,
        provenance: Provenance::new(ValueKind::Scores, "made up"),
    };
    let book = contents.to_bytes().unwrap();
    let (file, done) =
        exported(&book, &ExportOptions::new(Format::Bitbully(Variant::Ply12Distances)));
    assert_eq!((done.positions, file.len()), (ply.counts().stored, done.positions as usize * 5));
    let file = open(&file, Variant::Ply12Distances).unwrap();
    let back = imported(&file, None, Encoding::Flat).unwrap();
    let [ours, theirs] = [&book, &back].map(|bytes| Book::from_bytes(bytes.as_slice()).unwrap());
    assert_eq!(ours.sections().last().unwrap().crc, theirs.sections().last().unwrap().crc);

    let (file, done) = exported(&book, &ExportOptions::new(Format::Bitbully(Variant::Ply12)));
    let wins = bytes.iter().filter(|&&byte| byte > encode(0)).count() as u64;
    assert_eq!(done.positions, ply.counts().stored - wins);
    let (comparison, _) = compared(&book, &open(&file, Variant::Ply12).unwrap());
    assert!(comparison.agree() && comparison.compared == ply.counts().stored);
}
