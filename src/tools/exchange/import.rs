//! A book from another program's.

use super::foreign::{ForeignBook, ForeignValue, Format, name};
use crate::book::{Book, BookContents, BookError, Encoding, Provenance, every_second_ply};
use crate::derive::{derive_plies, fill};
use crate::enumerate::{Reachable, ReachablePly};
use crate::findings::Findings;
use crate::parallel::sum_of_step;
use crate::progress::{Progress, Step};
use crate::rank::slots;
use crate::scores::{ABSENT, PlyScores, decode};
use crate::tools::error::ToolError;
use crate::tools::reader::bits_to;
use crate::tools::resources::Resources;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Board, Position, Score, Size};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Computes the values of a book from another program's book, to `depth` or else to the depth of
/// that book. Positions are enumerated on the threads of the current rayon pool.
///
/// The file must have all positions of one ply, at the book's depth or deeper; the first such ply
/// counts. The values of the other plies are derived from it. Values in the file must agree with
/// the derived ones, and values of mirror images with each other. In a format where a position
/// that is absent has a value, the file must have entries of as many positions as there are, and
/// each entry must be of one.
///
/// If there is a `known` book for boards of the same size, the values must agree with it at the
/// deepest ply of both.
///
/// # Errors
///
/// If positions are missing, values contradict one another, values differ from the known
/// book, or the work is cancelled.
pub fn import<'a>(
    file: &'a ForeignBook<'a>,
    depth: Option<u32>,
    encoding: Encoding,
    known: Option<&'a Book>,
    resources: impl Into<Resources<'a>>,
) -> Result<BookContents, ToolError> {
    let resources = resources.into();
    let (depth, deepest) = (depth.unwrap_or(file.depth()), file.depth());
    let Some(source) = (depth..=deepest).find(|&ply| file.has_ply(ply)) else {
        return Err(ToolError::DepthTooDeep { depth, deepest });
    };
    check_memory(file.size, source, resources.memory())?;
    let known = known.filter(|book| book.size() == file.size);
    known.map_or(Ok(()), Book::check_sections)?;
    let import = Import { file, depth, source, known, progress: resources.progress };
    let plies = import.plies()?;
    // Part of the book's bytes, so they stay when a format gets another name.
    let format = if file.format == Format::Pons { "solver" } else { file.format.name() };
    let arguments = format!("import --format {format} --depth {depth}");
    let values: u64 = plies.iter().map(|ply| ply.bytes().len() as u64).sum();
    Ok(BookContents {
        size: file.size,
        kind: file.kind,
        encoding,
        plies,
        provenance: Provenance::new(file.kind, arguments),
        memory: Some(resources.memory().saturating_sub(values)),
    })
}

/// Makes sure that there is memory for the positions to this ply: even a small file can name a deep
/// one.
fn check_memory(size: Size, ply: u32, available: u64) -> Result<(), ToolError> {
    // Two plies at a time; the book's shallower plies are smaller.
    let deepest = slots(size, ply).unwrap_or(u64::MAX);
    let needed = bits_to(size, ply)?.saturating_add(deepest.saturating_mul(2));
    if needed > available {
        return Err(ToolError::Memory { ply, needed, available });
    }
    Ok(())
}

struct Import<'a> {
    file: &'a ForeignBook<'a>,
    /// The deepest ply of the book.
    depth: u32,
    /// The ply that all others follow from, at least as deep as the book.
    source: u32,
    /// The book to agree with.
    known: Option<&'a Book>,
    progress: &'a dyn Progress,
}

impl Import<'_> {
    /// The stored plies of the book.
    fn plies(&self) -> Result<Vec<PlyScores>, ToolError> {
        let mut reachable = Reachable::root(self.file.size);
        let stored = every_second_ply(self.depth);
        reachable.explore_to(self.source, self.progress)?;
        let deepest = self.read(reachable.deepest())?;
        self.check_known(reachable.deepest(), &deepest)?;
        let from = (deepest, self.file.kind);
        derive_plies(
            &reachable,
            from,
            &stored,
            self.progress,
            |ply: &ReachablePly, bytes: &[u8]| {
                self.check_file(ply, bytes)?;
                self.check_known(ply, bytes)
            },
        )
    }

    /// The values of the ply that the others follow from, one byte a slot.
    fn read(&self, positions: &ReachablePly) -> Result<Vec<u8>, ToolError> {
        let (ranking, ply) = (&positions.ranking, positions.ranking.ply);
        let possible = self.file.kind.possible_values(self.file.size, ply);
        let least = possible.start();
        let most = possible.end();
        let faults = Mutex::new(Findings::default());
        let found = AtomicU64::new(0);
        let used = AtomicU64::new(0);
        let mut bytes = vec![ABSENT; ranking.slots as usize];
        fill(
            &mut bytes,
            positions,
            (Step::Read(ply), self.progress),
            |slot, board: Board<u128>| {
                let position = board.widen();
                let problem = match self.file.values.find(position) {
                    ForeignValue::Value(value, entries) if possible.contains(&value) => {
                        found.fetch_add(u64::from(entries > 0), Ordering::Relaxed);
                        used.fetch_add(u64::from(entries), Ordering::Relaxed);
                        return Ok(Some(value));
                    }
                    ForeignValue::Value(value, _) => {
                        format!("expected a value from {least} to {most}, found {value}")
                    }
                    ForeignValue::Nothing => {
                        format!(
                            "expected a value, found none{}",
                            self.file.format.absence(self.file.size)
                        )
                    }
                    ForeignValue::Contradiction(value, mirrored) => {
                        format!("expected the mirror image's value {mirrored}, found {value}")
                    }
                };
                let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
                faults.note(slot, || format!("{}: {problem}", name(position)));
                Ok(None)
            },
        )?;
        let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
        check(ply, number_of(&bytes) + faults.wrong, faults)?;
        if let Format::Bitbully(variant) = self.file.format {
            variant.check_entries(found.into_inner(), self.file.entries - used.into_inner())?;
        }
        Ok(bytes)
    }

    /// Compares the values that the file has of a ply with those derived from the
    /// deepest one; a position that the file lacks is no contradiction.
    fn check_file(&self, positions: &ReachablePly, bytes: &[u8]) -> Result<(), ToolError> {
        let ply = positions.ranking.ply;
        if !self.file.has_ply(ply) {
            return Ok(());
        }
        let faults = self.compare(positions, bytes, |position, expected| {
            let found = match self.file.values.find(position) {
                ForeignValue::Nothing => return None,
                ForeignValue::Value(value, _) if value == expected => return None,
                ForeignValue::Value(value, _) => value.to_string(),
                ForeignValue::Contradiction(value, mirrored) => format!("{value} {mirrored}"),
            };
            Some(format!("expected {expected} by ply {}, found {found}", self.source))
        })?;
        check(ply, number_of(bytes), faults)
    }

    /// Compares the values with the known book, if this is the deepest ply of both: the
    /// shallower ones follow from it.
    fn check_known(&self, positions: &ReachablePly, bytes: &[u8]) -> Result<(), ToolError> {
        let ply = positions.ranking.ply;
        let Some(book) = self.known.filter(|book| book.depth().min(self.source) == ply) else {
            return Ok(());
        };
        let kind = if book.kind() == ValueKind::Scores { self.file.kind } else { book.kind() };
        let failed = OnceLock::new();
        let faults = self.compare(positions, bytes, |position, found| {
            let found = kind.of(found);
            let known = match book.look_up(position).map(|lookup| lookup.value(kind)) {
                Ok(Some(known)) if known == found => return None,
                Ok(Some(known)) => known.to_string(),
                Ok(None) => "none".to_owned(),
                Err(error) => {
                    failed.get_or_init(|| error);
                    return None;
                }
            };
            Some(format!("expected {known}, found {found}"))
        })?;
        failed.into_inner().map_or(Ok(()), Err)?;
        let wrong = faults.wrong;
        let first = faults.first.into_values().collect();
        if wrong == 0 { Ok(()) } else { Err(ToolError::Different { ply, wrong, first }) }
    }

    /// The faults that `fault` finds in the values of a ply.
    fn compare(
        &self,
        positions: &ReachablePly,
        bytes: &[u8],
        fault: impl Fn(Position, Score) -> Option<String> + Sync,
    ) -> Result<Findings<String>, BookError> {
        let ranking = &positions.ranking;
        let step = (Step::Compare(ranking.ply), self.progress);
        sum_of_step(step, ranking.slots, |slots| {
            let mut faults = Findings::default();
            for (slot, position) in positions.stored_in::<u128>(slots) {
                let position = position.widen();
                let value = decode(bytes[slot as usize]).expect("every position has a value");
                if let Some(fault) = fault(position, value) {
                    faults.note(slot, || format!("{}: {fault}", name(position)));
                }
            }
            faults
        })
    }
}

/// How many slots have values.
fn number_of(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte != ABSENT).count() as u64
}

/// The error if some of the positions of a ply have faults.
fn check(ply: u32, positions: u64, faults: Findings<String>) -> Result<(), ToolError> {
    match faults.wrong {
        0 => Ok(()),
        wrong => {
            let first = faults.first.into_values().collect();
            Err(ToolError::Values { ply, wrong, positions, first })
        }
    }
}
