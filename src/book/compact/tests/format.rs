//! The examples of the compact encoding in `docs/src/format.md`, which were worked out
//! by another program, from the description alone.

use super::super::{Compact, Tables, hash, mix, ribbon};
use crate::book::blocks::{BLOCK, Blocks, Storage};
use crate::book::{Encoding, Section};
use fourbook_solver::ValueKind;
#[cfg(feature = "generate")]
use fourbook_solver::board::Score;
use fourbook_solver::board::{Board, Position, Size};
use fourbook_solver::with_word;

const DOCUMENT: &str = include_str!("../../../../docs/src/format.md");

/// The rows of the table under `heading` that comes first after `text`, by field.
fn rows(text: &str, heading: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = DOCUMENT.split_once(text).expect("the text is in the document");
    let (_, table) = rest.split_once(heading).expect("the table is in the document");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|row| row.trim_matches('|').split('|').map(|s| s.trim_matches([' ', '`'])).collect())
        .collect();
    assert!(rows.len() >= 4, "{heading}");
    rows
}

fn hexadecimal(text: &str) -> u64 {
    u64::from_str_radix(text.trim(), 16).expect("a hexadecimal number")
}

#[test]
fn the_arithmetic_is_as_the_format_says() {
    for row in rows("Arithmetic to test with", "| Of | Is |") {
        let (function, arguments) = row[0].trim_end_matches(')').split_once('(').unwrap();
        let numbers: Vec<u64> = arguments.split(',').map(hexadecimal).collect();
        let found = match (function, &numbers[..]) {
            ("mix", &[a]) => mix(a),
            ("fold", &[a, b]) => ribbon::fold(a, b),
            ("scale", &[a, b]) => ribbon::scaled(a, b),
            _ => panic!("{row:?}"),
        };
        assert_eq!(found, hexadecimal(row[1]), "{row:?}");
    }
}

#[test]
fn hashes_in_layers_are_as_the_format_says() {
    for row in rows("The hash `h` of a hash `e` in the layers", "| `e` | Layer 1 |") {
        for layer in [1, 2] {
            let hash = ribbon::hash_in(layer, hexadecimal(row[0]));
            assert_eq!(hash, hexadecimal(row[layer]), "{row:?}");
        }
    }
}

/// Looks the moves of a table up in a section and compares every step.
fn assert_lookups(size: &str, bytes: Vec<u8>, bias: i8, heading: &str) {
    let size: Size = size.parse().unwrap();
    let checksums = bytes.chunks(BLOCK).map(crc32fast::hash).collect();
    let blocks = Blocks::new(Storage::Memory(bytes.clone().into()), 0, checksums).unwrap();
    let header = Section {
        ply: 0,
        encoding: Encoding::Compact,
        bits: 0,
        bias,
        offset: 0,
        bytes: bytes.len() as u64,
        slots: 0,
        entries: 0,
    };
    let section = blocks.part(&header);
    let tables = Tables::read(&header, section, size, ValueKind::Scores);
    let compact = Compact::new(tables.expect("a compact section"));
    for row in rows("### Examples", heading) {
        let position = Position::empty(size).play_moves(row[0]).unwrap().canonical();
        assert_eq!(position.key().to_string(), row[1], "{row:?}");
        let (hash, value) = with_word!(size, B => {
            let position = Board::<B>::of(position);
            (hash(size, position.key(), compact.tables.salt), compact.value(section, position))
        });
        assert_eq!(hash, hexadecimal(row[2]), "{row:?}");
        let segment = ribbon::scaled(hash, compact.tables.segments.len() as u64);
        assert_eq!(segment.to_string(), row[3], "{row:?}");
        let segment = &compact.tables.segments[segment as usize];
        let bits = (0..row[4].len() as u32).map(|index| {
            let bit = ribbon::bit(
                &bytes[segment.bytes.clone()],
                segment.shape,
                ribbon::hash_of_bit(hash, index),
            );
            if bit.expect("the section is whole") { '1' } else { '0' }
        });
        assert_eq!(bits.collect::<String>(), row[4], "{row:?}");
        let value = value.unwrap().expect("there is a value");
        assert_eq!(value.to_string(), row[5], "{row:?}");
    }
}

#[test]
fn wide_keys_have_the_hashes_that_the_format_says() {
    for row in rows("Keys and their hashes", "| Moves on 10x9 | Salt |") {
        let size = Size::new(10, 9).unwrap();
        let position = Position::empty(size).play_moves(row[0]).unwrap();
        for key in [position.canonical_key(), position.mirrored().canonical_key()] {
            assert_eq!(format!("{key:026x}"), row[2], "{row:?}");
            assert_eq!(hash(size, key, row[1].parse().unwrap()), hexadecimal(row[3]), "{row:?}");
        }
    }
}

/// A board of up to 64 bits has the same hash, whatever word holds it.
#[test]
fn narrow_keys_are_hashed_in_one_round() {
    let key = Position::from_moves("445366").unwrap().canonical_key();
    let hash_of = |salt| hash(Size::STANDARD, key as u64, salt);
    assert_eq!(hash_of(3), mix(key as u64 ^ 3_u64.wrapping_mul(super::super::STEP)));
    assert_eq!(hash(Size::STANDARD, key, 3), hash_of(3));
    assert_ne!(hash_of(3), hash_of(4));
    let large = Size::new(8, 8).unwrap();
    assert_ne!(hash(large, key, 3), hash(large, key | 1 << 64, 3));
}

/// The bytes of the first dump after `text` in the document.
fn dumped(text: &str) -> Vec<u8> {
    let (_, rest) = DOCUMENT.split_once(text).expect("the text is in the document");
    let dump = rest.split("```").nth(1).expect("a dump follows").trim_start_matches("text\n");
    let mut bytes = Vec::new();
    let mut row = Vec::new();
    for line in dump.lines().filter(|&line| line != "*") {
        let (offset, rest) = line.split_at(8);
        // A star stands for as many rows as the one before it.
        while bytes.len() < hexadecimal(offset) as usize {
            bytes.extend_from_slice(&row);
        }
        let hex = rest.split('|').next().unwrap_or("").split_whitespace();
        row = hex.map(|byte| hexadecimal(byte) as u8).collect();
        bytes.extend_from_slice(&row);
    }
    bytes
}

#[test]
fn the_example_section_is_read_as_the_format_says() {
    let section = dumped("### Examples");
    assert_eq!(section.len(), 192);
    assert_lookups("4x4", section, 2, "| Moves on 4x4 | Key |");
}

/// The shipped book of ply 8, made compact, with other scores if `change` says so.
#[cfg(feature = "generate")]
fn packed(change: impl Fn(Score) -> Score) -> (crate::book::Book, crate::book::Book) {
    use crate::book::{Book, BookContents, PlyScores};

    let flat = Book::from_bytes(include_bytes!("../../../../books/7x6-d8.book")).unwrap();
    let plies: Vec<PlyScores> = flat
        .sections()
        .iter()
        .map(|section| {
            let value = |slot| flat.flat_value(section, slot).unwrap().map(&change);
            let byte = |slot| value(slot).map_or(crate::book::ABSENT, crate::book::encode);
            PlyScores::new(section.ply, (0..section.slots).map(byte).collect::<Vec<u8>>())
        })
        .collect();
    let [compact, flat] = [Encoding::Compact, Encoding::Flat].map(|encoding| {
        let contents = BookContents {
            size: flat.size(),
            kind: flat.kind(),
            encoding,
            plies: plies.clone(),
            provenance: flat.provenance().clone(),
            memory: None,
        };
        Book::from_bytes(contents.to_bytes().unwrap()).unwrap()
    });
    (compact, flat)
}

/// The deepest section of the shipped book, made compact.
#[test]
#[cfg(feature = "generate")]
fn the_packed_book_is_read_as_the_format_says() {
    let (book, flat) = packed(|score| score);
    let section = book.sections().last().unwrap();
    assert_eq!((section.encoding, section.entries), (Encoding::Compact, 77_715));
    let bytes = book.section_bytes(section).unwrap();
    assert_lookups("7x6", bytes, section.bias, "| Moves on 7x6 | Key |");
    // Packed flat again, the book has the same bytes.
    assert!(flat.to_bytes().unwrap() == include_bytes!("../../../../books/7x6-d8.book"));
}

/// The trained model is for scores that are right; others are written without it.
#[test]
#[cfg(feature = "generate")]
fn scores_that_cannot_be_are_written_and_read_all_the_same() {
    let (book, flat) = packed(|score| score.signum());
    let [section, flat_section] = [&book, &flat].map(|book| book.sections().last().unwrap());
    assert_eq!(book.section_bytes(section).unwrap()[..4], [0; 4]);
    let compact = Compact::new(book.tables(section).unwrap());
    let ranking = crate::rank::Ranking::new(book.size(), 8).unwrap();
    let mut compared = 0;
    for slot in (0..section.slots).step_by(7) {
        let value = flat.flat_value(flat_section, slot).unwrap();
        if value.is_some() {
            let found = compact.value(book.blocks.part(section), ranking.unrank::<u64>(slot));
            assert_eq!(found, Ok(value));
            compared += 1;
        }
    }
    assert!(compared > 10_000);
}
