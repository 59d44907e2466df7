//! Why nothing was generated.

use super::shard::PartError;
use crate::board::Size;
use crate::book::BookError;
use crate::enumerate::PlyError;
use crate::envelope::EnvelopeError;
use crate::errors::count;
use crate::memory::HumanBytes;
use crate::rank::deepest_ply;
use crate::solver::TableError;
use rayon::ThreadPoolBuildError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a book was not generated: a plan that cannot be carried out, a checkpoint that cannot be
/// used, or a run that failed or was cancelled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The board has no positions so deep that need an entry.
    #[error("depth {depth} is too deep for {size}: expected {}", expected_depths(*size))]
    Depth {
        /// The board.
        size: Size,
        /// The depth asked for.
        depth: u32,
    },
    /// No threads.
    #[error("0 threads cannot solve anything; expected at least 1")]
    NoThreads,
    /// The output is no file name.
    #[error("expected the name of a file to write, found '{}'", .0.display())]
    NoFileName(PathBuf),
    /// There is something of that name already.
    #[error("'{}' exists already; remove it, or choose another file to write the book to", .0.display())]
    OutputExists(PathBuf),
    /// The file of the book is there and its checkpoint too: a run may have been ended
    /// between writing the one and removing the other.
    #[error(
        "'{}' exists already, and '{}' beside it, which a run leaves that is ended just after writing the book; verify the book: if it is whole, remove the latter, or else the former to have it written again from the latter",
        out.display(), checkpoint.display()
    )]
    OutputAndCheckpoint {
        /// The file of the book.
        out: PathBuf,
        /// The folder of the checkpoint.
        checkpoint: PathBuf,
    },
    /// The output's folder cannot be written to.
    #[error("cannot write into the folder '{}'; choose another file to write the book to", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Too little room on the disk.
    #[error(
        "the disk of the folder '{}' has {} free, but {} are needed for the checkpoint and the file; make room, choose a file on another disk or a smaller depth{}",
        folder.display(), HumanBytes(*free), HumanBytes(*needed), greatest(*fitting)
    )]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// Room needed, in bytes.
        needed: u64,
        /// Room there is, in bytes.
        free: u64,
        /// The greatest depth for which disk and memory suffice, if there is one.
        fitting: Option<u32>,
    },
    /// Too little memory.
    #[error(
        "{} of memory are available, but {} are needed, {} of them for the transposition table and {} for the threads; {}",
        HumanBytes(*available), HumanBytes(*needed), HumanBytes(*table), HumanBytes(*threads),
        save_memory(*needed, *table, *threads, *fitting)
    )]
    Memory {
        /// Memory needed, in bytes.
        needed: u64,
        /// Of it for the transposition table, in bytes.
        table: u64,
        /// Of it for what each thread has of its own, in bytes.
        threads: u64,
        /// Memory there is, in bytes.
        available: u64,
        /// The greatest depth for which disk and memory suffice, if there is one.
        fitting: Option<u32>,
    },
    /// Another process works on the checkpoint.
    #[error(
        "another run is using the checkpoint '{}'; wait for it to end, or write to another file",
        .0.display()
    )]
    Locked(PathBuf),
    /// Reading or writing the checkpoint failed.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no room on the disk for the checkpoint.
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
    /// The checkpoint's header cannot be understood.
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
    /// The checkpoint has scores but no header.
    #[error("'{}' holds scores, but the header beside it is missing; {}", .0.display(), REMEDY)]
    NoHeader(PathBuf),
    /// The checkpoint is for another book or shard.
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
    /// The checkpoint has too few or too many scores.
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
    /// A byte of the checkpoint is no score that can stand there.
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
    /// A copy of a checkpoint is something else, or its header is damaged.
    #[error("it is no copy of a checkpoint that this program can read")]
    CopyHeader(#[source] EnvelopeError),
    /// A copy of a checkpoint is not as it was written.
    #[error("it is damaged: {0}")]
    CopyDamaged(String),
    /// The part of a shard cannot be used, or parts make no book.
    #[error(transparent)]
    Part(Box<PartError>),
    /// The book cannot be written.
    #[error(transparent)]
    Write(#[from] BookError),
    /// The book is written, its report is not.
    #[error("the book is complete, but its report '{}' cannot be written", path.display())]
    Report {
        /// The file of the report.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The positions cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// The threads could not be started.
    #[error("cannot start {}; choose fewer threads", count(threads, "thread"))]
    Threads {
        /// How many.
        threads: usize,
        /// What went wrong.
        source: ThreadPoolBuildError,
    },
    /// The run was cancelled. What has been solved is in the checkpoint.
    #[error("{}", interruption(checkpoint, *solved))]
    Interrupted {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// How many positions of the deepest ply are solved, and how many
        /// there are, if the run came so far as to count them.
        solved: Option<(u64, u64)>,
    },
    /// Estimating was cancelled; there is nothing to keep.
    #[error("interrupted")]
    Cancelled,
    /// Positions lack a score though all have been solved: a fault of this program, or
    /// another program has written to the checkpoint.
    #[error(
        "expected the scores of {}, found {solved}: the checkpoint '{}' was changed by another program, or this one is at fault; remove the checkpoint to start anew",
        count(stored, "position"), checkpoint.display()
    )]
    Incomplete {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// Positions that have a score.
        solved: u64,
        /// Positions that need one.
        stored: u64,
    },
}

impl From<PartError> for GenerateError {
    fn from(error: PartError) -> Self {
        GenerateError::Part(Box::new(error))
    }
}

const REMEDY: &str =
    "remove the folder of the checkpoint to start anew, or write to another file to keep it";

fn interruption(checkpoint: &Path, solved: Option<(u64, u64)>) -> String {
    let checkpoint = checkpoint.display();
    match solved {
        Some((solved, stored)) => {
            format!(
                "interrupted; solved and kept in '{checkpoint}': {solved} of {}",
                count(stored, "position")
            )
        }
        None => format!("interrupted before solving; '{checkpoint}' is as it was"),
    }
}

/// The depths that books of a board can have, and why no others.
fn expected_depths(size: Size) -> String {
    let deepest = deepest_ply(size);
    let reason = if deepest + 1 == size.cells() {
        "a full board needs no entry"
    } else {
        "deeper plies have more positions than can be numbered"
    };
    format!("0 to {deepest} plies, since {reason}")
}

fn greatest(fitting: Option<u32>) -> String {
    fitting.map_or_else(String::new, |depth| format!(" (at most {depth})"))
}

/// What helps where memory is lacking.
fn save_memory(needed: u64, table: u64, threads: u64, fitting: Option<u32>) -> String {
    let positions = needed.saturating_sub(table.saturating_add(threads));
    match table.max(threads).max(positions) {
        largest if largest == table => "use a smaller transposition table".to_owned(),
        largest if largest == threads => "choose fewer threads".to_owned(),
        _ => format!("choose a smaller depth{}, or a larger machine", greatest(fitting)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_is_to_save_where_most_memory_goes() {
        assert!(save_memory(100, 80, 10, None).contains("table"));
        assert!(save_memory(100, 10, 80, None).contains("threads"));
        assert!(save_memory(100, 10, 10, None).contains("smaller depth, or"));
        assert!(save_memory(100, 10, 10, Some(7)).contains("depth (at most 7)"));
        // A table of any size can be asked for.
        assert!(save_memory(u64::MAX, u64::MAX, 8, None).contains("table"));
    }
}
