//! What stands before the shards of a compact section.

use super::context::Function;
use super::prefix::LONGEST;
use super::ribbon::{SLACK, Shape};
use crate::board::{Score, Size};
use crate::book::flat::ALIGNMENT;
use crate::scores::ValueKind;
use std::ops::RangeInclusive;

/// Bytes before the code lengths: context function, coarseness, number of
/// symbols, salt, number of shards.
const PREAMBLE: usize = 8;

/// Bytes that describe a shard.
const SHARD_BYTES: usize = 16;

/// What is wrong with a compact section: something, what it has to be, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::book) struct Broken {
    pub(in crate::book) what: &'static str,
    pub(in crate::book) expected: String,
    pub(in crate::book) found: String,
}

impl Broken {
    fn new(what: &'static str, expected: impl ToString, found: impl ToString) -> Self {
        Broken { what, expected: expected.to_string(), found: found.to_string() }
    }
}

/// The tables of a section. They agree with each other and with the section's length, so
/// that all bits of a code can be read and are a code.
#[derive(Clone, Debug)]
pub(in crate::book) struct Tables<'a> {
    pub(super) function: Function,
    /// Contexts are divided by two to this power.
    pub(super) coarseness: u8,
    pub(super) salt: u8,
    /// The values that positions have, as many as there are symbols.
    pub(super) values: RangeInclusive<Score>,
    /// The code lengths of each context, so many bytes each.
    lengths: &'a [u8],
    stride: usize,
    shards: &'a [[u8; SHARD_BYTES]],
    /// Where the first shard begins.
    first_shard: usize,
}

impl<'a> Tables<'a> {
    /// Reads the tables of a section whose values are symbols less `bias`, and of this kind.
    pub(in crate::book) fn read(
        section: &'a [u8],
        size: Size,
        bias: i8,
        kind: ValueKind,
    ) -> Result<Tables<'a>, Broken> {
        let cut = |expected: usize| {
            Broken::new("the length", format!("at least {expected}"), section.len())
        };
        let part = |start: usize, length: usize| {
            let end = start.saturating_add(length);
            section.get(start..end).ok_or_else(|| cut(end))
        };
        let &[function, coarseness, symbols, salt, ref shards @ ..] =
            section.first_chunk::<PREAMBLE>().ok_or_else(|| cut(PREAMBLE))?;
        let function = Function::from_number(function, size, kind).ok_or_else(|| {
            let known = Function::numbers(size, kind).map(|number| number.to_string());
            Broken::new("the context function", known.collect::<Vec<_>>().join(" or "), function)
        })?;
        let contexts = function.contexts().checked_shr(coarseness.into()).unwrap_or(0);
        if contexts == 0 {
            let most = function.contexts().ilog2();
            return Err(Broken::new("the coarseness", format!("at most {most}"), coarseness));
        }
        let most_symbols = i32::from(kind.highest_value(size)) + i32::from(bias) + 1;
        if symbols == 0 || i32::from(symbols) > most_symbols {
            return Err(Broken::new("the symbols", format!("1 to {most_symbols}"), symbols));
        }
        let stride = usize::from(symbols).div_ceil(2);
        let lengths = part(PREAMBLE, contexts * stride)?;
        let directory = PREAMBLE + lengths.len();
        let count = u32::from_le_bytes(*shards) as usize;
        if count == 0 {
            return Err(Broken::new("the shards", "at least 1", count));
        }
        let (shards, _) = part(directory, count.saturating_mul(SHARD_BYTES))?.as_chunks();
        let first_shard = directory + shards.as_flattened().len();
        // Neither goes beyond the values of the board.
        let least = -bias;
        let values = least..=(i32::from(least) + i32::from(symbols) - 1) as Score;
        let tables =
            Tables { function, coarseness, salt, values, lengths, stride, shards, first_shard };
        tables.check_codes(usize::from(symbols))?;
        tables.check_shards(section)?;
        Ok(tables)
    }

    /// The code lengths of each context, by symbol.
    pub(super) fn lengths(&self) -> impl Iterator<Item = Vec<u8>> {
        let contexts = self.lengths.chunks_exact(self.stride);
        contexts.map(|pairs| pairs.iter().flat_map(|&pair| [pair & 15, pair >> 4]).collect())
    }

    /// Where each shard begins, and its size.
    pub(super) fn shards(&self) -> impl Iterator<Item = (usize, Shape)> {
        let shapes = self.shards.iter().map(shape);
        shapes.scan(self.first_shard, |start, shape| {
            let begin = *start;
            *start = start.saturating_add(shape.bytes());
            Some((begin, shape))
        })
    }

    /// Bytes in use, padding left out.
    fn end(&self) -> usize {
        let last = self.shards().last();
        last.map_or(0, |(start, shape)| start.saturating_add(shape.bytes())).saturating_add(SLACK)
    }

    /// Whether nothing but zeros is after the last shard of the section.
    #[cfg(feature = "generate")]
    pub(in crate::book) fn padding_is_zero(&self, section: &[u8]) -> bool {
        section[self.end() - SLACK..].iter().all(|&byte| byte == 0)
    }

    /// Whether any bits are a code, in every context that has several.
    fn check_codes(&self, symbols: usize) -> Result<(), Broken> {
        /// All codes of the longest length.
        const WHOLE: u32 = 1 << LONGEST;
        /// Those that begin with a code of this length.
        const fn share(length: u32) -> u32 {
            if length == 0 { 0 } else { WHOLE >> length }
        }
        /// Those that begin with one of the codes of two lengths, in the two halves of a byte.
        const SHARES: [u32; 256] = {
            let mut shares = [0; 256];
            let mut pair = 0;
            while pair < 256 {
                shares[pair] = share(pair as u32 & 15) + share(pair as u32 >> 4);
                pair += 1;
            }
            shares
        };
        for pairs in self.lengths.chunks_exact(self.stride) {
            let share: u32 = pairs.iter().map(|&pair| SHARES[usize::from(pair)]).sum();
            let has_spare = symbols % 2 == 1 && pairs[self.stride - 1] >> 4 != 0;
            if share == WHOLE && !has_spare {
                continue;
            }
            let nibbles = pairs.iter().flat_map(|&pair| [pair & 15, pair >> 4]);
            if has_spare || nibbles.filter(|&length| length > 0).count() > 1 {
                let expected = "those of a complete prefix code in every context";
                return Err(Broken::new("the code lengths", expected, "others"));
            }
        }
        Ok(())
    }

    /// Whether the shards can be what they say, and fill the section but for padding.
    fn check_shards(&self, section: &[u8]) -> Result<(), Broken> {
        if let Some(shape) = self.shards.iter().map(shape).find(|shape| !shape.is_possible()) {
            let found = format!("{:?}", shape.bits);
            return Err(Broken::new("the bits of a layer", "0 or at least 128", found));
        }
        let expected = self.end().checked_next_multiple_of(ALIGNMENT as usize);
        let expected = expected.unwrap_or(usize::MAX);
        if section.len() != expected {
            return Err(Broken::new("the length", expected, section.len()));
        }
        Ok(())
    }
}

fn shape(entry: &[u8; SHARD_BYTES]) -> Shape {
    let (numbers, _) = entry.as_chunks();
    let number = |i: usize| u32::from_le_bytes(numbers[i]);
    Shape { bits: [number(0), number(1), number(2)], seed: number(3) }
}
