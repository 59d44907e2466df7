//! A range coder for bits, whose chances are learnt from the bits before.
//!
//! Source: G. N. N. Martin, "Range encoding" (1979), with the counts of R. E. Krichevsky and
//! V. K. Trofimov, "The performance of universal encoding" (1981).

/// The number of contexts.
pub(super) const CONTEXTS: usize = 512;

/// Counts above this sum are halved, so that chances follow changes.
const MOST_COUNTS: u32 = 64;

/// A range below this takes another byte.
const LEAST_RANGE: u32 = 1 << 24;

/// A coder or a decoder of bits.
pub(super) trait Bits {
    /// Codes `bit` in a context, or decodes a bit in its place. Returns the bit.
    fn bit(&mut self, context: usize, bit: bool) -> bool;
}

/// The range of the numbers that begin with the written bits, and the chances of the next bit.
struct Interval {
    range: u32,
    /// How often a bit was 0 and 1 in each context, twice and one more.
    counts: [[u32; 2]; CONTEXTS],
}

impl Interval {
    fn new() -> Self {
        Interval { range: u32::MAX, counts: [[1; 2]; CONTEXTS] }
    }

    /// The part of the range that stands for 0.
    fn zero(&self, context: usize) -> u32 {
        let [zeros, ones] = self.counts[context];
        self.range / (zeros + ones) * zeros
    }

    /// Takes the part of the range that stands for `bit`, and learns the bit.
    fn narrow(&mut self, context: usize, bit: bool) {
        let zero = self.zero(context);
        self.range = if bit { self.range - zero } else { zero };
        let counts = &mut self.counts[context];
        counts[usize::from(bit)] += 2;
        if counts.iter().sum::<u32>() > MOST_COUNTS {
            *counts = counts.map(|count| count.div_ceil(2));
        }
    }
}

/// Writes bits as bytes.
pub(super) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
    low: u32,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Encoder { interval: Interval::new(), bytes: Vec::new(), low: 0 }
    }

    fn raise(&mut self, by: u32) {
        let (low, carry) = self.low.overflowing_add(by);
        self.low = low;
        if carry {
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    fn shift(&mut self) {
        self.bytes.push((self.low >> 24) as u8);
        self.low <<= 8;
    }

    /// The bytes, without the zeros at their end.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // The number with the most zeros at its end that lies within the range.
        let zeros = (0..32).rev().find(|&zeros| {
            let up = self.low.wrapping_neg() & ((1 << zeros) - 1);
            up < self.interval.range
        });
        let up = self.low.wrapping_neg() & ((1 << zeros.unwrap_or(0)) - 1);
        self.raise(up);
        for _ in 0..4 {
            self.shift();
        }
        let end = self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.truncate(end);
        self.bytes
    }
}

impl Bits for Encoder {
    fn bit(&mut self, context: usize, bit: bool) -> bool {
        if bit {
            self.raise(self.interval.zero(context));
        }
        self.interval.narrow(context, bit);
        while self.interval.range < LEAST_RANGE {
            self.interval.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads the bits that an [`Encoder`] has written.
pub(super) struct Decoder<'a> {
    interval: Interval,
    bytes: &'a [u8],
    code: u32,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { interval: Interval::new(), bytes, code: 0 };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    /// Takes the next byte; zeros follow the last one.
    fn shift(&mut self) {
        let (next, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.code = self.code << 8 | u32::from(*next);
        self.bytes = rest;
    }
}

impl Bits for Decoder<'_> {
    fn bit(&mut self, context: usize, _: bool) -> bool {
        let zero = self.interval.zero(context);
        let bit = self.code >= zero;
        if bit {
            self.code -= zero;
        }
        self.interval.narrow(context, bit);
        while self.interval.range < LEAST_RANGE {
            self.interval.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook_solver::splitmix::SplitMix;

    #[test]
    fn bits_are_read_as_they_were_written() {
        for percent in [0, 1, 20, 50, 97, 100] {
            for count in [0, 1, 2, 7, 100, 10_000] {
                let mut random = SplitMix(percent * 1_000_000 + count);
                let bits: Vec<_> = (0..count)
                    .map(|_| (random.draw() as usize % 3, random.draw() % 100 < percent))
                    .collect();
                let mut encoder = Encoder::new();
                for &(context, bit) in &bits {
                    assert_eq!(encoder.bit(context, bit), bit);
                }
                let bytes = encoder.finish();
                assert_ne!(bytes.last(), Some(&0));
                let mut decoder = Decoder::new(&bytes);
                let read: Vec<_> = bits
                    .iter()
                    .map(|&(context, _)| (context, decoder.bit(context, true)))
                    .collect();
                assert!(read == bits, "{percent} % of {count}");
            }
        }
    }

    #[test]
    fn likely_bits_take_little() {
        let mut encoder = Encoder::new();
        for number in 0..10_000 {
            encoder.bit(0, number % 100 == 0);
        }
        // The entropy of one in a hundred is 0.081 bits.
        assert!(encoder.finish().len() < 130);
    }
}
