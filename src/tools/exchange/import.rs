//! A book from another program's.

use super::foreign::{ForeignBook, ForeignValue, Format};
use super::name;
use crate::board::{Score, Size};
use crate::book::{Encoding, Provenance, StoredPlies};
use crate::derive::{derive_plies, fill};
use crate::enumerate::{Reachable, ReachablePly};
use crate::findings::Findings;
use crate::parallel::{BLOCK, sum_of_blocks};
use crate::progress::{Progress, Step};
use crate::rank::slots;
use crate::scores::{ABSENT, decode};
use crate::tools::error::ToolError;
use crate::tools::pack::{self, Packed, Plies};
use crate::tools::plies::bits_to;
use crate::tools::resources::Resources;
use std::sync::{Arc, Mutex, PoisonError};

/// Computes the values of a book from another program's book, to `depth` or else to the depth of
/// that book. Positions are enumerated on the threads of the current rayon pool.
///
/// The file must have all positions of one ply, at the book's depth or deeper; the first such ply
/// counts. The values of the other plies are derived from it. Values in the file must agree with
/// the derived ones, and values of mirror images with each other.
///
/// # Errors
///
/// If positions are missing, or values contradict one another.
pub fn import<'a>(
    file: &'a ForeignBook<'a>,
    depth: Option<u32>,
    encoding: Encoding,
    resources: impl Into<Resources<'a>>,
) -> Result<Packed, ToolError> {
    let resources = resources.into();
    let (depth, deepest) = (depth.unwrap_or(file.depth()), file.depth());
    let Some(source) = (depth..=deepest).find(|&ply| file.has_ply(ply)) else {
        return Err(ToolError::DepthTooDeep { depth, deepest });
    };
    check_memory(file.size, source, resources.memory())?;
    let import = Import { file, depth, source, progress: resources.progress };
    let plies = import.plies()?;
    let kind = file.kind;
    // Part of the book's bytes, so they stay when a format gets another name.
    let format = if file.format == Format::Pons { "solver" } else { file.format.name() };
    let arguments = format!("import --format {format} --depth {depth}");
    Ok(Packed {
        size: file.size,
        options: pack::PackOptions { depth, kind, encoding, flat_to: None },
        plies,
        provenance: Provenance::new(kind, arguments),
        memory: resources.memory(),
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
    progress: &'a dyn Progress,
}

impl Import<'_> {
    /// The stored plies of the book.
    fn plies(&self) -> Result<Plies, ToolError> {
        let mut reachable = Reachable::root(self.file.size);
        let stored = StoredPlies::every_second(self.depth);
        reachable.explore_to(self.source, self.progress)?;
        let deepest = self.read(reachable.deepest())?;
        let from = (&*deepest, self.file.kind);
        let check = |ply: &ReachablePly, bytes: &[u8]| {
            if self.file.has_ply(ply.ranking.ply) { self.compare(ply, bytes) } else { Ok(()) }
        };
        let mut plies = derive_plies(&reachable, from, stored, self.progress, check)?;
        plies.reverse();
        if stored.contains(self.source) {
            plies.push((self.source, deepest));
        }
        Ok(plies.into_iter().map(|(ply, bytes)| (ply, Arc::new(bytes) as _)).collect())
    }

    /// The values of the ply that the others follow from, one byte a slot.
    fn read(&self, positions: &ReachablePly) -> Result<Vec<u8>, ToolError> {
        let (ranking, ply) = (&positions.ranking, positions.ranking.ply);
        let possible = self.file.kind.possible_values(self.file.size, ply);
        let (least, most) = (possible.start(), possible.end());
        let faults = Mutex::new(Findings::default());
        let mut bytes = vec![ABSENT; ranking.slots as usize];
        let value = |slot, position| {
            let problem = match self.file.values.find(position) {
                ForeignValue::Value(value, _) if possible.contains(&value) => {
                    return Ok(Some(value));
                }
                ForeignValue::Value(value, _) => {
                    format!("expected a value from {least} to {most}, found {value}")
                }
                ForeignValue::Nothing => "expected a value, found none".to_owned(),
                ForeignValue::Contradiction(value, mirrored) => {
                    format!("expected the mirror image's value {mirrored}, found {value}")
                }
            };
            let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
            faults.note(slot, || format!("{}: {problem}", name(position)));
            Ok::<_, ToolError>(None)
        };
        fill(&mut bytes, positions, (Step::Read(ply), self.progress), value)?;
        check(ply, faults.into_inner().unwrap_or_else(PoisonError::into_inner))?;
        Ok(bytes)
    }

    /// Compares the values that the file has of a ply with those derived from the
    /// deepest one; a position that the file lacks is no contradiction.
    fn compare(&self, positions: &ReachablePly, bytes: &[u8]) -> Result<(), ToolError> {
        let (ranking, ply) = (&positions.ranking, positions.ranking.ply);
        self.progress.begin(Step::Compare(ply), ranking.slots);
        let faults = sum_of_blocks(ranking.slots, BLOCK, |slots| {
            let units = slots.end - slots.start;
            let mut faults = Findings::default();
            for (slot, position) in positions.stored_in(slots) {
                let expected = decode(bytes[slot as usize]);
                let found = match self.file.values.find(position) {
                    ForeignValue::Nothing => continue,
                    ForeignValue::Value(value, _) if Some(value) == expected => continue,
                    ForeignValue::Value(value, _) => value.to_string(),
                    ForeignValue::Contradiction(value, mirrored) => format!("{value} {mirrored}"),
                };
                faults.note(slot, || {
                    let (name, expected) = (name(position), expected.unwrap_or(Score::MIN));
                    format!("{name}: expected {expected} by ply {}, found {found}", self.source)
                });
            }
            self.progress.advance(units);
            faults
        });
        check(ply, faults)
    }
}

/// The error if positions of a ply have faults.
fn check(ply: u32, faults: Findings<String>) -> Result<(), ToolError> {
    match faults.wrong {
        0 => Ok(()),
        wrong => {
            let first = faults.into_first().map(|(_, fault)| fault).collect();
            Err(ToolError::Values { ply, wrong, first })
        }
    }
}
