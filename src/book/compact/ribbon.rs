//! Retrieval of single bits without keys: a *bumped ribbon*.
//!
//! A bit belongs to the hash of a key. Each is the parity of some of 128
//! neighbouring solution bits: the hash says where the neighbourhood begins and
//! which of its bits count. To write, the linear equations are solved; they have
//! a form in which a pass from left to right does it. Equations that do not fit
//! are *bumped* to a next, smaller layer, all those of a bucket that begin in its
//! first part; two bits a bucket say how large that part is. The last layer has
//! room to spare and bumps none. A hash that was never written gives any bit.
//!
//! Source: P. Dillinger, L. Hübschle-Schneider, P. Sanders, S. Walzer, "Fast
//! Succinct Retrieval and Approximate Membership using Ribbon" (2022).

use crate::book::splitmix::{STEP, mix};

/// Solution bits that an equation is about.
const WIDTH: u64 = 128;

/// Places to begin at that share a threshold.
const BUCKET: u64 = 512;

/// By a bucket's two bits: the equations that begin before are bumped.
const THRESHOLDS: [u64; 4] = [0, 48, 112, BUCKET];

/// Layers; only the last bumps nothing.
pub(super) const LAYERS: usize = 3;

/// With fewer equations than this, all are left to the last layer.
const LEAST_TO_BUMP: usize = 2048;

/// The hash of the bit at `index` among those of a key with this hash.
#[inline(always)]
pub(super) const fn hash_of_bit(key_hash: u64, index: u32) -> u64 {
    mix(key_hash.wrapping_add(STEP.wrapping_mul(index as u64 + 1)))
}

/// The part of `count` that `hash` falls in, if each has an equal share.
#[inline(always)]
pub(super) const fn part_of(hash: u64, count: u64) -> u64 {
    ((hash as u128 * count as u128) >> 64) as u64
}

/// The upper and the lower half of a product, added bit by bit.
#[inline(always)]
pub(super) const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// Which of the solution bits count, from the first one on, which always does.
#[inline(always)]
const fn coefficients(hash: u64) -> u128 {
    let high = fold(hash ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9);
    let low = fold(hash ^ 0x4b33_a62e_d433_d4a3, 0x4d5a_2da5_1de1_aa47);
    (high as u128) << 64 | low as u128 | 1
}

/// The size of a written ribbon, which reading takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Solution bits of each layer: 0 or at least 128.
    pub(super) bits: [u32; LAYERS],
    /// What was mixed into the hashes of the last layer.
    pub(super) seed: u32,
}

impl Shape {
    /// Bytes of the thresholds of a layer.
    const fn threshold_bytes(self, layer: usize) -> usize {
        let starts = (self.bits[layer] as u64).saturating_sub(WIDTH - 1);
        if layer + 1 == LAYERS { 0 } else { starts.div_ceil(4 * BUCKET) as usize }
    }

    /// Bytes of the solution of a layer.
    const fn solution_bytes(self, layer: usize) -> usize {
        self.bits[layer].div_ceil(8) as usize
    }

    /// Bytes of the whole ribbon, those after the last layer that reading
    /// touches left out.
    pub(super) fn bytes(self) -> usize {
        (0..LAYERS).map(|layer| self.threshold_bytes(layer) + self.solution_bytes(layer)).sum()
    }

    /// Whether a ribbon can have this shape.
    pub(super) fn is_possible(self) -> bool {
        self.bits.iter().all(|&bits| bits == 0 || u64::from(bits) >= WIDTH)
    }

    /// The hash that an equation has in a layer.
    #[inline(always)]
    const fn hash_in(self, layer: usize, hash: u64) -> u64 {
        match layer {
            0 => hash,
            _ if layer + 1 == LAYERS => mix(hash ^ STEP.wrapping_mul(self.seed as u64 + 2)),
            _ => mix(hash ^ STEP),
        }
    }
}

/// Bytes that may be read past the end of a ribbon.
pub(super) const SLACK: usize = 16;

/// The bit that belongs to a hash, from `bytes`, which begin with a ribbon of
/// this shape; anything if none does, `None` if the bytes end too soon.
#[inline]
pub(super) fn bit(bytes: &[u8], shape: Shape, hash: u64) -> Option<bool> {
    let mut offset = 0;
    for layer in 0..LAYERS {
        let bits = u64::from(shape.bits[layer]);
        if bits < WIDTH {
            continue;
        }
        let hash = shape.hash_in(layer, hash);
        let start = part_of(hash, bits - WIDTH + 1);
        let thresholds = offset;
        offset += shape.threshold_bytes(layer);
        if layer + 1 < LAYERS {
            let bucket = start / BUCKET;
            let byte = *bytes.get(thresholds + (bucket / 4) as usize)?;
            if start % BUCKET < THRESHOLDS[usize::from(byte >> (2 * (bucket % 4)) & 3)] {
                offset += shape.solution_bytes(layer);
                continue;
            }
        }
        let bytes = bytes.get(offset + (start / 8) as usize..)?.first_chunk::<17>()?;
        let [low @ .., last] = *bytes;
        let shift = start % 8;
        let window = u128::from_le_bytes(low) >> shift | u128::from(last) << 1 << (127 - shift);
        return Some((window & coefficients(hash)).count_ones() % 2 == 1);
    }
    None
}

/// A bit to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equation {
    pub(super) hash: u64,
    pub(super) bit: bool,
}

/// The bytes of a ribbon that gives each hash its bit, and its shape.
///
/// `None` if equal hashes have different bits.
pub(super) fn build(equations: Vec<Equation>) -> Option<(Vec<u8>, Shape)> {
    let mut shape = Shape::default();
    let mut bytes = Vec::new();
    let mut left = equations;
    for layer in 0..LAYERS - 1 {
        if left.len() < LEAST_TO_BUMP {
            break;
        }
        // Too little room for all: what is bumped leaves next to no bit unused.
        shape.bits[layer] = (left.len() - left.len() / 32) as u32;
        let hashed = left.iter().map(|equation| shape.hash_in(layer, equation.hash)).collect();
        let (thresholds, solution, bumped) = bump(&left, hashed, shape.bits[layer].into());
        bytes.extend(thresholds);
        bytes.extend(solution);
        left = bumped;
    }
    if !left.is_empty() {
        bytes.extend(build_last(&left, &mut shape)?);
    }
    Some((bytes, shape))
}

/// Solves all equations, with as much room and whatever seed it takes.
fn build_last(equations: &[Equation], shape: &mut Shape) -> Option<Vec<u8>> {
    let last = LAYERS - 1;
    for attempt in 0_u32..64 {
        // More room after every eight seeds.
        let room = equations.len() / 10 * (1 + attempt as usize / 8) / 2;
        shape.bits[last] = (equations.len() + room) as u32 + WIDTH as u32;
        shape.seed = attempt;
        let mut rows = Rows::new(shape.bits[last].into());
        let solved = equations
            .iter()
            .all(|equation| rows.insert(shape.hash_in(last, equation.hash), equation.bit).is_ok());
        if solved {
            return Some(rows.solution());
        }
    }
    // With so much room, only a contradiction is left.
    None
}

/// Solves most of the equations: thresholds, solution, and those bumped.
fn bump(equations: &[Equation], hashes: Vec<u64>, bits: u64) -> (Vec<u8>, Vec<u8>, Vec<Equation>) {
    let starts = bits - WIDTH + 1;
    let start = |index: u32| part_of(hashes[index as usize], starts);
    let mut order: Vec<u32> = (0..equations.len() as u32).collect();
    // By bucket, and in each the last beginning first: what does not fit is at its front.
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
        // Rows added last are needed by no row before.
        filled[kept..].iter().flatten().for_each(|&row| rows.clear(row));
        bumped.extend(these[kept..].iter().map(|&index| equations[index as usize]));
    }
    (thresholds, rows.solution(), bumped)
}

/// An equation contradicts those before.
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

    /// Adds an equation; gives the row it filled, if it says anything new.
    fn insert(&mut self, hash: u64, mut value: bool) -> Result<Option<usize>, Contradiction> {
        let starts = self.values.len() as u64 - WIDTH + 1;
        let mut row = part_of(hash, starts) as usize;
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
        assert_eq!(bit(&bytes, Shape::default(), mix(7)), None);
    }
}
