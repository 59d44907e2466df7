//! Why nothing was generated.

use crate::book::BookError;
use crate::memory::HumanBytes;
use fourbook_solver::board::Size;
use fourbook_solver::text::{count, grouped, with_causes};
use fourbook_solver::{TableError, ValueKind};
use std::io;
use std::path::{Path, PathBuf};

/// Why a book was not generated: a plan that cannot be carried out, a checkpoint or part that
/// cannot be used, or a run that failed or was cancelled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The output is no file name, or has the name of a folder or device.
    #[error("expected the name of a file to write, found {}", found_at(.0))]
    NoFileName(PathBuf),
    /// There is something of that name already.
    #[error("'{}' exists already; remove it, or choose another file to write to", .0.display())]
    OutputExists(PathBuf),
    /// The output's folder cannot be written to.
    #[error("cannot write into the folder '{}'; choose another file to write to", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
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
        /// Part of the memory needed for the transposition table, in bytes.
        table: u64,
        /// Part of the memory needed for each thread's own data, in bytes.
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
    /// A checkpoint is damaged, or is for another book or shard.
    #[error(
        "cannot resume from '{}': {problem}; remove it to start anew, or write to another file to keep it",
        path.display()
    )]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// The expected and the actual content.
        problem: String,
    },
    /// There is no strategy of this depth.
    #[error("expected {expected}, found {found}; choose another depth")]
    Depth {
        /// The possible depths, or the most positions.
        expected: String,
        /// The depth, or where there are more positions.
        found: String,
    },
    /// The strategy to extend is another one.
    #[error(
        "expected a strategy of {expected}, found {found}; name another file, or make another strategy"
    )]
    Base {
        /// The board, the player and the kind of the strategy to make.
        expected: String,
        /// The strategy to extend.
        found: String,
    },
    /// A part is not as it was written.
    #[error("'{}' is damaged: {problem}; remove it and solve its shard again", path.display())]
    DamagedPart {
        /// The file.
        path: PathBuf,
        /// The expected and the actual content.
        problem: String,
    },
    /// A file is no part, or does not belong to the other parts.
    #[error("'{}' {problem}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The expected and the actual content, and the next step.
        problem: String,
    },
    /// Some shards have no part.
    #[error(
        "expected {of} parts in '{}', missing shards {} of {of}; solve each, such as --shard {}/{of} \
         ({size}, depth {depth}, {kind})",
        folder.display(), ranges(missing), missing[0]
    )]
    MissingParts {
        /// The folder.
        folder: PathBuf,
        /// The board of the book.
        size: Size,
        /// The deepest ply of the book.
        depth: u32,
        /// The kind of its values.
        kind: ValueKind,
        /// How many shards there are.
        of: u32,
        /// The numbers of those without a part, ascending.
        missing: Vec<u32>,
    },
    /// The folder has no parts.
    #[error(
        "there are no parts in '{}': expected a file for each shard that was solved, such as 7x6-d12.2-of-4.part",
        .0.display()
    )]
    NoParts(PathBuf),
    /// Some parts are missing or wrong.
    #[error("the parts in '{}' make no book:\n{}", folder.display(), lines(problems))]
    Parts {
        /// The folder.
        folder: PathBuf,
        /// Everything that is wrong.
        problems: Vec<GenerateError>,
    },
    /// The depth is too large for the board, there is no memory to enumerate the positions, or a
    /// book, checkpoint or part cannot be read or written.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The threads could not be started.
    #[error("cannot start {}; choose fewer threads", count(threads, "thread"))]
    Threads {
        /// How many.
        threads: usize,
        /// The operating system's error.
        source: io::Error,
    },
    /// The run, or the estimate, was cancelled. What has been solved is in the checkpoint.
    #[error("{}", interruption(checkpoint, *solved))]
    Interrupted {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// Numbers of solved and of all positions of the deepest ply, if the run
        /// had counted them.
        solved: Option<(u64, u64)>,
    },
}

fn interruption(checkpoint: &Path, solved: Option<(u64, u64)>) -> String {
    let Some((solved, stored)) = solved else {
        return "interrupted; nothing was written".to_owned();
    };
    let solved = grouped(solved);
    let stored = count(stored, "position");
    format!("interrupted; solved and kept in '{}': {solved} of {stored}", checkpoint.display())
}

fn found_at(path: &Path) -> String {
    let kind = match (path.is_dir(), path.exists()) {
        (true, _) => "the folder ",
        (false, true) => "the device ",
        (false, false) => "",
    };
    format!("{kind}'{}'", path.display())
}

fn greatest(fitting: Option<u32>) -> String {
    fitting.map_or_else(String::new, |depth| format!(" (at most {depth})"))
}

/// Advice for a lack of memory.
fn save_memory(needed: u64, table: u64, threads: u64, fitting: Option<u32>) -> String {
    let positions = needed.saturating_sub(table.saturating_add(threads));
    match table.max(threads).max(positions) {
        largest if largest == table => "use a smaller transposition table".to_owned(),
        largest if largest == threads => "choose fewer threads".to_owned(),
        _ => format!("choose a smaller depth{}, or a larger machine", greatest(fitting)),
    }
}

fn lines(problems: &[GenerateError]) -> String {
    problems.iter().map(|problem| with_causes(problem)).collect::<Vec<_>>().join("\n")
}

/// Ascending numbers as people, and job arrays, write them: `3,5-7`.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|&one, &next| one + 1 == next);
    let texts = runs.map(|run| match *run {
        [first, .., last] => format!("{first}-{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    });
    texts.collect::<Vec<_>>().join(",")
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

    #[test]
    fn numbers_are_listed_as_ranges() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[1, 2]), "1-2");
        assert_eq!(ranges(&[3, 5, 6, 7, 9]), "3,5-7,9");
    }
}
