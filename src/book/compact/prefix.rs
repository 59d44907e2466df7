//! Prefix codes for values: frequent ones take fewer bits.

/// The longest code, in bits.
pub(super) const LONGEST: u32 = 15;

/// A prefix code given by its lengths: codes of a length are consecutive
/// numbers in the order of their symbols, and shorter ones come first.
pub(super) struct PrefixCode {
    /// How many codes have each length.
    pub(super) counts: [u16; LONGEST as usize + 1],
    /// The symbols by length, then by number.
    pub(super) symbols: Vec<u8>,
    /// The symbol whose whole code the first bits are, by the number that they make.
    starts: [Option<u8>; 1 << AT_ONCE],
    /// The number after the last code of [`AT_ONCE`] bits, and the number of codes up to it.
    after_start: (u32, u32),
}

/// Bits that are read at once; most codes are not longer. Reading a bit that is not needed takes
/// less time than a mispredicted branch.
pub(super) const AT_ONCE: u32 = 3;

impl PrefixCode {
    pub(super) fn new(lengths: &[u8]) -> Self {
        let mut counts = [0; LONGEST as usize + 1];
        let mut symbols: Vec<u8> =
            (0..lengths.len()).filter(|&s| lengths[s] > 0).map(|s| s as u8).collect();
        symbols.sort_by_key(|&symbol| lengths[usize::from(symbol)]);
        for &symbol in &symbols {
            counts[usize::from(lengths[usize::from(symbol)])] += 1;
        }
        let mut after_start = (0, 0);
        for &count in &counts[1..=AT_ONCE as usize] {
            after_start = (2 * after_start.0 + u32::from(count), after_start.1 + u32::from(count));
        }
        let mut code = PrefixCode { counts, symbols, starts: Default::default(), after_start };
        for start in 0..1 << AT_ONCE {
            let mut begun = Begun::default();
            for length in 1..=AT_ONCE {
                let bit = start >> (AT_ONCE - length) & 1 == 1;
                if let Some(place) = code.add(&mut begun, length, bit) {
                    code.starts[start] = code.symbols.get(place).copied();
                    break;
                }
            }
        }
        code
    }

    /// The symbol whose code begins with the [`AT_ONCE`] bits of `start` and continues with the
    /// bits that `bit` returns by their numbers; `None` if there is none or a bit is missing.
    #[inline(always)]
    pub(super) fn read(
        &self,
        start: Option<u32>,
        mut bit: impl FnMut(u32) -> Option<bool>,
    ) -> Option<u8> {
        if self.symbols.len() < 2 {
            return self.symbols.first().copied();
        }
        let code = start?;
        if let Some(symbol) = self.starts[code as usize % self.starts.len()] {
            return Some(symbol);
        }
        let (first, index) = self.after_start;
        let mut begun = Begun { code, first, index };
        for length in AT_ONCE + 1..=LONGEST {
            if let Some(place) = self.add(&mut begun, length, bit(length - 1)?) {
                return self.symbols.get(place).copied();
            }
        }
        None
    }

    /// Adds a bit to a code, which then has this length; returns the place of its symbol among all
    /// symbols if the code is complete.
    #[inline(always)]
    fn add(&self, begun: &mut Begun, length: u32, bit: bool) -> Option<usize> {
        let Begun { code, first, index } = begun;
        *code = *code << 1 | u32::from(bit);
        let count = u32::from(self.counts[length as usize]);
        let place = code.wrapping_sub(*first << 1);
        *first = (*first << 1) + count;
        if place < count {
            return Some((*index + place) as usize);
        }
        *index += count;
        None
    }
}

/// The first bits of a code.
#[derive(Clone, Copy, Debug, Default)]
struct Begun {
    code: u32,
    /// The number after the last code of at most this length.
    first: u32,
    /// How many codes are not longer.
    index: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_that_make_no_code_are_read_without_a_panic() {
        let overfull = PrefixCode::new(&[1; 40]);
        let _ = overfull.read(Some(7), |_| Some(true));
        let sparse = PrefixCode::new(&[15, 15]);
        assert_eq!(sparse.read(Some(7), |_| Some(true)), None);
        assert_eq!(sparse.read(None, |_| None), None);
        assert_eq!(sparse.read(Some(7), |_| None), None);
    }
}
