//! The file of a shard's scores; `books/FORMAT.md` has it byte by byte.

use super::Shard;
use crate::board::Size;
use crate::envelope::{Envelope, EnvelopeError, Opened};
use crate::errors::count;
use crate::files;
use crate::generate::checkpoint::{Effort, MOST_HEADER_BYTES, Purpose, seal};
use crate::mapping::ReadMap;
use crate::scores::ValueKind;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What the names of parts end with, after a dot.
pub(in crate::generate) const SUFFIX: &str = "part";

/// Whether a file of this name is meant to be a part.
pub(in crate::generate) fn is_part_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == SUFFIX)
}

/// What a part has the scores of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartIdentity {
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
    /// The ply that is solved.
    pub depth: u32,
    /// What is said about its positions.
    pub kind: ValueKind,
    /// The shard's number, from 1.
    pub index: u32,
    /// How many shards there are.
    pub of: u32,
    /// Number of positions of the ply that are to be solved.
    pub positions: u64,
    /// The shard's first position, by its number (from 0) in the depth-first order.
    pub first: u64,
    /// How many positions the shard has.
    pub count: u64,
}

impl PartIdentity {
    pub(super) fn new(
        (size, depth, kind): (Size, u32, ValueKind),
        shard: Shard,
        positions: u64,
        range: &Range<u64>,
    ) -> Self {
        PartIdentity {
            width: size.width() as u8,
            height: size.height() as u8,
            depth,
            kind,
            index: shard.index(),
            of: shard.of(),
            positions,
            first: range.start,
            count: range.end - range.start,
        }
    }

    /// The board; `None` if there is none of that size.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        Size::checked(self.width.into(), self.height.into())
    }

    /// The shard; `None` if there is no such one.
    #[must_use]
    pub fn shard(&self) -> Option<Shard> {
        Shard::new(self.index, self.of).ok()
    }

    /// The positions it has, by their numbers in the depth-first order.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.count)
    }

    /// Whether both are shards of the same book, divided in the same way.
    #[must_use]
    pub fn is_of_same_book(&self, other: &Self) -> bool {
        let book = |of: &Self| PartIdentity { index: 0, first: 0, count: 0, ..*of };
        book(self) == book(other)
    }

    /// The same, as long as what the shard holds is not known: its range.
    pub(super) fn is_same_shard(&self, other: &Self) -> bool {
        let shard = |of: &Self| PartIdentity { positions: 0, first: 0, count: 0, ..*of };
        shard(self) == shard(other)
    }
}

impl fmt::Display for PartIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartIdentity { width, height, depth, kind, index, of, .. } = self;
        write!(f, "shard {index}/{of} of {width}x{height}, depth {depth}, {kind}")
    }
}

impl Purpose for PartIdentity {
    const HEADER: Envelope =
        Envelope { magic: *b"4BK-SHRD", version: 1, most_bytes: MOST_HEADER_BYTES };

    fn places(&self) -> u64 {
        self.count
    }
}

/// What stands before the scores of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHeader {
    /// What the scores are of.
    pub identity: PartIdentity,
    /// The work spent on them.
    pub effort: Effort,
    /// CRC-32 of the scores.
    pub crc: u32,
}

/// The start of a part. As with a book, the first byte has its high bit set and the last
/// two of the magic end a line, so a transfer as text is noticed. The version changes with
/// the order of positions, with the limits of shards and with the header.
const HEADER: Envelope =
    Envelope { magic: *b"\x894PART\r\n", version: 1, most_bytes: MOST_HEADER_BYTES };

/// Why a part cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// Reading or writing it failed.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is something else.
    #[error("'{}' is no part that this program can read; move it to another folder", path.display())]
    NoPart {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: EnvelopeError,
    },
    /// Its header is not as it was written.
    #[error("the header of '{}' is damaged; remove it and solve its shard again", path.display())]
    DamagedHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: EnvelopeError,
    },
    /// It is not as it was written.
    #[error("'{}' is damaged: {problem}; remove it and solve its shard again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It has another shard or another book than its name says.
    #[error(
        "'{}' is not the part that its name says: expected {expected}, found {found}; rename it, or move it to another folder",
        path.display()
    )]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// What should be there.
        expected: Box<PartIdentity>,
        /// What is there.
        found: Box<PartIdentity>,
    },
}

impl PartError {
    /// Whether the file is not there.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, PartError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Whether the file was a part once.
    pub(super) fn is_damage(&self) -> bool {
        matches!(self, PartError::Damaged { .. } | PartError::DamagedHeader { .. })
    }
}

/// A part that is as it was written.
#[derive(Debug)]
pub(in crate::generate) struct Part {
    path: PathBuf,
    header: PartHeader,
    file: ReadMap,
    /// Where the scores begin.
    scores: usize,
}

impl Part {
    /// Opens a part and reads all of it, to be sure that it is whole.
    pub(in crate::generate) fn open(path: &Path) -> Result<Self, PartError> {
        let file = ReadMap::open(path).map_err(|source| io_error("read", path, source))?;
        let (header, scores) = check(path, file.as_ref())?;
        Ok(Part { path: path.to_owned(), header, file, scores })
    }

    pub(in crate::generate) fn header(&self) -> &PartHeader {
        &self.header
    }

    /// One [encoded score](crate::scores) a position, in their order.
    pub(in crate::generate) fn scores(&self) -> &[u8] {
        &self.file.as_ref()[self.scores..]
    }

    /// The error that says what is wrong with it.
    pub(in crate::generate) fn damaged(&self, problem: String) -> PartError {
        PartError::Damaged { path: self.path.clone(), problem }
    }
}

/// Writes a part; it has its name only when it is whole and on the disk.
pub(super) fn write(
    path: &Path,
    identity: PartIdentity,
    effort: Effort,
    scores: &[u8],
) -> Result<(), PartError> {
    let header = PartHeader { identity, effort, crc: crc32fast::hash(scores) };
    let written = files::replace(path, |out| {
        out.write_all(&seal(&HEADER, &header))?;
        out.write_all(scores)
    });
    written.map_err(|source| io_error("write", path, source))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> PartError {
    PartError::Io { action, path: path.to_owned(), source }
}

/// The header of a part with these bytes, and where the scores begin.
fn check(path: &Path, bytes: &[u8]) -> Result<(PartHeader, usize), PartError> {
    let damaged = |problem| PartError::Damaged { path: path.to_owned(), problem };
    let opened: Opened<PartHeader> = HEADER.open(bytes).map_err(|source| {
        let path = path.to_owned();
        match source {
            EnvelopeError::Magic | EnvelopeError::Version { .. } => {
                PartError::NoPart { path, source }
            }
            source => PartError::DamagedHeader { path, source },
        }
    })?;
    let (header, start) = (opened.content, opened.bytes);
    let PartHeader { identity, crc, .. } = header;
    if identity.size().is_none() || identity.shard().is_none() {
        return Err(damaged(format!("there is no {identity}")));
    }
    let (expected, found) = (identity.count, (bytes.len() - start) as u64);
    if expected != found {
        let expected = count(expected, "byte");
        return Err(damaged(format!("expected {expected} of scores, found {found}")));
    }
    let found = crc32fast::hash(&bytes[start..]);
    if crc != found {
        return Err(damaged(format!(
            "expected the checksum {crc:08x} of the scores, found {found:08x}"
        )));
    }
    Ok((header, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [u8; 7] = [64, 65, 63, 60, 70, 64, 64];

    fn identity() -> PartIdentity {
        let book = (Size::STANDARD, 4, ValueKind::Scores);
        PartIdentity::new(book, Shard::new(2, 3).unwrap(), 568, &(100..107))
    }

    fn part() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("7x6-d4.2-of-3.part");
        write(&path, identity(), Effort { nodes: 5, ..Effort::default() }, &SCORES).unwrap();
        (folder, path)
    }

    #[test]
    fn a_part_comes_back_as_it_was_written() {
        let (_folder, path) = part();
        assert!(is_part_name(&path));
        let part = Part::open(&path).unwrap();
        assert_eq!(part.scores(), SCORES);
        assert_eq!((part.header().identity, part.header().effort.nodes), (identity(), 5));
        assert_eq!(identity().range(), 100..107);
    }

    /// As `books/FORMAT.md` says.
    #[test]
    fn the_bytes_are_where_the_format_says() {
        let (_folder, path) = part();
        let bytes = std::fs::read(&path).unwrap();
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
        assert_eq!(bytes[94..], SCORES);
    }

    #[test]
    fn any_changed_bit_and_any_cut_is_noticed() {
        let (_folder, path) = part();
        let good = std::fs::read(&path).unwrap();
        for bit in 0..good.len() * 8 {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(check(&path, &bytes).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(check(&path, &good[..length]).is_err(), "cut to {length}");
        }
        assert!(check(&path, &[&good[..], &[64]].concat()).is_err());
        assert!(check(&path, &good).is_ok());
    }

    /// The second of three shards of 4x4 to ply 2, by version 0.1.
    #[test]
    fn a_part_of_an_earlier_version_is_read() {
        let bytes = b"\x894PART\r\n\x01\0\0\0\x4a\0\0\0\x04\x04\x02\0\0\0\0\0\0\0\
            \x02\0\0\0\x03\0\0\0\x08\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\
            \x03\0\0\0\0\0\0\0\x01\0\0\0\x03\0\0\0\0\0\0\0\x2e\x06\0\0\0\0\0\0\
            \x0a\0\0\0\0\0\0\0\x47\x5a\x7e\x09\x7f\xb1\x17\x14\x40\x40\x40";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("4x4-d2.2-of-3.part");
        std::fs::write(&path, bytes).unwrap();
        let part = Part::open(&path).unwrap();
        let book = (Size::new(4, 4).unwrap(), 2, ValueKind::Scores);
        let identity = PartIdentity::new(book, Shard::new(2, 3).unwrap(), 8, &(3..6));
        let effort = Effort { runs: 1, positions: 3, nodes: 1582, milliseconds: 10 };
        assert_eq!((part.header().identity, part.header().effort), (identity, effort));
        assert_eq!(part.scores(), [64; 3]);
        write(&path, identity, effort, part.scores()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    /// The header of the checkpoint of a shard, by version 0.1.
    #[test]
    fn the_checkpoint_of_a_shard_has_the_header_of_an_earlier_version() {
        let bytes = b"4BK-SHRD\x01\0\0\0\x2a\0\0\0\x07\x06\x04\0\0\0\x01\0\0\0\
            \x02\0\0\0\x03\0\0\0\x38\x02\0\0\0\0\0\0\xbe\0\0\0\0\0\0\0\
            \xbd\0\0\0\0\0\0\0\xc5\xd0\x1f\xf9";
        let book = (Size::STANDARD, 4, ValueKind::WinDrawLoss);
        let identity = PartIdentity::new(book, Shard::new(2, 3).unwrap(), 568, &(190..379));
        assert_eq!(PartIdentity::HEADER.open_all::<PartIdentity>(bytes), Ok(identity));
        assert_eq!(seal(&PartIdentity::HEADER, &identity), bytes);
    }

    #[test]
    fn another_file_is_told_from_a_damaged_part() {
        let path = Path::new("x.part");
        assert!(matches!(check(path, b"my own notes"), Err(PartError::NoPart { .. })));
        let (_folder, path) = part();
        let good = std::fs::read(&path).unwrap();
        let cut = check(&path, &good[..good.len() - 1]);
        assert!(matches!(cut, Err(PartError::Damaged { .. })));
    }
}
