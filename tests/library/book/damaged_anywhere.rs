//! Shipped books with changes anywhere, whose checksums are left as they were: every answer is
//! right, or an error.

use super::shipped;
use crate::common::Random;
use fourbook::{Book, Lookup, Position};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

/// Positions that are looked up after each change.
const POSITIONS: usize = 300;

/// How a changed book answered.
#[derive(Debug, Default)]
struct Answers {
    right: u64,
    errors: u64,
    /// Changes after which the book could not be opened.
    refused: u64,
}

/// Changes a copy of each shipped book, one change at a time.
fn change_shipped(bits: usize, stretches: usize) {
    for (name, path) in shipped::files() {
        let answers = change(&path, bits, stretches);
        println!("{name}: {answers:?}");
        assert!(answers.right > 0 && answers.errors + answers.refused > 0, "{name}: {answers:?}");
    }
}

/// Flips single bits of a copy, then overwrites stretches of 2 to 64 bytes.
fn change(path: &std::path::Path, bits: usize, stretches: usize) -> Answers {
    let original = std::fs::read(path).unwrap();
    let good = Book::from_bytes(original.clone()).unwrap();
    let mut random = Random::new(good.identity().into());
    let positions = random.positions(&good, POSITIONS);
    let expected: Vec<Lookup> =
        positions.iter().map(|&position| good.look_up(position).unwrap()).collect();
    let copy = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(copy.path(), &original).unwrap();
    let mut file = File::options().write(true).open(copy.path()).unwrap();
    let mut write = |at: usize, bytes: &[u8]| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(bytes).unwrap();
    };
    let mut answers = Answers::default();
    for number in 0..bits + stretches {
        let length = if number < bits { 1 } else { 2 + random.below(63) };
        let at = random.below(original.len() - length + 1);
        let before = &original[at..at + length];
        let after: Vec<u8> = match number < bits {
            true => vec![before[0] ^ 1 << random.below(8)],
            false => (0..length).map(|_| random.below(256) as u8).collect(),
        };
        write(at, &after);
        answers.ask(copy.path(), &positions, &expected, &format!("change {number} at {at}"));
        write(at, before);
    }
    answers
}

impl Answers {
    fn ask(
        &mut self,
        path: &std::path::Path,
        positions: &[Position],
        expected: &[Lookup],
        change: &str,
    ) {
        let Ok(book) = Book::open(path) else {
            self.refused += 1;
            return;
        };
        for (&position, &expected) in positions.iter().zip(expected) {
            match book.look_up(position) {
                Ok(found) => {
                    assert_eq!(found, expected, "{change}: {position:?}");
                    self.right += 1;
                }
                Err(_) => self.errors += 1,
            }
        }
    }
}

#[test]
fn no_change_to_a_shipped_book_makes_a_wrong_answer() {
    change_shipped(40, 10);
}

#[test]
#[ignore = "takes minutes; `.ci/run nightly` runs it"]
fn changes_to_the_shipped_books_make_no_wrong_answer() {
    change_shipped(2000, 500);
}
