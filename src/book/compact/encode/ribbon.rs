//! Building ribbons.

use crate::book::compact::ribbon::{
    BUCKET, LAYERS, Shape, THRESHOLDS, WIDTH, coefficients, hash_in, scaled,
};

/// With fewer equations than this, all are left to the last layer.
const LEAST_TO_BUMP: usize = 2048;

/// A bit to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equation {
    pub(super) hash: u64,
    pub(super) bit: bool,
}

/// The bytes of a ribbon that gives each hash its bit, and its shape.
///
/// `None` if the equations contradict each other, such as equal hashes with different bits.
pub(super) fn build(equations: Vec<Equation>) -> Option<(Vec<u8>, Shape)> {
    let mut shape = Shape::default();
    let mut bytes = Vec::new();
    let mut left = equations;
    for layer in 0..LAYERS - 1 {
        if left.len() < LEAST_TO_BUMP {
            break;
        }
        // Less room than all equations need: with some of them bumped, next to no bit is unused.
        shape.bits[layer] = (left.len() - left.len() / 32) as u32;
        let hashed = left.iter().map(|equation| hash_in(layer, equation.hash)).collect();
        let (thresholds, solution, bumped) = bump(&left, hashed, shape.bits[layer].into());
        bytes.extend(thresholds);
        bytes.extend(solution);
        left = bumped;
    }
    if !left.is_empty() {
        let (bits, solution) = build_last(&left)?;
        shape.bits[LAYERS - 1] = bits;
        bytes.extend(solution);
    }
    Some((bytes, shape))
}

/// Solves all equations, with as much room as they need. Returns the number of bits, and the bits.
fn build_last(equations: &[Equation]) -> Option<(u32, Vec<u8>)> {
    // A twentieth more each time.
    for attempt in 1..=8 {
        let bits = (equations.len() + equations.len() * attempt / 20) as u32 + WIDTH as u32;
        let mut rows = Rows::new(bits.into());
        let solved = equations
            .iter()
            .all(|equation| rows.insert(hash_in(LAYERS - 1, equation.hash), equation.bit).is_ok());
        if solved {
            return Some((bits, rows.solution()));
        }
    }
    None
}

/// Solves most of the equations: thresholds, solution, and those bumped.
fn bump(equations: &[Equation], hashes: Vec<u64>, bits: u64) -> (Vec<u8>, Vec<u8>, Vec<Equation>) {
    let starts = bits - WIDTH + 1;
    let start = |index: u32| scaled(hashes[index as usize], starts);
    let mut order: Vec<u32> = (0..equations.len() as u32).collect();
    // Sorted by bucket, and in each from the last beginning to the first: equations that do not fit
    // are at the front of their bucket.
    order.sort_unstable_by_key(|&index| {
        let start = start(index);
        (start / BUCKET, BUCKET - start % BUCKET, hashes[index as usize])
    });
    let buckets = starts.div_ceil(BUCKET);
    let mut rows = Rows::new(bits);
    let mut thresholds = vec![0; buckets.div_ceil(4) as usize];
    let mut bumped = Vec::new();
    let mut rest = &order[..];
    for bucket in 0..buckets {
        let (these, others) =
            rest.split_at(rest.partition_point(|&index| start(index) / BUCKET == bucket));
        rest = others;
        let mut filled = Vec::with_capacity(these.len());
        let failed = these.iter().find(|&&index| {
            match rows.insert(hashes[index as usize], equations[index as usize].bit) {
                Ok(row) => filled.push(row),
                Err(Contradiction) => return true,
            }
            false
        });
        let Some(&failed) = failed else { continue };
        let offset = start(failed) % BUCKET;
        let code = THRESHOLDS.iter().position(|&threshold| threshold > offset);
        let code = code.expect("the last threshold is the end of the bucket");
        thresholds[(bucket / 4) as usize] |= (code as u8) << (2 * (bucket % 4));
        let kept = these.partition_point(|&index| start(index) % BUCKET >= THRESHOLDS[code]);
        // No earlier row depends on the rows added last.
        filled[kept..].iter().flatten().for_each(|&row| rows.clear(row));
        bumped.extend(these[kept..].iter().map(|&index| equations[index as usize]));
    }
    (thresholds, rows.solution(), bumped)
}

/// An equation contradicts earlier ones.
struct Contradiction;

/// Equations brought into a form in which each has a first bit of its own.
struct Rows {
    coefficients: Vec<u128>,
    values: Vec<bool>,
}

impl Rows {
    fn new(bits: u64) -> Self {
        Rows { coefficients: vec![0; bits as usize], values: vec![false; bits as usize] }
    }

    /// Adds an equation. Returns the row it filled, unless it follows from those before.
    fn insert(&mut self, hash: u64, mut value: bool) -> Result<Option<usize>, Contradiction> {
        let starts = self.values.len() as u64 - WIDTH + 1;
        let mut row = scaled(hash, starts) as usize;
        let mut coefficients = coefficients(hash);
        loop {
            let there = self.coefficients[row];
            if there == 0 {
                self.coefficients[row] = coefficients;
                self.values[row] = value;
                return Ok(Some(row));
            }
            coefficients ^= there;
            value ^= self.values[row];
            if coefficients == 0 {
                return if value { Err(Contradiction) } else { Ok(None) };
            }
            let zeros = coefficients.trailing_zeros();
            coefficients >>= zeros;
            row += zeros as usize;
        }
    }

    fn clear(&mut self, row: usize) {
        self.coefficients[row] = 0;
        self.values[row] = false;
    }

    /// The bits that fulfil all equations.
    fn solution(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.values.len().div_ceil(8)];
        let mut window = 0_u128;
        for row in (0..self.values.len()).rev() {
            window <<= 1;
            let parity = (window & self.coefficients[row]).count_ones() % 2 == 1;
            let bit = self.coefficients[row] != 0 && parity != self.values[row];
            window |= u128::from(bit);
            bytes[row / 8] |= u8::from(bit) << (row % 8);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::compact::ribbon::{SLACK, bit};
    use fourbook_solver::splitmix::mix;

    fn equations(count: u64) -> Vec<Equation> {
        let bit = |hash: u64| hash.count_ones().is_multiple_of(3);
        (1..=count).map(mix).map(|hash| Equation { hash, bit: bit(hash) }).collect()
    }

    #[test]
    fn every_bit_is_given_back() {
        for count in [0, 1, 2, 127, 500, 2047, 2048, 5000, 100_000] {
            let equations = equations(count);
            let (mut bytes, shape) = build(equations.clone()).unwrap();
            assert_eq!(bytes.len(), shape.bytes());
            assert!(shape.is_possible());
            bytes.resize(bytes.len() + SLACK, 0);
            for Equation { hash, bit: expected } in equations {
                assert_eq!(bit(&bytes, shape, hash), Some(expected), "{count}");
            }
        }
    }

    #[test]
    fn little_is_spent_beyond_the_bits() {
        let (bytes, _) = build(equations(1 << 18)).unwrap();
        let overhead = bytes.len() as f64 * 8.0 / f64::from(1 << 18) - 1.0;
        assert!(overhead < 0.015, "{overhead}");
    }

    #[test]
    fn a_contradiction_is_found_out() {
        let equation = |bit| Equation { hash: mix(3), bit };
        assert!(build(vec![equation(true), equation(false)]).is_none());
        assert!(build(vec![equation(true), equation(true)]).is_some());
    }

    #[test]
    fn missing_bytes_are_noticed() {
        let (bytes, shape) = build(equations(5000)).unwrap();
        for length in 0..bytes.len() {
            let _ = bit(&bytes[..length], shape, mix(7));
        }
        assert_eq!(bit(&[], shape, mix(7)), None);
        assert_eq!(bit(&bytes, Shape::default(), mix(7)), Some(false));
    }

    /// The format requires this: a reader may read more bits of a code than it has.
    #[test]
    fn a_hash_that_no_layer_has_reads_as_0() {
        let (bytes, shape) = build(equations(5000)).unwrap();
        let without_last = Shape { bits: [shape.bits[0], shape.bits[1], 0] };
        assert!(shape.bits[2] > 0 && shape.bits[0] > 0);
        let bits = (0..100_000).map(mix).map(|hash| bit(&bytes, without_last, hash));
        assert!(bits.clone().all(|found| found.is_some()));
        let changed = (0..100_000).map(mix).zip(bits);
        let changed: Vec<bool> = changed
            .filter(|&(hash, found)| found != bit(&bytes, shape, hash))
            .map(|(_, found)| found.unwrap())
            .collect();
        assert!(!changed.is_empty() && !changed.contains(&true), "they were in the last layer");
    }
}
