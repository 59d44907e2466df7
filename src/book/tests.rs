//! Books of all sizes, made up and looked up.

use super::{
    ABSENT, Book, BookContents, BookError, Encoding, Lookup, PlyScores, Provenance, ValueKind,
    encode, every_second_ply,
};
use crate::rank::{self, Ranking};
use fourbook_solver::board::{Board, Position, Score, Size};
use fourbook_solver::splitmix::mix;
use std::collections::BTreeSet;

/// Every position of a board that a game can reach, by ply.
fn positions(size: Size, depth: u32) -> Vec<BTreeSet<Position>> {
    let mut plies = vec![BTreeSet::from([Position::empty(size)])];
    for _ in 0..depth {
        let last = plies.last().unwrap();
        let ongoing = last.iter().filter(|position| !position.is_over());
        plies.push(ongoing.flat_map(|position| position.children().flatten()).collect());
    }
    plies
}

/// A made-up score for a position and its mirror image. The highest and the lowest possible
/// scores of its ply occur, and most are 1.
fn made_up(position: Position) -> Score {
    let key = position.canonical_key();
    let random = mix(key as u64 ^ mix((key >> 64) as u64));
    let possible = ValueKind::Scores.possible_values(position.size(), position.ply());
    match random % 16 {
        0 => *possible.start(),
        1 => *possible.end(),
        2..5 => 0,
        _ => 1,
    }
}

/// The bytes of a ply.
fn scores(positions: &BTreeSet<Position>, ranking: &Ranking) -> Vec<u8> {
    let mut bytes = vec![ABSENT; ranking.slots as usize];
    for &position in positions {
        if position.score_by_rules().is_none() {
            bytes[ranking.rank(Board::<u128>::of(position)) as usize] = encode(made_up(position));
        }
    }
    bytes
}

fn write(
    plies: &[BTreeSet<Position>],
    kind: ValueKind,
    encoding: Encoding,
) -> Result<Vec<u8>, BookError> {
    let depth = plies.len() as u32 - 1;
    write_stored(plies, &every_second_ply(depth), kind, encoding)
}

/// [`write`] with these plies stored.
fn write_stored(
    plies: &[BTreeSet<Position>],
    stored: &[u32],
    kind: ValueKind,
    encoding: Encoding,
) -> Result<Vec<u8>, BookError> {
    let size = plies[0].first().unwrap().size();
    let depth = plies.len() as u32 - 1;
    let plies = stored
        .iter()
        .map(|&ply| {
            let positions = &plies[ply as usize];
            PlyScores::new(ply, scores(positions, &Ranking::new(size, ply).unwrap()))
        })
        .collect();
    let provenance = Provenance::generated(size, depth, kind, encoding);
    BookContents { size, kind, encoding, plies, provenance, memory: None }.to_bytes()
}

/// The expected lookup in a book of this depth that stores these plies.
fn expected(position: Position, depth: u32, stored: &[u32], kind: ValueKind) -> Lookup {
    if let Some(score) = position.score_by_rules() {
        return Lookup::Rules(score);
    }
    match position.ply() {
        ply if ply > depth => Lookup::TooDeep,
        ply if stored.contains(&ply) => Lookup::Stored(kind.bounds(made_up(position))),
        _ => {
            let after = |child: Position| {
                -kind.of(child.score_by_rules().unwrap_or_else(|| made_up(child)))
            };
            let best = position.children().flatten().map(after).max().unwrap();
            Lookup::Derived(kind.bounds(best))
        }
    }
}

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

#[test]
fn books_of_all_words_and_encodings_say_what_was_written() {
    for (board, depth) in
        [("5x4", 7), ("7x6", 5), ("9x7", 5), ("4x16", 8), ("4x31", 8), ("16x7", 4)]
    {
        let plies = positions(size(board), depth + 1);
        for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
            for encoding in Encoding::ALL {
                let bytes = write(&plies[..=depth as usize], kind, encoding).unwrap();
                let book = Book::from_bytes(bytes).unwrap();
                assert_eq!((book.size(), book.depth(), book.kind()), (size(board), depth, kind));
                assert_eq!(book.encoding(), encoding, "{board}");
                compare(&book, &plies, &every_second_ply(depth));
            }
        }
    }
}

/// Compares all that a book has to say with what was written.
fn compare(book: &Book, plies: &[BTreeSet<Position>], stored: &[u32]) {
    book.check_sections().unwrap();
    assert!((0..=book.depth() + 1).all(|ply| book.stores(ply) == stored.contains(&ply)));
    for &position in plies.iter().flatten() {
        let found = book.look_up(position).unwrap();
        let expected = expected(position, book.depth(), stored, book.kind());
        assert_eq!(found, expected, "{} {position:?}", book.size());
        assert_eq!(book.look_up(position.mirrored()).unwrap(), found);
    }
}

#[test]
fn plies_between_are_read_where_they_are_stored() {
    for (board, depth) in [("5x4", 7), ("7x6", 5), ("9x7", 5)] {
        let plies = positions(size(board), depth + 1);
        let some = [0, depth / 2, depth - 1].map(|last| {
            let is_stored = |&ply: &u32| (depth - ply).is_multiple_of(2) || ply <= last;
            (0..=depth).filter(is_stored).collect::<Vec<u32>>()
        });
        // Stored plies that no tool makes: not all plies up to some ply.
        let gap = (0..=depth).filter(|ply| depth - ply != 3).collect();
        for stored in some.into_iter().chain([gap]) {
            for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
                for encoding in Encoding::ALL {
                    let bytes =
                        write_stored(&plies[..=depth as usize], &stored, kind, encoding).unwrap();
                    let book = Book::from_bytes(bytes).unwrap();
                    compare(&book, &plies, &stored);
                }
            }
        }
    }
}

#[test]
fn codes_are_as_wide_as_the_board_needs() {
    for (board, bits) in [("4x4", 4), ("7x6", 6), ("8x8", 6), ("10x7", 7), ("16x7", 7), ("4x31", 7)]
    {
        let plies = positions(size(board), 4);
        let book = write(&plies, ValueKind::Scores, Encoding::Flat).unwrap();
        assert_eq!(Book::from_bytes(book).unwrap().sections()[2].bits, bits, "{board}");
    }
}

/// The book with a byte of the entry of its last section changed, and the checksum made right.
fn with_section_byte(book: &[u8], offset: usize, byte: u8) -> Vec<u8> {
    let mut book = book.to_vec();
    let end = 16 + u32::from_le_bytes(book[12..16].try_into().unwrap()) as usize;
    // After the entry stands the checksum of the block checksums.
    book[end - 4 - 19 + offset] = byte;
    let checksum = crc32fast::hash(&book[..end]);
    book[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
    book
}

#[test]
fn what_no_board_needs_is_refused() {
    let flat =
        |board| write(&positions(size(board), 2), ValueKind::Scores, Encoding::Flat).unwrap();
    for (board, offset, byte, expected) in [
        ("7x6", 1, 7, "the bits of the section of ply 2 to be at most 6, found 7"),
        ("8x8", 1, 7, "the bits of the section of ply 2 to be at most 6, found 7"),
        ("16x7", 1, 8, "the bits of the section of ply 2 to be at most 7, found 8"),
        ("16x7", 2, 54, "the bias of the section of ply 2 to be -53 to 53, found 54"),
        ("9x7", 3, 65, "the length of the section of ply 2 to be 64, found 65"),
    ] {
        let error = Book::from_bytes(with_section_byte(&flat(board), offset, byte)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_ply_that_cannot_be_numbered_is_refused() {
    let book = write(&positions(size("16x7"), 0), ValueKind::Scores, Encoding::Flat).unwrap();
    let deepest = rank::deepest_ply(size("16x7"));
    let ply = deepest + 2 - deepest % 2;
    let error = Book::from_bytes(with_section_byte(&book, 0, ply as u8)).unwrap_err();
    assert!(error.to_string().contains("the ply of a section to be"), "{error}");
}

#[test]
fn too_deep_a_ply_is_refused_with_the_deepest_that_can_be() {
    for (board, ply) in [("4x4", 17), ("16x7", 60), ("8x8", 50), ("7x6", 43)] {
        let contents = BookContents {
            size: size(board),
            kind: ValueKind::Scores,
            encoding: Encoding::Compact,
            plies: vec![PlyScores::new(ply, vec![ABSENT])],
            provenance: Provenance::new(ValueKind::Scores, "too deep"),
            memory: None,
        };
        let error = contents.to_bytes().unwrap_err();
        let text = error.to_string();
        let (_, deepest) = text.split_once("at most ").expect("a depth");
        let deepest: u32 = deepest.split(',').next().unwrap().parse().unwrap();
        let size = contents.size;
        assert!((0..=deepest).all(|ply| rank::slots(size, ply).is_some()), "{error}");
        assert!(rank::slots(size, deepest + 1).is_none(), "{error}");
        assert!(error.to_string().contains(&format!("at most {deepest}, found {ply}")), "{error}");
    }
}

#[test]
fn two_scores_of_one_position_are_refused_in_a_compact_book() {
    for board in ["5x4", "9x7"] {
        let size = size(board);
        let plies = [0, 2, 4].map(|ply| {
            let mut bytes = vec![encode(0); rank::slots(size, ply).unwrap() as usize];
            // Some slots of masks that are their own mirror images belong to no position.
            if ply == 4 {
                let ranking = Ranking::new(size, ply).unwrap();
                let twin = (0..ranking.slots)
                    .find(|&slot| ranking.rank(ranking.unrank::<u128>(slot)) != slot);
                bytes[twin.expect("there are such slots") as usize] = encode(1);
            }
            PlyScores::new(ply, bytes)
        });
        let contents = BookContents {
            size,
            kind: ValueKind::Scores,
            encoding: Encoding::Compact,
            plies: plies.into(),
            provenance: Provenance::new(ValueKind::Scores, "twins"),
            memory: None,
        };
        let text = contents.to_bytes().unwrap_err().to_string();
        assert!(text.contains("positions of ply 4 have, found two different ones"), "{text}");
    }
}

#[test]
fn a_book_for_another_board_is_named_as_such() {
    let bytes = write(&positions(size("5x4"), 2), ValueKind::Scores, Encoding::Flat).unwrap();
    let book = Book::from_bytes(bytes).unwrap();
    book.check_size(size("5x4")).unwrap();
    let error = book.check_size(Size::STANDARD).unwrap_err();
    assert!(error.to_string().starts_with("expected a book for 7x6 boards, found one for 5x4"));
}

#[test]
fn a_position_of_another_size_is_refused() {
    for (of_book, other) in [("9x7", "7x9"), ("6x6", "7x6")] {
        let bytes = write(&positions(size(of_book), 2), ValueKind::Scores, Encoding::Flat).unwrap();
        let book = Book::from_bytes(bytes).unwrap();
        let other = Position::empty(size(other));
        let found = book.look_up(other);
        assert!(matches!(found, Err(BookError::WrongSize { .. })), "{found:?}");
    }
}

#[test]
fn the_headers_of_shipped_books_are_encoded_as_they_were() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("books");
    let mut books = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "book") {
            continue;
        }
        let book = Book::open(&path).unwrap();
        let bytes = book.to_bytes().unwrap();
        let start = book.sections()[0].offset as usize;
        let checksums = super::blocks::checksums([&bytes[start..]]);
        let encoded = book.header.encode(&checksums).unwrap();
        assert_eq!(encoded, bytes[..start], "{}", path.display());
        books += 1;
    }
    assert!(books > 0);
}
