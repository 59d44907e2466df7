//! Makes the books in `books/conformance`, which test readers, and tests the library's reader with
//! them.
//!
//! `FOURBOOK_WRITE=1 cargo test --test library conformance` writes them.

use super::broken::{BREAKS, ENTRY, put_together, take_apart, with_header, with_last_section};
use crate::common::{Random, root};
use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, contents, mixed, reachable};
use fourbook::board::notation::Notation;
use fourbook::book::{ABSENT, BookContents, Encoding, PlyScores, encode};
use fourbook::tools::pack::{PackOptions, pack};
use fourbook::{Book, Position, Size, ValueKind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A book of the set.
struct Case {
    bytes: Vec<u8>,
    verdict: Verdict,
}

/// The expected behaviour of a reader.
enum Verdict {
    /// Each position has the value listed.
    Valid,
    /// The book is refused when it is opened.
    Refused,
    /// The bytes have changed since this book was written: each position has the value listed, or
    /// the reader reports an error.
    Damaged(Vec<u8>),
}

type Cases = BTreeMap<String, Case>;

fn add(cases: &mut Cases, name: &str, bytes: Vec<u8>, verdict: Verdict) {
    let there = cases.insert(format!("{name}.book"), Case { bytes, verdict });
    assert!(there.is_none(), "{name} is there twice");
}

/// A book of made-up scores, the highest and the lowest among them.
fn made_up(size: &str, plies: &[u32], kind: ValueKind, encoding: Encoding) -> Vec<u8> {
    let size: Size = size.parse().unwrap();
    let most = ((size.cells() as i32 - 5) / 2) as i8;
    let positions = reachable(size, *plies.last().unwrap());
    let score = |position: &Position| match position.canonical_key() % 11 {
        0 => most,
        1 => -most,
        rest => rest as i8 - 6,
    };
    let plies: Vec<PlyScores> = plies
        .iter()
        .map(|&ply| {
            let numbering = Numbering::new(size, ply);
            let mut bytes = vec![ABSENT; numbering.slots()];
            for position in &positions[ply as usize] {
                if position.score_by_rules().is_none() {
                    bytes[numbering.slot(*position)] = encode(score(position));
                }
            }
            PlyScores::new(ply, bytes)
        })
        .collect();
    BookContents { encoding, ..contents(size, kind, &plies) }.to_bytes().unwrap()
}

fn source() -> Book {
    Book::from_bytes(include_bytes!("../../../books/7x6-d8.book")).unwrap()
}

fn packed(depth: u32, kind: ValueKind, encoding: Encoding) -> Vec<u8> {
    pack(&source(), PackOptions { depth, kind, encoding }, &()).unwrap().to_bytes().unwrap()
}

/// The header with these texts.
fn with_texts(book: &[u8], texts: [&[u8]; 4]) -> Vec<u8> {
    let (header, sections) = take_apart(book);
    let entries = Book::from_bytes(book.to_vec()).unwrap().sections().len();
    let mut new = header[..3].to_vec();
    for text in texts {
        new.extend((text.len() as u64).to_le_bytes());
        new.extend(text);
    }
    new.extend(&header[header.len() - 8 - entries * ENTRY..]);
    put_together(&new, &sections)
}

fn valid(cases: &mut Cases) {
    let mut add = |name: &str, bytes| add(cases, &format!("valid-{name}"), bytes, Verdict::Valid);
    let scores = ValueKind::Scores;
    let outcomes = ValueKind::WinDrawLoss;
    let flat = Encoding::Flat;
    let compact = Encoding::Compact;
    add("4x4-d6-flat", FOUR_BY_FOUR.book(6, scores));
    add("4x4-d5-outcomes", FOUR_BY_FOUR.book(5, outcomes));
    add("4x4-d10-compact", FOUR_BY_FOUR.encoded(10, scores, compact));
    add("4x4-d9-outcomes-compact", FOUR_BY_FOUR.encoded(9, outcomes, compact));
    add("5x4-d0", FIVE_BY_FOUR.book(0, scores));
    add("5x4-d1", FIVE_BY_FOUR.book(1, scores));
    let plies = |plies: &[u32]| {
        let plies = plies.iter().map(|&ply| PlyScores::new(ply, FIVE_BY_FOUR.scores(ply)));
        contents(FIVE_BY_FOUR.size, scores, &plies.collect::<Vec<_>>()).to_bytes().unwrap()
    };
    add("5x4-every-ply", plies(&[0, 1, 2, 3]));
    add("5x4-plies-0-2-3-5", plies(&[0, 2, 3, 5]));
    add("5x4-plies-1-2-4", plies(&[1, 2, 4]));
    add("7x6-d6-flat", packed(6, scores, flat));
    add("7x6-d6-model", packed(6, scores, compact));
    add("7x6-d6-outcomes-compact", packed(6, outcomes, compact));
    add("7x6-d7-flat-to-5", mixed(&source(), 7, scores, 5).to_bytes().unwrap());
    for size in ["4x31", "16x7", "10x9", "9x7"] {
        add(&format!("{size}-flat"), made_up(size, &[0, 1, 3], scores, flat));
        add(&format!("{size}-compact"), made_up(size, &[0, 2, 4], scores, compact));
    }
    let small = FIVE_BY_FOUR.book(2, scores);
    add("texts-empty", with_texts(&small, [b"", b"", b"", b""]));
    let texts = ["vier gewinnt".as_bytes(), "1.0-\u{3b2}".as_bytes(), "\u{1b}[2J".as_bytes(), b"x"];
    add("texts-not-ascii", with_texts(&small, texts));
    // Faults that readers need not detect.
    let change = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() = 1;
    add("padding-not-0", with_last_section(&small, change));
    let fewer = |header: &mut Vec<u8>| {
        let at = header.len() - 8;
        header[at] -= 1;
    };
    add("fewer-entries", with_header(&small, fewer));
}

/// Bytes changed after the checksums were made.
fn damaged(cases: &mut Cases) {
    let books = [
        ("flat", packed(6, ValueKind::Scores, Encoding::Flat)),
        ("compact", FOUR_BY_FOUR.encoded(12, ValueKind::Scores, Encoding::Compact)),
    ];
    for (name, good) in books {
        let start = Book::from_bytes(good.clone()).unwrap().sections()[0].offset as usize;
        for (place, at) in [("first", start + 70), ("last", good.len() - 2000)] {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            let name = format!("damaged-{name}-{place}");
            add(cases, &name, bytes, Verdict::Damaged(good.clone()));
        }
    }
}

fn refused(cases: &mut Cases) {
    let mut add =
        |name: &str, bytes| add(cases, &format!("refused-{name}"), bytes, Verdict::Refused);
    let small = FIVE_BY_FOUR.book(2, ValueKind::Scores);
    let end = 16 + u32::from_le_bytes(*small[12..].first_chunk().unwrap()) as usize;
    let changed = |at: usize| {
        let mut bytes = small.clone();
        bytes[at] ^= 1;
        bytes
    };
    // The frame.
    add("empty", Vec::new());
    add("magic", changed(4));
    for version in [0, 2] {
        let mut bytes = small.clone();
        bytes[8] = version;
        let checksum = crc32fast::hash(&bytes[..end]).to_le_bytes();
        bytes[end..end + 4].copy_from_slice(&checksum);
        add(&format!("version-{version}"), bytes);
    }
    add("header-checksum", changed(30));
    add("table-checksum", changed(end + 4));
    add("table-padding", changed(end + 4 + 4));
    add("cut-in-header", small[..end - 5].to_vec());
    add("cut-in-table", small[..end + 6].to_vec());
    add("cut-in-section", small[..small.len() - 1].to_vec());
    add("too-long", [&small[..], &[0; 64]].concat());
    let (header, sections) = take_apart(&small);
    add("header-too-long", {
        let text = vec![b'x'; 65_536];
        with_texts(&small, [&text, b"", b"", b""])
    });
    add("header-ends-early", put_together(&header[..header.len() - 1], &sections));
    add("header-goes-on", put_together(&[&header[..], &[0]].concat(), &sections));
    add("text-too-long", with_header(&small, |header| header[3..11].fill(0xff)));
    let not_utf8 = [0xc3, 0x28];
    add("text-not-utf8", with_texts(&small, [b"x", b"x", &not_utf8, b"x"]));
    // The board and the plies.
    let byte = |at: usize, byte: u8| with_header(&small, |header| header[at] = byte);
    add("board-3x4", byte(0, 3));
    add("board-17x4", byte(0, 17));
    add("board-5x3", byte(1, 3));
    add("board-5x25", byte(1, 25));
    add("kind-2", byte(2, 2));
    let first = header.len() - 2 * ENTRY;
    add("no-sections", {
        let count = header.len() - 2 * ENTRY - 8;
        put_together(&[&header[..count], &[0; 8]].concat(), &[])
    });
    add("plies-descending", byte(first, 3));
    add("ply-twice", byte(first, 2));
    add("first-ply-missing", {
        let count = first - 8;
        let header = [&header[..count], &1_u64.to_le_bytes(), &header[first + ENTRY..]].concat();
        put_together(&header, &sections[64..])
    });
    add("gap-of-two-plies", byte(first + ENTRY, 3));
    add("ply-beyond-the-board", byte(first + ENTRY, 21));
    // Fields of sections.
    add("ply-too-large", {
        let book = made_up("16x7", &[0, 2], ValueKind::Scores, Encoding::Flat);
        with_header(&book, |header| {
            let at = header.len() - ENTRY;
            header[at] = 60;
        })
    });
    add("entries", byte(first + 11, 2));
    add("bits-7", byte(first + 1, 7));
    add("bits-8", {
        let book = made_up("16x7", &[0, 2], ValueKind::Scores, Encoding::Flat);
        with_header(&book, |header| {
            let at = header.len() - ENTRY + 1;
            header[at] = 8;
        })
    });
    add("bias-high", byte(first + ENTRY + 2, 8));
    add("bias-low", byte(first + ENTRY + 2, -8_i8 as u8));
    add("flat-too-long", with_last_section(&small, |bytes| bytes.extend([0; 64])));
    add("flat-too-short", with_last_section(&small, |bytes| bytes.truncate(0)));
    compact_refused(&mut add);
}

/// Compact sections that contradict themselves.
fn compact_refused(add: &mut impl FnMut(&str, Vec<u8>)) {
    let compact = FOUR_BY_FOUR.encoded(10, ValueKind::Scores, Encoding::Compact);
    for (number, (_, change)) in BREAKS.into_iter().enumerate() {
        add(&format!("compact-{}", number + 1), with_last_section(&compact, change));
    }
    add("compact-empty", with_last_section(&compact, Vec::clear));
    add("compact-length", with_last_section(&compact, |bytes| bytes.truncate(bytes.len() - 8)));
    let model = 0x33e1_67a5_u32.to_le_bytes();
    let with_model = |bytes: &mut Vec<u8>| bytes[..4].copy_from_slice(&model);
    add("model-of-another-board", with_last_section(&compact, with_model));
    let outcomes = packed(6, ValueKind::WinDrawLoss, Encoding::Compact);
    add("model-of-scores", with_last_section(&outcomes, with_model));
    let trained = packed(6, ValueKind::Scores, Encoding::Compact);
    add("model-coarseness", with_last_section(&trained, |bytes| bytes[8] = 8));
    add("model-unknown", with_last_section(&trained, |bytes| bytes[0] ^= 1));
}

fn cases() -> Cases {
    let mut cases = Cases::new();
    valid(&mut cases);
    damaged(&mut cases);
    refused(&mut cases);
    cases
}

/// Positions to ask a book for: of random games to one ply past its depth.
fn positions(book: &Book) -> Vec<Position> {
    let mut positions = Random::new(book.identity().into()).positions(book, 12);
    positions.push(Position::empty(book.size()));
    positions.sort_by_key(|position| Notation::Moves.print(*position).unwrap());
    positions.dedup();
    positions
}

fn value(book: &Book, position: Position) -> Option<i8> {
    book.look_up(position).unwrap().value(book.kind())
}

/// The file of expected results.
fn expected(cases: &Cases) -> String {
    let mut text = String::from("# See README.md.\n");
    for (name, Case { bytes, verdict }) in cases {
        let (word, source) = match verdict {
            Verdict::Valid => ("valid", bytes),
            Verdict::Damaged(good) => ("damaged", good),
            Verdict::Refused => {
                writeln!(text, "book {name} refused").unwrap();
                continue;
            }
        };
        let book = Book::from_bytes(source.clone()).unwrap();
        writeln!(text, "book {name} {word} {}", book.size()).unwrap();
        for position in positions(&book) {
            let moves = match Notation::Moves.print(position).unwrap() {
                moves if moves.is_empty() => "-".to_owned(),
                moves => moves,
            };
            let value = value(&book, position).map_or("unknown".to_owned(), |it| it.to_string());
            writeln!(text, "{moves} {value}").unwrap();
        }
    }
    text
}

fn folder() -> PathBuf {
    root().join("books/conformance")
}

#[test]
fn the_files_are_those_that_are_made_here() {
    let folder = folder();
    let cases = cases();
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        for (name, case) in &cases {
            std::fs::write(folder.join(name), &case.bytes).unwrap();
        }
        std::fs::write(folder.join("expected.txt"), expected(&cases)).unwrap();
    }
    assert!(cases.len() >= 60, "{}", cases.len());
    for (name, case) in &cases {
        assert!(std::fs::read(folder.join(name)).unwrap() == case.bytes, "{name}");
    }
    let text = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
    assert_eq!(text, expected(&cases));
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, cases.len() + 3, "and the list, a page about all, and strategies");
}

#[test]
fn the_library_reads_them_as_expected() {
    let mut errors = 0;
    for (name, case) in cases() {
        let from_file = Book::open(folder().join(&name));
        let from_bytes = Book::from_bytes(case.bytes);
        for book in [from_file, from_bytes] {
            match (&case.verdict, book) {
                (Verdict::Refused, book) => assert!(book.is_err(), "{name}"),
                (Verdict::Valid, book) => book.unwrap().check_sections().unwrap(),
                (Verdict::Damaged(_), Err(_)) => errors += 1,
                (Verdict::Damaged(good), Ok(book)) => {
                    assert!(book.check_sections().is_err(), "{name}");
                    let good = Book::from_bytes(good.clone()).unwrap();
                    for position in positions(&good) {
                        match book.look_up(position) {
                            Ok(found) => assert_eq!(found, good.look_up(position).unwrap()),
                            Err(_) => errors += 1,
                        }
                    }
                }
            }
        }
    }
    assert!(errors > 20, "{errors}");
}
