//! A book from another program's.

use super::error::ExchangeError;
use super::value::ForeignValue;
use super::{ForeignBook, Format, name};
use crate::board::{Score, Size, Word, with_word};
use crate::book::{Encoding, Provenance, StoredPlies};
use crate::derive::{Below, derive_ply};
use crate::enumerate::{Reachable, ReachablePly};
use crate::parallel::{BLOCK, for_each_block, for_each_block_mut};
use crate::progress::{Progress, Step};
use crate::rank::slots;
use crate::scores::{ABSENT, decode, encode};
use crate::tools::pack::{self, Packed, PlyBytes};
use crate::tools::plies::{bits_to, explore_to};
use crate::tools::resources::Resources;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// How many positions an error names.
pub const SHOWN_POSITIONS: usize = 5;

/// Options of the new book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    /// The deepest ply; `None` for the depth of the file.
    pub depth: Option<u32>,
    /// How the values are stored.
    pub encoding: Encoding,
}

/// Computes the values of a book from another program's book. Positions are
/// enumerated on the threads of the current rayon pool.
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
    options: ImportOptions,
    resources: impl Into<Resources<'a>>,
) -> Result<Packed, ExchangeError> {
    let resources = resources.into();
    let ImportOptions { depth, encoding } = options;
    let (depth, deepest) = (depth.unwrap_or(file.depth()), file.depth());
    let Some(source) = (depth..=deepest).find(|&ply| file.has_ply(ply)) else {
        return Err(ExchangeError::FileDepth { depth, deepest });
    };
    check_memory(file.size(), source, resources.memory())?;
    let import = Import { file, depth, source, progress: resources.progress() };
    let plies = with_word!(file.size(), B => import.plies::<B>())?;
    let kind = file.kind();
    // Part of the book's bytes, so they stay when a format gets another name.
    let format = if file.format() == Format::Pons { "solver" } else { file.format().name() };
    let arguments = format!("import --format {format} --depth {depth}");
    Ok(Packed {
        size: file.size(),
        options: pack::PackOptions { depth, kind, encoding, flat_to: None },
        plies,
        provenance: Provenance::new(kind, arguments),
        memory: resources.memory(),
    })
}

/// Makes sure that there is memory for the positions to this ply: even a small file can name a deep
/// one.
fn check_memory(size: Size, ply: u32, available: u64) -> Result<(), ExchangeError> {
    // Two plies at a time; the book's shallower plies are smaller.
    let deepest = slots(size, ply).unwrap_or(u64::MAX);
    let needed = bits_to(size, ply)?.saturating_add(deepest.saturating_mul(2));
    if needed > available {
        return Err(ExchangeError::Memory { ply, needed, available });
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
    fn plies<B: Word>(&self) -> Result<Vec<(u32, PlyBytes)>, ExchangeError> {
        let mut reachable = Reachable::<B>::root(self.file.size());
        let stored = StoredPlies::every_second(self.depth);
        explore_to(&mut reachable, self.source, self.progress)?;
        let mut bytes = self.read(reachable.deepest())?;
        let mut plies = Vec::new();
        for ply in (0..=self.source).rev() {
            if ply < self.source {
                let ranking = reachable.ply(ply + 1).ranking();
                let below = Below { ranking, bytes: &bytes, kind: self.file.kind() };
                self.progress.begin(Step::Derive { ply }, reachable.ply(ply).ranking().slots());
                bytes = derive_ply(reachable.ply(ply), below, self.progress);
                if self.file.has_ply(ply) {
                    self.compare(reachable.ply(ply), &bytes)?;
                }
            }
            if stored.contains(ply) {
                plies.push((ply, PlyBytes::Owned(bytes.clone())));
            }
        }
        plies.reverse();
        Ok(plies)
    }

    /// The values of the ply that the others follow from, one byte a slot.
    fn read<B: Word>(&self, positions: &ReachablePly<B>) -> Result<Vec<u8>, ExchangeError> {
        let (ranking, ply) = (positions.ranking(), positions.ranking().ply());
        let possible = self.file.kind().possible_values(self.file.size(), ply);
        let [missing, wrong, contrary] = <[Noted; 3]>::default();
        self.progress.begin(Step::Read { ply }, ranking.slots());
        let mut bytes = vec![ABSENT; ranking.slots() as usize];
        for_each_block_mut(&mut bytes, &|start, bytes| {
            for (slot, position) in positions.stored_in(start..start + bytes.len() as u64) {
                match self.file.find(position) {
                    ForeignValue::Value(value, _) if possible.contains(&value) => {
                        bytes[(slot - start) as usize] = encode(value);
                    }
                    ForeignValue::Value(value, _) => {
                        wrong.note(slot, || format!("{} {value}", name(position)));
                    }
                    ForeignValue::Nothing => missing.note(slot, || name(position)),
                    ForeignValue::Contradiction(value, mirrored) => {
                        contrary.note(slot, || format!("{} {value} {mirrored}", name(position)));
                    }
                }
            }
            self.progress.advance(bytes.len() as u64);
        });
        let expected = positions.counts().stored;
        missing.none(|missing, first| ExchangeError::Missing { ply, expected, missing, first })?;
        wrong.none(|wrong, first| ExchangeError::Impossible { ply, wrong, first })?;
        contrary.none(|wrong, first| ExchangeError::Contradiction {
            ply,
            deepest: ply,
            wrong,
            first,
        })?;
        Ok(bytes)
    }

    /// Compares the values that the file has of a ply with those derived from the
    /// deepest one; a position that the file lacks is no contradiction.
    fn compare<B: Word>(
        &self,
        positions: &ReachablePly<B>,
        bytes: &[u8],
    ) -> Result<(), ExchangeError> {
        let (ranking, ply) = (positions.ranking(), positions.ranking().ply());
        let noted = Noted::default();
        self.progress.begin(Step::Compare { ply }, ranking.slots());
        for_each_block(ranking.slots(), BLOCK, &|slots| {
            let units = slots.end - slots.start;
            for (slot, position) in positions.stored_in(slots) {
                let expected = decode(bytes[slot as usize]);
                let others = match self.file.find(position) {
                    ForeignValue::Nothing => continue,
                    ForeignValue::Value(value, _) if Some(value) == expected => continue,
                    ForeignValue::Value(value, _) => value.to_string(),
                    ForeignValue::Contradiction(value, mirrored) => format!("{value} {mirrored}"),
                };
                noted.note(slot, || {
                    format!("{} {} {others}", name(position), expected.unwrap_or(Score::MIN))
                });
            }
            self.progress.advance(units);
        });
        let deepest = self.source;
        noted.none(|wrong, first| ExchangeError::Contradiction { ply, deepest, wrong, first })
    }
}

/// How many positions have a fault, and the first of them by their slots.
#[derive(Default)]
struct Noted(Mutex<(u64, BTreeMap<u64, String>)>);

impl Noted {
    /// Adds the position of a slot.
    fn note(&self, slot: u64, line: impl FnOnce() -> String) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, first) = &mut *noted;
        *number += 1;
        if first.len() < SHOWN_POSITIONS || first.keys().next_back().is_some_and(|&s| slot < s) {
            first.insert(slot, line());
            if first.len() > SHOWN_POSITIONS {
                first.pop_last();
            }
        }
    }

    /// `Ok` if there is none, else an error with their number and the first one.
    fn none(
        self,
        error: impl FnOnce(u64, Vec<String>) -> ExchangeError,
    ) -> Result<(), ExchangeError> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            (0, _) => Ok(()),
            (number, first) => Err(error(number, first.into_values().collect())),
        }
    }
}
