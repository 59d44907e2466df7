//! Compact sections that contradict themselves, in books whose checksums are right: each
//! is refused by name when the book is opened.

use crate::truth::FOUR_BY_FOUR;
use fourbook::book::{Encoding, FormatError, Section};
use fourbook::{Book, ValueKind};

/// A compact book of 4x4.
fn compact() -> Vec<u8> {
    FOUR_BY_FOUR.encoded(10, ValueKind::Scores, Encoding::Compact)
}

/// The last section of a book, which is compact.
fn last_section(book: &[u8]) -> Section {
    let book = Book::from_bytes(book.to_vec()).unwrap();
    let section = book.sections().last().unwrap().clone();
    assert_eq!((section.ply, section.encoding), (10, Encoding::Compact));
    section
}

/// What is said of the compact book after a change to the bytes of its last section, all of
/// whose checksums are right.
fn refusal(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut book = compact();
    let section = last_section(&book);
    let mut bytes = book.split_off(section.offset as usize);
    change(&mut bytes);
    book.extend(&bytes);
    let end = 16 + u32::from_le_bytes(book[12..16].try_into().unwrap()) as usize;
    // The last section's checksum, then its length, in its entry at the header's end.
    book[end - 36..end - 32].copy_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    book[end - 24..end - 16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    let checksum = crc32fast::hash(&book[..end]);
    book[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
    match Book::from_bytes(book) {
        Err(error @ FormatError::Inconsistent { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn assert_refusal(expected: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let text = refusal(change);
    assert!(text.starts_with(&format!("expected {expected}")), "{text}");
    assert!(text.ends_with("make the book again"), "{text}");
}

/// Where the sizes of the shards begin in a section.
fn shards(section: &[u8]) -> usize {
    let contexts = 512 >> section[1];
    8 + contexts * usize::from(section[2]).div_ceil(2)
}

#[test]
fn every_number_of_a_compact_section_has_to_fit() {
    assert_refusal("the context function of the section of ply 10 to be 0, found 1", |bytes| {
        bytes[0] = 1;
    });
    assert_refusal("the coarseness of the section of ply 10 to be at most 9, found 10", |bytes| {
        bytes[1] = 10;
    });
    for symbols in [0, 200] {
        let expected = "the symbols of the section of ply 10 to be 1 to ";
        assert_refusal(expected, |bytes| bytes[2] = symbols);
    }
    assert_refusal("the shards of the section of ply 10 to be at least 1, found 0", |bytes| {
        bytes[4..8].fill(0);
    });
    assert_refusal("the length of the section of ply 10 to be at least ", |bytes| {
        bytes[4..8].fill(0xff);
    });
    let expected = "the bits of a layer of the section of ply 10 to be 0 or at least 128, found [";
    assert_refusal(expected, |bytes| {
        let at = shards(bytes);
        bytes[at..at + 4].copy_from_slice(&127_u32.to_le_bytes());
    });
    assert_refusal("the length of the section of ply 10 to be ", |bytes| {
        let at = shards(bytes);
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    });
    assert_refusal("the length of the section of ply 10 to be ", |bytes| {
        bytes.extend([0; 64]);
    });
}

#[test]
fn every_context_has_a_complete_prefix_code_or_none() {
    let expected = "the code lengths of the section of ply 10 to be those of a complete prefix \
        code in every context, found others";
    let first =
        |bytes: &mut Vec<u8>, lengths: &[u8]| bytes[8..8 + lengths.len()].copy_from_slice(lengths);
    // Codes 0, 10 and 11 have bits that end in no code if the last is one longer, and a
    // fourth of two bits has the bits of another.
    assert_refusal(expected, |bytes| first(bytes, &[0x21, 0x03]));
    assert_refusal(expected, |bytes| {
        let stride = usize::from(bytes[2]).div_ceil(2);
        bytes[8..8 + stride].fill(0x11);
    });
}

#[test]
fn a_section_that_was_cut_or_whose_first_bytes_were_changed_is_damaged() {
    let mut book = compact();
    let start = last_section(&book).offset as usize;
    book[start + 2] = 0;
    let error = Book::from_bytes(book).unwrap_err();
    assert!(matches!(error, FormatError::Section(_)), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("expected the checksum of the section of ply 10 to be"), "{text}");
    assert!(text.contains("fetch or make it again"), "{text}");
}
