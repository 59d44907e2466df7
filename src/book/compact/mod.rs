//! The compact encoding: values behind a hash, a few bits each, without keys.
//!
//! A value is written as a prefix code that depends on the position's [context]. A [ribbon] keeps
//! the bits of the code and returns them by the hash of the position's key. Positions without an
//! entry read as any value: the caller must know that a game reaches the position. The private
//! module `encode` writes sections.

mod context;
#[cfg(feature = "generate")]
mod encode;
mod likelihood;
mod prefix;
mod ribbon;
mod tables;
mod tactics;
#[cfg(test)]
mod tests;

#[cfg(feature = "generate")]
pub(super) use encode::{SectionValues, encode};
pub use likelihood::{
    CONTEXTS, DEEP_UNITS, DISTANCES, EXCLUDED, FEATURES, LANES, LEVELS, SCORES, UNITS,
};
pub use tactics::{Quiet, Tactics};

use super::blocks::{BadBlock, SectionBytes};
use context::Model;
use fourbook_solver::board::{Board, Position, Score, Size, Word};
use fourbook_solver::simd::{Baseline, Instructions, Simd, WithSimd};
use fourbook_solver::splitmix::{STEP, mix};
use prefix::PrefixCode;
use ribbon::Shape;
use tables::Segment;
pub(super) use tables::Tables;

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
pub(crate) struct Compact {
    instructions: Instructions,
    tables: Tables,
    /// The code of each context.
    codes: Vec<PrefixCode>,
}

impl Compact {
    /// Makes a section with these tables ready for lookups.
    pub(super) fn new(tables: Tables) -> Compact {
        let codes = tables.lengths().map(|lengths| PrefixCode::new(&lengths)).collect();
        Compact { instructions: Instructions::detect(), tables, codes }
    }

    /// The value of a position that a game reaches and the rules do not score; for any other
    /// position, the result means nothing.
    #[inline]
    pub(super) fn value<B: Word>(
        &self,
        section: SectionBytes<'_>,
        position: Board<B>,
    ) -> Result<Option<Score>, BadBlock> {
        match self.tables.model {
            Model::None => self.find::<_, Baseline>(section, position.canonical()),
            Model::Likelihood => {
                self.find_likely(section, position.mover().low(), position.mask().low())
            }
        }
    }

    /// The value of a position of 7x6 by the model. Neither generic nor inlined, so it is compiled with
    /// this package, which builds for tests optimise, and not with each caller.
    #[inline(never)]
    fn find_likely(
        &self,
        section: SectionBytes<'_>,
        mover: u64,
        mask: u64,
    ) -> Result<Option<Score>, BadBlock> {
        let position = canonical(mover, mask);
        self.instructions.run(Find { compact: self, section, position })
    }

    /// The value of a position that is its own canonical image.
    #[inline(always)]
    fn find<B: Word, S: Simd>(
        &self,
        section: SectionBytes<'_>,
        position: Board<B>,
    ) -> Result<Option<Score>, BadBlock> {
        let tables = &self.tables;
        let hash = hash(position.size(), position.key(), tables.salt);
        let segment = &tables.segments[ribbon::scaled(hash, tables.segments.len() as u64) as usize];
        // The place of the code does not depend on the context, so memory fetches it while the
        // model runs.
        segment.fetch_start(section, hash);
        let sight = tables.model.of::<_, S>(position, &tables.values);
        let symbol = match sight.context() {
            None => Some(0),
            Some(context) => {
                let bytes = section.slice(segment.bytes.clone())?;
                let bits = BitsOfCode { bytes: &bytes, shape: segment.shape, hash };
                let code = self.codes.get(context >> tables.coarseness);
                code.and_then(|code| code.read(bits.start(), |index| bits.bit(index)))
            }
        };
        let least = *tables.values.start();
        Ok(symbol.and_then(|symbol| sight.value(symbol, position.to_move(), least)))
    }
}

/// [`Compact::find`] with the instructions of newer processors: the network adds and multiplies
/// rows of numbers, which compilers do in wider registers if they may.
struct Find<'a> {
    compact: &'a Compact,
    section: SectionBytes<'a>,
    position: Board<u64>,
}

impl WithSimd for Find<'_> {
    type Output = Result<Option<Score>, BadBlock>;
    const GAINS_FROM_AVX512: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        self.compact.find::<_, S>(self.section, self.position)
    }
}

impl Segment {
    /// Has memory fetch the first bits of the code.
    #[inline(always)]
    fn fetch_start(&self, section: SectionBytes<'_>, hash: u64) {
        for index in 0..prefix::AT_ONCE {
            let place = ribbon::likely_place(self.shape, ribbon::hash_of_bit(hash, index));
            section.prefetch(self.bytes.start + place);
        }
    }
}

/// The bits of the code of the key with a hash, in its segment.
#[derive(Clone, Copy)]
struct BitsOfCode<'a> {
    bytes: &'a [u8],
    shape: Shape,
    hash: u64,
}

impl BitsOfCode<'_> {
    #[inline(always)]
    fn bit(self, index: u32) -> Option<bool> {
        ribbon::bit(self.bytes, self.shape, ribbon::hash_of_bit(self.hash, index))
    }

    /// The first bits, the first one highest.
    #[inline(always)]
    fn start(self) -> Option<u32> {
        let mut start = 0;
        for index in 0..prefix::AT_ONCE {
            start = start << 1 | u32::from(self.bit(index)?);
        }
        Some(start)
    }
}

/// The [canonical](Position::canonical) image of a position of 7x6, in less time.
#[inline(always)]
fn canonical(mover: u64, mask: u64) -> Board<u64> {
    let mirrored = |cells: u64| {
        let column = |column: u32| cells >> (7 * column) & 127;
        (0..7).fold(0, |mirrored, index| mirrored | column(index) << (7 * (6 - index)))
    };
    let mirror = (mirrored(mover), mirrored(mask));
    // The lowest cells, which are part of a key, are their own mirror image.
    let (mover, mask) = if mover + mask <= mirror.0 + mirror.1 { (mover, mask) } else { mirror };
    Board::standard(mover, mask)
}

/// Follows forced moves from a position of 7x6, as the trained model does.
pub fn tactics(position: Position) -> Tactics {
    let position = Board::<u64>::of(position).canonical();
    tactics::resolve::<Baseline>(position.mover(), position.mask())
}
