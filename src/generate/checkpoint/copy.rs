//! A checkpoint as one run of bytes, to be kept elsewhere and put back on another machine.
//!
//! An envelope, with the files `header` and `effort` and the checksum of the scores, and
//! the scores. The checkpoint may be in use meanwhile: each byte of its scores changes
//! once, from 0 to its score, so a copy is a checkpoint of a little less work.

use super::{
    Checkpoint, MOST_HEADER_BYTES, if_there, scores_path, seal, write_scores, write_whole,
};
use crate::envelope::Envelope;
use crate::errors::{count, grouped};
use crate::files::{folder_of, sync_folder};
use crate::generate::error::{GenerateError, io_error};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Read;
use std::path::Path;

/// The header of a copy, before its scores.
#[derive(Debug, Serialize, Deserialize)]
struct CopyHeader {
    /// The file of the header.
    header: Vec<u8>,
    /// The file of the effort; empty if there is none.
    effort: Vec<u8>,
    /// Number of scores.
    places: u64,
    /// CRC-32 of the scores.
    crc: u32,
}

const COPY: Envelope =
    Envelope { magic: *b"4BK-COPY", version: 1, most_bytes: 3 * MOST_HEADER_BYTES };

/// Whether there is a checkpoint in `folder`.
#[must_use]
pub fn exists(folder: &Path) -> bool {
    folder.join("header").is_file()
}

/// A copy of the checkpoint in `folder`, which may be in use; `None` if there is none or it has
/// just been removed. It takes as much memory as the checkpoint has scores, a byte each.
///
/// # Errors
///
/// If it cannot be read.
pub fn copy_of(folder: &Path) -> Result<Option<Vec<u8>>, GenerateError> {
    // The header is written last and removed last.
    let read = |name: &str| {
        let path = folder.join(name);
        if_there(fs::read(&path)).map_err(io_error("read", &path))
    };
    let (Some(header), Some(scores)) = (read("header")?, read("scores")?) else {
        return Ok(None);
    };
    let effort = read("effort")?.unwrap_or_default();
    let (places, crc) = (scores.len() as u64, crc32fast::hash(&scores));
    let mut copy = seal(&COPY, &CopyHeader { header, effort, places, crc });
    copy.extend(scores);
    Ok(Some(copy))
}

/// Puts a copy back as the checkpoint in `folder`. Its purpose is checked when the run resumes.
///
/// # Errors
///
/// If the copy is damaged, there is a checkpoint in use or it cannot be written.
pub fn put_back(copy: &[u8], folder: &Path) -> Result<(), GenerateError> {
    let opened = COPY.open::<CopyHeader>(copy);
    let opened = opened.map_err(|error| GenerateError::Copy(error.to_string()))?;
    let (CopyHeader { header, effort, places, crc }, scores) =
        (opened.content, &copy[opened.bytes..]);
    let (length, found) = (scores.len() as u64, crc32fast::hash(scores));
    if (length, found) != (places, crc) {
        let expected = count(places, "byte");
        return Err(GenerateError::Copy(format!(
            "expected {expected} of scores with the checksum {crc:08x}, found {} with {found:08x}",
            grouped(length)
        )));
    }
    let mut file = Checkpoint::lock(folder)?;
    write_scores(&mut file, &scores_path(folder), &mut scores.take(places))?;
    // The header is written last, as in a new checkpoint, since it makes the folder one.
    for (name, bytes) in [("effort", effort), ("header", header)] {
        let path = folder.join(name);
        if !bytes.is_empty() {
            write_whole(&path, &bytes).map_err(io_error("write", &path))?;
        }
    }
    sync_folder(folder_of(folder)).map_err(io_error("write the folder of", folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::generate::checkpoint::Effort;
    use crate::generate::plan::Plan;
    use crate::generate::shard::PartIdentity;
    use std::sync::atomic::Ordering;

    fn identity() -> PartIdentity {
        Plan::new(Size::STANDARD, 4).part(None, 1000, 0..1000)
    }

    #[test]
    fn a_copy_that_is_put_back_is_the_same_checkpoint() {
        let place = tempfile::tempdir().unwrap();
        let (here, there) = (place.path().join("here"), place.path().join("there/deeper"));
        assert!(copy_of(&here).unwrap().is_none());
        let checkpoint = Checkpoint::open(&here, &identity()).unwrap();
        checkpoint.scores()[17].store(64, Ordering::Relaxed);
        // At first no effort is recorded, then some is.
        for nodes in [0, 5] {
            let bytes = copy_of(&here).unwrap().expect("it is there");
            put_back(&bytes, &there).unwrap();
            assert!(exists(&there));
            let resumed = Checkpoint::open(&there, &identity()).unwrap();
            let scores: Vec<u8> =
                resumed.scores().iter().map(|byte| byte.load(Ordering::Relaxed)).collect();
            assert_eq!((scores.len(), scores[17]), (1000, 64));
            assert_eq!(scores.iter().filter(|&&byte| byte != 0).count(), 1);
            assert_eq!(resumed.effort().nodes, nodes);
            let refused = put_back(&bytes, &there).unwrap_err();
            assert!(matches!(refused, GenerateError::Locked(_)), "{refused}");
            checkpoint.set_effort(&Effort { nodes: 5, ..Effort::default() }).unwrap();
        }
    }

    #[test]
    fn any_changed_bit_and_any_cut_of_a_copy_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        let (here, there) = (place.path().join("here"), place.path().join("there"));
        let identity = PartIdentity { count: 20, ..identity() };
        drop(Checkpoint::open(&here, &identity).unwrap());
        let good = copy_of(&here).unwrap().unwrap();
        for bit in 0..good.len() * 8 {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(put_back(&bytes, &there).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(put_back(&good[..length], &there).is_err(), "cut to {length}");
        }
        assert!(!there.exists());
        put_back(&good, &there).unwrap();
    }
}
