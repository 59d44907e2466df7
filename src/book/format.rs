//! The header of a book and the checksums after it; `docs/src/format.md` describes them byte by byte.

use super::blocks::{BLOCK, Blocks, Storage};
use super::compact::Tables;
use super::error::BookError;
use super::flat::{ALIGNMENT, Flat};
use super::header::{Encoding, Header, MAGIC, MAX_HEADER, Provenance, Section, VERSION};
use super::other_file::{described, other_file};
use super::stored::can_be_stored;
#[cfg(feature = "generate")]
use super::stored::every_second_ply;
use crate::envelope::{Envelope, EnvelopeError};
use crate::rank;
use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use fourbook_solver::text::{count, grouped};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a book begins.
const ENVELOPE: Envelope = Envelope { magic: MAGIC, version: VERSION, most_bytes: MAX_HEADER };

/// The least bytes of a header with its magic, version, length and checksum.
const LEAST_BYTES: usize = 20;

const DAMAGED: &str =
    "the file was cut short or added to, or is damaged: fetch or make the book again";

const UNKNOWN: &str =
    "use a version of fourbook that knows it, or make the book again with this one";

/// A header as it is encoded, in the order of its fields.
#[derive(Serialize, Deserialize)]
struct WireHeader {
    width: u8,
    height: u8,
    kind: u8,
    provenance: Provenance,
    sections: Vec<WireSection>,
    /// The CRC-32 of the checksums of all blocks.
    checksums: u32,
}

#[derive(Serialize, Deserialize)]
struct WireSection {
    ply: u8,
    /// Width of a code; 0 of a compact section.
    bits: u8,
    bias: i8,
    bytes: u64,
    entries: u64,
}

/// Returns how many bytes the checksums take for sections of this total length.
fn checksum_bytes(section_bytes: u64) -> u64 {
    4 * section_bytes.div_ceil(BLOCK as u64)
}

impl Header {
    /// The bytes before the first section, for sections whose blocks have these checksums.
    pub(super) fn encode(&self, checksums: &[u32]) -> Result<Vec<u8>, BookError> {
        let checksums: Vec<u8> = checksums.iter().flat_map(|crc| crc.to_le_bytes()).collect();
        let wire = WireHeader {
            width: self.size.width() as u8,
            height: self.size.height() as u8,
            kind: self.kind as u8,
            provenance: self.provenance.clone(),
            sections: self.sections.iter().map(WireSection::of).collect(),
            checksums: crc32fast::hash(&checksums),
        };
        let mut bytes = ENVELOPE.seal(&wire).map_err(|found| {
            let most = count(MAX_HEADER, "byte");
            let expected = format_args!("a header of at most {most}; shorten its provenance");
            BookError::contents(expected, grouped(found))
        })?;
        bytes.extend(checksums);
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
        Ok(bytes)
    }
}

/// Returns the most bytes of a generated book, from the slots of its plies: of the deepest ply and every
/// second one above, with the widest codes of a flat book.
#[cfg(feature = "generate")]
pub(crate) fn most_bytes(
    size: Size,
    kind: ValueKind,
    encoding: Encoding,
    slots: &[u64],
) -> Result<u64, BookError> {
    let depth = slots.len() as u32 - 1;
    let highest = kind.highest_value(size);
    let flat = Flat::for_values(Some((-highest, highest)));
    let section = |ply: u32| {
        let slots = slots[ply as usize];
        let bytes = flat.section_bytes(slots);
        let Flat { bits, bias } = flat;
        Section { ply, encoding: Encoding::Flat, bits, bias, offset: 0, bytes, slots, entries: 0 }
    };
    let sections: Vec<Section> = every_second_ply(depth).into_iter().map(section).collect();
    let bytes = sections.iter().map(|section| section.bytes).sum();
    let provenance = Provenance::generated(size, depth, kind, encoding);
    let header = Header { size, kind, provenance, sections }.encode(&[])?;
    Ok((header.len() as u64 + checksum_bytes(bytes)).next_multiple_of(ALIGNMENT) + bytes)
}

impl WireSection {
    fn of(section: &Section) -> Self {
        let &Section { ply, bits, bias, bytes, entries, .. } = section;
        WireSection { ply: ply as u8, bits, bias, bytes, entries }
    }
}

/// The bytes before the first section of a book, the checksum of its header, the header, and the blocks.
pub(super) type Parts = (Box<[u8]>, u32, Header, Blocks);

/// Opens a book. Checks its header, the table of checksums after it, and the tables of compact
/// sections.
pub(super) fn open(source: Storage) -> Result<Parts, BookError> {
    let length = source.length();
    let first = read(&source, (LEAST_BYTES + MAX_HEADER) as u64)?;
    let opened = ENVELOPE.open(&first).map_err(|error| explain(error, &first))?;
    let end_of_header = opened.bytes as u64;
    let wire: WireHeader = opened.content;
    let expected = wire.checksums;
    let mut header = Header::from_wire(wire)?;
    header.check_plies()?;
    let start = header.place_sections(end_of_header)?;
    let end = header.sections.last().map_or(start, |section| section.offset + section.bytes);
    if end != length {
        return Err(BookError::format(count(end, "byte"), grouped(length), DAMAGED));
    }
    let head: Box<[u8]> = read(&source, start)?.into();
    let (table, padding) = head[opened.bytes..].split_at(checksum_bytes(end - start) as usize);
    let found = crc32fast::hash(table);
    if expected != found {
        let expected = format_args!("the checksum of the table of blocks to be {expected:08x}");
        return Err(BookError::format(expected, format_args!("{found:08x}"), DAMAGED));
    }
    if let Some(byte) = padding.iter().find(|&&byte| byte != 0) {
        return Err(BookError::inconsistent("a byte between header and sections", 0, byte));
    }
    let checksums = table.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    let blocks = Blocks::new(source, start, checksums).map_err(BookError::Read)?;
    for section in header.sections.iter().filter(|it| it.encoding == Encoding::Compact) {
        Tables::read(section, blocks.part(section), header.size, header.kind)?;
    }
    Ok((head, opened.checksum, header, blocks))
}

/// Returns the first bytes of a book, at most `most`.
fn read(source: &Storage, most: u64) -> Result<Cow<'_, [u8]>, BookError> {
    let length = most.min(source.length()) as usize;
    if let Storage::Memory(bytes) = source {
        return Ok(Cow::Borrowed(&bytes[..length]));
    }
    let mut bytes = vec![0; length];
    source.read(0, &mut bytes).map_err(BookError::Read)?;
    Ok(bytes.into())
}

impl Header {
    fn from_wire(wire: WireHeader) -> Result<Header, BookError> {
        let WireHeader { width, height, kind, provenance, sections, .. } = wire;
        let size = Size::new(width.into(), height.into()).map_err(|_| {
            let expected = "a board of at least 4x4 and at most 16 columns, with \
                            width * (height + 1) at most 128, such as 7x6";
            BookError::format(expected, format_args!("{width}x{height}"), UNKNOWN)
        })?;
        let kind = match kind {
            0 => ValueKind::Scores,
            1 => ValueKind::WinDrawLoss,
            _ => {
                let expected = "values of kind 0 (scores) or 1 (outcomes)";
                return Err(BookError::format(expected, format_args!("kind {kind}"), UNKNOWN));
            }
        };
        let sections = sections
            .into_iter()
            .map(|wire| {
                let WireSection { ply, bits, bias, bytes, entries } = wire;
                let ply = ply.into();
                let encoding = if bits == 0 { Encoding::Compact } else { Encoding::Flat };
                let slots = rank::slots(size, ply).ok_or_else(|| {
                    let expected = if ply > size.cells() {
                        format!("at most {}, the cells of {size} boards", size.cells())
                    } else {
                        "one of at most 2^48 slots".to_owned()
                    };
                    BookError::inconsistent("the ply of a section", expected, ply)
                })?;
                Ok(Section { ply, encoding, bits, bias, offset: 0, bytes, slots, entries })
            })
            .collect::<Result<_, BookError>>()?;
        Ok(Header { size, kind, provenance, sections })
    }

    /// Checks that a book can store these plies.
    fn check_plies(&self) -> Result<(), BookError> {
        let plies: Vec<u32> = self.sections.iter().map(|section| section.ply).collect();
        if can_be_stored(&plies) {
            return Ok(());
        }
        let expected = "at least every second one, in order";
        Err(BookError::inconsistent("the plies stored", expected, format!("{plies:?}")))
    }

    /// Checks the sections against the board, and works out where they are after a header with this
    /// end; returns where the first one begins.
    fn place_sections(&mut self, end_of_header: u64) -> Result<u64, BookError> {
        let mut length = 0_u64;
        for section in &self.sections {
            self.check_section(section)?;
            // The limit for the length of any file.
            length =
                length.checked_add(section.bytes).filter(|&it| it < 1 << 62).ok_or_else(|| {
                    BookError::of_section(
                        section,
                        "the length",
                        "that of a file",
                        grouped(section.bytes),
                    )
                })?;
        }
        let start = (end_of_header + checksum_bytes(length)).next_multiple_of(ALIGNMENT);
        let mut offset = start;
        for section in &mut self.sections {
            section.offset = offset;
            offset += section.bytes;
        }
        Ok(start)
    }

    /// Checks a section against the board.
    fn check_section(&self, section: &Section) -> Result<(), BookError> {
        let &Section { encoding, bits, bias, bytes, slots, entries, .. } = section;
        let highest = self.kind.highest_value(self.size);
        let most_bits = Flat::most_bits(self.size);
        let flat_bytes = || section.flat().section_bytes(slots);
        let (what, expected, found) = if entries > slots {
            ("the entries", format!("at most {}", grouped(slots)), grouped(entries))
        } else if bits > most_bits {
            ("the bits", format!("at most {most_bits}"), bits.to_string())
        } else if !(-highest..=highest).contains(&bias) {
            ("the bias", format!("-{highest} to {highest}"), bias.to_string())
        } else if encoding == Encoding::Flat && bytes != flat_bytes() {
            ("the length", grouped(flat_bytes()), grouped(bytes))
        } else if bytes == 0 || !bytes.is_multiple_of(ALIGNMENT) {
            ("the length", format!("a multiple of {}", grouped(ALIGNMENT)), grouped(bytes))
        } else {
            return Ok(());
        };
        Err(BookError::of_section(section, what, expected, found))
    }
}

/// The error for an envelope that cannot be opened.
fn explain(error: EnvelopeError, bytes: &[u8]) -> BookError {
    match error {
        // Cut short in the magic.
        EnvelopeError::Magic if MAGIC.starts_with(bytes) && !bytes.is_empty() => {
            BookError::format(count(LEAST_BYTES, "byte"), grouped(bytes.len()), DAMAGED)
        }
        EnvelopeError::Magic => {
            let advice = "check that this is the file you mean (other programs' books have to be \
                          imported first)";
            let expected =
                format_args!("a fourbook book, which begins with the bytes {MAGIC:02x?}");
            let unknown = BookError::format(expected, described(bytes), advice);
            other_file(bytes).map_or(unknown, |(kind, advice)| {
                BookError::format("a fourbook book", kind, advice)
            })
        }
        EnvelopeError::Version { expected, found } => {
            let expected = format_args!("a book of format version {expected}");
            BookError::format(expected, format_args!("version {found}"), UNKNOWN)
        }
        EnvelopeError::Damaged { expected, found } => BookError::format(expected, found, DAMAGED),
    }
}
