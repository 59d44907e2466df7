//! Books with a change to their last section, whose checksums are right all the same.

use fourbook::Book;
use fourbook::book::{Encoding, Section};

/// The last section of a book.
pub(crate) fn last_section(book: &[u8]) -> Section {
    let book = Book::from_bytes(book.to_vec()).unwrap();
    book.sections().last().unwrap().clone()
}

/// The book after a change to the bytes of its last section.
pub(crate) fn with_last_section(book: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let section = last_section(book);
    let mut book = book.to_vec();
    let mut bytes = book.split_off(section.offset as usize);
    change(&mut bytes);
    book.extend(&bytes);
    let end = 16 + u32::from_le_bytes(book[12..16].try_into().unwrap()) as usize;
    // The last section's checksum, then its length, in its entry at the header's end.
    book[end - 36..end - 32].copy_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    book[end - 24..end - 16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    let checksum = crc32fast::hash(&book[..end]);
    book[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
    book
}

/// A change to a compact section, and what is expected instead of it.
pub(crate) type Break = (&'static str, fn(&mut Vec<u8>));

/// Where the sizes of the shards begin in a compact section.
fn shards(section: &[u8]) -> usize {
    let contexts = 512 >> section[1];
    8 + contexts * usize::from(section[2]).div_ceil(2)
}

/// Everything that can contradict itself in a compact section of ply 10 of 4x4 with the
/// context function 0.
pub(crate) const BREAKS: [Break; 11] = [
    ("the context function of the section of ply 10 to be 0, found 1", |bytes| bytes[0] = 1),
    ("the coarseness of the section of ply 10 to be at most 9, found 10", |bytes| bytes[1] = 10),
    ("the symbols of the section of ply 10 to be 1 to ", |bytes| bytes[2] = 0),
    ("the symbols of the section of ply 10 to be 1 to ", |bytes| bytes[2] = 200),
    ("the shards of the section of ply 10 to be at least 1, found 0", |bytes| bytes[4..8].fill(0)),
    ("the length of the section of ply 10 to be at least ", |bytes| bytes[4..8].fill(0xff)),
    ("the bits of a layer of the section of ply 10 to be 0 or at least 128, found [", |bytes| {
        let at = shards(bytes);
        bytes[at..at + 4].copy_from_slice(&127_u32.to_le_bytes());
    }),
    ("the length of the section of ply 10 to be ", |bytes| {
        let at = shards(bytes);
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    }),
    ("the length of the section of ply 10 to be ", |bytes| bytes.extend([0; 64])),
    // Codes 0, 10 and 11 have bits that end in no code if the last is one longer, and a
    // fourth of two bits has the bits of another.
    (INCOMPLETE, |bytes| bytes[8..10].copy_from_slice(&[0x21, 0x03])),
    (INCOMPLETE, |bytes| {
        let stride = usize::from(bytes[2]).div_ceil(2);
        bytes[8..8 + stride].fill(0x11);
    }),
];

const INCOMPLETE: &str = "the code lengths of the section of ply 10 to be those of a complete \
    prefix code in every context, found others";

/// A change to a flat section: no position of it has a value any more.
pub(crate) fn without_values(section: &Section) -> impl FnOnce(&mut Vec<u8>) {
    assert_eq!(section.encoding, Encoding::Flat);
    let bits = section.slots * u64::from(section.bits);
    move |bytes| bytes[..(bits / 8) as usize].fill(0xff)
}
