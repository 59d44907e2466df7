//! The solved scores of an unfinished run: a part in progress, in a file beside the book or part.
//!
//! The file has a part's header, then a byte for each position of the shard, and the header once
//! more. A byte is an [encoded score](crate::scores), or 0 if the position has not been solved. The
//! file is mapped into memory, so a solved position is in the checkpoint at once: a killed process
//! loses only the positions that it was solving. A finished checkpoint lacks the second header; a
//! rename makes it a part.
//!
//! # After a crash of the system
//!
//! The file is written in full, with zeros, and is on the disk before the header that makes it a
//! checkpoint. From then on a byte of the scores changes once, from 0 to its score, and no byte
//! depends on another. Any mixture of old and new sectors that a power loss leaves is therefore a
//! checkpoint of a little less work. The headers, which have the work spent, are written one after
//! the other, so one of them is whole at any time. A byte that is no possible score of its ply is
//! an error. On 7x6 about nine in ten random bytes are, and a sector has 512.
//!
//! # Copies
//!
//! For the same reason a copy of the file is a checkpoint, even one taken while a run writes.

use super::error::GenerateError;
use super::part::{HEADER_BYTES, PartHeader, PartIdentity};
use super::report::Effort;
use crate::book::BookError;
use crate::files::{folder_of, sync_folder};
use crate::mapping::{LockedFile, ScoreMap};
use fourbook_solver::text::{count, grouped};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

/// The file of a checkpoint that this process alone uses, as an earlier run has left it.
#[derive(Debug)]
pub(super) struct Locked {
    path: PathBuf,
    file: LockedFile,
    /// The header; `None` if no run has begun.
    header: Option<PartHeader>,
}

impl Locked {
    /// Locks the checkpoint of `shard` at `path`, whose range of positions need not be known. Makes
    /// an empty file if there is none.
    pub(super) fn new(path: &Path, shard: &PartIdentity) -> Result<Self, GenerateError> {
        let unusable = |problem| Err(GenerateError::Checkpoint { path: path.to_owned(), problem });
        if path.is_dir() {
            return unusable("expected a file, found a folder".to_owned());
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(BookError::io("open", path))?;
        let mut file = match LockedFile::new(file) {
            Ok(file) => file,
            Err(TryLockError::WouldBlock) => return Err(GenerateError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => {
                return Err(BookError::io("lock", path)(source).into());
            }
        };
        let header = match read_header(&mut file).map_err(BookError::io("read", path))? {
            Ok(header) => header,
            Err(problem) => return unusable(problem),
        };
        match header.map(|header| header.identity).filter(|found| !found.is_same_shard(shard)) {
            Some(found) => {
                unusable(format!("it is for something else: expected {shard}, found {found}"))
            }
            None => Ok(Locked { path: path.to_owned(), file, header }),
        }
    }

    /// The identity with the range of positions, if an earlier run has found it.
    pub(super) fn identity(&self) -> Option<PartIdentity> {
        self.header.map(|header| header.identity)
    }

    /// Deletes the file.
    pub(super) fn remove(self) -> Result<(), GenerateError> {
        remove(&self.path)
    }

    /// Resumes the checkpoint, or begins one.
    pub(super) fn open(mut self, identity: PartIdentity) -> Result<Checkpoint, GenerateError> {
        let effort = match self.header {
            Some(header) => self.resume(&header, &identity)?,
            None => self.begin(&identity)?,
        };
        let map = ScoreMap::new(self.file).map_err(BookError::io("map", &self.path))?;
        Ok(Checkpoint { path: self.path, identity, effort, map })
    }

    fn resume(
        &mut self,
        header: &PartHeader,
        expected: &PartIdentity,
    ) -> Result<Effort, GenerateError> {
        let path = &self.path;
        let unusable = |unit: &str, expected: u64, found: u64| {
            let problem = format!("expected {}, found {}", count(expected, unit), grouped(found));
            Err(GenerateError::Checkpoint { path: path.clone(), problem })
        };
        if header.identity != *expected {
            return unusable("position", expected.count, header.identity.count);
        }
        let (length, whole) = (self.file.metadata().map(|it| it.len()), bytes_of(expected));
        match length.map_err(BookError::io("read", path))? {
            length if length == whole => {}
            // Finished, but not a part yet.
            length if length == whole - HEADER_BYTES as u64 => {
                write_zeros(&mut self.file, length, whole).map_err(BookError::io("write", path))?;
            }
            length => return unusable("byte", whole, length),
        }
        Ok(header.effort)
    }

    fn begin(&mut self, identity: &PartIdentity) -> Result<Effort, GenerateError> {
        let header = PartHeader { identity: *identity, effort: Effort::default(), crc: 0 };
        // Zeros take room on the disk. In a file with holes, a write to the mapping would end the
        // process once the disk is full.
        let mut write = || {
            write_zeros(&mut self.file, 0, bytes_of(identity))?;
            self.file.set_len(bytes_of(identity))?;
            self.file.rewind()?;
            self.file.write_all(&header.to_bytes())?;
            self.file.sync_all()?;
            sync_folder(folder_of(&self.path))
        };
        let written = write();
        if written.is_err() {
            let _ = self.file.set_len(0);
        }
        written.map_err(BookError::io("write", &self.path))?;
        Ok(header.effort)
    }
}

/// The bytes of a checkpoint.
fn bytes_of(identity: &PartIdentity) -> u64 {
    identity.count.saturating_add(2 * HEADER_BYTES as u64)
}

/// Writes zeros from byte `start` to byte `end`, which are then on the disk.
fn write_zeros(file: &mut File, start: u64, end: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    io::copy(&mut io::repeat(0).take(end - start), file)?;
    file.sync_all()
}

/// The header of a checkpoint; none if the file is empty or all zeros, as a run leaves it that ends
/// while it begins.
fn read_header(file: &mut File) -> io::Result<Result<Option<PartHeader>, String>> {
    let length = file.metadata()?.len();
    let mut problem = String::new();
    for start in [length.saturating_sub(HEADER_BYTES as u64), 0] {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
        match PartHeader::open(&bytes) {
            Ok(header) => return Ok(Ok(Some(header))),
            Err(error) => problem = error.to_string(),
        }
    }
    file.rewind()?;
    let mut bytes = BufReader::new(file.take(length)).bytes();
    let has_content = bytes.find(|byte| !matches!(byte, Ok(0))).transpose()?.is_some();
    Ok(if has_content { Err(problem) } else { Ok(None) })
}

/// Deletes a checkpoint that is mapped no more. Another process may have done so first.
fn remove(path: &Path) -> Result<(), GenerateError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BookError::io("remove", path)(error).into())
        }
        _ => Ok(()),
    }
}

/// A checkpoint that this process alone works on.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: PathBuf,
    pub(super) identity: PartIdentity,
    /// The work spent by earlier runs.
    pub(super) effort: Effort,
    map: ScoreMap,
}

impl Checkpoint {
    /// The scores: one byte a position.
    pub(super) fn scores(&self) -> &[AtomicU8] {
        let bytes = self.map.bytes();
        &bytes[HEADER_BYTES..bytes.len() - HEADER_BYTES]
    }

    /// A copy of the scores.
    pub(super) fn to_vec(&self) -> Vec<u8> {
        self.scores().iter().map(|byte| byte.load(Ordering::Relaxed)).collect()
    }

    /// Waits until every solved score and the work of all runs are on the disk, so that they
    /// outlive a power loss.
    pub(super) fn save(&self, effort: Effort) -> Result<(), GenerateError> {
        self.save_header(&PartHeader { identity: self.identity, effort, crc: 0 })
    }

    fn save_header(&self, header: &PartHeader) -> Result<(), GenerateError> {
        let bytes = self.map.bytes();
        // The first one changes once the last one is whole.
        for place in [&bytes[bytes.len() - HEADER_BYTES..], &bytes[..HEADER_BYTES]] {
            for (place, byte) in place.iter().zip(header.to_bytes()) {
                place.store(byte, Ordering::Relaxed);
            }
            self.map.flush().map_err(BookError::io("write", &self.path))?;
        }
        Ok(())
    }

    /// The error of a checkpoint with this problem.
    pub(super) fn error(&self, problem: String) -> GenerateError {
        GenerateError::Checkpoint { path: self.path.clone(), problem }
    }

    /// Makes the checkpoint, whose scores are complete, the part at `path` in the same folder.
    pub(super) fn finish(self, effort: Effort, path: &Path) -> Result<PartHeader, GenerateError> {
        let crc = crc32fast::hash(&self.to_vec());
        let header = PartHeader { identity: self.identity, effort, crc };
        self.save_header(&header)?;
        // Not every system shortens a file that is mapped.
        let file = self.map.into_file();
        file.set_len(bytes_of(&self.identity) - HEADER_BYTES as u64)
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&self.path, path))
            .and_then(|()| sync_folder(folder_of(path)))
            .map_err(BookError::io("write", path))?;
        Ok(header)
    }

    /// Deletes the checkpoint.
    pub(super) fn remove(self) -> Result<(), GenerateError> {
        // Not every system deletes a file that is mapped.
        drop(self.map);
        remove(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::part::Part;
    use crate::generate::{Plan, Shard};
    use fourbook_solver::ValueKind;
    use fourbook_solver::board::Size;
    use tempfile::TempDir;

    const EFFORT: Effort = Effort { runs: 2, positions: 3, nodes: 4, milliseconds: 5 };

    fn identity() -> PartIdentity {
        Plan::new(Size::STANDARD, 3).part(Shard::WHOLE, 121, 0..121)
    }

    fn open(path: &Path) -> Result<Checkpoint, GenerateError> {
        Locked::new(path, &identity())?.open(identity())
    }

    /// A checkpoint in a folder of its own, with one score and a saved effort; then closed.
    fn checkpoint() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.book.checkpoint");
        let checkpoint = open(&path).unwrap();
        assert_eq!((checkpoint.scores().len(), checkpoint.effort), (121, Effort::default()));
        checkpoint.scores()[100].store(77, Ordering::Relaxed);
        checkpoint.save(EFFORT).unwrap();
        (folder, path)
    }

    fn expected_scores() -> Vec<u8> {
        (0..121).map(|place| if place == 100 { 77 } else { 0 }).collect()
    }

    fn assert_resumes(path: &Path, why: &str) {
        let checkpoint = open(path).unwrap();
        assert_eq!((checkpoint.to_vec(), checkpoint.effort), (expected_scores(), EFFORT), "{why}");
    }

    /// The content of the file is refused and left as it is.
    fn assert_refused(path: &Path, content: &[u8], expected: &str) {
        fs::write(path, content).unwrap();
        let error = open(path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("remove it to start anew"), "{error}");
        assert!(fs::read(path).unwrap() == content);
    }

    #[test]
    fn scores_and_effort_are_there_when_the_checkpoint_is_opened_again() {
        let (_folder, path) = checkpoint();
        assert_resumes(&path, "nothing happened");
    }

    /// The layout that `books/FORMAT.md` describes.
    #[test]
    fn a_checkpoint_has_a_header_scores_and_the_header_again() {
        let (_folder, path) = checkpoint();
        let header = PartHeader { identity: identity(), effort: EFFORT, crc: 0 }.to_bytes();
        let expected = [&header[..], &expected_scores(), &header].concat();
        assert_eq!(fs::read(path).unwrap(), expected);
    }

    #[test]
    fn any_state_of_a_header_that_is_being_written_is_resumed() {
        let (_folder, path) = checkpoint();
        let new = fs::read(&path).unwrap();
        let old = PartHeader { identity: identity(), effort: Effort::default(), crc: 0 }.to_bytes();
        let last = new.len() - HEADER_BYTES;
        for written in 0..HEADER_BYTES {
            let mut bytes = new.clone();
            bytes[written..HEADER_BYTES].copy_from_slice(&old[written..]);
            fs::write(&path, bytes).unwrap();
            assert_resumes(&path, "the first header is written after the last one");
            let mut bytes = new.clone();
            bytes[last + written..].copy_from_slice(&old[written..]);
            bytes[..HEADER_BYTES].copy_from_slice(&old);
            fs::write(&path, bytes).unwrap();
            assert_eq!(open(&path).unwrap().to_vec(), expected_scores());
        }
    }

    #[test]
    fn two_runs_cannot_use_one_checkpoint() {
        let (_folder, path) = checkpoint();
        let _first = open(&path).unwrap();
        assert!(matches!(open(&path).unwrap_err(), GenerateError::Locked(_)));
    }

    #[test]
    fn a_checkpoint_for_another_book_is_refused() {
        let (_folder, path) = checkpoint();
        let other = PartIdentity { kind: ValueKind::WinDrawLoss, ..identity() };
        let error = Locked::new(&path, &other).unwrap_err().to_string();
        for part in ["win, draw or loss", "exact scores", "depth 3", "remove it"] {
            assert!(error.contains(part), "{error}");
        }
        let other = PartIdentity { count: 120, positions: 120, ..identity() };
        let error = Locked::new(&path, &other).unwrap().open(other).unwrap_err().to_string();
        assert!(error.contains("expected 120 positions, found 121"), "{error}");
        assert_resumes(&path, "it was refused");
    }

    #[test]
    fn a_damaged_checkpoint_is_refused() {
        let (_folder, path) = checkpoint();
        let good = fs::read(&path).unwrap();
        assert_refused(&path, &good[..good.len() - 1], "expected 309 bytes, found 308");
        assert_refused(&path, &[&good[..], &[0]].concat(), "expected 309 bytes, found 310");
        assert_refused(&path, &good[..HEADER_BYTES - 1], "expected 94 bytes, found 93");
        assert_refused(&path, b"my own notes", "it does not begin as such a file does");
        let mut bytes = good.clone();
        for at in [30, good.len() - 30] {
            bytes[at] ^= 1;
        }
        assert_refused(&path, &bytes, "expected the checksum of the header to be");
    }

    #[test]
    fn a_folder_in_its_place_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.book.checkpoint");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("scores"), [77]).unwrap();
        let error = open(&path).unwrap_err().to_string();
        let expected = format!("'{}': expected a file, found a folder; remove it", path.display());
        assert!(error.contains(&expected), "{error}");
        assert_eq!(fs::read(path.join("scores")).unwrap(), [77]);
    }

    #[test]
    fn a_checkpoint_that_was_only_begun_is_begun_anew() {
        let (_folder, path) = checkpoint();
        for bytes in [0, 1, 200, 1000] {
            fs::write(&path, vec![0; bytes]).unwrap();
            let checkpoint = open(&path).unwrap();
            assert_eq!((checkpoint.to_vec(), checkpoint.effort), (vec![0; 121], Effort::default()));
        }
    }

    #[test]
    fn a_finished_checkpoint_is_a_part() {
        let (folder, path) = checkpoint();
        let part = folder.path().join("x.part");
        let checkpoint = open(&path).unwrap();
        let header = checkpoint.finish(EFFORT, &part).unwrap();
        let found = Part::read(&part).unwrap();
        assert_eq!((found.header, found.scores().unwrap()), (header, &expected_scores()[..]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // A run may end just before the file gets its new name.
        let whole = fs::read(&part).unwrap();
        fs::rename(&part, &path).unwrap();
        assert_resumes(&path, "it is finished");
        open(&path).unwrap().finish(EFFORT, &part).unwrap();
        assert!(fs::read(&part).unwrap() == whole);
    }

    #[test]
    fn nothing_is_left_after_removal() {
        let (folder, path) = checkpoint();
        open(&path).unwrap().remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.book.checkpoint");
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let error = open(&path).unwrap_err();
        let GenerateError::Book(BookError::Io { action: "write", source, .. }) = error else {
            panic!("{error}")
        };
        assert_eq!(source.kind(), io::ErrorKind::StorageFull);
    }
}
