//! The examples of the compact encoding in `books/FORMAT.md`, which were worked out
//! by another program, from the description alone.

use super::{Compact, hash, mix, ribbon};
use crate::board::{Position, Size};
use crate::book::pack::{Options, pack};
use crate::book::{Book, Encoding, ValueKind};

const DOCUMENT: &str = include_str!("../../../books/FORMAT.md");

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
    for row in rows("To test the arithmetic", "| Of | Is |") {
        let (function, arguments) = row[0].trim_end_matches(')').split_once('(').unwrap();
        let numbers: Vec<u64> = arguments.split(',').map(hexadecimal).collect();
        let found = match (function, &numbers[..]) {
            ("mix", &[a]) => mix(a),
            ("fold", &[a, b]) => ribbon::fold(a, b),
            ("part", &[a, b]) => ribbon::part_of(a, b),
            _ => panic!("{row:?}"),
        };
        assert_eq!(found, hexadecimal(row[1]), "{row:?}");
    }
}

/// Looks the moves of a table up in a section and compares every step.
fn assert_lookups<const W: usize, const H: usize>(section: &[u8], bias: i8, heading: &str) {
    let compact = Compact::open(section, Size::of::<W, H>(), bias).expect("a compact section");
    for row in rows("### Examples", heading) {
        let position = Position::<W, H>::from_moves(row[0]).unwrap().canonical();
        assert_eq!(position.key().to_string(), row[1], "{row:?}");
        let hash = hash(position.key(), compact.salt);
        assert_eq!(hash, hexadecimal(row[2]), "{row:?}");
        let shard = ribbon::part_of(hash, compact.shards.len() as u64);
        assert_eq!(shard.to_string(), row[3], "{row:?}");
        let (start, shape) = compact.shards[shard as usize];
        let bits = (0..row[4].len() as u32).map(|index| {
            let bit = ribbon::bit(&section[start..], shape, ribbon::hash_of_bit(hash, index));
            if bit.expect("the section is whole") { '1' } else { '0' }
        });
        assert_eq!(bits.collect::<String>(), row[4], "{row:?}");
        let value = compact.value(section, position).expect("the section is whole");
        assert_eq!(value.to_string(), row[5], "{row:?}");
    }
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
    assert_lookups::<4, 4>(&section, 2, "| Moves on 4x4 | Key |");
}

#[test]
fn the_packed_book_is_read_as_the_format_says() {
    let flat = Book::from_bytes(include_bytes!("../../../books/7x6-d8.book")).unwrap();
    let options = Options { depth: 8, kind: ValueKind::Scores, encoding: Encoding::Compact };
    let packed = pack(&flat, options, &()).unwrap();
    let book = Book::from_bytes(packed.contents(&packed.plies()).to_bytes().unwrap()).unwrap();
    let section = book.sections().last().unwrap();
    assert_lookups::<7, 6>(book.section_bytes(section), section.bias, "| Moves on 7x6 | Key |");
}
