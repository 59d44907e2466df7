//! What stands before the sections of a book; `books/FORMAT.md` has it byte
//! by byte.

use super::compact::Broken;
use super::error::BookError;
use super::flat::{ALIGNMENT, Flat};
use super::header::{Encoding, Header, MAGIC, MAX_HEADER, Provenance, Section, VERSION};
use super::stored::{StoredPlies, every_second};
use crate::board::Size;
use crate::envelope::{Envelope, EnvelopeError};
use crate::rank;
use crate::scores::ValueKind;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of books that store every second ply.
const EVERY_SECOND: u32 = 1;

/// How a book of a version begins.
const fn envelope(version: u32) -> Envelope {
    Envelope { magic: MAGIC, version, most_bytes: MAX_HEADER }
}

/// The least bytes that a header and what is about it take.
const LEAST_BYTES: usize = 20;

/// What stands before the sections, read and checked.
pub(crate) struct Decoded {
    pub(crate) header: Header,
    pub(crate) stored: StoredPlies,
    pub(crate) version: u32,
    pub(crate) checksum: u32,
}

/// A header as it is encoded, in the order of its fields.
#[derive(Serialize, Deserialize)]
struct WireHeader {
    width: u8,
    height: u8,
    depth: u8,
    kind: u8,
    provenance: Provenance,
    sections: Vec<WireSection>,
}

#[derive(Serialize, Deserialize)]
struct WireSection {
    ply: u8,
    encoding: u8,
    bits: u8,
    bias: i8,
    crc: u32,
    offset: u64,
    bytes: u64,
    slots: u64,
    entries: u64,
}

#[cfg(feature = "generate")]
impl Header {
    /// The version of the format that it takes.
    fn version(&self) -> u32 {
        let plies = self.sections.iter().map(|section| section.ply);
        if plies.eq(every_second(self.depth)) { EVERY_SECOND } else { VERSION }
    }

    /// The bytes before the first section. Sets the offsets of the sections,
    /// which follow one another, as they are to be in the file.
    pub(crate) fn encode(&mut self) -> Result<Vec<u8>, EnvelopeError> {
        // Integers have fixed sizes, so the length does not depend on the offsets.
        let envelope = envelope(self.version());
        let first = first_section(envelope.seal(&self.to_wire())?.len());
        let mut offset = first;
        for section in &mut self.sections {
            section.offset = offset;
            offset += section.bytes;
        }
        let mut bytes = envelope.seal(&self.to_wire())?;
        bytes.resize(first as usize, 0);
        Ok(bytes)
    }

    fn to_wire(&self) -> WireHeader {
        WireHeader {
            width: self.size.width() as u8,
            height: self.size.height() as u8,
            depth: self.depth as u8,
            kind: self.kind as u8,
            provenance: self.provenance.clone(),
            sections: self
                .sections
                .iter()
                .map(|section| WireSection {
                    ply: section.ply as u8,
                    encoding: section.encoding as u8,
                    bits: section.bits,
                    bias: section.bias,
                    crc: section.crc,
                    offset: section.offset,
                    bytes: section.bytes,
                    slots: section.slots,
                    entries: section.entries,
                })
                .collect(),
        }
    }
}

impl Header {
    /// The header of the book in `bytes`, which is the whole book, whose sections are not
    /// looked at.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, BookError> {
        let mut version = VERSION;
        let mut opened = envelope(version).open(bytes);
        if let Err(EnvelopeError::Version { found: EVERY_SECOND, .. }) = opened {
            version = EVERY_SECOND;
            opened = envelope(version).open(bytes);
        }
        let opened = opened.map_err(|error| explain(error, bytes))?;
        let header = Header::from_wire(opened.content)?;
        let first = first_section(opened.bytes);
        let stored = header.check_plies(version)?;
        let expected = header.check_sections(first)?;
        if expected != bytes.len() as u64 {
            return Err(BookError::Length { expected, found: bytes.len() as u64 });
        }
        let padding = &bytes[opened.bytes..first as usize];
        if let Some(byte) = padding.iter().find(|&&byte| byte != 0) {
            return Err(inconsistent("a byte between header and sections", 0, byte));
        }
        Ok(Decoded { header, stored, version, checksum: opened.checksum })
    }

    fn from_wire(wire: WireHeader) -> Result<Header, BookError> {
        let WireHeader { width, height, depth, kind, provenance, sections } = wire;
        let size = Size::new(width.into(), height.into())
            .map_err(|_| BookError::BoardSize { width, height })?;
        let kind = kind_of_number(kind).ok_or(BookError::Kind { found: kind })?;
        let sections = sections.into_iter().map(|section| {
            let WireSection {
                ply,
                encoding: found,
                bits,
                bias,
                crc,
                offset,
                bytes,
                slots,
                entries,
            } = section;
            let encoding =
                Encoding::from_number(found).ok_or(BookError::Encoding { ply, found })?;
            let ply = ply.into();
            Ok(Section { ply, encoding, bits, bias, crc, offset, bytes, slots, entries })
        });
        let sections = sections.collect::<Result<_, BookError>>()?;
        Ok(Header { size, depth: depth.into(), kind, provenance, sections })
    }

    /// Checks that the plies stored are such as a book of this version has; gives them.
    fn check_plies(&self, version: u32) -> Result<StoredPlies, BookError> {
        let plies: Vec<u32> = self.sections.iter().map(|section| section.ply).collect();
        let is_known = version > EVERY_SECOND || plies.iter().copied().eq(every_second(self.depth));
        let stored = StoredPlies::of_sections(&plies, self.depth).filter(|_| is_known);
        stored.ok_or_else(|| {
            let expected = every_second(self.depth).collect::<Vec<_>>();
            let others = if version > EVERY_SECOND { " and any between, in order" } else { "" };
            let expected = format!("{expected:?}{others}");
            inconsistent("the plies stored", expected, format!("{plies:?}"))
        })
    }

    /// Checks the sections against the board, and that they follow one another
    /// from `offset` on; gives the end of the last.
    fn check_sections(&self, mut offset: u64) -> Result<u64, BookError> {
        for section in &self.sections {
            self.check_section(section, offset)?;
            offset = offset.checked_add(section.bytes).ok_or_else(|| {
                let what = format!("the length of the section of ply {}", section.ply);
                inconsistent(&what, "that of a file", section.bytes)
            })?;
        }
        Ok(offset)
    }

    /// Checks a section against the board, and that it begins at `offset`.
    fn check_section(&self, section: &Section, offset: u64) -> Result<(), BookError> {
        let what = |what: &str| format!("{what} of the section of ply {}", section.ply);
        let highest = self.kind.highest_value(self.size);
        let most_bits = Flat::most_bits(self.size);
        match rank::slots(self.size, section.ply) {
            Some(slots) if slots == section.slots => {}
            Some(slots) => return Err(inconsistent(&what("the slots"), slots, section.slots)),
            None => {
                let expected = format!("that of a ply {} boards have", self.size);
                return Err(inconsistent(&what("the ply"), expected, section.ply));
            }
        }
        if section.entries > section.slots {
            let expected = format!("at most {}", section.slots);
            return Err(inconsistent(&what("the entries"), expected, section.entries));
        }
        if !(1..=most_bits).contains(&section.bits) {
            let expected = format!("1 to {most_bits}");
            return Err(inconsistent(&what("the bits"), expected, section.bits));
        }
        if !(-highest..=highest).contains(&section.bias) {
            let expected = format!("-{highest} to {highest}");
            return Err(inconsistent(&what("the bias"), expected, section.bias));
        }
        if section.offset != offset {
            return Err(inconsistent(&what("the offset"), offset, section.offset));
        }
        section
            .check_length()
            .map_err(|expected| inconsistent(&what("the length"), expected, section.bytes))
    }
}

/// What an envelope that cannot be opened means for a book.
fn explain(error: EnvelopeError, bytes: &[u8]) -> BookError {
    let found = bytes.len() as u64;
    match error {
        EnvelopeError::Magic if bytes.is_empty() => BookError::Empty,
        // Cut short in the magic.
        EnvelopeError::Magic if MAGIC.starts_with(bytes) => {
            BookError::Length { expected: LEAST_BYTES as u64, found }
        }
        EnvelopeError::Magic => {
            let first = bytes.iter().take(MAGIC.len()).map(|byte| format!("{byte:02x}"));
            BookError::NotABook { found: first.collect::<Vec<_>>().join(" ") }
        }
        EnvelopeError::Version { found, .. } => BookError::Version { found },
        EnvelopeError::Length { expected, .. } => {
            BookError::Length { expected: expected as u64, found }
        }
        EnvelopeError::TooLong { bytes, most } => {
            inconsistent("the length of the header", format!("at most {most}"), bytes)
        }
        EnvelopeError::Checksum { expected, found } => {
            BookError::HeaderChecksum { expected, found }
        }
        EnvelopeError::Content(_) => BookError::Header(error),
    }
}

/// What is broken in a section.
pub(super) fn inconsistent_section(section: &Section, broken: Broken) -> BookError {
    let what = format!("{} of the section of ply {}", broken.what, section.ply);
    BookError::Inconsistent { what, expected: broken.expected, found: broken.found }
}

/// Where the first section begins after a header of this length with what is about it.
fn first_section(length: usize) -> u64 {
    (length as u64).next_multiple_of(ALIGNMENT)
}

fn inconsistent(what: &str, expected: impl fmt::Display, found: impl fmt::Display) -> BookError {
    BookError::Inconsistent {
        what: what.to_owned(),
        expected: expected.to_string(),
        found: found.to_string(),
    }
}

fn kind_of_number(number: u8) -> Option<ValueKind> {
    [ValueKind::Scores, ValueKind::WinDrawLoss].into_iter().find(|kind| *kind as u8 == number)
}
