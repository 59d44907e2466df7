//! The file of a shard's scores; `docs/src/format.md` has it byte by byte.

use super::error::GenerateError;
use super::log::{Header, PIECE};
use super::report::Effort;
use super::shard::Shard;
use crate::book::{BookError, open_file};
use crate::envelope::{Envelope, EnvelopeError};
use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use fourbook_solver::text::{count, grouped};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The bytes of a header, before the scores.
const HEADER_BYTES: usize = 94;

/// How a header begins. As with a book, the first byte has its high bit set and the last two of the
/// magic end a line, so a transfer as text is noticed. The version changes with the order of
/// positions, with the limits of shards and with the header.
const ENVELOPE: Envelope =
    Envelope { magic: *b"\x894PART\r\n", version: 1, most_bytes: HEADER_BYTES - 20 };

/// Which positions of which book a part has the scores of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartIdentity {
    pub(super) width: u8,
    pub(super) height: u8,
    /// The ply that is solved.
    pub(super) depth: u32,
    pub(super) kind: ValueKind,
    /// The shard's number, from 1.
    pub(super) index: u32,
    /// How many shards there are.
    pub(super) of: u32,
    /// Number of positions of the ply that need solving.
    pub(super) positions: u64,
    /// The shard's first position, by its number (from 0) in the depth-first order.
    pub(super) first: u64,
    /// How many positions the shard has.
    pub(super) count: u64,
}

impl PartIdentity {
    /// The board.
    pub(super) fn size(&self) -> Size {
        self.checked_size().expect("a header with another size is damaged")
    }

    fn checked_size(&self) -> Option<Size> {
        Size::checked(self.width.into(), self.height.into())
    }

    /// The positions it has, by their numbers in the depth-first order.
    pub(super) fn range(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.count)
    }

    /// Whether both are shards of the same book, divided in the same way.
    pub(super) fn is_of_same_book(&self, other: &Self) -> bool {
        let book = |of: &Self| PartIdentity { index: 0, first: 0, count: 0, ..*of };
        book(self) == book(other)
    }

    /// The book as text, such as `7x6, depth 12, exact scores`.
    pub(super) fn book(&self) -> String {
        let PartIdentity { width, height, depth, kind, .. } = self;
        format!("{width}x{height}, depth {depth}, {kind}")
    }
}

impl Header for PartIdentity {
    const ENVELOPE: Envelope =
        Envelope { magic: *b"\x894SAVE\r\n", version: 1, most_bytes: PIECE - 20 };

    fn checked(self) -> Result<Self, EnvelopeError> {
        if self.checked_size().is_some() && Shard::new(self.index, self.of).is_ok() {
            Ok(self)
        } else {
            Err(EnvelopeError::damaged("a shard of a book", self))
        }
    }

    /// The range of positions, which may be unknown, is ignored.
    fn is_same(&self, other: &Self) -> bool {
        let shard = |of: &Self| PartIdentity { positions: 0, first: 0, count: 0, ..*of };
        shard(self) == shard(other)
    }
}

impl fmt::Display for PartIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {}/{} of {}", self.index, self.of, self.book())
    }
}

/// The header of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartHeader {
    pub(super) identity: PartIdentity,
    /// The work spent on the scores.
    pub(super) effort: Effort,
    /// CRC-32 of the scores.
    pub(super) crc: u32,
}

impl PartHeader {
    /// The header as it is written.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        ENVELOPE.seal(&self).expect("a header of a few numbers fits its envelope")
    }

    /// The header that these bytes begin with.
    pub(super) fn open(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        let header: Self = ENVELOPE.open(bytes)?.content;
        header.identity.checked()?;
        Ok(header)
    }
}

/// A part that was read. Its header is as it was written; whether its scores are is not known yet.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    pub(super) header: PartHeader,
    bytes: Vec<u8>,
}

impl Part {
    /// Reads a part.
    pub(super) fn read(path: &Path) -> Result<Self, GenerateError> {
        let mut file = open_file(path).map_err(BookError::io("read", path))?;
        let mut bytes = Vec::new();
        let mut read = |most| file.by_ref().take(most).read_to_end(&mut bytes);
        read(HEADER_BYTES as u64).map_err(BookError::io("read", path))?;
        let path = path.to_owned();
        let header = match PartHeader::open(&bytes) {
            Ok(header) => header,
            Err(error @ (EnvelopeError::Magic | EnvelopeError::Version { .. })) => {
                let problem = format!(
                    "is no part that this program can read: {error}; move it to another folder"
                );
                return Err(GenerateError::Part { path, problem });
            }
            Err(error) => {
                return Err(GenerateError::DamagedPart { path, problem: error.to_string() });
            }
        };
        // One more byte than there should be is noticed later.
        let read = file.take(header.identity.count.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(BookError::io("read", &path))?;
        Ok(Part { path, header, bytes })
    }

    /// The [encoded scores](crate::scores) of the positions, in their order, as they were written.
    pub(super) fn scores(&self) -> Result<&[u8], GenerateError> {
        let scores = &self.bytes[HEADER_BYTES..];
        let PartHeader { identity: PartIdentity { count: places, .. }, crc, .. } = self.header;
        let found = crc32fast::hash(scores);
        if (scores.len() as u64, found) != (places, crc) {
            let expected = count(places, "byte");
            return Err(self.damaged(format!(
                "expected {expected} of scores with the checksum {crc:08x}, found {} with {found:08x}",
                grouped(scores.len())
            )));
        }
        Ok(scores)
    }

    /// The header of the part of `shard` at `path`, if it is there and whole.
    pub(super) fn find(
        path: &Path,
        shard: &PartIdentity,
    ) -> Result<Option<PartHeader>, GenerateError> {
        let part = match Part::read(path) {
            Err(GenerateError::Book(BookError::Io { source, .. }))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                return Ok(None);
            }
            part => part?,
        };
        part.scores()?;
        let found = part.header.identity;
        if !found.is_same(shard) {
            let problem = format!(
                "is not the part that its name says: expected {shard}, found {found}; rename it, or move it to another folder"
            );
            return Err(GenerateError::Part { path: path.to_owned(), problem });
        }
        Ok(Some(part.header))
    }

    /// The error for a damaged part.
    pub(super) fn damaged(&self, problem: String) -> GenerateError {
        GenerateError::DamagedPart { path: self.path.clone(), problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Plan;
    use std::fs;

    const SCORES: [u8; 7] = [64, 65, 63, 60, 70, 64, 64];

    /// The header and the scores of a part with these bytes.
    fn read(bytes: &[u8]) -> Result<(PartHeader, Vec<u8>), GenerateError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.part");
        fs::write(&path, bytes).unwrap();
        let part = Part::read(&path)?;
        Ok((part.header, part.scores()?.to_vec()))
    }

    fn identity() -> PartIdentity {
        Plan::new(Size::STANDARD, 4).part(Shard::new(2, 3).unwrap(), 568, 100..107)
    }

    fn part() -> Vec<u8> {
        let effort = Effort { nodes: 5, ..Effort::default() };
        let header = PartHeader { identity: identity(), effort, crc: crc32fast::hash(&SCORES) };
        [&header.to_bytes()[..], &SCORES].concat()
    }

    #[test]
    fn a_part_comes_back_as_it_was_written() {
        let (header, scores) = read(&part()).unwrap();
        assert_eq!(scores, SCORES);
        assert_eq!((header.identity, header.effort.nodes), (identity(), 5));
        assert_eq!(identity().range(), 100..107);
    }

    /// The layout that `docs/src/format.md` describes.
    #[test]
    fn the_bytes_are_where_the_format_says() {
        let bytes = part();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(bytes[..8], [0x89, 0x34, 0x50, 0x41, 0x52, 0x54, 0x0d, 0x0a]);
        assert_eq!([number(8), number(12)], [1, 74]);
        assert_eq!((bytes[16], bytes[17]), (7, 6));
        // Depth, kind, shard, shards; and the lower half of the numbers of positions.
        assert_eq!([18, 22, 26, 30].map(number), [4, 0, 2, 3]);
        assert_eq!([34, 42, 50].map(number), [568, 100, 7]);
        assert_eq!([58, 62, 70, 78].map(number), [0, 0, 5, 0]);
        assert_eq!(number(86), crc32fast::hash(&SCORES));
        assert_eq!(number(90), crc32fast::hash(&bytes[..90]));
        assert_eq!(bytes[HEADER_BYTES..], SCORES);
    }

    #[test]
    fn any_changed_bit_and_any_cut_is_noticed() {
        let good = part();
        for bit in 0..good.len() * 8 {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bytes).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(read(&good[..length]).is_err(), "cut to {length}");
        }
        assert!(read(&[&good[..], &[64]].concat()).is_err());
        assert!(read(&good).is_ok());
    }

    /// The second of three shards of 4x4 to ply 2, by version 0.1.
    #[test]
    fn a_part_of_an_earlier_version_is_read() {
        let bytes = b"\x894PART\r\n\x01\0\0\0\x4a\0\0\0\x04\x04\x02\0\0\0\0\0\0\0\
            \x02\0\0\0\x03\0\0\0\x08\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\
            \x03\0\0\0\0\0\0\0\x01\0\0\0\x03\0\0\0\0\0\0\0\x2e\x06\0\0\0\0\0\0\
            \x0a\0\0\0\0\0\0\0\x47\x5a\x7e\x09\x7f\xb1\x17\x14\x40\x40\x40";
        let (header, scores) = read(bytes).unwrap();
        let plan = Plan::new(Size::new(4, 4).unwrap(), 2);
        let identity = plan.part(Shard::new(2, 3).unwrap(), 8, 3..6);
        let effort = Effort { runs: 1, positions: 3, nodes: 1582, milliseconds: 10 };
        assert_eq!((header.identity, header.effort), (identity, effort));
        assert_eq!(scores, [64; 3]);
        assert_eq!(header.to_bytes(), bytes[..HEADER_BYTES]);
    }

    #[test]
    fn another_file_is_told_from_a_damaged_part() {
        assert!(matches!(read(b"my own notes"), Err(GenerateError::Part { .. })));
        let good = part();
        let cut = read(&good[..good.len() - 1]);
        assert!(matches!(cut, Err(GenerateError::DamagedPart { .. })));
    }
}
