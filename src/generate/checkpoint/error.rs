//! What can be wrong with a checkpoint.

use crate::envelope::EnvelopeError;
use crate::errors::count;
use std::io;
use std::path::PathBuf;

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Another process works on it.
    #[error(
        "another run is using the checkpoint '{}'; wait for it to end, or write to another file",
        .0.display()
    )]
    Locked(PathBuf),
    /// Reading or writing it failed.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no room for it.
    #[error(
        "no room on the disk for '{}', which takes {bytes} bytes; make room or write to a file on another disk",
        path.display()
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// Its size, in bytes.
        bytes: u64,
        /// What the system says.
        source: io::Error,
    },
    /// Its header cannot be understood.
    #[error(
        "'{}' is not the header of a checkpoint that this program can resume; {}",
        path.display(), REMEDY
    )]
    Header {
        /// The header's file.
        path: PathBuf,
        /// What is wrong with it.
        source: EnvelopeError,
    },
    /// There are scores but no header.
    #[error("'{}' holds scores, but the header beside it is missing; {}", .0.display(), REMEDY)]
    NoHeader(PathBuf),
    /// It is for another book or shard.
    #[error(
        "the checkpoint '{}' is for something else: expected {expected}, found {found}; {}",
        folder.display(), REMEDY
    )]
    Arguments {
        /// The checkpoint.
        folder: PathBuf,
        /// The book or shard asked for.
        expected: String,
        /// The book or shard that the checkpoint is for.
        found: String,
    },
    /// The scores are too few or too many.
    #[error(
        "'{}' is damaged: expected {}, found {found}; {}",
        path.display(), count(expected, "byte"), REMEDY
    )]
    Length {
        /// The file of the scores.
        path: PathBuf,
        /// The length that the arguments give, in bytes.
        expected: u64,
        /// The file's length, in bytes.
        found: u64,
    },
    /// A byte of the scores is impossible.
    #[error(
        "'{}' is damaged: byte {slot} is {byte}, which is no score that can stand there; {}",
        path.display(), REMEDY
    )]
    Damaged {
        /// The file of the scores.
        path: PathBuf,
        /// Which byte.
        slot: u64,
        /// What it is.
        byte: u8,
    },
}

const REMEDY: &str =
    "remove the folder of the checkpoint to start anew, or write to another file to keep it";
