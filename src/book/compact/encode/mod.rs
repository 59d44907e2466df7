//! Writing a compact section.

mod prefix;
mod ribbon;

use super::context::{Model, Prediction};
use super::hash;
use super::prefix::PrefixCode;
use super::ribbon::{SLACK, Shape, hash_of_bit, scaled};
use crate::book::BookError;
use crate::book::flat::ALIGNMENT;
use crate::parallel::for_each_block;
use crate::progress::Progress;
use crate::rank::Ranking;
use crate::scores::{self, PlyScores};
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Board, Player, Score, Size, Word};
use fourbook_solver::simd::{Instructions, Simd, WithSimd};
use fourbook_solver::with_word;
use rayon::prelude::*;
use ribbon::{Equation, build};
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bits of a segment, about: few enough for the processor's caches when they are written.
const SEGMENT_BITS: u64 = 1 << 16;

/// The values of a ply, at least one.
pub(in crate::book) struct SectionValues<'a> {
    /// The board.
    pub(in crate::book) size: Size,
    /// The kind of the values.
    pub(in crate::book) kind: ValueKind,
    /// The scores from which they are made.
    pub(in crate::book) scores: &'a PlyScores,
    /// The least value.
    pub(in crate::book) least: Score,
    /// The greatest value.
    pub(in crate::book) greatest: Score,
    /// Number of slots that have one.
    pub(in crate::book) entries: u64,
}

/// A position to be written.
#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    context: u16,
    symbol: u8,
}

/// Bytes for an entry, with a sixteenth more, as some rounds have more entries than others.
const ENTRY_BYTES: u64 = size_of::<Entry>() as u64 * 17 / 16;

/// Why a section cannot be written with a salt.
enum Failed {
    /// Two entries with the same hash have different symbols.
    Contradiction,
    /// The equations of a segment have no solution.
    NoSolution,
    /// The work was cancelled.
    Cancelled,
}

/// Writes the section of a ply's values, on the threads of the current rayon pool. Calls `progress`
/// with the number of slots done. Keeps as many entries in memory as `memory` bytes hold, but at
/// least a segment. Returns `None` if two slots stand for one position and have different values, or
/// the work was cancelled.
pub(in crate::book) fn encode(
    values: &SectionValues<'_>,
    memory: u64,
    progress: &dyn Progress,
) -> Option<Vec<u8>> {
    let models = Model::best(values.size, values.kind).iter();
    let instructions = Instructions::detect();
    with_word!(values.size, B => {
        let ranking = &Ranking::new(values.size, values.scores.ply);
        let ranking = ranking.as_ref().expect("the slots have been counted");
        models
            .copied()
            .find_map(|model| Writer { values, model, ranking, instructions }.write::<B>(memory, progress))
    })
}

/// Writes a section with the contexts of a model.
struct Writer<'a> {
    values: &'a SectionValues<'a>,
    model: Model,
    ranking: &'a Ranking,
    instructions: Instructions,
}

impl Writer<'_> {
    /// Returns the section; `None` also if a position has a value that the model excludes.
    fn write<B: Word>(&self, memory: u64, progress: &dyn Progress) -> Option<Vec<u8>> {
        let slots = self.values.scores.bytes().len() as u64;
        let codes = Codes::choose(&self.frequencies::<B>(progress)?);
        let segments = codes.bits.div_ceil(SEGMENT_BITS).max(1);
        let rounds = (self.values.entries * ENTRY_BYTES).div_ceil(memory.max(1)).clamp(1, segments);
        let done = |segment| {
            let rest = if segment == 0 { slots % segments } else { 0 };
            progress.advance(slots / segments + rest);
            progress.check().map_err(|_| Failed::Cancelled)
        };
        let mut contradictions = 0;
        for salt in 0..=u8::MAX {
            let mut built = Vec::new();
            let built_all = (0..rounds).try_for_each(|round| {
                let segments_of_round = segments * round / rounds..segments * (round + 1) / rounds;
                let entries = self.entries::<B>(salt, segments, &segments_of_round, progress);
                let entries = entries.map_err(|_| Failed::Cancelled)?;
                built.extend(build_segments(&entries, &codes, segments, segments_of_round, &done)?);
                Ok(())
            });
            match built_all {
                Ok(()) => return Some(self.put_together(&codes, salt, &built)),
                // Different positions have equal hashes by chance, but not with two salts.
                Err(Failed::Contradiction) if contradictions > 0 => return None,
                Err(Failed::Contradiction) => contradictions += 1,
                Err(Failed::NoSolution) => {}
                Err(Failed::Cancelled) => return None,
            }
        }
        None
    }

    /// A position's context and symbol; `None` if the model works its value out. The symbol is
    /// `None` if the model excludes the value.
    fn symbol<B: Word>(&self, position: Board<B>, value: Score) -> Option<(usize, Option<u8>)> {
        let values = self.values.least..=self.values.greatest;
        self.instructions.run(Symbol { model: self.model, values, position, value })
    }

    /// How often each symbol occurs in each context; `None` if the model excludes a value, or the
    /// work was cancelled.
    fn frequencies<B: Word>(&self, progress: &dyn Progress) -> Option<Vec<Vec<u64>>> {
        let symbols = (self.values.greatest - self.values.least + 1).max(0) as usize;
        let all = Mutex::new(vec![vec![0_u64; symbols]; self.model.contexts()]);
        let is_excluded = AtomicBool::new(false);
        for_each_block(self.ranking.slots, progress, &|block| {
            let found: Vec<_> = self
                .positions::<B>(block)
                .filter_map(|(position, value)| self.symbol(position, value))
                .collect();
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            for (context, symbol) in found {
                match symbol {
                    Some(symbol) => all[context][usize::from(symbol)] += 1,
                    None => is_excluded.store(true, Ordering::Relaxed),
                }
            }
        })
        .ok()?;
        let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        (!is_excluded.into_inner()).then_some(all)
    }

    /// The canonical images of the positions in some slots, with their values.
    fn positions<B: Word>(&self, block: Range<u64>) -> impl Iterator<Item = (Board<B>, Score)> {
        let bytes = &self.values.scores.bytes()[block.start as usize..block.end as usize];
        block.zip(bytes).filter_map(|(slot, &byte)| {
            let value = self.values.kind.of(scores::decode(byte)?);
            Some((self.ranking.unrank(slot).canonical(), value))
        })
    }

    /// The entries of some of the segments, in an order that depends on the entries alone.
    fn entries<B: Word>(
        &self,
        salt: u8,
        segments: u64,
        wanted: &Range<u64>,
        progress: &dyn Progress,
    ) -> Result<Vec<Entry>, BookError> {
        let share = self.values.entries * (wanted.end - wanted.start) / segments;
        let all = Mutex::new(Vec::with_capacity((share + share / 16) as usize));
        for_each_block(self.ranking.slots, progress, &|block| {
            let some: Vec<Entry> = self
                .positions::<B>(block)
                .filter_map(|(position, value): (Board<B>, Score)| {
                    let hash = hash(position.size(), position.key(), salt);
                    if !wanted.contains(&scaled(hash, segments)) {
                        return None;
                    }
                    let (context, symbol) = self.symbol(position, value)?;
                    let symbol = symbol.expect("the model excludes no value");
                    Some(Entry { hash, context: context as u16, symbol })
                })
                .collect();
            all.lock().unwrap_or_else(PoisonError::into_inner).extend(some);
        })?;
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.par_sort_unstable_by_key(|entry| (entry.hash, entry.context, entry.symbol));
        Ok(all)
    }

    /// The bytes of the section.
    fn put_together(&self, codes: &Codes, salt: u8, built: &[(Vec<u8>, Shape)]) -> Vec<u8> {
        let mut section = self.model.number().to_le_bytes().to_vec();
        section.extend((built.len() as u32).to_le_bytes());
        section.extend([codes.coarseness, codes.symbols() as u8, salt]);
        for lengths in &codes.lengths {
            let nibbles = lengths.chunks(2);
            section.extend(nibbles.map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
        }
        for (_, shape) in built {
            section.extend(shape.bits.iter().flat_map(|bits| bits.to_le_bytes()));
        }
        built.iter().for_each(|(bytes, _)| section.extend(bytes));
        section.resize((section.len() + SLACK).next_multiple_of(ALIGNMENT as usize), 0);
        section
    }
}

/// [`Writer::symbol`] with the instructions of newer processors, as in a lookup.
struct Symbol<B: Word> {
    model: Model,
    values: RangeInclusive<Score>,
    position: Board<B>,
    value: Score,
}

impl<B: Word> WithSimd for Symbol<B> {
    type Output = Option<(usize, Option<u8>)>;
    const GAINS_FROM_AVX512: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let Symbol { model, values, position, value } = self;
        match model.of::<_, S>(position, &values) {
            Prediction::Value(known) if known == value => None,
            Prediction::Value(_) => Some((0, None)),
            Prediction::Context(context) => Some((context, Some((value - values.start()) as u8))),
            Prediction::Ordered(context, order) => {
                let first_moves = position.to_move() == Player::X;
                Some((context, order.place(if first_moves { value } else { -value })))
            }
        }
    }
}

/// The codes of all contexts of a section.
struct Codes {
    coarseness: u8,
    /// The codes by context and symbol.
    lengths: Vec<Vec<u8>>,
    codes: Vec<Vec<(u32, u16)>>,
    /// Bits of all values.
    bits: u64,
}

impl Codes {
    /// Chooses the number of contexts with the fewest bits in all, code tables included, from the
    /// frequencies of the symbols in each context.
    fn choose(frequencies: &[Vec<u64>]) -> Codes {
        let symbols = frequencies[0].len();
        let all = (0..=frequencies.len().ilog2() as u8).map(|coarseness| {
            let merged = frequencies.chunks(1 << coarseness).map(|contexts| {
                (0..symbols).map(|symbol| contexts.iter().map(|f| f[symbol]).sum()).collect()
            });
            Codes::new(coarseness, &merged.collect::<Vec<Vec<u64>>>())
        });
        all.min_by_key(|codes| codes.bits + codes.lengths.len() as u64 * symbols as u64 * 4)
            .expect("there are several")
    }

    fn new(coarseness: u8, frequencies: &[Vec<u64>]) -> Codes {
        let lengths: Vec<Vec<u8>> = frequencies.iter().map(|f| prefix::lengths(f)).collect();
        let codes: Vec<Vec<(u32, u16)>> =
            lengths.iter().map(|lengths| PrefixCode::new(lengths).codes(lengths.len())).collect();
        let bits = codes.iter().zip(frequencies).flat_map(|(codes, frequencies)| {
            codes.iter().zip(frequencies).map(|(&(length, _), &count)| u64::from(length) * count)
        });
        Codes { coarseness, bits: bits.sum(), lengths, codes }
    }

    fn symbols(&self) -> usize {
        self.lengths[0].len()
    }

    /// The equations for the bits of an entry's code.
    fn equations(&self, entry: &Entry) -> impl Iterator<Item = Equation> {
        let context = usize::from(entry.context) >> self.coarseness;
        let (length, code) = self.codes[context][usize::from(entry.symbol)];
        let hash = entry.hash;
        (0..length).map(move |index| Equation {
            hash: hash_of_bit(hash, index),
            bit: code >> (length - 1 - index) & 1 == 1,
        })
    }
}

/// The ribbons of some of `segments`, from their entries. Calls `done` with the number of each.
fn build_segments(
    entries: &[Entry],
    codes: &Codes,
    segments: u64,
    wanted: Range<u64>,
    done: &(dyn Fn(u64) -> Result<(), Failed> + Sync),
) -> Result<Vec<(Vec<u8>, Shape)>, Failed> {
    if entries
        .windows(2)
        .any(|pair| pair[0].hash == pair[1].hash && pair[0].symbol != pair[1].symbol)
    {
        return Err(Failed::Contradiction);
    }
    let begin = |segment| entries.partition_point(|entry| scaled(entry.hash, segments) < segment);
    wanted
        .into_par_iter()
        .panic_fuse()
        .map(|segment| {
            let entries = &entries[begin(segment)..begin(segment + 1)];
            let equations = entries.iter().flat_map(|entry| codes.equations(entry));
            let built = build(equations.collect()).ok_or(Failed::NoSolution)?;
            done(segment)?;
            Ok(built)
        })
        .collect()
}
