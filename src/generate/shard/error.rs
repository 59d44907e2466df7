//! Why shards and their parts cannot be used.

use super::Shard;
use super::part::PartIdentity;
use crate::envelope::EnvelopeError;
use crate::errors::{count, with_causes};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a shard does not exist, its part cannot be used, or parts make no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// A text names no shard: it is not two numbers.
    #[error("'{0}' names no shard: expected its number and how many there are, such as 2/4")]
    ShardName(String),
    /// The number of a shard is too small or too large.
    #[error("there is no shard {index} of {of}: expected a number from 1 to {of}")]
    ShardIndex {
        /// The number.
        index: u32,
        /// How many there are.
        of: u32,
    },
    /// There are to be no shards, or too many.
    #[error("expected 1 to {} shards, not {of}", Shard::MOST)]
    ShardCount {
        /// How many there are to be.
        of: u32,
    },
    /// Reading or writing a part failed.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no part.
    #[error("'{}' is no part that this program can read; move it to another folder", path.display())]
    NoPart {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: EnvelopeError,
    },
    /// The header of a part is not as it was written.
    #[error("the header of '{}' is damaged; remove it and solve its shard again", path.display())]
    DamagedHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: EnvelopeError,
    },
    /// A part is not as it was written.
    #[error("'{}' is damaged: {problem}; remove it and solve its shard again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A part has another shard or another book than its name says.
    #[error(
        "'{}' is not the part that its name says: expected {expected}, found {found}; rename it, or move it to another folder",
        path.display()
    )]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// What should be there.
        expected: Box<PartIdentity>,
        /// What is there.
        found: Box<PartIdentity>,
    },
    /// A part belongs to another book, or to another number of shards.
    #[error(
        "'{}' does not belong to the others: expected a shard of {} of {}, found {found}; move it to another folder",
        path.display(), expected.of, Book(expected)
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// One of the others.
        expected: Box<PartIdentity>,
        /// What it is.
        found: Box<PartIdentity>,
    },
    /// Two parts have the same shard.
    #[error(
        "'{}' and '{}' both are shard {shard}; move one of them to another folder",
        first.display(), second.display()
    )]
    Doubled {
        /// The shard.
        shard: Shard,
        /// One file.
        first: PathBuf,
        /// The other one.
        second: PathBuf,
    },
    /// Shards that have no part.
    #[error("{}", describe_missing(folder, book, missing))]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// One of the shards that have one.
        book: Box<PartIdentity>,
        /// The numbers of the others, ascending.
        missing: Vec<u32>,
    },
    /// A part does not begin where the one before it ends.
    #[error(
        "'{}' is cut in another way than the others: expected position {expected} first, found {found}; solve its shard again",
        path.display()
    )]
    Apart {
        /// The file.
        path: PathBuf,
        /// Where it should begin.
        expected: u64,
        /// Where it begins.
        found: u64,
    },
    /// The last part does not end where the positions do.
    #[error(
        "'{}' is cut in another way than the others: expected it to end before position {expected}, found {found}; solve its shard again",
        path.display()
    )]
    End {
        /// The file.
        path: PathBuf,
        /// How many positions there are.
        expected: u64,
        /// Where it ends.
        found: u64,
    },
    /// The folder cannot be read.
    #[error("cannot read the folder '{}'", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The folder has no parts.
    #[error(
        "there are no parts in '{}': expected a file for each shard that was solved, such as 7x6-d12.2-of-4.part",
        .0.display()
    )]
    NoParts(PathBuf),
    /// Some parts are missing or wrong.
    #[error("the parts in '{}' make no book:\n{}", folder.display(), lines(problems))]
    Problems {
        /// The folder.
        folder: PathBuf,
        /// Everything that is wrong.
        problems: Vec<PartError>,
    },
    /// The shards divide another number of positions than the book has.
    #[error(
        "the parts in '{}' were made by another program: expected {}, found {found}; solve the shards again",
        folder.display(), count(expected, "position")
    )]
    Positions {
        /// The folder.
        folder: PathBuf,
        /// How many positions have to be solved.
        expected: u64,
        /// How many the parts state.
        found: u64,
    },
}

impl PartError {
    /// Whether the file is not there.
    pub(in crate::generate) fn is_not_found(&self) -> bool {
        matches!(self, PartError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Whether the file was a part once.
    pub(in crate::generate) fn is_damage(&self) -> bool {
        matches!(self, PartError::Damaged { .. } | PartError::DamagedHeader { .. })
    }
}

/// Names a book by one of its shards.
struct Book<'a>(&'a PartIdentity);

impl fmt::Display for Book<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartIdentity { width, height, depth, kind, .. } = self.0;
        write!(f, "{width}x{height}, depth {depth}, {kind}")
    }
}

fn lines(problems: &[PartError]) -> String {
    problems.iter().map(|problem| with_causes(problem)).collect::<Vec<_>>().join("\n")
}

fn describe_missing(folder: &Path, book: &PartIdentity, missing: &[u32]) -> String {
    let (list, folder, of) = (ranges(missing), folder.display(), book.of);
    let (shards, are) = if missing.len() == 1 { ("shard", "is") } else { ("shards", "are") };
    format!("{shards} {list} of {of} {are} missing in '{folder}'; solve each ({})", Book(book))
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
    fn numbers_are_listed_as_ranges() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[1, 2]), "1-2");
        assert_eq!(ranges(&[3, 5, 6, 7, 9]), "3,5-7,9");
    }
}
