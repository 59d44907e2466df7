//! The model as the book format has it: whole numbers, and a tree of thresholds.

use crate::UNITS;
use crate::features::FEATURES;
use crate::network::{Network, SCORES, SUMS};

/// The value of a full unit, and what the weights of the sums are multiplied by.
const FULL: f32 = 256.0;
const SUM_SCALE: f32 = 256.0;
/// Levels of the tree.
const LEVELS: u32 = 10;
/// Leaves of the tree.
pub(crate) const CONTEXTS: usize = 1 << LEVELS;
/// Thresholds that are tried for each sum.
const BINS: usize = 2048;

/// Weights and thresholds of context function 1.
pub(crate) struct Model {
    features: Vec<i16>,
    units: Vec<i16>,
    constants: Vec<i32>,
    /// Threshold and number of a sum.
    nodes: Vec<(i32, u32)>,
}

impl Model {
    /// The network's weights as whole numbers, without a tree.
    pub(crate) fn rounded(network: &Network) -> Self {
        let [features, units, constants] = network.weights();
        let short = |values: &[f32], scale: f32| {
            values.iter().map(|value| (value * scale).round() as i16).collect()
        };
        let constant = |value: &f32| (value * FULL * SUM_SCALE).round() as i32;
        Model {
            features: short(features, FULL),
            units: short(units, SUM_SCALE),
            constants: constants.iter().map(constant).collect(),
            nodes: Vec::new(),
        }
    }

    /// The sums of a position with these features.
    pub(crate) fn sums(&self, features: &[u16]) -> [i32; SUMS] {
        let mut units = [0_i16; UNITS];
        for &feature in features {
            let weights = &self.features[usize::from(feature) * UNITS..][..UNITS];
            units.iter_mut().zip(weights).for_each(|(unit, &w)| *unit = unit.wrapping_add(w));
        }
        std::array::from_fn(|sum| {
            let weights = &self.units[sum * UNITS..][..UNITS];
            let products = units
                .iter()
                .zip(weights)
                .map(|(unit, &w)| i32::from((*unit).clamp(0, FULL as i16)) * i32::from(w));
            self.constants[sum] + products.sum::<i32>()
        })
    }

    /// The context of a position with these sums.
    pub(crate) fn context(&self, sums: &[i32; SUMS]) -> usize {
        let mut node = 0;
        while let Some(&(threshold, sum)) = self.nodes.get(node) {
            node = 2 * node + 1 + usize::from(sums[sum as usize] >= threshold);
        }
        node - self.nodes.len()
    }

    /// Grows the tree, level by level; each node splits where the scores of the
    /// positions that come to it take the fewest bits afterwards.
    pub(crate) fn grow(&mut self, positions: &[([i32; SUMS], usize)]) {
        let thresholds: [Vec<i32>; SUMS] = std::array::from_fn(|sum| {
            let mut values: Vec<i32> = positions.iter().map(|(sums, _)| sums[sum]).collect();
            values.sort_unstable();
            let at = |bin| values[bin * values.len() / BINS];
            let mut thresholds: Vec<i32> = (1..BINS).map(at).collect();
            thresholds.dedup();
            thresholds
        });
        let mut places: Vec<Vec<u32>> = vec![(0..positions.len() as u32).collect()];
        for _ in 0..LEVELS {
            let mut next = Vec::with_capacity(2 * places.len());
            for members in places {
                let (sum, threshold) = best_split(positions, &members, &thresholds);
                self.nodes.push((threshold, sum as u32));
                let is_below = |&member: &u32| positions[member as usize].0[sum] < threshold;
                let (below, above) = members.into_iter().partition(is_below);
                next.extend([below, above]);
            }
            places = next;
        }
    }

    /// The bytes of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let shorts = self.features.iter().chain(&self.units).flat_map(|n| n.to_le_bytes());
        let constants = self.constants.iter().flat_map(|n| n.to_le_bytes());
        let nodes = self.nodes.iter().flat_map(|(threshold, sum)| {
            threshold.to_le_bytes().into_iter().chain(sum.to_le_bytes())
        });
        shorts.chain(constants).chain(nodes).collect()
    }

    /// The model in the bytes of a file; `None` if they are too many or too few.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        const NODES: usize = CONTEXTS - 1;
        if bytes.len() != (FEATURES + SUMS) * UNITS * 2 + SUMS * 4 + NODES * 8 {
            return None;
        }
        let (features, rest) = bytes.split_at(FEATURES * UNITS * 2);
        let (units, rest) = rest.split_at(SUMS * UNITS * 2);
        let (constants, nodes) = rest.split_at(SUMS * 4);
        let short = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
        let long = |bytes: &[u8]| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Some(Model {
            features: features.chunks(2).map(short).collect(),
            units: units.chunks(2).map(short).collect(),
            constants: constants.chunks(4).map(long).collect(),
            nodes: nodes.chunks(8).map(|node| (long(node), long(&node[4..]) as u32)).collect(),
        })
    }
}

/// The sum and the threshold that tell the scores of `members` apart best.
fn best_split(
    positions: &[([i32; SUMS], usize)],
    members: &[u32],
    thresholds: &[Vec<i32>; SUMS],
) -> (usize, i32) {
    let mut best = (f64::MAX, 0, 0);
    for (sum, thresholds) in thresholds.iter().enumerate() {
        let mut counts = vec![[0_u32; SCORES]; thresholds.len() + 1];
        for &member in members {
            let (sums, score) = positions[member as usize];
            counts[thresholds.partition_point(|&threshold| threshold <= sums[sum])][score] += 1;
        }
        let mut above = [0_u32; SCORES];
        counts.iter().for_each(|bin| add(&mut above, bin));
        let mut below = [0_u32; SCORES];
        for (&threshold, bin) in thresholds.iter().zip(&counts) {
            add(&mut below, bin);
            above.iter_mut().zip(bin).for_each(|(count, more)| *count -= more);
            let cost = bits(&below) + bits(&above);
            if cost < best.0 {
                best = (cost, sum, threshold);
            }
        }
    }
    (best.1, best.2)
}

fn add(counts: &mut [u32; SCORES], more: &[u32; SCORES]) {
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

/// The bits that scores with these counts take, by Shannon.
pub(crate) fn bits(counts: &[u32; SCORES]) -> f64 {
    let scaled = |count: u32| match count {
        0 => 0.0,
        count => f64::from(count) * f64::from(count).log2(),
    };
    scaled(counts.iter().sum()) - counts.iter().map(|&count| scaled(count)).sum::<f64>()
}
