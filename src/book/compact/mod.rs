//! The compact encoding: values behind a hash, a few bits each, without keys.
//!
//! A value is written as a prefix code that depends on the position's
//! [context]; the bits of the code are kept in a [ribbon], which gives them
//! back by the hash of the position's key. Positions without an entry read as
//! any value: whoever looks up has to know that a game reaches the position.

mod context;
mod network;
mod prefix;
mod ribbon;
#[cfg(test)]
mod vectors;

use super::flat::ALIGNMENT;
use super::splitmix::{STEP, mix};
use crate::board::{Position, Score, Size};
use crate::rank::Ranking;
use crate::scores::PlyScores;
use context::Function;
use prefix::PrefixCode;
use rayon::prelude::*;
use ribbon::{Equation, SLACK, Shape};

/// Bytes before the code lengths: context function, coarseness, number of
/// symbols, salt, number of shards.
const PREAMBLE: usize = 8;

/// Bytes that describe a shard.
const SHARD_BYTES: usize = 16;

/// Bits of a shard, about: few enough for the processor's caches when they are written.
const SHARD_BITS: u64 = 1 << 16;

/// The hash of a position.
#[inline(always)]
fn hash(canonical_key: u64, salt: u8) -> u64 {
    // The factor is odd: different salts give different hashes.
    mix(canonical_key ^ (salt as u64).wrapping_mul(STEP))
}

/// A section that has been made ready for lookups.
#[derive(Clone, Debug)]
pub(crate) struct Compact {
    function: Function,
    /// Contexts are divided by two to this power.
    coarseness: u8,
    salt: u8,
    codes: Vec<PrefixCode>,
    shards: Vec<(usize, Shape)>,
    /// The value of symbol 0.
    least: Score,
    /// Bytes in use, padding left out.
    end: usize,
}

impl Compact {
    /// Reads the tables of a section; `None` if they cannot be right.
    pub(crate) fn open(section: &[u8], size: Size, bias: i8) -> Option<Compact> {
        let [function, coarseness, symbols, salt, shards @ ..] =
            *section.first_chunk::<PREAMBLE>()?;
        let function = Function::from_number(function, size)?;
        let contexts = function.contexts().checked_shr(coarseness.into());
        let contexts = contexts.filter(|&contexts| contexts > 0)?;
        let stride = usize::from(symbols).div_ceil(2);
        let lengths = section.get(PREAMBLE..PREAMBLE + contexts * stride)?;
        let codes = (0..contexts).map(|context| {
            let nibbles = &lengths[context * stride..][..stride];
            let lengths: Vec<u8> =
                nibbles.iter().flat_map(|&byte| [byte & 15, byte >> 4]).collect();
            PrefixCode::new(&lengths)
        });
        let codes = codes.collect();
        let directory = PREAMBLE + contexts * stride;
        let count = u32::from_le_bytes(shards) as usize;
        let mut start = directory.checked_add(count.checked_mul(SHARD_BYTES)?)?;
        let mut shards = Vec::new();
        for entry in section.get(directory..start)?.chunks_exact(SHARD_BYTES) {
            let number =
                |i: usize| u32::from_le_bytes(entry[4 * i..][..4].try_into().unwrap_or_default());
            let shape = Shape { bits: [number(0), number(1), number(2)], seed: number(3) };
            if !shape.is_possible() {
                return None;
            }
            shards.push((start, shape));
            start = start.checked_add(shape.bytes())?;
        }
        let end = start.checked_add(SLACK).filter(|&end| end <= section.len())?;
        Some(Compact { function, coarseness, salt, codes, shards, least: bias.wrapping_neg(), end })
    }

    /// The value of a position that a game reaches and the rules do not score;
    /// of any other, any value or `None`.
    #[inline]
    pub(crate) fn value<const W: usize, const H: usize>(
        &self,
        section: &[u8],
        position: Position<W, H>,
    ) -> Option<Score> {
        let position = position.canonical();
        let hash = hash(position.key(), self.salt);
        let shard = ribbon::part_of(hash, self.shards.len() as u64) as usize;
        let code = self.codes.get(self.function.of(position) >> self.coarseness)?;
        let symbol = code.read(|index| {
            let &(start, shape) = self.shards.get(shard)?;
            ribbon::bit(section.get(start..)?, shape, ribbon::hash_of_bit(hash, index))
        })?;
        Some(self.least.wrapping_add(symbol as Score))
    }

    /// Whether nothing but zeros is after the last shard.
    pub(crate) fn padding_is_zero(&self, section: &[u8]) -> bool {
        let padding = section.get(self.end - SLACK..).unwrap_or(&[]);
        padding.iter().all(|&byte| byte == 0) && section.len() - self.end < ALIGNMENT as usize
    }
}

/// A position to be written.
#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    context: u16,
    symbol: u8,
}

/// The section of a ply's values, on the threads of the current rayon pool, and
/// how many there are. `value` gives a byte's value; `least` and `greatest` are
/// those of all. `advance` is told how many slots are done, of all in the end. `None`
/// if two slots of one position, only one of which it has, have different values.
pub(crate) fn encode<const W: usize, const H: usize>(
    scores: &PlyScores<'_>,
    value: impl Fn(u8) -> Option<Score> + Sync,
    least: Score,
    greatest: Score,
    advance: &(dyn Fn(u64) + Sync),
) -> Option<(Vec<u8>, u64)> {
    let ranking = Ranking::<W, H>::new(scores.ply).expect("the slots have been counted");
    let function = Function::for_size(Size::of::<W, H>());
    let symbols = (greatest - least + 1).max(0) as usize;
    for salt in 0..=u8::MAX {
        let entry = |(slot, &byte): (usize, &u8)| {
            let symbol = (value(byte)? - least) as u8;
            let position = ranking.unrank(slot as u64).canonical();
            let context = function.of(position) as u16;
            Some(Entry { hash: hash(position.key(), salt), context, symbol })
        };
        let mut entries: Vec<Entry> =
            scores.bytes.par_iter().enumerate().filter_map(entry).collect();
        entries.par_sort_unstable_by_key(|entry| entry.hash);
        let codes = Codes::choose(&entries, function.contexts(), symbols);
        let head = [function as u8, codes.coarseness, symbols as u8, salt];
        if let Some(section) = write(&entries, &codes, head, &|shard, shards| {
            let rest = if shard == 0 { ranking.slots() % shards } else { 0 };
            advance(ranking.slots() / shards + rest);
        }) {
            return Some((section, entries.len() as u64));
        }
    }
    None
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
            hash: ribbon::hash_of_bit(hash, index),
            bit: code >> (length - 1 - index) & 1 == 1,
        })
    }
}

/// The bytes of a section; `None` if two bits of it have the same hash. `done` is
/// told the number of each shard that is written, and how many there are.
fn write(
    entries: &[Entry],
    codes: &Codes,
    head: [u8; 4],
    done: &(dyn Fn(u64, u64) + Sync),
) -> Option<Vec<u8>> {
    let shards = codes.bits.div_ceil(SHARD_BITS).max(1);
    let built: Option<Vec<(Vec<u8>, Shape)>> = (0..shards)
        .into_par_iter()
        .map(|shard| {
            let begin = |shard| {
                entries.partition_point(|entry| ribbon::part_of(entry.hash, shards) < shard)
            };
            let entries = &entries[begin(shard)..begin(shard + 1)];
            let equations = entries.iter().flat_map(|entry| codes.equations(entry)).collect();
            let built = ribbon::build(equations)?;
            done(shard, shards);
            Some(built)
        })
        .collect();
    let built = built?;
    let mut section = head.to_vec();
    section.extend((shards as u32).to_le_bytes());
    for lengths in &codes.lengths {
        let nibbles = lengths.chunks(2);
        section.extend(nibbles.map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
    }
    for (_, shape) in &built {
        section.extend(shape.bits.iter().chain([&shape.seed]).flat_map(|n| n.to_le_bytes()));
    }
    built.iter().for_each(|(bytes, _)| section.extend(bytes));
    section.resize((section.len() + SLACK).next_multiple_of(ALIGNMENT as usize), 0);
    Some(section)
}
