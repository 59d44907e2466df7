//! The solved scores of an unfinished run, in a [`Log`] beside the book or part.
//!
//! A record holds the known scores of 24 consecutive positions, and the work spent until then. A killed
//! process loses the results since the last write, a fifth of a second ago.

use super::error::GenerateError;
use super::log::Log;
use super::part::{PartHeader, PartIdentity};
use super::report::Effort;
use crate::book::BookError;
use crate::files;
use crate::scores::{ABSENT, decode};
use fourbook_solver::text::{count, grouped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions of a record.
const BLOCK: usize = 24;

/// The content of a record.
#[derive(Serialize, Deserialize)]
struct Record {
    /// The number of the first position in the shard.
    first: u64,
    /// The spent work.
    effort: Effort,
    /// [Encoded scores](crate::scores), [`ABSENT`] for positions that are not solved or not there.
    scores: [u8; BLOCK],
}

/// A checkpoint that this process alone works on.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) log: Log<PartIdentity>,
    pub(super) identity: PartIdentity,
    /// The work spent by earlier runs.
    pub(super) effort: Effort,
    /// The [encoded scores](crate::scores) of the positions.
    scores: Vec<AtomicU8>,
    /// The blocks with scores that are not in the file yet.
    changed: Mutex<BTreeSet<usize>>,
}

impl Checkpoint {
    /// Resumes the checkpoint in a log, or begins one.
    pub(super) fn open(
        mut log: Log<PartIdentity>,
        identity: PartIdentity,
    ) -> Result<Self, GenerateError> {
        if let Some(found) = log.found.filter(|&found| found != identity) {
            let expected = count(identity.count, "position");
            let problem = format!("expected {expected}, found {}", grouped(found.count));
            return Err(GenerateError::Checkpoint { path: log.path, problem });
        }
        let possible = identity.kind.possible_values(identity.size(), identity.depth);
        let scores: Vec<_> = (0..identity.count).map(|_| AtomicU8::new(ABSENT)).collect();
        let mut effort = Effort::default();
        log.open(&identity, |record: Record| {
            let places = usize::try_from(record.first).ok().and_then(|first| scores.get(first..));
            let mut known = record.scores.iter().copied().filter_map(decode);
            let Some(places) = places.filter(|_| known.all(|score| possible.contains(&score)))
            else {
                return false;
            };
            for (place, score) in places.iter().zip(record.scores) {
                if score != ABSENT {
                    place.store(score, Ordering::Relaxed);
                }
            }
            effort = record.effort;
            true
        })?;
        Ok(Checkpoint { log, identity, effort, scores, changed: Mutex::default() })
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

    /// Writes the scores that were kept since the last call, and the spent work; with
    /// `to_disk`, also waits until a power loss costs nothing of it.
    pub(super) fn save(&self, effort: Effort, to_disk: bool) -> Result<(), GenerateError> {
        let mut changed = std::mem::take(&mut *self.changed());
        if to_disk {
            // A record for the work, if there is no score.
            changed.insert(0);
        }
        let records = changed.into_iter().map(|block| {
            let first = block * BLOCK;
            let mut scores = [ABSENT; BLOCK];
            for (score, place) in scores.iter_mut().zip(&self.scores[first..]) {
                *score = place.load(Ordering::Relaxed);
            }
            Record { first: first as u64, effort, scores }
        });
        self.log.append(records, to_disk)
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
        self.log.remove()?;
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::log::PIECE;
    use crate::generate::part::Part;
    use crate::generate::{Plan, Shard};
    use fourbook_solver::ValueKind;
    use fourbook_solver::board::Size;
    use std::path::PathBuf;
    use std::{fs, io};
    use tempfile::TempDir;

    const EFFORT: Effort = Effort { runs: 2, positions: 3, nodes: 4, milliseconds: 5 };

    fn identity() -> PartIdentity {
        Plan::new(Size::STANDARD, 3).part(Shard::WHOLE, 121, 0..121)
    }

    fn open(path: &Path) -> Result<Checkpoint, GenerateError> {
        Checkpoint::open(Log::lock(path, &identity())?, identity())
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

    /// The layout that `docs/src/format.md` describes.
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
            let expected = if bit / 8 < 2 * PIECE { 2 } else { 1 };
            assert_eq!(opened(&bytes, &format!("bit {bit}")), expected, "bit {bit}");
        }
        for length in 0..good.len() {
            let records = length.saturating_sub(2 * PIECE) / PIECE;
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
        // Scores solved again are written behind.
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
        drop(Checkpoint::open(Log::lock(&path, &other).unwrap(), other).unwrap());
        let header = fs::read(&path).unwrap();
        fs::write(&path, [header, record].concat()).unwrap();
        let checkpoint = Checkpoint::open(Log::lock(&path, &other).unwrap(), other).unwrap();
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
        let error = Log::lock(&path, &other).unwrap_err().to_string();
        for part in ["win, draw or loss", "exact scores", "depth 3", "remove it"] {
            assert!(error.contains(part), "{error}");
        }
        let other = PartIdentity { count: 120, positions: 120, ..identity() };
        let error =
            Checkpoint::open(Log::lock(&path, &other).unwrap(), other).unwrap_err().to_string();
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
        open(&path).unwrap().log.remove().unwrap();
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
