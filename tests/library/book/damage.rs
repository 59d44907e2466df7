//! Files that are no book, or damaged books: each has its own clear error.

use super::broken::{self, ENTRY};
use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth, contents};
use fourbook::book::{ABSENT, BookError, Encoding, MAGIC, PlyScores};
use fourbook::oracle::OracleError;
use fourbook::text::{count, grouped};
use fourbook::tools::ToolError;
use fourbook::tools::pack::{self, pack};
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Oracle, Position, Score, Size, ValueKind};
use std::collections::BTreeSet;

fn tiny_book() -> Vec<u8> {
    FIVE_BY_FOUR.book(2, ValueKind::Scores)
}

fn error(bytes: &[u8]) -> BookError {
    Book::from_bytes(bytes.to_vec()).unwrap_err()
}

/// Looks up positions of every ply, and some that no game reaches: each has the right value, or
/// there is an error.
fn look_up(book: &Book, known: &[(Position, Score)], others: &[Position]) {
    for &(position, score) in known {
        for image in [position, position.mirrored()] {
            let Ok(found) = book.look_up(image) else { continue };
            let found = found.value(book.kind());
            assert!(found.is_none_or(|found| found == book.kind().of(score)), "{position:?}");
        }
    }
    for &position in others {
        let _ = book.look_up(position);
    }
}

/// Positions of few stones in the first columns.
fn corner_positions(size: Size) -> Vec<Position> {
    let masks = [0, 1, 3, 0b100001, 0b100011, 0b1111];
    let boards = (0..1 << 5).flat_map(|stones| masks.map(|mask| (stones & mask, mask)));
    let unique: BTreeSet<_> = boards.collect();
    let position = |(mover, mask)| Position::from_bitboards(size, mover, mask).ok();
    unique.into_iter().filter_map(position).collect()
}

#[test]
fn a_book_cut_short_anywhere_is_refused() {
    let book = tiny_book();
    for length in 0..book.len() {
        let BookError::Format { expected, found, .. } = error(&book[..length]) else { panic!() };
        match expected.strip_suffix(" bytes") {
            None => assert_eq!((length, &*found), (0, "an empty file")),
            Some(expected) => {
                assert_eq!(found, grouped(length));
                let expected: usize = expected.replace(',', "").parse().unwrap();
                assert!(length < expected && expected <= book.len());
            }
        }
    }
}

#[test]
fn a_book_added_to_is_refused() {
    let mut book = tiny_book();
    book.push(0);
    let text = error(&book).to_string();
    let expected = count(book.len() - 1, "byte");
    let found = grouped(book.len());
    let expected = format!("expected {expected}, found {found}; the file");
    assert!(text.starts_with(&expected), "{text}");
}

/// Flips every bit of a book, one at a time.
fn flip_every_bit(truth: &Truth, book: &[u8]) {
    // A separate pool, since the pool of all tests is busy with longer work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| flip_bits(truth, book));
}

fn flip_bits(truth: &Truth, book: &[u8]) {
    let positions: Vec<_> = truth.plies.iter().flatten().step_by(211).copied().collect();
    let others = corner_positions(truth.size);
    let plain = VerifyOptions { deep: false, ..VerifyOptions::default() };
    let mut damaged = book.to_vec();
    for bit in 0..8 * book.len() {
        damaged[bit / 8] ^= 1 << (bit % 8);
        if let Ok(book) = Book::from_bytes(damaged.clone()) {
            assert_eq!(book.size(), truth.size);
            look_up(&book, &positions, &others);
            assert!(!verify(&book, &plain, &()).unwrap().passed(), "bit {bit}");
            // All checks take longer, so they run for some bits only.
            if bit % 509 == 0 {
                assert!(
                    !verify(&book, &VerifyOptions::default(), &()).unwrap().passed(),
                    "bit {bit}"
                );
            }
        }
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(damaged == book);
}

#[test]
fn every_flipped_bit_of_a_flat_book_is_found_without_a_panic() {
    flip_every_bit(&FIVE_BY_FOUR, &FIVE_BY_FOUR.book(4, ValueKind::Scores));
    flip_every_bit(&FOUR_BY_FOUR, &FOUR_BY_FOUR.book(5, ValueKind::WinDrawLoss));
}

#[test]
fn every_flipped_bit_of_a_book_with_all_plies_is_found() {
    let plies = [0, 1, 2, 3, 4].map(|ply| PlyScores::new(ply, FIVE_BY_FOUR.scores(ply)));
    let book = contents(FIVE_BY_FOUR.size, ValueKind::Scores, &plies).to_bytes().unwrap();
    flip_every_bit(&FIVE_BY_FOUR, &book);
}

#[test]
fn every_flipped_bit_of_a_compact_book_is_found_without_a_panic() {
    for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
        let book = FOUR_BY_FOUR.encoded(10, kind, Encoding::Compact);
        assert_eq!(Book::from_bytes(book.clone()).unwrap().encoding(), Encoding::Compact);
        flip_every_bit(&FOUR_BY_FOUR, &book);
    }
}

#[test]
fn other_files_are_named_as_such() {
    for (bytes, found) in [
        (&b""[..], "an empty file"),
        (b"\x1f\x8b\x08\0", "a file packed by gzip; unpack it first: gunzip < FILE > NEW"),
        (b"\x28\xb5\x2f\xfd\0", "a file packed by zip, bzip2, xz or zstd; unpack"),
        (b"PK\x03\x04\x14", "a file packed by zip, bzip2, xz or zstd; unpack"),
        (b"\n<!DOCTYPE html>\n<html>", "a web page; fetch the file itself"),
        (b"\xef\xbb\xbf<HTML lang=en>", "a web page; fetch the file itself"),
        (b"404: Not Found", "the answer 404 of a server; check the address"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:", "a pointer of Git LFS; fetch"),
        (b"\xff\xfe4\0", "text in UTF-16; save it as UTF-8"),
        (
            b"{\"position\":\"44\",\"score\":-1}\n",
            "JSON; write its scores as comma-separated values",
        ),
        (b"\x894PART\r\n\x01", "a part or a checkpoint of a book; merge"),
        (b"\x894SAVE\r\n\x01", "a part or a checkpoint of a book; merge"),
        (
            b"position,score\n",
            "text that begins with 'position,score'; check that this is the file",
        ),
        (b"\x07\x06\x08\x01\x01\x18\0\0\0", "the first bytes [07, 06, 08, 01, 01, 18, 00, 00];"),
    ] {
        let text = error(bytes).to_string();
        assert!(text.starts_with("expected a fourbook book"), "{text}");
        assert!(text.contains(&format!("found {found}")), "{text}");
    }
    // The magic after a transfer as text.
    let text = tiny_book().iter().filter(|&&byte| byte != b'\r').copied().collect::<Vec<_>>();
    let text = error(&text).to_string();
    assert!(text.contains("begins with the bytes [89, 34, 42, 4f, 4f, 4b, 0d, 0a]"), "{text}");
    assert!(text.contains("found the first bytes [89, 34, 42, 4f, 4f, 4b, 0a, 01]"), "{text}");
    let short = error(&MAGIC).to_string();
    assert!(short.starts_with("expected 20 bytes, found 8; the file was cut short"), "{short}");
}

#[test]
fn a_newer_version_is_named_as_such() {
    let mut book = tiny_book();
    book[8] = 3;
    let error = error(&book);
    assert!(matches!(&error, BookError::Format { found, .. } if found == "version 3"));
    let text = error.to_string();
    let expected = "format version 1, found version 3";
    assert!(text.contains(expected) && text.contains("use a version"), "{text}");
}

/// The book with its header changed and the checksum made right again.
fn with_header(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    broken::with_header(&tiny_book(), |header| change(header))
}

/// Where the first of two sections' entry begins in the header: its fields are ply, bits, bias,
/// length and entries.
fn first_section(header: &[u8]) -> usize {
    header.len() - 2 * ENTRY
}

/// All checksums are right, but some positions have values that no position can have.
#[test]
fn a_value_that_no_position_has_is_damage() {
    let bytes = with_header(|header| {
        let bias = first_section(header) + ENTRY + 2;
        header[bias] = -7_i8 as u8;
    });
    let book = Book::from_bytes(bytes).expect("the header is consistent");
    book.check_sections().expect("the bytes are those that were written");
    let mut damaged = 0;
    for columns in ["11", "12", "13", "21", "22", "23", "24", "31", "32", "33"] {
        match book.look_up(Position::parse(book.size(), columns).unwrap()) {
            Err(BookError::MissingValue { .. }) => damaged += 1,
            answer => assert_eq!(answer.unwrap().score(), Some(7), "the least that is stored"),
        }
    }
    assert!((1..10).contains(&damaged), "{damaged}");
    let kind = ValueKind::Scores;
    let encoding = Encoding::Flat;
    let options = pack::PackOptions { depth: 2, kind, encoding };
    assert!(matches!(
        pack(&book, options, &()),
        Err(ToolError::Book(BookError::MissingValue { .. }))
    ));
}

/// A missing value is an error; it is not replaced by solving.
#[test]
fn an_oracle_does_not_solve_what_its_damaged_book_should_have() {
    let size = FOUR_BY_FOUR.size;
    let mut scores: Vec<Vec<u8>> =
        (0..=4).step_by(2).map(|ply| FOUR_BY_FOUR.scores(ply).to_vec()).collect();
    let gone = Position::parse(size, "1122").unwrap();
    scores[2][Numbering::new(size, 4).slot(gone)] = ABSENT;
    let plies: Vec<PlyScores> = (0..)
        .step_by(2)
        .zip(scores)
        .map(|(ply, bytes): (u32, Vec<u8>)| PlyScores::new(ply, bytes))
        .collect();
    let book = contents(size, ValueKind::Scores, &plies).to_bytes().unwrap();
    let oracle = Oracle::new(Book::from_bytes(book).unwrap()).unwrap();

    let damaged_ply = |error: OracleError| match error {
        OracleError::Book(BookError::MissingValue { ply, .. }) => ply,
        error => panic!("{error}"),
    };
    let error = oracle.score(gone.mirrored()).unwrap_err();
    assert!(error.to_string().contains("expected a value for the position"), "{error}");
    assert_eq!(damaged_ply(error), 4);
    // Nor is it replaced by the scores of its moves, which are outside the book.
    assert_eq!(damaged_ply(oracle.analyse(gone).unwrap_err()), 4);
    // Its value is the best of the values of positions after it.
    let before = Position::parse(size, "112").unwrap();
    assert_eq!(damaged_ply(oracle.outcome(before).unwrap_err()), 4);
    let analysis = oracle.analyse(before);
    assert_eq!(damaged_ply(analysis.unwrap_err()), 4);
    assert_eq!(oracle.nodes(), 0);
    // All other positions have answers; positions beyond the book are solved.
    for moves in ["", "12", "1212", "11223"] {
        assert!(oracle.analyse(Position::parse(size, moves).unwrap()).is_ok(), "{moves}");
    }
    // A game cannot put the second stone below the first one.
    let made = Position::from_bitboards(size, 0b10, 0b11).unwrap();
    assert!(oracle.score(made).is_ok());
}

#[test]
fn unknown_numbers_in_a_header_are_named_as_such() {
    let size = error(&with_header(|header| header[0] = 17));
    assert!(matches!(&size, BookError::Format { found, .. } if found == "17x4"));
    assert!(size.to_string().contains("7x6"), "{size}");
    let kind = error(&with_header(|header| header[2] = 7));
    assert!(matches!(&kind, BookError::Format { found, .. } if found == "kind 7"));
}

#[test]
fn contradictory_headers_are_refused() {
    // Offsets from the beginning of a section's entry, and the text expected.
    let contradictions: [(usize, u8, &str); 5] = [
        (0, 3, "the plies stored to be at least every second one, in order, found [3, 2]"),
        (1, 7, "the bits of the section of ply 0 to be at most 6, found 7"),
        (2, 100, "the bias of the section of ply 0 to be -7 to 7, found 100"),
        (3, 65, "the length of the section of ply 0 to be 64, found 65"),
        (11, 2, "the entries of the section of ply 0 to be at most 1, found 2"),
    ];
    for (field, value, expected) in contradictions {
        let book = with_header(|header| header[first_section(header) + field] = value);
        let text = error(&book).to_string();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn plies_that_no_book_stores_are_refused() {
    let plies = [0, 1, 2, 3].map(|ply| PlyScores::new(ply, FIVE_BY_FOUR.scores(ply)));
    let book = contents(FIVE_BY_FOUR.size, ValueKind::Scores, &plies).to_bytes().unwrap();
    assert!(Book::from_bytes(book.clone()).is_ok());
    for plies in [[0, 0, 2, 3], [0, 2, 1, 3], [1, 0, 2, 3], [0, 1, 4, 5], [2, 3, 4, 5]] {
        let wrong = broken::with_header(&book, |header| {
            let first = header.len() - 4 * ENTRY;
            (0..4).for_each(|place| header[first + ENTRY * place] = plies[place]);
        });
        let text = error(&wrong).to_string();
        assert!(text.contains(&format!("at least every second one, in order, found {plies:?}")));
    }
    let wrong = broken::with_header(&book, |header| {
        let last = header.len() - ENTRY;
        header[last] = 200;
    });
    let text = error(&wrong).to_string();
    assert!(text.contains("to be at most 20, the cells of 5x4 boards, found 200"), "{text}");
    let wide = include_bytes!("../../../books/conformance/refused-ply-too-large.book");
    let text = error(wide).to_string();
    assert!(text.contains("the ply of a section to be one of at most 2^48 slots, found 60"));
}

/// Of any two neighbouring plies, either may be stored.
#[test]
fn plies_may_be_stored_in_any_pattern_without_gaps_of_two() {
    let plies = [0, 2, 3].map(|ply| PlyScores::new(ply, FIVE_BY_FOUR.scores(ply)));
    let book = contents(FIVE_BY_FOUR.size, ValueKind::Scores, &plies).to_bytes().unwrap();
    let book = Book::from_bytes(book).unwrap();
    for &(position, score) in FIVE_BY_FOUR.plies.iter().take(4).flatten() {
        assert_eq!(book.look_up(position).unwrap().score(), Some(score));
    }
}

#[test]
fn garbage_in_a_header_is_refused() {
    // A text longer than the file.
    let book = with_header(|header| header[3..11].fill(0xff));
    assert!(error(&book).to_string().starts_with("expected the fields of a header, found other"));
    let mut book = tiny_book();
    book[12..16].fill(0xff);
    assert!(error(&book).to_string().contains("the length of the header"));
}

#[test]
fn a_book_for_another_board_is_named_as_such() {
    let book = Book::from_bytes(tiny_book()).unwrap();
    let error = book.check_size(Size::STANDARD).unwrap_err();
    let BookError::WrongSize { asked, book } = error else { panic!("{error}") };
    assert_eq!([asked, book].map(|size| size.to_string()), ["7x6", "5x4"]);
    assert!(error.to_string().starts_with("expected a book for 7x6 boards, found one for 5x4"));
}

#[test]
fn errors_of_files_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("none.book");
    let error = Book::open(&path).unwrap_err();
    assert!(matches!(error, BookError::Io { .. }));
    assert!(error.to_string().contains("none.book"));
    std::fs::write(&path, "").unwrap();
    let error = Book::open(&path).unwrap_err();
    assert!(matches!(error, BookError::File { .. }));
    assert!(error.to_string().contains("none.book"));
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("found an empty file"), "{source}");
}
