//! A book from the parts of its shards.

use super::error::GenerateError;
use super::part::{Part, PartHeader, PartIdentity};
use super::plan::Plan;
use super::report::Effort;
use super::shard::EXTENSION;
use crate::book::BookError;
use crate::progress::{Progress, Step};
use crate::scores::decode;
use fourbook_solver::text::{count, grouped};
use std::fs;
use std::path::{Path, PathBuf};

/// The parts of a book: one complete part for each shard.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The identity of one of the parts.
    book: PartIdentity,
    /// The parts, in the order of the shards.
    parts: Vec<(PathBuf, PartHeader)>,
}

impl Parts {
    /// Finds the parts in a folder, and reads each once to check it. Other files in the folder do
    /// not matter.
    ///
    /// # Errors
    ///
    /// If one is missing, damaged, doubled or does not belong to the others; the
    /// error names them all. If the work is cancelled.
    pub fn find(
        folder: impl Into<PathBuf>,
        progress: &dyn Progress,
    ) -> Result<Self, GenerateError> {
        let folder = folder.into();
        let mut problems = Vec::new();
        let mut found = Vec::new();
        let mut identities = Vec::new();
        let entries = fs::read_dir(&folder)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
        let mut paths: Vec<_> = entries.map_err(BookError::io("read the folder", &folder))?;
        paths.retain(|path| path.extension().is_some_and(|it| it == EXTENSION));
        paths.sort();
        progress.begin(Step::CheckParts, 0, paths.len() as u64);
        for path in paths {
            let part = Part::read(&path).and_then(|part| {
                identities.push(part.header.identity);
                part.scores()?;
                Ok(part.header)
            });
            match part {
                Ok(header) => found.push((path, header)),
                Err(error) => problems.push(error),
            }
            progress.advance(1);
            if progress.check().is_err() {
                return Err(GenerateError::Interrupted { checkpoint: folder, solved: None });
            }
        }
        let book = most_frequent(&identities);
        if let Some(book) = book {
            found.sort_by_key(|(_, header)| header.identity.index);
            check(&folder, &book, &mut found, &mut problems);
        }
        match book {
            Some(book) if problems.is_empty() => Ok(Parts { book, parts: found }),
            None if problems.is_empty() => Err(GenerateError::NoParts(folder)),
            _ => Err(GenerateError::Parts { folder, problems }),
        }
    }

    /// The plan of the book that [`merge`](super::merge()) makes of them.
    pub fn plan(&self, out: PathBuf, threads: usize) -> Plan {
        let PartIdentity { depth, kind, .. } = self.book;
        let size = self.book.size();
        Plan { kind, threads, table_bytes: 0, out, ..Plan::new(size, depth) }
    }

    /// The files, in the order of the shards.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().map(|(path, _)| path.as_path())
    }

    /// How many there are.
    pub(super) fn number(&self) -> u32 {
        self.book.of
    }

    /// The work spent on all of them together.
    pub(super) fn effort(&self) -> Effort {
        self.parts.iter().fold(Effort::default(), |sum, (_, PartHeader { effort, .. })| Effort {
            runs: sum.runs + effort.runs,
            positions: sum.positions + effort.positions,
            nodes: sum.nodes + effort.nodes,
            milliseconds: sum.milliseconds + effort.milliseconds,
        })
    }

    /// Makes sure that the parts cover this number of positions.
    pub(super) fn check_number(&self, expected: u64) -> Result<(), GenerateError> {
        let found = self.book.positions;
        if found == expected {
            return Ok(());
        }
        let expected = count(expected, "position");
        let problem = format!(
            "and the other parts were made by another program: expected shards of {expected}, found {}; solve the shards again",
            grouped(found)
        );
        Err(GenerateError::Part { path: self.parts[0].0.clone(), problem })
    }

    /// The scores of the parts in their order, read again one after the other; an error for a part
    /// that has changed, or has other scores than the positions can have.
    pub(super) fn scores(&self) -> impl Iterator<Item = Result<Vec<u8>, GenerateError>> {
        let PartIdentity { depth, kind, .. } = self.book;
        let possible = kind.possible_values(self.book.size(), depth);
        let is_possible = move |byte| decode(byte).is_some_and(|score| possible.contains(&score));
        self.parts.iter().map(move |(path, header)| {
            let part = Part::read(path)?;
            if part.header != *header {
                return Err(part.damaged("it was replaced while parts were merged".to_owned()));
            }
            let scores = part.scores()?;
            match scores.iter().find(|&&byte| !is_possible(byte)) {
                Some(byte) => {
                    Err(part.damaged(format!("expected scores of ply {depth}, found byte {byte}")))
                }
                None => Ok(scores.to_vec()),
            }
        })
    }
}

/// The book that most of the parts belong to, damaged ones included.
fn most_frequent(parts: &[PartIdentity]) -> Option<PartIdentity> {
    let mut books: Vec<(PartIdentity, usize)> = Vec::new();
    for identity in parts {
        match books.iter_mut().find(|(book, _)| book.is_of_same_book(identity)) {
            Some((_, parts)) => *parts += 1,
            None => books.push((*identity, 1)),
        }
    }
    // The first of the most frequent ones.
    books.into_iter().rev().max_by_key(|&(_, parts)| parts).map(|(book, _)| book)
}

/// Checks that the parts that were found, in the order of their shards, are
/// the parts of all shards of one book; removes parts of other books.
fn check(
    folder: &Path,
    book: &PartIdentity,
    found: &mut Vec<(PathBuf, PartHeader)>,
    problems: &mut Vec<GenerateError>,
) {
    let mut wrong = |path: &Path, problem: String| {
        problems.push(GenerateError::Part { path: path.to_owned(), problem });
    };
    found.retain(|(path, PartHeader { identity, .. })| {
        let belongs = identity.is_of_same_book(book);
        if !belongs {
            wrong(path, format!(
                "does not belong to the others: expected a shard of {} of {}, found {identity}; move it to another folder",
                book.of, book.book()
            ));
        }
        belongs
    });
    for pair in found.windows(2) {
        let [(first, one), (second, other)] = pair else { continue };
        if one.identity.index == other.identity.index {
            let second = second.display();
            let index = one.identity.index;
            wrong(
                first,
                format!(
                    "and '{second}' both are shard {index}/{}; move one of them to another folder",
                    book.of
                ),
            );
        }
    }
    let has = |index: &u32| {
        found.binary_search_by_key(index, |(_, header)| header.identity.index).is_ok()
    };
    let missing: Vec<u32> = (1..=book.of).filter(|index| !has(index)).collect();
    if !missing.is_empty() {
        let PartIdentity { depth, kind, of, .. } = *book;
        let folder = folder.to_owned();
        let size = book.size();
        problems.push(GenerateError::MissingParts { folder, size, depth, kind, of, missing });
    }
    if !problems.is_empty() {
        return;
    }
    let starts = found.iter().skip(1).map(|(_, header)| header.identity.first);
    let mut expected = 0;
    for ((path, header), next) in found.iter().zip(starts.chain([book.positions])) {
        let range = header.identity.range();
        if range.start != expected || (next == book.positions && range.end != next) {
            let problem = format!(
                "is cut in another way than the others: expected positions {} to {}, found {} to {}; solve its shard again",
                grouped(expected),
                grouped(next),
                grouped(range.start),
                grouped(range.end)
            );
            problems.push(GenerateError::Part { path: path.clone(), problem });
        }
        expected = range.end;
    }
}
