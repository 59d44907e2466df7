//! Why a plan cannot be carried out.

use crate::board::Size;
use crate::enumerate::PlyError;
use crate::memory::HumanBytes;
use crate::rank::deepest_ply;
use std::io;
use std::path::PathBuf;

/// Why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The board has no positions so deep that need an entry.
    #[error("depth {depth} is too deep for {size}: expected {}", expected_depths(*size))]
    Depth {
        /// The board.
        size: Size,
        /// The depth asked for.
        depth: u32,
    },
    /// A ply has more positions than can be numbered.
    #[error(transparent)]
    Ply(#[from] PlyError),
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
