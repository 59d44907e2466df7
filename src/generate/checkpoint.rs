//! The solved scores of an unfinished run, kept in a folder beside the book.
//!
//! `scores` has one byte a slot of the deepest ply, or a position of a shard: an
//! [encoded score](crate::book::encode), or 0 where nothing has been solved. It is
//! mapped into memory, so a solved position is in the checkpoint at once: a killed
//! process loses only the positions that it was solving.
//!
//! # After a crash of the system
//!
//! The file is written in full, with zeros, and is on the disk before the header
//! that makes it a checkpoint. From then on a byte changes once, from 0 to its
//! score, and no byte depends on another. So whatever mixture of old and new
//! sectors a power loss leaves is a checkpoint too, of a little less work. A
//! sector that the disk garbled is noticed when the run is resumed: a byte that is
//! no possible score of its ply, or that stands where no position needs a score,
//! is an error. On 7x6 about nine in ten random bytes are, and a sector has 512.
//!
//! # Copies
//!
//! For the same reason a copy of the files is a checkpoint, even one taken while a run
//! writes: it has each score or 0. A copy that lacks the header or some of the scores is
//! an error.

use super::error::{GenerateError, io_error};
use super::shard::PartIdentity;
use crate::envelope::Envelope;
use crate::files::{folder_of, sync_folder};
use crate::mapping::{FrozenScores, ScoreMap};
use fourbook_solver::text::{count, grouped};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU8;

/// The most bytes of a header's content.
pub(super) const MOST_HEADER_BYTES: usize = 4096;

/// The file of a header: the identity of the part whose scores the checkpoint has.
pub(super) const HEADER: Envelope =
    Envelope { magic: *b"4BK-SHRD", version: 1, most_bytes: MOST_HEADER_BYTES };

/// The work spent on a checkpoint by all runs that used it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Runs that solved positions.
    pub runs: u32,
    /// Positions solved.
    pub positions: u64,
    /// Nodes visited by the search.
    pub nodes: u64,
    /// Time spent solving, in milliseconds.
    pub milliseconds: u64,
}

/// The file of an effort.
const EFFORT: Envelope =
    Envelope { magic: *b"4BK-WORK", version: 1, most_bytes: MOST_HEADER_BYTES };

/// The file of the scores of the checkpoint in `folder`.
pub(super) fn scores_path(folder: &Path) -> PathBuf {
    folder.join("scores")
}

/// A checkpoint that this process alone works on.
#[derive(Debug)]
pub(super) struct Checkpoint {
    folder: PathBuf,
    scores: ScoreMap,
}

impl Checkpoint {
    /// Opens the checkpoint in `folder`, or begins it there.
    pub(super) fn open(folder: &Path, purpose: &PartIdentity) -> Result<Self, GenerateError> {
        let mut file = Checkpoint::lock(folder)?;
        match read_header(folder)? {
            Some(found) => check_unchanged(folder, &file, purpose, &found)?,
            None => begin(folder, &mut file, purpose)?,
        }
        let scores = ScoreMap::new(file).map_err(io_error("map", &scores_path(folder)))?;
        Ok(Checkpoint { folder: folder.to_owned(), scores })
    }

    /// The file of the scores in `folder`, locked and with whatever is in it; both are made
    /// if they do not exist.
    fn lock(folder: &Path) -> Result<File, GenerateError> {
        fs::create_dir_all(folder).map_err(io_error("create the folder", folder))?;
        let path = scores_path(folder);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io_error("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(GenerateError::Locked(folder.to_owned())),
            Err(TryLockError::Error(source)) => Err(io_error("lock", &path)(source)),
        }
    }

    /// The scores: one byte a place.
    pub(super) fn scores(&self) -> &[AtomicU8] {
        self.scores.bytes()
    }

    /// Waits until every solved score is on the disk, so that it
    /// outlives a power loss.
    pub(super) fn flush(&self) -> Result<(), GenerateError> {
        self.scores.flush().map_err(io_error("write", &scores_path(&self.folder)))
    }

    /// The work spent by earlier runs; zero if the file is missing or unreadable.
    pub(super) fn effort(&self) -> Effort {
        let bytes = fs::read(self.folder.join("effort")).unwrap_or_default();
        EFFORT.open_all(&bytes).unwrap_or_default()
    }

    /// Stores the work spent by all runs.
    pub(super) fn set_effort(&self, effort: &Effort) -> Result<(), GenerateError> {
        let path = self.folder.join("effort");
        write_whole(&path, &seal(&EFFORT, effort)).map_err(io_error("write", &path))
    }

    /// The error for an impossible byte among the scores.
    pub(super) fn damaged(&self, place: u64, byte: u8) -> GenerateError {
        let problem = format!("byte {place} is {byte}, which is no score that can stand there");
        GenerateError::Checkpoint { path: scores_path(&self.folder), problem }
    }

    /// The scores, which are complete and will not change any more.
    pub(super) fn freeze(self) -> FrozenScores {
        self.scores.freeze()
    }
}

/// Removes a checkpoint that is mapped no more.
pub(super) fn remove(folder: &Path) -> Result<(), GenerateError> {
    // The header goes last: an interrupted removal leaves a folder that is refused as
    // damaged, not read as another checkpoint.
    for name in ["effort.new", "effort", "header.new", "scores", "header"] {
        let path = folder.join(name);
        if_there(fs::remove_file(&path)).map_err(io_error("remove", &path))?;
    }
    // Another process may have seen the finished work, too, and removed it first.
    if_there(fs::remove_dir(folder)).map_err(io_error("remove the folder", folder))?;
    Ok(())
}

/// `None` if the file or folder does not exist.
fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Replaces a file by one of these bytes. Whenever this process or the system ends, one of
/// the two is there, whole. Only for a checkpoint, which this process alone works on: the
/// unfinished file of an earlier run is overwritten.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    sync_folder(folder_of(path))
}

/// The purpose of the checkpoint in `folder`; `None` if there is no checkpoint, or it
/// cannot be read.
pub(super) fn purpose(folder: &Path) -> Result<Option<PartIdentity>, GenerateError> {
    match read_header(folder) {
        Err(GenerateError::Checkpoint { .. }) => Ok(None),
        found => found,
    }
}

/// The bytes of an envelope with this content.
///
/// # Panics
///
/// If they are too many, which no header of a few numbers has.
pub(super) fn seal(envelope: &Envelope, content: &impl Serialize) -> Vec<u8> {
    envelope.seal(content).expect("a header of a few numbers fits its envelope")
}

fn read_header(folder: &Path) -> Result<Option<PartIdentity>, GenerateError> {
    let path = folder.join("header");
    let bytes = if_there(fs::read(&path)).map_err(io_error("read", &path))?;
    let header = bytes.map(|bytes| HEADER.open_all(&bytes)).transpose();
    header.map_err(|error| GenerateError::Checkpoint { path, problem: error.to_string() })
}

/// Whether the checkpoint is for this purpose and has its full length.
fn check_unchanged(
    folder: &Path,
    scores: &File,
    expected: &PartIdentity,
    found: &PartIdentity,
) -> Result<(), GenerateError> {
    if found != expected {
        let problem = format!("it is for something else: expected {expected}, found {found}");
        return Err(GenerateError::Checkpoint { path: folder.to_owned(), problem });
    }
    let path = scores_path(folder);
    let length = scores.metadata().map_err(io_error("read", &path))?.len();
    if length != expected.count {
        let expected = count(expected.count, "byte");
        let problem = format!("expected {expected}, found {}", grouped(length));
        return Err(GenerateError::Checkpoint { path, problem });
    }
    Ok(())
}

/// Makes an empty checkpoint.
fn begin(folder: &Path, scores: &mut File, purpose: &PartIdentity) -> Result<(), GenerateError> {
    let (path, bytes) = (scores_path(folder), purpose.count);
    // A run that ended right here left zeros; anything else was a checkpoint once.
    let score = BufReader::new(&*scores).bytes().find(|byte| !matches!(byte, Ok(0)));
    if score.transpose().map_err(io_error("read", &path))?.is_some() {
        let problem = "it holds scores, but the header beside it is missing".to_owned();
        return Err(GenerateError::Checkpoint { path, problem });
    }
    // Zeros are written out to take room on the disk. In a file with holes, a write to the mapping
    // would end the process once the disk is full.
    let written = scores
        .set_len(0)
        .and_then(|()| scores.rewind())
        .and_then(|()| io::copy(&mut io::repeat(0).take(bytes), scores))
        .and_then(|_| scores.sync_all());
    written.map_err(|source| write_error(&path, bytes, source))?;
    sync_folder(folder).map_err(io_error("write", folder))?;
    let path = folder.join("header");
    write_whole(&path, &seal(&HEADER, purpose)).map_err(io_error("write", &path))?;
    // The folder itself is a name in its own folder.
    sync_folder(folder_of(folder)).map_err(io_error("write the folder of", folder))
}

/// Why `bytes` scores cannot be written.
fn write_error(path: &Path, bytes: u64, source: io::Error) -> GenerateError {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            GenerateError::DiskFull { path: path.to_owned(), bytes, source }
        }
        _ => io_error("write", path)(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::plan::Plan;
    use fourbook_solver::ValueKind;
    use fourbook_solver::board::Size;
    use std::sync::atomic::Ordering;

    fn identity() -> PartIdentity {
        Plan::new(Size::STANDARD, 3).part(None, 252, 0..252)
    }

    /// A checkpoint in a folder of its own, with one score; then closed.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("x.book.checkpoint");
        let checkpoint = Checkpoint::open(&folder, &identity()).unwrap();
        assert_eq!(checkpoint.scores().len(), 252);
        checkpoint.scores()[100].store(77, Ordering::Relaxed);
        (parent, folder)
    }

    fn open_error(folder: &Path) -> GenerateError {
        Checkpoint::open(folder, &identity()).unwrap_err()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note");
        for content in [&b"one"[..], b"another"] {
            write_whole(&path, content).unwrap();
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_score_is_there_when_the_checkpoint_is_opened_again() {
        let (_parent, folder) = folder();
        let checkpoint = Checkpoint::open(&folder, &identity()).unwrap();
        let frozen = checkpoint.freeze();
        let expected: Vec<u8> = (0..252).map(|slot| if slot == 100 { 77 } else { 0 }).collect();
        assert_eq!(*frozen, expected);
    }

    /// Files of a run of version 0.1 for a book of 6x6, win, draw or loss to ply 2.
    #[test]
    fn a_checkpoint_of_an_earlier_version_is_resumed() {
        let header = b"4BK-SHRD\x01\0\0\0\x2a\0\0\0\x06\x06\x02\0\0\0\x01\0\0\0\
            \0\0\0\0\0\0\0\0\x18\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
            \x18\0\0\0\0\0\0\0\xce\xa5\xce\x4b";
        let effort = b"4BK-WORK\x01\0\0\0\x1c\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\
            \x00\x90\0\0\0\0\0\0\x6c\x0a\0\0\0\0\0\0\x81\xdc\x28\x56";
        let plan = Plan::new(Size::new(6, 6).unwrap(), 2);
        let plan = Plan { kind: ValueKind::WinDrawLoss, ..plan };
        let identity = plan.part(None, 24, 0..24);
        assert_eq!(seal(&HEADER, &identity), header);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("header"), header).unwrap();
        fs::write(folder.path().join("effort"), effort).unwrap();
        fs::write(scores_path(folder.path()), [0; 24]).unwrap();
        let checkpoint = Checkpoint::open(folder.path(), &identity).unwrap();
        let expected = Effort { runs: 1, positions: 0, nodes: 36_864, milliseconds: 2668 };
        assert_eq!(checkpoint.effort(), expected);
        assert_eq!(seal(&EFFORT, &expected), effort);
    }

    #[test]
    fn two_runs_cannot_use_one_checkpoint() {
        let (_parent, folder) = folder();
        let _first = Checkpoint::open(&folder, &identity()).unwrap();
        assert!(matches!(open_error(&folder), GenerateError::Locked(_)));
    }

    #[test]
    fn a_checkpoint_for_another_book_is_refused() {
        let (_parent, folder) = folder();
        let other = PartIdentity { kind: ValueKind::WinDrawLoss, ..identity() };
        let error = Checkpoint::open(&folder, &other).unwrap_err().to_string();
        for part in ["win, draw or loss", "exact scores", "depth 3", "remove the folder"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_damaged_checkpoint_is_refused() {
        let (_parent, folder) = folder();
        let (header, scores) = (folder.join("header"), scores_path(&folder));
        let good = fs::read(&header).unwrap();
        fs::write(&header, &good[..good.len() - 1]).unwrap();
        let refused = |expected: &str| {
            let error = open_error(&folder).to_string();
            assert!(error.contains(expected), "{error}");
        };
        refused("header': expected");
        fs::remove_file(&header).unwrap();
        refused("the header beside it is missing");
        fs::write(&header, &good).unwrap();
        fs::write(&scores, [0; 251]).unwrap();
        refused("expected 252 bytes, found 251");
    }

    #[test]
    fn a_checkpoint_that_was_only_begun_is_begun_anew() {
        let (_parent, folder) = folder();
        fs::remove_file(folder.join("header")).unwrap();
        fs::write(scores_path(&folder), [0; 99]).unwrap();
        let checkpoint = Checkpoint::open(&folder, &identity()).unwrap();
        assert_eq!(checkpoint.scores().len(), 252);
    }

    #[test]
    fn the_effort_is_remembered_and_never_in_the_way() {
        let (_parent, folder) = folder();
        let checkpoint = Checkpoint::open(&folder, &identity()).unwrap();
        assert_eq!(checkpoint.effort(), Effort::default());
        let effort = Effort { runs: 2, positions: 3, nodes: 4, milliseconds: 5 };
        checkpoint.set_effort(&effort).unwrap();
        assert_eq!(checkpoint.effort(), effort);
        fs::write(folder.join("effort"), "damaged").unwrap();
        assert_eq!(checkpoint.effort(), Effort::default());
    }

    #[test]
    fn nothing_is_left_after_removal() {
        let (parent, folder) = folder();
        remove(&folder).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        let mut full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let error = io::copy(&mut io::repeat(0).take(10), &mut full).unwrap_err();
        let error = write_error(Path::new("scores"), 10, error);
        assert!(matches!(error, GenerateError::DiskFull { bytes: 10, .. }), "{error}");
    }
}
