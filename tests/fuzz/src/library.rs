//! Arbitrary bytes for the library.

use fourbook::board::notation::Notation;
use fourbook::book::Encoding;
use fourbook::solver::splitmix::SplitMix;
use fourbook::tools::exchange::{ForeignBook, Format, import};
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Lookup, Position, Size};

/// A function under fuzzing, called with the bytes of an input.
pub type Target = fn(&[u8]);

/// All functions, by the names of their targets and of the folders of their seeds.
pub const TARGETS: &[(&str, Target)] =
    &[("book", book), ("exchange", exchange), ("notation", notation)];

/// Reads the bytes as a book file and looks positions up in it; then again with corrected
/// checksums, since few changes pass the checksums.
pub fn book(bytes: &[u8]) {
    read_book(bytes.to_vec());
    if let Some(repaired) = with_right_checksums(bytes) {
        read_book(repaired);
    }
}

/// The book with the right checksums of its blocks, if there is room for them, and of its header.
fn with_right_checksums(bytes: &[u8]) -> Option<Vec<u8>> {
    let length: [u8; 4] = bytes.get(12..16)?.try_into().ok()?;
    let end = 16_usize.checked_add(u32::from_le_bytes(length) as usize)?;
    let mut repaired = bytes.to_vec();
    let after = bytes.len().checked_sub(end + 4)?;
    // The number of blocks that fit the remaining bytes with their checksums.
    let starts =
        (0..=after / 4).map(|blocks| (blocks, (end + 4 + 4 * blocks).next_multiple_of(64)));
    let mut fitting = starts.filter(|&(blocks, start)| {
        bytes.len().checked_sub(start).is_some_and(|left| left.div_ceil(4096) == blocks)
    });
    if let Some((_, start)) = fitting.next() {
        let checksums: Vec<u8> = bytes[start..]
            .chunks(4096)
            .flat_map(|block| crc32fast::hash(block).to_le_bytes())
            .collect();
        repaired[end + 4..][..checksums.len()].copy_from_slice(&checksums);
        let of_table = crc32fast::hash(&checksums).to_le_bytes();
        repaired.get_mut(end - 4..end)?.copy_from_slice(&of_table);
    }
    let checksum = crc32fast::hash(&repaired[..end]).to_le_bytes();
    repaired[end..end + 4].copy_from_slice(&checksum);
    Some(repaired)
}

fn read_book(bytes: Vec<u8>) {
    match Book::from_bytes(bytes) {
        Ok(book) => use_book(&book),
        Err(error) => drop(error.to_string()),
    }
}

fn use_book(book: &Book) {
    let size = book.size();
    let info = book.info();
    assert_eq!(info.provenance, info.provenance.escaped());
    for game in 0..16 {
        for position in random_game(size, game, book.depth() + 1) {
            // A book with a damaged block, or without a value, has no answer.
            let Ok(answer) = book.look_up(position) else { continue };
            if position.ply() > book.depth() {
                assert!(matches!(answer, Lookup::TooDeep | Lookup::Rules(_)));
            }
            let swapped =
                Position::from_bitboards(size, position.mover() ^ position.mask(), position.mask());
            if let Ok(swapped) = swapped {
                let _ = book.look_up(swapped);
            }
        }
    }
    // Miri has no time for this, and a fuzzer none for deeper books.
    if !cfg!(miri) && book.sections().iter().all(|section| section.slots < 1 << 12) {
        let report = verify(book, &VerifyOptions::default(), &()).expect("there is memory for it");
        assert!(!report.checks.is_empty());
    }
}

/// The positions of a game of random moves, at most `plies` of them.
fn random_game(size: Size, seed: u64, plies: u32) -> impl Iterator<Item = Position> {
    let mut random = SplitMix(seed);
    let next = move |position: &Position| {
        let start = random.below(size.width());
        let columns = (0..size.width()).map(|i| (start + i) % size.width());
        let column = columns.into_iter().find(|&column| position.can_play(column))?;
        Some(position.play(column))
    };
    std::iter::successors(Some(Position::empty(size)), next).take(plies as usize + 1)
}

/// Reads the bytes as a position in every notation and on every board; prints accepted
/// positions and reads them again.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = (text.parse::<Size>(), text.parse::<Notation>());
    // Miri has no time for all.
    for size in Size::all().step_by(if cfg!(miri) { 20 } else { 1 }) {
        read_position(size, text);
    }
}

fn read_position(size: Size, text: &str) {
    if let Err(error) = Position::parse(size, text) {
        drop(error.to_string());
    }
    let [moves, board] = [Notation::Moves, Notation::Diagram].map(|it| it.parse(size, text));
    if let (Ok(moves), Ok(board)) = (moves, board) {
        assert_eq!(moves, board, "{text}");
    }
    for notation in Notation::ALL {
        let Ok(position) = notation.parse(size, text) else { continue };
        for other in Notation::ALL {
            match other.print(position) {
                Ok(text) => assert_eq!(other.parse(size, &text).ok(), Some(position), "{text}"),
                Err(_) => assert_eq!(other, Notation::Moves, "{position:?}"),
            }
        }
    }
}

/// Reads the bytes after the first two as a book of another program: the first byte
/// chooses the format, the second the board. What can be read is imported, if
/// there are few positions to import.
pub fn exchange(bytes: &[u8]) {
    let [format, size, bytes @ ..] = bytes else { return };
    let format = Format::ALL[usize::from(*format) % Format::ALL.len()];
    let size = Size::all().nth((*size).into());
    let file = match ForeignBook::open(bytes, format, size) {
        Ok(file) => file,
        Err(error) => return drop(error.to_string()),
    };
    assert_eq!(file.format, format);
    assert!(size.is_none_or(|size| size == file.size));
    // Miri cannot ask how much memory there is.
    if !cfg!(miri) && file.depth() <= 4 {
        match import(&file, None, Encoding::Flat, None, &()) {
            Ok(book) => assert_eq!(book.plies.last().map(|ply| ply.ply), Some(file.depth())),
            Err(error) => drop(error.to_string()),
        }
    }
}
