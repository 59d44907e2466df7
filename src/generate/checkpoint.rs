//! The solved scores of an unfinished run: a log of records in a file beside the book or part.
//!
//! The file consists of pieces of 64 bytes: two copies of a header with the [`PartIdentity`], then
//! records. A record holds the known scores of 24 consecutive positions, the work spent until then,
//! and a checksum. The checksum covers the header, too, so records of another book or shard are
//! ignored. `books/FORMAT.md` describes the file byte by byte.
//!
//! # After a crash
//!
//! Records are only appended, and each is read independently of the others, if its checksum is right.
//! So any mixture of old and new sectors gives right scores, and a damaged record costs only its own
//! positions, which are solved again. A killed process loses the results since the last write, a fifth
//! of a second ago. The file is not mapped, so a full disk is an error.
//!
//! # Copies
//!
//! For the same reason a copy of the file is a checkpoint, even one taken while a run writes.

use super::error::GenerateError;
use super::part::{PartHeader, PartIdentity};
use super::report::Effort;
use crate::book::BookError;
use crate::envelope::{self, Envelope, EnvelopeError};
use crate::files::{self, LockedFile, folder_of, sync_folder};
use crate::scores::{ABSENT, decode};
use fourbook_solver::text::{count, grouped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The bytes of a record or a copy of the header. None crosses the border of two sectors.
const RECORD_BYTES: usize = 64;

/// Copies of the header.
const HEADERS: usize = 2;

/// Positions of a record.
const BLOCK: usize = 24;

/// How a header begins, which is padded with zeros. The version changes as that of a part does, and
/// with the record.
const ENVELOPE: Envelope =
    Envelope { magic: *b"\x894SAVE\r\n", version: 1, most_bytes: RECORD_BYTES - 20 };

/// The content of a record, before its checksum.
#[derive(Serialize, Deserialize)]
struct Record {
    /// The number of the first position in the shard.
    first: u64,
    /// The work spent so far.
    effort: Effort,
    /// [Encoded scores](crate::scores), [`ABSENT`] for positions that are not solved or not there.
    scores: [u8; BLOCK],
}

impl Record {
    /// The record as it is written, in a file with this checksum of the header.
    fn to_bytes(&self, header: u32) -> Vec<u8> {
        let mut bytes = envelope::encode(self);
        bytes.extend(checksum(header, &bytes).to_le_bytes());
        bytes
    }

    /// The record that these bytes are; `None` if they are damaged.
    fn open(header: u32, bytes: &[u8]) -> Option<Self> {
        let (content, sum) = bytes.split_last_chunk()?;
        let is_whole = checksum(header, content) == u32::from_le_bytes(*sum);
        is_whole.then(|| envelope::decode(content).ok())?
    }
}

/// The CRC-32 of a header and a record, from that of the header.
fn checksum(header: u32, record: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(header);
    hasher.update(record);
    hasher.finalize()
}

/// The file of a checkpoint that this process alone uses, as an earlier run has left it.
#[derive(Debug)]
pub(super) struct Locked {
    path: PathBuf,
    file: LockedFile,
    /// What it has scores of; `None` if no run has begun.
    pub(super) identity: Option<PartIdentity>,
}

impl Locked {
    /// Locks the checkpoint of `shard` at `path`, whose range of positions need not be known. Makes
    /// an empty file if there is none.
    pub(super) fn new(path: &Path, shard: &PartIdentity) -> Result<Self, GenerateError> {
        let unusable = |problem| Err(GenerateError::Checkpoint { path: path.to_owned(), problem });
        let file = lock(path)?;
        let identity = match read_header(&file).map_err(BookError::io("read", path))? {
            Ok(identity) => identity,
            Err(problem) => return unusable(problem.to_string()),
        };
        match identity.filter(|found| !found.is_same_shard(shard)) {
            Some(found) => {
                unusable(format!("it is for something else: expected {shard}, found {found}"))
            }
            None => Ok(Locked { path: path.to_owned(), file, identity }),
        }
    }

    /// Deletes the file.
    pub(super) fn remove(self) -> Result<(), GenerateError> {
        remove(&self.path)
    }

    /// Resumes the checkpoint, or begins one.
    pub(super) fn open(self, identity: PartIdentity) -> Result<Checkpoint, GenerateError> {
        let mut header = ENVELOPE.seal(&identity).expect("an identity fits its envelope");
        let header_checksum = header.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        let scores = (0..identity.count).map(|_| AtomicU8::new(ABSENT)).collect();
        let mut checkpoint = Checkpoint {
            locked: self,
            identity,
            header_checksum,
            effort: Effort::default(),
            scores,
            changed: Mutex::default(),
        };
        match checkpoint.locked.identity {
            Some(found) if found != identity => {
                let expected = count(identity.count, "position");
                let problem = format!("expected {expected}, found {}", grouped(found.count));
                return Err(GenerateError::Checkpoint { path: checkpoint.locked.path, problem });
            }
            Some(_) => {
                let resumed = checkpoint.resume();
                resumed.map_err(BookError::io("read", &checkpoint.locked.path))?;
            }
            None => {
                header.resize(RECORD_BYTES, 0);
                let begun = checkpoint.begin(&header.repeat(HEADERS));
                begun.map_err(BookError::io("write", &checkpoint.locked.path))?;
            }
        }
        Ok(checkpoint)
    }
}

/// Locks the file of a checkpoint, and makes an empty one if there is none.
pub(crate) fn lock(path: &Path) -> Result<LockedFile, GenerateError> {
    if path.is_dir() {
        let problem = "expected a file, found a folder".to_owned();
        return Err(GenerateError::Checkpoint { path: path.to_owned(), problem });
    }
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path).map_err(BookError::io("open", path))?;
    LockedFile::new(file, path).ok_or_else(|| GenerateError::Locked(path.to_owned()))
}

/// Deletes the file of a checkpoint. Another process may have done so first.
pub(crate) fn remove(path: &Path) -> Result<(), GenerateError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BookError::io("remove", path)(error).into())
        }
        _ => Ok(()),
    }
}

/// What the checkpoint has scores of; none if the file is empty or all zeros, as a run leaves it that
/// ends while it begins.
fn read_header(mut file: &File) -> io::Result<Result<Option<PartIdentity>, EnvelopeError>> {
    let length = file.metadata()?.len();
    if BufReader::new(file.take(length)).bytes().all(|byte| matches!(byte, Ok(0))) {
        return Ok(Ok(None));
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take((HEADERS * RECORD_BYTES) as u64).read_to_end(&mut bytes)?;
    let mut problem = EnvelopeError::Magic;
    for header in bytes.chunks(RECORD_BYTES) {
        let header = ENVELOPE.open::<PartIdentity>(header);
        match header.and_then(|header| header.content.checked()) {
            Ok(identity) => return Ok(Ok(Some(identity))),
            Err(error) => problem = error,
        }
    }
    Ok(Err(problem))
}

/// A checkpoint that this process alone works on.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) locked: Locked,
    pub(super) identity: PartIdentity,
    /// The checksum of the header.
    header_checksum: u32,
    /// The work spent by earlier runs.
    pub(super) effort: Effort,
    /// The [encoded scores](crate::scores) of the positions.
    scores: Vec<AtomicU8>,
    /// The blocks with scores that are not in the file yet.
    changed: Mutex<BTreeSet<usize>>,
}

impl Checkpoint {
    fn begin(&self, headers: &[u8]) -> io::Result<()> {
        let mut file: &File = &self.locked.file;
        file.rewind()?;
        file.write_all(headers)?;
        file.set_len(headers.len() as u64)?;
        file.sync_all()?;
        sync_folder(folder_of(&self.locked.path))
    }

    /// Takes the scores of all records that are whole.
    fn resume(&mut self) -> io::Result<()> {
        let PartIdentity { kind, depth, .. } = self.identity;
        let possible = kind.possible_values(self.identity.size(), depth);
        let start = (HEADERS * RECORD_BYTES) as u64;
        let mut file: &File = &self.locked.file;
        file.seek(SeekFrom::Start(start))?;
        let mut reader = BufReader::new(file);
        let mut record = Vec::new();
        let mut records = 0_u64;
        let mut damaged = 0_u64;
        loop {
            record.clear();
            reader.by_ref().take(RECORD_BYTES as u64).read_to_end(&mut record)?;
            if record.is_empty() {
                break;
            }
            records += 1;
            let place = |first: u64| self.scores.get(usize::try_from(first).ok()?..);
            let found = Record::open(self.header_checksum, &record)
                .filter(|record| {
                    record
                        .scores
                        .iter()
                        .all(|&byte| decode(byte).is_none_or(|score| possible.contains(&score)))
                })
                .and_then(|record| Some((place(record.first)?, record)));
            let Some((places, record)) = found else {
                damaged += 1;
                continue;
            };
            for (place, score) in places.iter().zip(record.scores) {
                if score != ABSENT {
                    place.store(score, Ordering::Relaxed);
                }
            }
            self.effort = record.effort;
        }
        if damaged > 0 {
            tracing::warn!(
                "'{}': {} of {} damaged, with at most {}; these are solved again",
                self.locked.path.display(),
                grouped(damaged),
                count(records, "record"),
                count(damaged * BLOCK as u64, "score")
            );
        }
        // A record that was written in part is replaced.
        let end = file.metadata()?.len() / RECORD_BYTES as u64 * RECORD_BYTES as u64;
        file.seek(SeekFrom::Start(end.max(start))).map(drop)
    }

    /// Whether a position of the shard is solved.
    pub(super) fn is_solved(&self, place: usize) -> bool {
        self.scores[place].load(Ordering::Relaxed) != ABSENT
    }

    /// How many positions are solved.
    pub(super) fn count_solved(&self) -> u64 {
        (0..self.scores.len()).filter(|&place| self.is_solved(place)).count() as u64
    }

    /// Keeps the encoded score of a position of the shard, to be written by the next
    /// [`save`](Self::save).
    pub(super) fn keep(&self, place: usize, score: u8) {
        self.scores[place].store(score, Ordering::Relaxed);
        self.changed().insert(place / BLOCK);
    }

    fn changed(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        // A thread that panicked left the set whole.
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the scores that were kept since the last call, and the work spent so far; with
    /// `to_disk`, also waits until a power loss costs nothing of it.
    pub(super) fn save(&self, effort: Effort, to_disk: bool) -> Result<(), GenerateError> {
        let mut changed = std::mem::take(&mut *self.changed());
        if to_disk {
            // A record for the work, if there is no score.
            changed.insert(0);
        }
        let mut bytes = Vec::with_capacity(changed.len() * RECORD_BYTES);
        for block in changed {
            let first = block * BLOCK;
            let mut scores = [ABSENT; BLOCK];
            for (score, place) in scores.iter_mut().zip(&self.scores[first..]) {
                *score = place.load(Ordering::Relaxed);
            }
            let record = Record { first: first as u64, effort, scores };
            bytes.extend(record.to_bytes(self.header_checksum));
        }
        let mut file: &File = &self.locked.file;
        let written = file.write_all(&bytes);
        let saved = written.and_then(|()| if to_disk { file.sync_data() } else { Ok(()) });
        Ok(saved.map_err(BookError::io("write", &self.locked.path))?)
    }

    /// Takes the encoded scores of the positions.
    pub(super) fn take_scores(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.scores).into_iter().map(AtomicU8::into_inner).collect()
    }

    /// Writes the part of the complete scores to `path`, and deletes the checkpoint.
    pub(super) fn finish(
        mut self,
        effort: Effort,
        path: &Path,
    ) -> Result<PartHeader, GenerateError> {
        let scores = self.take_scores();
        let header = PartHeader { identity: self.identity, effort, crc: crc32fast::hash(&scores) };
        let write = |out: &mut dyn Write| {
            out.write_all(&header.to_bytes())?;
            out.write_all(&scores)
        };
        files::replace(path, write).map_err(BookError::io("write", path))?;
        self.locked.remove()?;
        Ok(header)
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

    /// A checkpoint in a folder of its own, with scores of the first and the last position and a
    /// saved effort; then closed.
    fn checkpoint() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.book.checkpoint");
        let checkpoint = open(&path).unwrap();
        assert_eq!((checkpoint.scores.len(), checkpoint.effort), (121, Effort::default()));
        checkpoint.keep(0, 65);
        checkpoint.keep(120, 77);
        checkpoint.save(EFFORT, true).unwrap();
        (folder, path)
    }

    fn expected_scores() -> Vec<u8> {
        [&[65][..], &[0; 119], &[77]].concat()
    }

    fn assert_resumes(path: &Path, why: &str) {
        let mut checkpoint = open(path).unwrap();
        let found = (checkpoint.take_scores(), checkpoint.effort);
        assert_eq!(found, (expected_scores(), EFFORT), "{why}");
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
    fn the_bytes_are_where_the_format_says() {
        let (_folder, path) = checkpoint();
        let bytes = fs::read(path).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(bytes[..8], [0x89, 0x34, 0x53, 0x41, 0x56, 0x45, 0x0d, 0x0a]);
        // Version, bytes; depth, kind, shard, shards; the lower half of the numbers of positions.
        assert_eq!(
            [8, 12, 18, 22, 26, 30, 34, 42, 50].map(number),
            [1, 42, 3, 0, 1, 1, 121, 0, 121]
        );
        assert_eq!((bytes[16], bytes[17]), (7, 6));
        assert_eq!(number(58), crc32fast::hash(&bytes[..58]));
        assert_eq!(bytes[62..64], [0; 2]);
        assert_eq!(bytes[..64], bytes[64..128]);
        assert_eq!([128, 136, 140, 148, 156].map(number), [0, 2, 3, 4, 5]);
        assert_eq!(bytes[164..188], expected_scores()[..24]);
        assert_eq!(number(188), crc32fast::hash(&[&bytes[..58], &bytes[128..188]].concat()));
        assert_eq!((number(192), &bytes[228..229], bytes.len()), (120, &[77][..], 256));
    }

    #[test]
    fn no_changed_bit_and_no_cut_makes_a_score() {
        let (_folder, path) = checkpoint();
        let good = fs::read(&path).unwrap();
        let opened = |bytes: &[u8], why: &str| {
            fs::write(&path, bytes).unwrap();
            match open(&path) {
                Ok(mut checkpoint) => {
                    let scores = checkpoint.take_scores();
                    assert!(
                        scores
                            .iter()
                            .zip(&expected_scores())
                            .all(|(found, expected)| found == expected || *found == 0),
                        "{why}"
                    );
                    scores.iter().filter(|&&score| score != 0).count()
                }
                Err(GenerateError::Checkpoint { .. }) => 0,
                Err(error) => panic!("{why}: {error}"),
            }
        };
        for bit in 0..good.len() * 8 {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            // The other copy of the header, or the other record, is whole.
            let expected = if bit / 8 < 2 * RECORD_BYTES { 2 } else { 1 };
            assert_eq!(opened(&bytes, &format!("bit {bit}")), expected, "bit {bit}");
        }
        for length in 0..good.len() {
            let records = length.saturating_sub(2 * RECORD_BYTES) / RECORD_BYTES;
            assert_eq!(opened(&good[..length], &format!("cut to {length}")), records);
        }
    }

    /// Sectors of one write reach the disk in any order.
    #[test]
    fn a_record_is_resumed_without_those_before_it() {
        let (_folder, path) = checkpoint();
        let good = fs::read(&path).unwrap();
        let mut bytes = good.clone();
        bytes[128..192].fill(0);
        fs::write(&path, &bytes).unwrap();
        let checkpoint = open(&path).unwrap();
        assert!(!checkpoint.is_solved(0) && checkpoint.is_solved(120));
        // What is solved again is written behind.
        checkpoint.keep(0, 65);
        checkpoint.save(EFFORT, false).unwrap();
        drop(checkpoint);
        assert_resumes(&path, "its scores are found again");
        // A record that was written in part is replaced.
        fs::write(&path, &bytes[..200]).unwrap();
        let checkpoint = open(&path).unwrap();
        assert_eq!(checkpoint.count_solved(), 0);
        checkpoint.keep(0, 65);
        checkpoint.keep(120, 77);
        checkpoint.save(EFFORT, false).unwrap();
        drop(checkpoint);
        assert_resumes(&path, "a record was cut");
    }

    /// A sector may be left of another file.
    #[test]
    fn a_record_of_another_shard_counts_for_nothing() {
        let (_folder, path) = checkpoint();
        let record = fs::read(&path).unwrap()[128..].to_vec();
        fs::remove_file(&path).unwrap();
        let other = PartIdentity { first: 1, ..identity() };
        drop(Locked::new(&path, &other).unwrap().open(other).unwrap());
        let header = fs::read(&path).unwrap();
        fs::write(&path, [header, record].concat()).unwrap();
        let checkpoint = Locked::new(&path, &other).unwrap().open(other).unwrap();
        assert_eq!(checkpoint.count_solved(), 0);
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
    fn another_file_is_refused() {
        let (_folder, path) = checkpoint();
        let good = fs::read(&path).unwrap();
        assert_refused(&path, &good[..61], "expected 62 bytes, found 61");
        assert_refused(&path, b"my own notes", "it does not begin as such a file does");
        let mut bytes = good.clone();
        for at in [30, 94] {
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
            assert_eq!((checkpoint.count_solved(), checkpoint.effort), (0, Effort::default()));
            assert_eq!(fs::metadata(&path).unwrap().len(), 128);
        }
    }

    #[test]
    fn a_finished_checkpoint_becomes_a_part() {
        let (folder, path) = checkpoint();
        let part = folder.path().join("x.part");
        let header = open(&path).unwrap().finish(EFFORT, &part).unwrap();
        let found = Part::read(&part).unwrap();
        assert_eq!((found.header, found.scores().unwrap()), (header, &expected_scores()[..]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_left_after_removal() {
        let (folder, path) = checkpoint();
        open(&path).unwrap().locked.remove().unwrap();
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
