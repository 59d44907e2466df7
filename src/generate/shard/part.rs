//! The file of a shard's scores; `books/FORMAT.md` has it byte by byte.

use super::Shard;
use super::error::PartError;
use super::store::{PartBytes, PartStore};
use crate::board::Size;
use crate::envelope::{Envelope, EnvelopeError, Opened};
use crate::errors::count;
use crate::files;
use crate::generate::checkpoint::{Effort, MOST_HEADER_BYTES, Purpose, seal};
use crate::generate::plan::Plan;
use crate::scores::ValueKind;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
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

/// What there is under the name of a part.
#[derive(Debug)]
pub enum FoundPart {
    /// The part, as it was written.
    Whole(PartHeader),
    /// What was the part once; it is to be made again.
    Damaged(PartError),
    /// Nothing.
    Nothing,
}

/// Looks in `store` for the part of a shard of the plan's book, and reads all of it to be
/// sure that it is whole. It has the [name of the shard](Shard::file_name).
///
/// # Errors
///
/// If it cannot be read, or is something else than the part of this shard.
pub fn find_part(store: &dyn PartStore, plan: &Plan, shard: Shard) -> Result<FoundPart, PartError> {
    let Plan { size, depth, kind, .. } = *plan;
    let expected = PartIdentity::new((size, depth, kind), shard, 0, &(0..0));
    find(store, shard.file_name(size, depth, kind).as_ref(), expected)
}

/// Looks at the file that is to be the part of the same shard as `expected`.
pub(super) fn find(
    store: &dyn PartStore,
    name: &OsStr,
    expected: PartIdentity,
) -> Result<FoundPart, PartError> {
    let part = Part::open(store, name).and_then(|part| part.check().map(|()| part));
    match part {
        Ok(part) => {
            let (path, header) = (part.path, part.header);
            let found = header.identity;
            if !found.is_same_shard(&expected) {
                let (expected, found) = (Box::new(expected), Box::new(found));
                return Err(PartError::Misnamed { path, expected, found });
            }
            Ok(FoundPart::Whole(header))
        }
        Err(error) if error.is_damage() => Ok(FoundPart::Damaged(error)),
        Err(error) if error.is_not_found() => Ok(FoundPart::Nothing),
        Err(error) => Err(error),
    }
}

/// Bytes that are read at a time.
const BLOCK_BYTES: u64 = 4 << 20;

/// A part whose header is as it was written.
#[derive(Debug)]
pub(in crate::generate) struct Part {
    path: PathBuf,
    header: PartHeader,
    bytes: Box<dyn PartBytes>,
    /// Where the scores begin.
    scores: u64,
}

impl Part {
    /// Opens a part and reads its header.
    pub(in crate::generate) fn open(
        store: &dyn PartStore,
        name: &OsStr,
    ) -> Result<Self, PartError> {
        let path = store.path().join(name);
        match store.open(name) {
            Ok(bytes) => Part::of(path, bytes),
            Err(source) => Err(io_error("read", &path, source)),
        }
    }

    /// The part with these bytes.
    fn of(path: PathBuf, bytes: Box<dyn PartBytes>) -> Result<Self, PartError> {
        let start = bytes.read(0..bytes.length().min(HEADER.most_length()));
        let start = start.map_err(|source| io_error("read", &path, source))?;
        let opened = open_header(&path, &start, bytes.length())?;
        drop(start);
        Ok(Part { path, header: opened.content, bytes, scores: opened.bytes as u64 })
    }

    pub(in crate::generate) fn header(&self) -> &PartHeader {
        &self.header
    }

    /// Makes sure that the scores are as they were written.
    pub(in crate::generate) fn check(&self) -> Result<(), PartError> {
        self.read_scores(|_| Ok(()))
    }

    /// Hands the scores, one [encoded score](crate::scores) a position, to `take` in
    /// their order, block by block. Whether they are as they were written is known only
    /// when this has come to its end.
    pub(in crate::generate) fn read_scores(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), PartError>,
    ) -> Result<(), PartError> {
        let mut hasher = crc32fast::Hasher::new();
        let length = self.bytes.length();
        // Of the same blocks of the file as the header is in the first of.
        let mut next = self.scores;
        while next < length {
            let end = (next / BLOCK_BYTES + 1) * BLOCK_BYTES;
            let block = self.bytes.read(next..end.min(length));
            let block = block.map_err(|source| io_error("read", &self.path, source))?;
            hasher.update(&block);
            take(&block)?;
            next = end;
        }
        let (expected, found) = (self.header.crc, hasher.finalize());
        if expected != found {
            return Err(self.damaged(format!(
                "expected the checksum {expected:08x} of the scores, found {found:08x}"
            )));
        }
        Ok(())
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

/// The header of a part of `length` bytes that begins with those of `start`.
fn open_header(path: &Path, start: &[u8], length: u64) -> Result<Opened<PartHeader>, PartError> {
    let damaged = |problem| PartError::Damaged { path: path.to_owned(), problem };
    let opened: Opened<PartHeader> = HEADER.open(start).map_err(|source| {
        let path = path.to_owned();
        match source {
            EnvelopeError::Magic | EnvelopeError::Version { .. } => {
                PartError::NoPart { path, source }
            }
            source => PartError::DamagedHeader { path, source },
        }
    })?;
    let identity = opened.content.identity;
    if identity.size().is_none() || identity.shard().is_none() {
        return Err(damaged(format!("there is no {identity}")));
    }
    let (expected, found) = (identity.count, length - opened.bytes as u64);
    if expected != found {
        let expected = count(expected, "byte");
        return Err(damaged(format!("expected {expected} of scores, found {found}")));
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::shard::Folder;
    use std::borrow::Cow;

    const SCORES: [u8; 7] = [64, 65, 63, 60, 70, 64, 64];

    impl PartBytes for Vec<u8> {
        fn length(&self) -> u64 {
            self.len() as u64
        }

        fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
            Ok(Cow::Borrowed(&self[range.start as usize..range.end as usize]))
        }
    }

    /// The header and the scores of a part with these bytes.
    fn read(bytes: &[u8]) -> Result<(PartHeader, Vec<u8>), PartError> {
        let part = Part::of("x.part".into(), Box::new(bytes.to_vec()))?;
        let mut scores = Vec::new();
        part.read_scores(|block| {
            scores.extend_from_slice(block);
            Ok(())
        })?;
        Ok((part.header, scores))
    }

    fn read_file(path: &Path) -> (PartHeader, Vec<u8>) {
        read(&std::fs::read(path).unwrap()).unwrap()
    }

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
        let (header, scores) = read_file(&path);
        assert_eq!(scores, SCORES);
        assert_eq!((header.identity, header.effort.nodes), (identity(), 5));
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
            assert!(read(&bytes).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(read(&good[..length]).is_err(), "cut to {length}");
        }
        assert!(read(&[&good[..], &[64]].concat()).is_err());
        assert!(read(&good).is_ok());
    }

    #[test]
    fn a_part_of_several_blocks_is_read_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.part");
        let scores: Vec<u8> = (0..2 * BLOCK_BYTES + 5).map(|at| (at % 251) as u8).collect();
        let identity = PartIdentity { count: scores.len() as u64, ..identity() };
        write(&path, identity, Effort::default(), &scores).unwrap();
        assert!(read_file(&path).1 == scores);
        let store = Folder::new(folder.path());
        let part = Part::open(&store, "x.part".as_ref()).unwrap();
        let mut lengths = Vec::new();
        let note = |block: &[u8]| {
            lengths.push(block.len() as u64);
            Ok(())
        };
        part.read_scores(note).unwrap();
        assert_eq!(lengths, [BLOCK_BYTES - 94, BLOCK_BYTES, 99]);
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
        let (header, scores) = read_file(&path);
        let book = (Size::new(4, 4).unwrap(), 2, ValueKind::Scores);
        let identity = PartIdentity::new(book, Shard::new(2, 3).unwrap(), 8, &(3..6));
        let effort = Effort { runs: 1, positions: 3, nodes: 1582, milliseconds: 10 };
        assert_eq!((header.identity, header.effort), (identity, effort));
        assert_eq!(scores, [64; 3]);
        write(&path, identity, effort, &scores).unwrap();
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
        assert!(matches!(read(b"my own notes"), Err(PartError::NoPart { .. })));
        let (_folder, path) = part();
        let good = std::fs::read(&path).unwrap();
        let cut = read(&good[..good.len() - 1]);
        assert!(matches!(cut, Err(PartError::Damaged { .. })));
    }
}
