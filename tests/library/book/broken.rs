//! Books with a change to their last section, and with right checksums.

use fourbook::Book;
use fourbook::book::{Encoding, MAGIC, Section};

/// The last section of a book.
pub(crate) fn last_section(book: &[u8]) -> Section {
    let book = Book::from_bytes(book.to_vec()).unwrap();
    book.sections().last().unwrap().clone()
}

/// The bytes of a section.
pub(crate) fn section_bytes(book: &Book, section: &Section) -> Vec<u8> {
    let bytes = book.to_bytes().unwrap();
    bytes[section.offset as usize..][..section.bytes as usize].to_vec()
}

/// The bytes of a section's entry in the header: ply, bits, bias, length and entries.
pub(crate) const ENTRY: usize = 19;

/// The content of a book's header without the checksum at its end, and the sections.
pub(crate) fn take_apart(book: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let length = u32::from_le_bytes(book[12..16].try_into().unwrap()) as usize;
    let start = Book::from_bytes(book.to_vec()).unwrap().sections()[0].offset as usize;
    (book[16..16 + length - 4].to_vec(), book[start..].to_vec())
}

/// A book of these parts, with right checksums.
pub(crate) fn put_together(header: &[u8], sections: &[u8]) -> Vec<u8> {
    let checksums: Vec<u8> =
        sections.chunks(4096).flat_map(|block| crc32fast::hash(block).to_le_bytes()).collect();
    let mut book = [&MAGIC[..], &1_u32.to_le_bytes()].concat();
    book.extend((header.len() as u32 + 4).to_le_bytes());
    book.extend(header);
    book.extend(crc32fast::hash(&checksums).to_le_bytes());
    book.extend(crc32fast::hash(&book).to_le_bytes());
    book.extend(checksums);
    book.resize(book.len().next_multiple_of(64), 0);
    book.extend(sections);
    book
}

/// The book after a change to its header.
pub(crate) fn with_header(book: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let (mut header, sections) = take_apart(book);
    change(&mut header);
    put_together(&header, &sections)
}

/// The book after a change to the bytes of its last section.
pub(crate) fn with_last_section(book: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let (mut header, mut sections) = take_apart(book);
    let mut bytes = sections.split_off(sections.len() - last_section(book).bytes as usize);
    change(&mut bytes);
    sections.extend(&bytes);
    let at = header.len() - 16;
    header[at..at + 8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    put_together(&header, &sections)
}

/// A change to a compact section, with the error's text about the expected value.
pub(crate) type Break = (&'static str, fn(&mut Vec<u8>));

/// Where the sizes of the segments begin in a compact section without a model, after the code
/// lengths.
fn segments(section: &[u8]) -> usize {
    LENGTHS + usize::from(section[9]).div_ceil(2)
}

/// Where the code lengths begin: after model, segments, coarseness, symbols and salt.
const LENGTHS: usize = 11;

/// All contradictions in a compact section of ply 10 of 4x4.
pub(crate) const BREAKS: [Break; 11] = [
    ("the model of the section of ply 10 to be 00000000, found 00000001", |bytes| bytes[0] = 1),
    ("the coarseness of the section of ply 10 to be at most 0, found 1", |bytes| bytes[8] = 1),
    ("the symbols of the section of ply 10 to be 1 to ", |bytes| bytes[9] = 0),
    ("the symbols of the section of ply 10 to be 1 to ", |bytes| bytes[9] = 200),
    ("the segments of the section of ply 10 to be at least 1, found 0", |bytes| {
        bytes[4..8].fill(0)
    }),
    ("the length of the section of ply 10 to be at least ", |bytes| bytes[4..8].fill(0xff)),
    ("the bits of a layer of the section of ply 10 to be 0 or at least 128, found [", |bytes| {
        let at = segments(bytes);
        bytes[at..at + 4].copy_from_slice(&127_u32.to_le_bytes());
    }),
    ("the length of the section of ply 10 to be ", |bytes| {
        let at = segments(bytes);
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    }),
    ("the length of the section of ply 10 to be ", |bytes| bytes.extend([0; 64])),
    // The first two codes have the length 15, the others none.
    (INCOMPLETE, |bytes| {
        let end = segments(bytes);
        bytes[LENGTHS..end].fill(0);
        bytes[LENGTHS] = 0xff;
    }),
    // All codes have one bit.
    (INCOMPLETE, |bytes| {
        let end = segments(bytes);
        bytes[LENGTHS..end].fill(0x11);
    }),
];

const INCOMPLETE: &str = "the code lengths of the section of ply 10 to be those of a complete \
    prefix code in every context, found others";

/// A change to a flat section that removes every value.
pub(crate) fn without_values(section: &Section) -> impl FnOnce(&mut Vec<u8>) {
    assert_eq!(section.encoding, Encoding::Flat);
    let bits = section.slots * u64::from(section.bits);
    move |bytes| bytes[..(bits / 8) as usize].fill(0xff)
}
