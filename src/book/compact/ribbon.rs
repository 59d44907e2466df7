//! Retrieval of single bits without keys: a *bumped ribbon*.
//!
//! A bit belongs to the hash of a key. Each is the parity of some of 128
//! neighbouring solution bits: the hash says where the neighbourhood begins and
//! which of its bits count. To write, the linear equations are solved; they have
//! a form in which a pass from left to right does it. Equations that do not fit
//! are *bumped* to a next, smaller layer, with all equations of the bucket that begin in its
//! first part; two bits a bucket give the size of that part. The last layer has
//! room to spare and bumps none. A hash that was never written gives any bit.
//!
//! Source: P. Dillinger, L. Hübschle-Schneider, P. Sanders, S. Walzer, "Fast
//! Succinct Retrieval and Approximate Membership using Ribbon" (2022).

use fourbook_solver::splitmix::{STEP, mix};

/// Solution bits that an equation is about.
pub(super) const WIDTH: u64 = 128;

/// Places to begin at that share a threshold.
pub(super) const BUCKET: u64 = 512;

/// The thresholds, by a bucket's two bits: equations that begin before are bumped.
pub(super) const THRESHOLDS: [u64; 4] = [0, 48, 112, BUCKET];

/// Number of layers; only the last bumps nothing.
pub(super) const LAYERS: usize = 3;

/// The hash of the bit at `index` of the code of a key with this hash.
#[inline(always)]
pub(super) const fn hash_of_bit(key_hash: u64, index: u32) -> u64 {
    mix(key_hash.wrapping_add(STEP.wrapping_mul(index as u64 + 1)))
}

/// The number of the part that `hash` falls in, if `count` parts share all hashes equally.
#[inline(always)]
pub(super) const fn scaled(hash: u64, count: u64) -> u64 {
    ((hash as u128 * count as u128) >> 64) as u64
}

/// The exclusive or of the upper and the lower half of a product.
#[inline(always)]
pub(super) const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// The coefficients: the solution bits that count; the first one always does.
#[inline(always)]
pub(super) const fn coefficients(hash: u64) -> u128 {
    let high = fold(hash ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9);
    let low = fold(hash ^ 0x4b33_a62e_d433_d4a3, 0x4d5a_2da5_1de1_aa47);
    (high as u128) << 64 | low as u128 | 1
}

/// The size of a written ribbon; reading requires it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Solution bits of each layer: 0 or at least 128.
    pub(super) bits: [u32; LAYERS],
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

    /// Bytes of the whole ribbon, without the bytes after the last layer that a read may touch.
    pub(super) fn bytes(self) -> usize {
        (0..LAYERS).map(|layer| self.threshold_bytes(layer) + self.solution_bytes(layer)).sum()
    }

    /// Whether a ribbon can have this shape.
    pub(super) fn is_possible(self) -> bool {
        self.bits.iter().all(|&bits| bits == 0 || u64::from(bits) >= WIDTH)
    }
}

/// The hash that an equation has in a layer.
#[inline(always)]
pub(super) const fn hash_in(layer: usize, hash: u64) -> u64 {
    if layer == 0 { hash } else { mix(hash ^ STEP.wrapping_mul(layer as u64)) }
}

/// Bytes that may be read past the end of a ribbon.
pub(super) const SLACK: usize = 16;

/// The bit that belongs to a hash, from `bytes`, which begin with a ribbon of this shape: any bit
/// if the hash was never written, `None` if the bytes end too soon.
#[inline(always)]
pub(super) fn bit(bytes: &[u8], shape: Shape, hash: u64) -> Option<bool> {
    match bit_in(bytes, shape, 0, 0, hash)? {
        Found::Bit(bit) => Some(bit),
        Found::Bumped => bumped_bit(bytes, shape, hash),
    }
}

/// Where in the bytes of a ribbon the solution bits for most hashes begin: in the first layer.
#[inline(always)]
pub(super) fn likely_place(shape: Shape, hash: u64) -> usize {
    let start = scaled(hash, u64::from(shape.bits[0]).saturating_sub(WIDTH - 1));
    shape.threshold_bytes(0) + (start / 8) as usize
}

/// The result of a layer for a hash.
enum Found {
    Bit(bool),
    /// Nothing: a later layer has it.
    Bumped,
}

/// The bit of a hash that is not in the first layer; few hashes are not.
#[cold]
#[inline(never)]
fn bumped_bit(bytes: &[u8], shape: Shape, hash: u64) -> Option<bool> {
    let mut offset = 0;
    for layer in 1..LAYERS {
        offset += shape.threshold_bytes(layer - 1) + shape.solution_bytes(layer - 1);
        let hash = hash_in(layer, hash);
        if let Found::Bit(bit) = bit_in(bytes, shape, layer, offset, hash)? {
            return Some(bit);
        }
    }
    // No layer has it, so the hash was never written.
    Some(false)
}

/// The result of the layer that begins at `offset`, for a hash [in this layer](hash_in).
#[inline(always)]
fn bit_in(bytes: &[u8], shape: Shape, layer: usize, offset: usize, hash: u64) -> Option<Found> {
    let bits = u64::from(shape.bits[layer]);
    if bits < WIDTH {
        return Some(Found::Bumped);
    }
    let start = scaled(hash, bits - WIDTH + 1);
    if layer + 1 < LAYERS {
        let bucket = start / BUCKET;
        let byte = *bytes.get(offset + (bucket / 4) as usize)?;
        if start % BUCKET < THRESHOLDS[usize::from(byte >> (2 * (bucket % 4)) & 3)] {
            return Some(Found::Bumped);
        }
    }
    let solution = offset + shape.threshold_bytes(layer);
    let bytes = bytes.get(solution + (start / 8) as usize..)?.first_chunk::<17>()?;
    let (words, rest) = bytes.as_chunks();
    let low = u64::from_le_bytes(words[0]);
    let high = u64::from_le_bytes(words[1]);
    let shift = start % 8;
    // Two shifts, since one by 64, for a `shift` of 0, is not allowed.
    let window = [
        low >> shift | high << 1 << (63 - shift),
        high >> shift | u64::from(rest[0]) << 1 << (63 - shift),
    ];
    let coefficients = coefficients(hash);
    let halves = [coefficients as u64, (coefficients >> 64) as u64];
    // Folding the halves by exclusive or keeps the parity.
    let odd = (window[0] & halves[0]) ^ (window[1] & halves[1]);
    Some(Found::Bit(odd.count_ones() % 2 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_too_few_are_noticed() {
        let shape = Shape { bits: [0, 0, 300] };
        assert!(shape.is_possible());
        for length in 0..shape.bytes() {
            let _ = bit(&vec![0xff; length], shape, mix(7));
        }
        assert_eq!(bit(&[], shape, mix(7)), None);
        assert_eq!(bit(&[0; 64], Shape::default(), mix(7)), Some(false));
        assert!(!Shape { bits: [127, 0, 0] }.is_possible());
    }
}
