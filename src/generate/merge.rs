//! A book from the parts of its shards.

use super::GenerateError;
use super::checkpoint::Effort;
use super::plan::Plan;
use super::shard::{
    Folder, Part, PartError, PartHeader, PartIdentity, PartStore, Shard, is_part_name,
};
use crate::board::Size;
use crate::errors::{count, with_causes};
use crate::progress::{Progress, Step};
use crate::scores::decode;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The parts of a book: all of its shards, each once and whole.
#[derive(Clone, Debug)]
pub struct Parts {
    store: Arc<dyn PartStore>,
    size: Size,
    /// What they are of, by the identity of one of them.
    book: PartIdentity,
    /// In the order of the shards.
    parts: Vec<(PathBuf, PartHeader)>,
    effort: Effort,
}

/// Why the parts in a folder make no book.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The folder cannot be read.
    #[error("cannot read the folder '{}'", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is none.
    #[error(
        "there are no parts in '{}': expected a file for each shard that was solved, such as 7x6-d12.2-of-4.part",
        .0.display()
    )]
    NoParts(PathBuf),
    /// Some are missing or wrong.
    #[error("the parts in '{}' make no book:\n{}", folder.display(), lines(problems))]
    Problems {
        /// The folder.
        folder: PathBuf,
        /// Everything that is wrong.
        problems: Vec<PartProblem>,
    },
    /// Their shards divide another number of positions than the book has.
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

/// What is wrong with a part, or a shard that has none.
#[derive(Debug, thiserror::Error)]
pub enum PartProblem {
    /// The file cannot be used.
    #[error(transparent)]
    Unusable(#[from] PartError),
    /// It belongs to another book, or to another number of shards.
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
    /// Two have the same shard.
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
    /// It does not begin where the one before it ends.
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
    /// The last one does not end where the positions do.
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
}

/// Names a book by one of its shards.
struct Book<'a>(&'a PartIdentity);

impl fmt::Display for Book<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartIdentity { width, height, depth, kind, .. } = self.0;
        write!(f, "{width}x{height}, depth {depth}, {kind}")
    }
}

fn lines(problems: &[PartProblem]) -> String {
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

impl Parts {
    /// The parts in a folder; other files and folders in it do not matter.
    ///
    /// # Errors
    ///
    /// If one is missing, damaged, doubled or does not belong to the others; the
    /// error names them all.
    pub fn find(folder: impl AsRef<Path>) -> Result<Self, MergeError> {
        Parts::find_in(Arc::new(Folder::new(folder.as_ref())), &())
    }

    /// The parts in a store; other files in it do not matter. Each is read once, a few
    /// megabytes at a time, to be sure that it is whole, and once more when it is merged.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_in(store: Arc<dyn PartStore>, progress: &dyn Progress) -> Result<Self, MergeError> {
        let folder = store.path().to_owned();
        let mut problems = Vec::new();
        let mut found = Vec::new();
        let names = part_names(&*store)?;
        progress.begin(Step::CheckParts, names.len() as u64);
        for name in names {
            let part = Part::open(&*store, &name).and_then(|part| part.check().map(|()| part));
            match part {
                Ok(part) => found.push((folder.join(name), *part.header())),
                Err(error) => problems.push(error.into()),
            }
            progress.advance(1);
        }
        let book = most_frequent(&found);
        if let Some(book) = book {
            found.sort_by_key(|(_, header)| header.identity.index);
            check(&folder, &book, &mut found, &mut problems);
        }
        match book.and_then(|book| Some((book, book.size()?))) {
            Some((book, size)) if problems.is_empty() => Ok(Parts {
                store,
                size,
                book,
                effort: found.iter().map(|(_, header)| header.effort).sum(),
                parts: found,
            }),
            None if problems.is_empty() => Err(MergeError::NoParts(folder)),
            _ => Err(MergeError::Problems { folder, problems }),
        }
    }

    /// The plan of the book that [`merge`](super::merge()) makes of them.
    #[must_use]
    pub fn plan(&self, out: PathBuf, threads: usize) -> Plan {
        let PartIdentity { depth, kind, .. } = self.book;
        Plan { kind, threads, table_bytes: 0, out, ..Plan::new(self.size, depth) }
    }

    /// How many there are.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.book.of
    }

    /// The work spent on all of them together.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Makes sure that they divide as many positions as there are.
    pub(super) fn check_number(&self, expected: u64) -> Result<(), MergeError> {
        let found = self.book.positions;
        if found != expected {
            return Err(MergeError::Positions {
                folder: self.store.path().to_owned(),
                expected,
                found,
            });
        }
        Ok(())
    }

    /// The parts, in order, opened again one after the other; an error for one whose header
    /// has changed.
    pub(super) fn read(&self) -> impl Iterator<Item = Result<Part, PartError>> {
        self.parts.iter().map(|(path, header)| {
            let part = Part::open(&*self.store, path.file_name().unwrap_or_default())?;
            if part.header() != header {
                return Err(part.damaged("it was replaced while parts were merged".to_owned()));
            }
            Ok(part)
        })
    }
}

impl Part {
    /// The error that says that the part holds an impossible score.
    pub(super) fn impossible(&self, byte: u8) -> PartError {
        self.damaged(match decode(byte) {
            Some(score) => format!("no position of its ply has the score {score}"),
            None => "a position lacks its score".to_owned(),
        })
    }
}

/// The names in a store that are meant to be those of parts, sorted.
fn part_names(store: &dyn PartStore) -> Result<Vec<OsString>, MergeError> {
    let error = |source| MergeError::Folder { folder: store.path().to_owned(), source };
    let mut names = store.names().map_err(error)?;
    names.retain(|name| is_part_name(Path::new(name)));
    names.sort();
    Ok(names)
}

/// The book that most of the parts belong to.
fn most_frequent(found: &[(PathBuf, PartHeader)]) -> Option<PartIdentity> {
    let mut books: Vec<(PartIdentity, usize)> = Vec::new();
    for (_, PartHeader { identity, .. }) in found {
        match books.iter_mut().find(|(book, _)| book.is_of_same_book(identity)) {
            Some((_, parts)) => *parts += 1,
            None => books.push((*identity, 1)),
        }
    }
    // The first of those that are equally frequent.
    books.into_iter().rev().max_by_key(|&(_, parts)| parts).map(|(book, _)| book)
}

/// Looks whether the parts that were found, in the order of their shards, are
/// those of all shards of a book; removes those that are not of it.
fn check(
    folder: &Path,
    book: &PartIdentity,
    found: &mut Vec<(PathBuf, PartHeader)>,
    problems: &mut Vec<PartProblem>,
) {
    found.retain(|(path, header)| {
        let belongs = header.identity.is_of_same_book(book);
        if !belongs {
            problems.push(PartProblem::Foreign {
                path: path.clone(),
                expected: Box::new(*book),
                found: Box::new(header.identity),
            });
        }
        belongs
    });
    let mut next = 0;
    for pair in found.windows(2) {
        let [(first, one), (second, other)] = pair else { continue };
        if let (true, Some(shard)) =
            (one.identity.index == other.identity.index, one.identity.shard())
        {
            let (first, second) = (first.clone(), second.clone());
            problems.push(PartProblem::Doubled { shard, first, second });
        }
    }
    let has = |index: &u32| {
        found.binary_search_by_key(index, |(_, header)| header.identity.index).is_ok()
    };
    let missing: Vec<u32> = (1..=book.of).filter(|index| !has(index)).collect();
    if !missing.is_empty() {
        let (folder, book) = (folder.to_owned(), Box::new(*book));
        problems.push(PartProblem::Missing { folder, book, missing });
    }
    if !problems.is_empty() {
        return;
    }
    for (path, header) in found.iter() {
        let range = header.identity.range();
        if range.start != next {
            let (path, expected, found) = (path.clone(), next, range.start);
            problems.push(PartProblem::Apart { path, expected, found });
        }
        next = range.end;
    }
    if let (Some((path, _)), true) = (found.last(), next != book.positions) {
        let (path, expected, found) = (path.clone(), book.positions, next);
        problems.push(PartProblem::End { path, expected, found });
    }
}

impl From<MergeError> for GenerateError {
    fn from(error: MergeError) -> Self {
        GenerateError::Merge(Box::new(error))
    }
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
