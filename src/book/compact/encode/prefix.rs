//! Choosing prefix codes.

use crate::book::compact::prefix::{LONGEST, PrefixCode};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The lengths of codes by symbol that make a text with these frequencies
/// shortest; 0 for a symbol that does not occur.
///
/// Where one symbol alone occurs, its length is 1 and its code is not written.
///
/// Source: D. Huffman, "A Method for the Construction of Minimum-Redundancy
/// Codes" (1952).
pub(super) fn lengths(frequencies: &[u64]) -> Vec<u8> {
    let mut frequencies = frequencies.to_vec();
    loop {
        let lengths = unlimited_lengths(&frequencies);
        if lengths.iter().all(|&length| u32::from(length) <= LONGEST) {
            return lengths;
        }
        // More even frequencies give codes of more even length.
        frequencies.iter_mut().filter(|f| **f > 0).for_each(|f| *f = *f / 2 + 1);
    }
}

fn unlimited_lengths(frequencies: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0_u8; frequencies.len()];
    let occurring = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0);
    // By frequency, then by number, so that equal frequencies give equal codes.
    let mut trees: Vec<Vec<usize>> = occurring.map(|symbol| vec![symbol]).collect();
    let mut heap: BinaryHeap<_> =
        trees.iter().enumerate().map(|(i, tree)| Reverse((frequencies[tree[0]], i))).collect();
    if let [only] = &trees[..] {
        lengths[only[0]] = 1;
        return lengths;
    }
    while let (Some(Reverse((first, a))), Some(Reverse((second, b)))) = (heap.pop(), heap.pop()) {
        let joined: Vec<usize> = trees[a].iter().chain(&trees[b]).copied().collect();
        joined.iter().for_each(|&symbol| lengths[symbol] += 1);
        trees.push(joined);
        if heap.is_empty() {
            break;
        }
        heap.push(Reverse((first + second, trees.len() - 1)));
    }
    lengths
}

impl PrefixCode {
    /// The codes by symbol of `symbols` symbols: length and bits, the highest bit first.
    pub(super) fn codes(&self, symbols: usize) -> Vec<(u32, u16)> {
        let mut codes = vec![(0, 0); symbols];
        if self.symbols.len() < 2 {
            return codes;
        }
        let mut code = 0_u16;
        let mut index = 0;
        for (length, &count) in (0..).zip(&self.counts) {
            code <<= 1;
            for &symbol in &self.symbols[index..index + usize::from(count)] {
                codes[usize::from(symbol)] = (length, code);
                code += 1;
            }
            index += usize::from(count);
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::compact::prefix::AT_ONCE;

    fn assert_round_trip(frequencies: &[u64]) -> Vec<u8> {
        let lengths = lengths(frequencies);
        let code = PrefixCode::new(&lengths);
        let codes = code.codes(frequencies.len());
        for (symbol, &(length, bits)) in codes.iter().enumerate() {
            if frequencies[symbol] > 0 {
                let bit = |i: u32| i < length && bits >> (length - 1 - i) & 1 == 1;
                let start = (0..AT_ONCE).fold(0, |start, i| 2 * start + u32::from(bit(i)));
                let read = code.read(Some(start), |i| Some(bit(i)));
                assert_eq!(read, Some(symbol as u8), "{frequencies:?}");
            }
        }
        lengths
    }

    #[test]
    fn frequent_symbols_have_short_codes() {
        assert_eq!(assert_round_trip(&[5, 0, 1, 2, 1]), [1, 0, 3, 2, 3]);
        assert_eq!(assert_round_trip(&[0, 0]), [0, 0]);
        assert_eq!(assert_round_trip(&[0, 7, 0]), [0, 1, 0]);
        assert_eq!(assert_round_trip(&[3, 3]), [1, 1]);
    }

    #[test]
    fn no_code_is_longer_than_allowed() {
        let powers: Vec<u64> = (0..40).map(|i| 1 << i).collect();
        let lengths = assert_round_trip(&powers);
        assert_eq!(lengths.iter().max(), Some(&(LONGEST as u8)));
    }
}
