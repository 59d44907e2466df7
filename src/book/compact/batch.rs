//! The values of many positions at once.
//!
//! One position after the other waits for memory several times. Here the first bits of all
//! positions are read, then the second ones of those that have more, and so on: no read has
//! to wait for another.

use super::Compact;
use super::prefix::{Begun, LONGEST};
use super::ribbon::{self, Shape};
use crate::board::{Position, Score, Word};

/// Positions whose bits are read side by side: few enough for the processor's first cache.
const SIDE_BY_SIDE: usize = 512;

/// A value of which some bits have been read.
#[derive(Clone, Copy)]
struct Reading {
    /// The number of its position in the batch.
    place: u32,
    context: u32,
    hash: u64,
    start: usize,
    shape: Shape,
    begun: Begun,
}

impl Compact {
    /// The [values](Compact::value) of positions, in their order.
    pub(crate) fn values<B: Word>(
        &self,
        section: &[u8],
        positions: &[Position<B>],
        values: &mut Vec<Option<Score>>,
    ) {
        let mut readings = Vec::with_capacity(SIDE_BY_SIDE);
        for positions in positions.chunks(SIDE_BY_SIDE) {
            let begin = values.len();
            values.resize(begin + positions.len(), None);
            let values = &mut values[begin..];
            readings.clear();
            self.begin(positions, values, &mut readings);
            for length in 1..=LONGEST {
                if readings.is_empty() {
                    break;
                }
                self.read_bits(section, length, values, &mut readings);
            }
        }
    }

    /// Finds out where the bits of positions are. Values without any are known then.
    fn begin<B: Word>(
        &self,
        positions: &[Position<B>],
        values: &mut [Option<Score>],
        readings: &mut Vec<Reading>,
    ) {
        for (place, &position) in positions.iter().enumerate() {
            let (hash, context) = self.find(position);
            let context = context >> self.coarseness;
            let shard = ribbon::part_of(hash, self.shards.len() as u64) as usize;
            let Some(code) = self.codes.get(context) else { continue };
            if code.symbols.len() < 2 {
                values[place] = code.symbols.first().map(|&symbol| self.value_of(symbol));
            } else if let Some(&(start, shape)) = self.shards.get(shard) {
                let (place, context) = (place as u32, context as u32);
                readings.push(Reading {
                    place,
                    context,
                    hash,
                    start,
                    shape,
                    begun: Begun::default(),
                });
            }
        }
    }

    /// Reads one more bit of each value, and keeps those that are not complete.
    #[inline(never)]
    fn read_bits(
        &self,
        section: &[u8],
        length: u32,
        values: &mut [Option<Score>],
        readings: &mut Vec<Reading>,
    ) {
        let mut kept = 0;
        for index in 0..readings.len() {
            let mut reading = readings[index];
            let hash = ribbon::hash_of_bit(reading.hash, length - 1);
            let bytes = section.get(reading.start..).unwrap_or(&[]);
            let Some(bit) = ribbon::bit(bytes, reading.shape, hash) else { continue };
            let code = &self.codes[reading.context as usize];
            let complete = code.add(&mut reading.begun, length, bit);
            let symbol = complete.and_then(|place| code.symbols.get(place));
            values[reading.place as usize] = symbol.map(|&symbol| self.value_of(symbol));
            // Kept, or overwritten by the next: cheaper than a branch that nobody foresees.
            readings[kept] = reading;
            kept += usize::from(complete.is_none());
        }
        readings.truncate(kept);
    }
}
