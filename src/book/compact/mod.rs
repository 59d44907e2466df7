//! The compact encoding: values behind a hash, a few bits each, without keys.
//!
//! A value is written as a prefix code that depends on the position's
//! [context]; the bits of the code are kept in a [ribbon], which gives them
//! back by the hash of the position's key. Positions without an entry read as
//! any value: whoever looks up has to know that a game reaches the position. The private
//! module `encode` writes sections.

#[cfg(feature = "generate")]
mod batch;
mod context;
#[cfg(feature = "generate")]
mod encode;
mod network;
mod prefix;
mod ribbon;
mod tables;
#[cfg(test)]
mod vectors;

#[cfg(feature = "generate")]
pub(super) use encode::{Values, encode};

use super::splitmix::{STEP, mix};
use super::view::standard;
use crate::board::{Position, Score, Size, Word};
use context::Function;
use prefix::PrefixCode;
use ribbon::Shape;
pub(super) use tables::{Broken, Tables};

/// The hash of a position, from its canonical key: of the key's low 64 bits, and on boards
/// of more bits, that hash mixed once more with the high ones.
#[inline(always)]
fn hash<B: Word>(size: Size, canonical_key: B, salt: u8) -> u64 {
    // The factor is odd: different salts give different hashes.
    let hash = mix(canonical_key.low() ^ (salt as u64).wrapping_mul(STEP));
    if B::BITS <= u64::BITS || size.bits() <= u64::BITS {
        return hash;
    }
    let high = (canonical_key.widen() >> u64::BITS) as u64;
    mix(hash ^ high)
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
    #[cfg(feature = "generate")]
    end: usize,
}

impl Compact {
    /// Makes a section with these tables ready for lookups.
    pub(super) fn new(tables: &Tables<'_>) -> Compact {
        Compact {
            function: tables.function,
            coarseness: tables.coarseness,
            salt: tables.salt,
            codes: tables.lengths().map(|lengths| PrefixCode::new(&lengths)).collect(),
            shards: tables.shards().collect(),
            least: tables.least,
            #[cfg(feature = "generate")]
            end: tables.end(),
        }
    }

    /// The value of a position that a game reaches and the rules do not score;
    /// of any other, any value or `None`.
    #[inline]
    pub(crate) fn value<B: Word>(&self, section: &[u8], position: Position<B>) -> Option<Score> {
        let (hash, context) = self.find(position);
        let shard = ribbon::part_of(hash, self.shards.len() as u64) as usize;
        let code = self.codes.get(context >> self.coarseness)?;
        let symbol = code.read(|index| {
            let &(start, shape) = self.shards.get(shard)?;
            ribbon::bit(section.get(start..)?, shape, ribbon::hash_of_bit(hash, index))
        })?;
        Some(self.value_of(symbol))
    }

    #[inline(always)]
    fn value_of(&self, symbol: u8) -> Score {
        self.least.wrapping_add(symbol as Score)
    }

    /// The hash and the context of a position.
    #[inline(always)]
    fn find<B: Word>(&self, position: Position<B>) -> (u64, usize) {
        match self.function {
            Function::Threats => self.find_in(position),
            Function::Network => {
                self.find_in(standard(position.mover().low(), position.mask().low()))
            }
        }
    }

    #[inline(always)]
    fn find_in<B: Word>(&self, position: Position<B>) -> (u64, usize) {
        let position = position.canonical();
        (hash(position.size(), position.key(), self.salt), self.function.of(position))
    }
}

#[cfg(feature = "generate")]
impl Compact {
    /// Whether nothing but zeros is after the last shard.
    pub(crate) fn padding_is_zero(&self, section: &[u8]) -> bool {
        let padding = section.get(self.end - ribbon::SLACK..).unwrap_or(&[]);
        padding.iter().all(|&byte| byte == 0)
    }
}
