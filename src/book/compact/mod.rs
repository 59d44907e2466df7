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
mod likelihood;
mod network;
mod prefix;
mod ribbon;
mod tables;
mod tactics;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;

#[cfg(feature = "generate")]
pub(super) use encode::{Values, encode};
pub use likelihood::{
    CONTEXTS, DEEP_UNITS, DISTANCES, EXCLUDED, FEATURES, LANES, LEVELS, SCORES, UNITS,
};
pub use tactics::{Quiet, Tactics};

use crate::board::{Position, Score, Size, Word};
use crate::simd::dispatch::prefetch;
use crate::simd::{Baseline, Instructions, Simd, Task};
use crate::splitmix::{STEP, mix};
use context::Function;
use prefix::PrefixCode;
use ribbon::Shape;
use std::ops::RangeInclusive;
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
    instructions: Instructions,
    function: Function,
    /// Contexts are divided by two to this power.
    coarseness: u8,
    salt: u8,
    codes: Vec<PrefixCode>,
    shards: Vec<(usize, Shape)>,
    /// The value of symbol 0, and of the last symbol.
    values: RangeInclusive<Score>,
}

impl Compact {
    /// Makes a section with these tables ready for lookups.
    pub(super) fn new(tables: &Tables<'_>) -> Compact {
        Compact {
            instructions: Instructions::detect(),
            function: tables.function,
            coarseness: tables.coarseness,
            salt: tables.salt,
            codes: tables.lengths().map(|lengths| PrefixCode::new(&lengths)).collect(),
            shards: tables.shards().collect(),
            values: tables.values.clone(),
        }
    }

    /// The value of a position that a game reaches and the rules do not score;
    /// of any other, any value or `None`.
    #[inline]
    pub(crate) fn value<B: Word>(&self, section: &[u8], position: Position<B>) -> Option<Score> {
        match self.function {
            Function::Threats => self.find::<_, Baseline>(section, position.canonical()),
            Function::Network | Function::Likelihood => {
                let position = canonical(position.mover().low(), position.mask().low());
                self.instructions.run(Find { compact: self, section, position })
            }
        }
    }

    /// The value of a position that is its own canonical image.
    #[inline(always)]
    fn find<B: Word, S: Simd>(&self, section: &[u8], position: Position<B>) -> Option<Score> {
        let hash = hash(position.size(), position.key(), self.salt);
        let shard = self.shard(section, hash);
        // Where the code is does not depend on the context: memory has it ready when that is
        // known.
        if let Some(shard) = shard {
            shard.fetch_start(hash);
        }
        let sight = self.function.of::<_, S>(position, &self.values);
        let symbol = match sight.context() {
            Some(context) => {
                let code = self.codes.get(context >> self.coarseness)?;
                code.read(shard?.start(hash), |index| shard?.bit(hash, index))?
            }
            None => 0,
        };
        sight.value(symbol, position.to_move(), *self.values.start())
    }

    /// The shard that has the entry with this hash.
    #[inline(always)]
    fn shard<'a>(&self, section: &'a [u8], hash: u64) -> Option<Shard<'a>> {
        let shard = ribbon::part_of(hash, self.shards.len() as u64) as usize;
        let &(start, shape) = self.shards.get(shard)?;
        Some(Shard { bytes: section.get(start..)?, shape })
    }
}

/// [`Compact::find`] with the instructions of newer processors: the network adds and multiplies
/// rows of numbers, which compilers do in wider registers if they may.
struct Find<'a> {
    compact: &'a Compact,
    section: &'a [u8],
    position: Position<u64>,
}

impl Task for Find<'_> {
    type Output = Option<Score>;
    const GAINS_FROM_AVX512: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<Score> {
        self.compact.find::<_, S>(self.section, self.position)
    }
}

/// A ribbon in a section.
#[derive(Clone, Copy)]
struct Shard<'a> {
    /// From where it begins to the end of the section.
    bytes: &'a [u8],
    shape: Shape,
}

impl Shard<'_> {
    /// A bit of the code of the key with this hash.
    #[inline(always)]
    fn bit(self, hash: u64, index: u32) -> Option<bool> {
        ribbon::bit(self.bytes, self.shape, ribbon::hash_of_bit(hash, index))
    }

    /// Has memory fetch the first bits of the code.
    #[inline(always)]
    fn fetch_start(self, hash: u64) {
        for index in 0..prefix::AT_ONCE {
            let place = ribbon::likely_place(self.shape, ribbon::hash_of_bit(hash, index));
            prefetch(self.bytes.as_ptr().wrapping_add(place));
        }
    }

    /// The first bits of the code, the first one highest.
    #[inline(always)]
    fn start(self, hash: u64) -> Option<u32> {
        let mut start = 0;
        for index in 0..prefix::AT_ONCE {
            start = start << 1 | u32::from(self.bit(hash, index)?);
        }
        Some(start)
    }
}

/// The [canonical](Position::canonical) image of a position of 7x6, sooner.
#[inline(always)]
fn canonical(mover: u64, mask: u64) -> Position<u64> {
    let mirrored = |cells: u64| {
        let column = |column: u32| cells >> (7 * column) & 127;
        (0..7).fold(0, |mirrored, index| mirrored | column(index) << (7 * (6 - index)))
    };
    let mirror = (mirrored(mover), mirrored(mask));
    // The lowest cells, which keys have as well, are their own mirror image.
    let (mover, mask) = if mover + mask <= mirror.0 + mirror.1 { (mover, mask) } else { mirror };
    Position::standard(mover, mask)
}

/// Follows forced moves from a position of 7x6, as context function 2 does.
pub fn tactics(position: Position) -> Tactics {
    let position = position.narrow::<u64>().canonical();
    tactics::resolve::<Baseline>(position.mover(), position.mask())
}
