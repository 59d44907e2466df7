//! The values of many positions at once.
//!
//! Looked up one after the other, each position would wait for memory several times. Here the first
//! bits of all positions are read, then the second bits of the positions that have more, and so on:
//! no read waits for another.

use super::context::{Model, Sight};
use super::prefix::{Begun, LONGEST};
use super::ribbon;
use super::{Compact, canonical};
use crate::board::{Player, Position, Score, Word};
use crate::book::blocks::{BadBlock, Part};
use crate::simd::{Baseline, Simd, Task};

/// Positions whose bits are read side by side: few enough for the processor's first cache.
const SIDE_BY_SIDE: usize = 512;

/// A position's hash, and the context that the model infers from it.
pub(super) struct Seen {
    pub(super) hash: u64,
    pub(super) sight: Sight,
    pub(super) to_move: Player,
}

/// A partly read symbol.
#[derive(Clone, Copy)]
struct Reading {
    /// The number of its position in the batch.
    place: u32,
    context: u32,
    hash: u64,
    shard: u32,
    begun: Begun,
}

/// [`Compact::see_canonical`] with the instructions of newer processors.
struct See<'a> {
    compact: &'a Compact,
    position: Position<u64>,
}

impl Task for See<'_> {
    type Output = Seen;
    const GAINS_FROM_AVX512: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self) -> Seen {
        self.compact.see_canonical::<_, S>(self.position)
    }
}

impl Compact {
    /// The [values](Compact::value) of positions, in their order.
    pub(in crate::book) fn values<B: Word>(
        &self,
        section: Part<'_>,
        positions: &[Position<B>],
        values: &mut Vec<Option<Score>>,
    ) -> Result<(), BadBlock> {
        let mut seen = Vec::with_capacity(SIDE_BY_SIDE);
        let mut readings = Vec::with_capacity(SIDE_BY_SIDE);
        let mut symbols = [None; SIDE_BY_SIDE];
        for positions in positions.chunks(SIDE_BY_SIDE) {
            seen.clear();
            seen.extend(positions.iter().map(|&position| self.see(position)));
            readings.clear();
            self.begin(&seen, &mut symbols, &mut readings);
            for length in 1..=LONGEST {
                if readings.is_empty() {
                    break;
                }
                self.read_bits(section, length, &mut symbols, &mut readings)?;
            }
            let least = *self.values.start();
            values.extend(seen.iter().zip(&symbols).map(
                |(Seen { sight, to_move, .. }, symbol)| {
                    symbol.and_then(|symbol| sight.value(symbol, *to_move, least))
                },
            ));
        }
        Ok(())
    }

    /// Hashes a position and applies the model.
    fn see<B: Word>(&self, position: Position<B>) -> Seen {
        match self.model {
            Model::None => self.see_canonical::<_, Baseline>(position.canonical()),
            Model::Likelihood => {
                let position = canonical(position.mover().low(), position.mask().low());
                self.instructions.run(See { compact: self, position })
            }
        }
    }

    /// Hashes a position that is its own canonical image and applies the model.
    #[inline(always)]
    pub(super) fn see_canonical<B: Word, S: Simd>(&self, position: Position<B>) -> Seen {
        Seen {
            hash: super::hash(position.size(), position.key(), self.salt),
            sight: self.model.of::<_, S>(position, &self.values),
            to_move: position.to_move(),
        }
    }

    /// Finds out where the bits of symbols are. Symbols without any are known then.
    fn begin(
        &self,
        seen: &[Seen],
        symbols: &mut [Option<u8>; SIDE_BY_SIDE],
        readings: &mut Vec<Reading>,
    ) {
        for (place, Seen { hash, sight, .. }) in seen.iter().enumerate() {
            // If the model finds the value, the symbol means nothing.
            symbols[place] = sight.context().is_none().then_some(0);
            let Some(context) = sight.context() else { continue };
            let context = context >> self.coarseness;
            let Some(code) = self.codes.get(context) else { continue };
            if code.symbols.len() < 2 {
                symbols[place] = code.symbols.first().copied();
            } else {
                let shard = ribbon::part_of(*hash, self.shards.len() as u64) as u32;
                let (place, context, hash) = (place as u32, context as u32, *hash);
                readings.push(Reading { place, context, hash, shard, begun: Begun::default() });
            }
        }
    }

    /// Reads one more bit of each symbol, and keeps the incomplete ones.
    #[inline(never)]
    fn read_bits(
        &self,
        section: Part<'_>,
        length: u32,
        symbols: &mut [Option<u8>; SIDE_BY_SIDE],
        readings: &mut Vec<Reading>,
    ) -> Result<(), BadBlock> {
        let mut kept = 0;
        for index in 0..readings.len() {
            let mut reading = readings[index];
            let hash = ribbon::hash_of_bit(reading.hash, length - 1);
            let shard = &self.shards[reading.shard as usize];
            let bytes = section.slice(shard.bytes.clone())?;
            let Some(bit) = ribbon::bit(&bytes, shard.shape, hash) else { continue };
            let code = &self.codes[reading.context as usize];
            let complete = code.add(&mut reading.begun, length, bit);
            let symbol = complete.and_then(|place| code.symbols.get(place));
            symbols[reading.place as usize] = symbol.copied();
            // Kept, or overwritten by the next: cheaper than a branch that is mispredicted.
            readings[kept] = reading;
            kept += usize::from(complete.is_none());
        }
        readings.truncate(kept);
        Ok(())
    }
}
