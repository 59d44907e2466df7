//! Writing a compact section.

mod prefix;
mod ribbon;

use super::context::{Model, Sight};
use super::hash;
use super::prefix::PrefixCode;
use super::ribbon::{SLACK, Shape, hash_of_bit, part_of};
use super::tables::Preamble;
use crate::board::{Player, Score, Size, Word, with_word};
use crate::book::flat::ALIGNMENT;
use crate::parallel::{BLOCK, for_each_block};
use crate::progress::Progress;
use crate::rank::Ranking;
use crate::scores::{self, PlyScores, ValueKind};
use crate::simd::Baseline;
use rayon::prelude::*;
use ribbon::{Equation, build};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Bits of a shard, about: few enough for the processor's caches when they are written.
const SHARD_BITS: u64 = 1 << 16;

/// The values of a ply, at least one.
pub(in crate::book) struct Values<'a> {
    /// The board.
    pub(in crate::book) size: Size,
    /// What the values are.
    pub(in crate::book) kind: ValueKind,
    /// The scores that they are made from.
    pub(in crate::book) scores: &'a PlyScores<'a>,
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

/// The section of a ply's values, made on the threads of the current rayon pool. `progress`
/// is told how many slots are done, of all in the end. `None`
/// if two slots of one position, only one of which it has, have different values.
pub(in crate::book) fn encode(values: &Values<'_>, progress: &dyn Progress) -> Option<Vec<u8>> {
    let models = Model::best(values.size, values.kind).iter();
    models.copied().find_map(|model| encode_with(values, model, progress))
}

/// The section with the contexts of a model; `None` as well if a position has a value that
/// the model says it cannot have.
fn encode_with(values: &Values<'_>, model: Model, progress: &dyn Progress) -> Option<Vec<u8>> {
    let symbols = (values.greatest - values.least + 1).max(0) as usize;
    let slots = values.scores.bytes.len() as u64;
    let mut contradictions = 0;
    for salt in 0..=u8::MAX {
        let entries = with_word!(values.size, B => entries::<B>(values, model, salt))?;
        // Different positions have equal hashes by chance, but not with two salts.
        let contradict =
            |pair: &[Entry]| pair[0].hash == pair[1].hash && pair[0].symbol != pair[1].symbol;
        if entries.windows(2).any(contradict) {
            contradictions += 1;
            if contradictions == 2 {
                return None;
            }
            continue;
        }
        let codes = Codes::choose(&entries, model.contexts(), symbols);
        let preamble = Preamble {
            model,
            shards: codes.bits.div_ceil(SHARD_BITS).max(1) as u32,
            coarseness: codes.coarseness,
            symbols: symbols as u8,
            salt,
        };
        let section = write(&entries, &codes, preamble, &|shard, shards| {
            let rest = if shard == 0 { slots % shards } else { 0 };
            progress.advance(slots / shards + rest);
        });
        if section.is_some() {
            return section;
        }
    }
    None
}

/// All positions to be written, in an order that follows from them alone; `None` if one has
/// a value that the model says it cannot have.
fn entries<B: Word>(values: &Values<'_>, model: Model, salt: u8) -> Option<Vec<Entry>> {
    let &Values { size, kind, scores, least, greatest, .. } = values;
    let ranking = Ranking::<B>::new(size, scores.ply).expect("the slots have been counted");
    let contradicted = AtomicBool::new(false);
    let entry = |slot, byte| {
        let value = kind.of(scores::decode(byte)?);
        let position = ranking.unrank(slot).canonical();
        let (context, symbol) = match model.of::<_, Baseline>(position, &(least..=greatest)) {
            Sight::Value(known) if known == value => return None,
            Sight::Value(_) => (0, None),
            Sight::Context(context) => (context, Some((value - least) as u8)),
            Sight::Ordered(context, order) => {
                let first_moves = position.to_move() == Player::X;
                (context, order.rank(if first_moves { value } else { -value }))
            }
        };
        let Some(symbol) = symbol else {
            contradicted.store(true, Ordering::Relaxed);
            return None;
        };
        let hash = hash(position.size(), position.key(), salt);
        Some(Entry { hash, context: context as u16, symbol })
    };
    let all = Mutex::new(Vec::with_capacity(values.entries as usize));
    for_each_block(ranking.slots(), BLOCK, &|block| {
        let bytes = &scores.bytes[block.start as usize..block.end as usize];
        let some = block.zip(bytes).filter_map(|(slot, &byte)| entry(slot, byte));
        let some: Vec<Entry> = some.collect();
        all.lock().unwrap_or_else(PoisonError::into_inner).extend(some);
    });
    if contradicted.into_inner() {
        return None;
    }
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.par_sort_unstable_by_key(|entry| (entry.hash, entry.context, entry.symbol));
    Some(all)
}

/// The codes of all contexts of a section.
struct Codes {
    coarseness: u8,
    /// By context and symbol.
    lengths: Vec<Vec<u8>>,
    codes: Vec<Vec<(u32, u16)>>,
    /// Bits of all values.
    bits: u64,
}

impl Codes {
    /// As many contexts as are worth their tables.
    fn choose(entries: &[Entry], contexts: usize, symbols: usize) -> Codes {
        let mut frequencies = vec![vec![0_u64; symbols]; contexts];
        for entry in entries {
            frequencies[usize::from(entry.context)][usize::from(entry.symbol)] += 1;
        }
        let all = (0..=contexts.ilog2() as u8).map(|coarseness| {
            let merged = frequencies.chunks(1 << coarseness).map(|contexts| {
                (0..symbols).map(|symbol| contexts.iter().map(|f| f[symbol]).sum()).collect()
            });
            Codes::new(coarseness, &merged.collect::<Vec<Vec<u64>>>())
        });
        let cost = |codes: &Codes| codes.bits + codes.lengths.len() as u64 * symbols as u64 * 4;
        all.min_by_key(cost).expect("there are several")
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

/// The bytes of a section; `None` if its bits cannot be written with this salt. `done` is
/// told the number of each shard that is written, and how many there are.
fn write(
    entries: &[Entry],
    codes: &Codes,
    preamble: Preamble,
    done: &(dyn Fn(u64, u64) + Sync),
) -> Option<Vec<u8>> {
    let built = build_shards(entries, codes, preamble.shards.into(), done)?;
    let mut section = preamble.to_bytes();
    for lengths in &codes.lengths {
        let nibbles = lengths.chunks(2);
        section.extend(nibbles.map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
    }
    for (_, shape) in &built {
        section.extend(shape.bits.iter().flat_map(|bits| bits.to_le_bytes()));
    }
    built.iter().for_each(|(bytes, _)| section.extend(bytes));
    section.resize((section.len() + SLACK).next_multiple_of(ALIGNMENT as usize), 0);
    Some(section)
}

/// The ribbons of all shards; `None` if one cannot be built.
fn build_shards(
    entries: &[Entry],
    codes: &Codes,
    shards: u64,
    done: &(dyn Fn(u64, u64) + Sync),
) -> Option<Vec<(Vec<u8>, Shape)>> {
    let built: Vec<OnceLock<(Vec<u8>, Shape)>> = (0..shards).map(|_| OnceLock::new()).collect();
    let contradicted = AtomicBool::new(false);
    for_each_block(shards, 1, &|block| {
        if contradicted.load(Ordering::Relaxed) {
            return;
        }
        let shard = block.start;
        let begin = |shard| entries.partition_point(|entry| part_of(entry.hash, shards) < shard);
        let entries = &entries[begin(shard)..begin(shard + 1)];
        match build(entries.iter().flat_map(|entry| codes.equations(entry)).collect()) {
            Some(ribbon) => {
                let _ = built[shard as usize].set(ribbon);
                done(shard, shards);
            }
            None => contradicted.store(true, Ordering::Relaxed),
        }
    });
    built.into_iter().map(OnceLock::into_inner).collect()
}
