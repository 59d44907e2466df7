//! The file of a shard's scores; `books/FORMAT.md` has it byte by byte.

use super::{PartIdentity, Shard};
use crate::envelope::{Envelope, EnvelopeError, Opened};
use crate::files;
use crate::generate::checkpoint::{Effort, MOST_HEADER_BYTES, seal};
use crate::generate::error::{GenerateError, io_error};
use crate::generate::plan::Plan;
use fourbook_solver::text::{count, grouped};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// The header of a part, before its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHeader {
    /// The scores that the part holds.
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

/// Reads the part of a shard of the plan's book at `path`, if it is there.
pub(super) fn find(
    path: &Path,
    plan: &Plan,
    shard: Shard,
) -> Result<Option<PartHeader>, GenerateError> {
    match Part::open(path).and_then(Part::check) {
        Ok(header) => {
            let expected = plan.part(Some(shard), 0, 0..0);
            let found = header.identity;
            if !found.is_same_shard(&expected) {
                let problem = format!(
                    "is not the part that its name says: expected {expected}, found {found}; rename it, or move it to another folder"
                );
                return Err(GenerateError::Part { path: path.to_owned(), problem });
            }
            Ok(Some(header))
        }
        Err(GenerateError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Bytes that are read at a time.
const BLOCK_BYTES: usize = 4 << 20;

/// A part whose header is as it was written.
pub(in crate::generate) struct Part {
    path: PathBuf,
    pub(in crate::generate) header: PartHeader,
    scores: Box<dyn Read>,
}

impl Part {
    /// Opens a part and reads its header.
    pub(in crate::generate) fn open(path: &Path) -> Result<Self, GenerateError> {
        let file = File::open(path).map_err(io_error("read", path))?;
        Part::of(path.to_owned(), Box::new(file))
    }

    /// The part with these bytes.
    fn of(path: PathBuf, mut bytes: Box<dyn Read>) -> Result<Self, GenerateError> {
        let mut start = Vec::new();
        let read = bytes.by_ref().take(HEADER.most_length()).read_to_end(&mut start);
        read.map_err(io_error("read", &path))?;
        let opened = open_header(&path, &start)?;
        let scores = Cursor::new(start.split_off(opened.bytes)).chain(bytes);
        Ok(Part { path, header: opened.content, scores: Box::new(scores) })
    }

    /// Makes sure that the scores are as they were written.
    pub(in crate::generate) fn check(mut self) -> Result<PartHeader, GenerateError> {
        self.read_scores(|_| Ok(())).map(|()| self.header)
    }

    /// Hands the scores, one [encoded score](crate::scores) a position, to `take` in their order,
    /// block by block, until it finds a problem. Whether they are intact is known only at the end.
    pub(in crate::generate) fn read_scores(
        &mut self,
        mut take: impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), GenerateError> {
        let mut hasher = crc32fast::Hasher::new();
        let (mut block, mut length) = (vec![0; BLOCK_BYTES], 0);
        loop {
            let read = match self.scores.read(&mut block) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(io_error("read", &self.path))?,
            };
            if read == 0 {
                break;
            }
            hasher.update(&block[..read]);
            take(&block[..read]).map_err(|problem| self.damaged(problem))?;
            length += read as u64;
        }
        let PartHeader { identity: PartIdentity { count: places, .. }, crc, .. } = self.header;
        let found = hasher.finalize();
        if (length, found) != (places, crc) {
            let expected = count(places, "byte");
            return Err(self.damaged(format!(
                "expected {expected} of scores with the checksum {crc:08x}, found {} with {found:08x}",
                grouped(length)
            )));
        }
        Ok(())
    }

    /// The error for a damaged part.
    pub(in crate::generate) fn damaged(&self, problem: String) -> GenerateError {
        GenerateError::DamagedPart { path: self.path.clone(), problem }
    }
}

/// Writes a part; it has its name only when it is whole and on the disk.
pub(super) fn write(
    path: &Path,
    identity: PartIdentity,
    effort: Effort,
    scores: &[u8],
) -> Result<PartHeader, GenerateError> {
    let header = PartHeader { identity, effort, crc: crc32fast::hash(scores) };
    let written = files::replace(path, |out| {
        out.write_all(&seal(&HEADER, &header))?;
        out.write_all(scores)
    });
    written.map(|()| header).map_err(io_error("write", path))
}

/// Reads the header from the first bytes of a part.
fn open_header(path: &Path, start: &[u8]) -> Result<Opened<PartHeader>, GenerateError> {
    let path = path.to_owned();
    let opened: Opened<PartHeader> = match HEADER.open(start) {
        Ok(opened) => opened,
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
    let identity = opened.content.identity;
    if identity.size().is_none() || Shard::new(identity.index, identity.of).is_err() {
        return Err(GenerateError::DamagedPart {
            path,
            problem: format!("there is no {identity}"),
        });
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::checkpoint;
    use crate::generate::shard::is_part_name;
    use fourbook_solver::ValueKind;
    use fourbook_solver::board::Size;

    const SCORES: [u8; 7] = [64, 65, 63, 60, 70, 64, 64];

    /// The header and the scores of a part with these bytes.
    fn read(bytes: &[u8]) -> Result<(PartHeader, Vec<u8>), GenerateError> {
        let mut part = Part::of("x.part".into(), Box::new(Cursor::new(bytes.to_vec())))?;
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
        let plan = Plan::new(Size::STANDARD, 4);
        plan.part(Some(Shard::new(2, 3).unwrap()), 568, 100..107)
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

    /// The layout that `books/FORMAT.md` describes.
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
        let mut part = Part::open(&path).unwrap();
        let mut lengths = Vec::new();
        let note = |block: &[u8]| {
            lengths.push(block.len());
            Ok(())
        };
        part.read_scores(note).unwrap();
        // The first bytes were read to find the header.
        let first = HEADER.most_length() as usize - 94;
        assert_eq!(lengths, [first, BLOCK_BYTES, BLOCK_BYTES + 5 - first]);
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
        let plan = Plan::new(Size::new(4, 4).unwrap(), 2);
        let identity = plan.part(Some(Shard::new(2, 3).unwrap()), 8, 3..6);
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
        let plan = Plan { kind: ValueKind::WinDrawLoss, ..Plan::new(Size::STANDARD, 4) };
        let identity = plan.part(Some(Shard::new(2, 3).unwrap()), 568, 190..379);
        assert_eq!(checkpoint::HEADER.open_all::<PartIdentity>(bytes), Ok(identity));
        assert_eq!(seal(&checkpoint::HEADER, &identity), bytes);
    }

    #[test]
    fn another_file_is_told_from_a_damaged_part() {
        assert!(matches!(read(b"my own notes"), Err(GenerateError::Part { .. })));
        let (_folder, path) = part();
        let good = std::fs::read(&path).unwrap();
        let cut = read(&good[..good.len() - 1]);
        assert!(matches!(cut, Err(GenerateError::DamagedPart { .. })));
    }
}
