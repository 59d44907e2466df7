//! A book from the parts of its shards.

use super::checkpoint::Effort;
use super::plan::Plan;
use super::shard::{Folder, Part, PartError, PartHeader, PartIdentity, PartStore, is_part_name};
use crate::board::Size;
use crate::progress::{Progress, Step};
use crate::scores::decode;
use std::ffi::OsString;
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

impl Parts {
    /// The parts in a folder; other files and folders in it do not matter.
    ///
    /// # Errors
    ///
    /// If one is missing, damaged, doubled or does not belong to the others; the
    /// error names them all.
    pub fn find(folder: impl AsRef<Path>) -> Result<Self, PartError> {
        Parts::find_in(Arc::new(Folder::new(folder.as_ref())), &())
    }

    /// The parts in a store; other files in it do not matter. Each is read once, a few
    /// megabytes at a time, to be sure that it is whole, and once more when it is merged.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_in(store: Arc<dyn PartStore>, progress: &dyn Progress) -> Result<Self, PartError> {
        let folder = store.path().to_owned();
        let mut problems = Vec::new();
        let mut found = Vec::new();
        let names = part_names(&*store)?;
        progress.begin(Step::CheckParts, names.len() as u64);
        for name in names {
            let part = Part::open(&*store, &name).and_then(|part| part.check().map(|()| part));
            match part {
                Ok(part) => found.push((folder.join(name), *part.header())),
                Err(error) => problems.push(error),
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
            None if problems.is_empty() => Err(PartError::NoParts(folder)),
            _ => Err(PartError::Problems { folder, problems }),
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
    pub(super) fn check_number(&self, expected: u64) -> Result<(), PartError> {
        let found = self.book.positions;
        if found != expected {
            return Err(PartError::Positions {
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
fn part_names(store: &dyn PartStore) -> Result<Vec<OsString>, PartError> {
    let error = |source| PartError::Folder { folder: store.path().to_owned(), source };
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
    problems: &mut Vec<PartError>,
) {
    found.retain(|(path, header)| {
        let belongs = header.identity.is_of_same_book(book);
        if !belongs {
            problems.push(PartError::Foreign {
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
            problems.push(PartError::Doubled { shard, first, second });
        }
    }
    let has = |index: &u32| {
        found.binary_search_by_key(index, |(_, header)| header.identity.index).is_ok()
    };
    let missing: Vec<u32> = (1..=book.of).filter(|index| !has(index)).collect();
    if !missing.is_empty() {
        let (folder, book) = (folder.to_owned(), Box::new(*book));
        problems.push(PartError::Missing { folder, book, missing });
    }
    if !problems.is_empty() {
        return;
    }
    for (path, header) in found.iter() {
        let range = header.identity.range();
        if range.start != next {
            let (path, expected, found) = (path.clone(), next, range.start);
            problems.push(PartError::Apart { path, expected, found });
        }
        next = range.end;
    }
    if let (Some((path, _)), true) = (found.last(), next != book.positions) {
        let (path, expected, found) = (path.clone(), book.positions, next);
        problems.push(PartError::End { path, expected, found });
    }
}
