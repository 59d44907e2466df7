//! The model as the book format has it: whole numbers, and a tree of thresholds.

use crate::network::{CONSTANTS, DEEP_WEIGHTS, Network, SCORE_CONSTANTS, UNIT_WEIGHTS};
use fourbook::book::context_model::{
    CONTEXTS, DEEP_UNITS, DISTANCES, EXCLUDED, FEATURES, LANES, LEVELS, SCORES, UNITS,
};

/// The factors that make weights whole numbers, for units, deep units, their constants and the
/// scores.
const SCALE: f32 = 256.0;
const DEEP_SCALE: f32 = 1024.0;
const SCORE_SCALE: f32 = 4096.0;
/// Thresholds that are tried for each sum.
const BINS: usize = 512;

/// Weights and thresholds of the model.
pub(crate) struct Model {
    features: Vec<i16>,
    units: Vec<i16>,
    constants: Vec<i32>,
    deep_units: Vec<i16>,
    score_constants: Vec<i16>,
    /// Threshold and number of a sum.
    nodes: Vec<(i16, i16)>,
}

/// The data of one position from which the tree grows.
pub(crate) struct TreeExample {
    pub(crate) sums: [i16; 4],
    pub(crate) place: u8,
    /// The weight of the position.
    pub(crate) weight: f32,
    /// The index of its ply's table of frequencies.
    pub(crate) table: u8,
}

impl Model {
    /// The network's weights as whole numbers, without a tree.
    pub(crate) fn rounded(network: &Network) -> Self {
        let values = &network.0;
        let short = |value: f32, scale: f32| (value * scale).round() as i16;
        let shorts = |values: &[f32], scale: f32| values.iter().map(|&v| short(v, scale)).collect();
        let unit_weight = |index: usize| {
            let deep = index / UNITS;
            let unit = index % UNITS;
            short(values[UNIT_WEIGHTS + unit * DEEP_UNITS + deep], DEEP_SCALE)
        };
        let constants = &values[CONSTANTS..DEEP_WEIGHTS];
        let mut model = Model {
            features: shorts(&values[..UNIT_WEIGHTS], SCALE),
            units: (0..DEEP_UNITS * UNITS).map(unit_weight).collect(),
            constants: constants.iter().map(|v| (v * SCALE * DEEP_SCALE).round() as i32).collect(),
            deep_units: shorts(&values[DEEP_WEIGHTS..SCORE_CONSTANTS], SCORE_SCALE),
            score_constants: shorts(&values[SCORE_CONSTANTS..], SCALE),
            nodes: Vec::new(),
        };
        // Entries beyond the last score are never read.
        for scores in model.deep_units.chunks_mut(LANES).chain([&mut model.score_constants[..]]) {
            scores[SCORES..].fill(0);
        }
        model
    }

    /// The keys of all scores of a position with these features; a score not in `scores` has the
    /// lowest key.
    pub(crate) fn keys(&self, features: &[u16], scores: std::ops::Range<usize>) -> [i16; LANES] {
        let mut units = [0_i16; UNITS];
        for &feature in features {
            let weights = &self.features[usize::from(feature) * UNITS..][..UNITS];
            units.iter_mut().zip(weights).for_each(|(unit, &w)| *unit = unit.wrapping_add(w));
        }
        let mut sums = [0_i16; LANES];
        sums.copy_from_slice(&self.score_constants);
        for (index, weights) in self.units.chunks(UNITS).enumerate() {
            let product =
                |(unit, &w): (&i16, &i16)| i32::from((*unit).clamp(0, 256)) * i32::from(w);
            let sum = self.constants[index] + units.iter().zip(weights).map(product).sum::<i32>();
            let unit = (sum >> 6).clamp(0, i32::from(i16::MAX));
            for (sum, &weight) in sums.iter_mut().zip(&self.deep_units[index * LANES..]) {
                *sum = sum.wrapping_add(((unit * i32::from(weight)) >> 16) as i16);
            }
        }
        std::array::from_fn(|score| {
            let key = (sums[score] >> 4).clamp(-512, 511) * 64 + 63 - score as i16;
            if scores.contains(&score) { key } else { EXCLUDED }
        })
    }

    /// The context of a position with these sums.
    pub(crate) fn context(&self, sums: &[i16; 4]) -> usize {
        let mut node = 0;
        while let Some(&(threshold, sum)) = self.nodes.get(node) {
            node = 2 * node + 1 + usize::from(sums[sum as usize] >= threshold);
        }
        node - self.nodes.len()
    }

    /// Grows the tree, level by level; each node splits where the places of the
    /// positions' scores that come to it take the fewest bits afterwards.
    pub(crate) fn grow(&mut self, positions: &[TreeExample]) {
        let thresholds: [Vec<i16>; 4] = std::array::from_fn(|sum| {
            let mut values: Vec<i16> =
                positions.iter().map(|position| position.sums[sum]).collect();
            values.sort_unstable();
            let at = |bin| values[bin * values.len() / BINS];
            let mut thresholds: Vec<i16> = (1..BINS).map(at).collect();
            thresholds.dedup();
            thresholds
        });
        let mut leaves: Vec<Vec<u32>> = vec![(0..positions.len() as u32).collect()];
        for _ in 0..LEVELS {
            let mut next = Vec::with_capacity(2 * leaves.len());
            for members in leaves {
                let (sum, threshold) = best_split(positions, &members, &thresholds);
                self.nodes.push((threshold, sum as i16));
                let is_below = |&member: &u32| positions[member as usize].sums[sum] < threshold;
                let (below, above) = members.into_iter().partition(is_below);
                next.extend([below, above]);
            }
            leaves = next;
        }
    }

    /// The bytes of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let shorts =
            |numbers: &[i16]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        let constants: Vec<u8> = self.constants.iter().flat_map(|n| n.to_le_bytes()).collect();
        let nodes: Vec<i16> = self.nodes.iter().flat_map(|&(a, b)| [a, b]).collect();
        let parts = [shorts(&self.features), shorts(&self.units), constants];
        let more = [shorts(&self.deep_units), shorts(&self.score_constants), shorts(&nodes)];
        parts.into_iter().chain(more).flatten().collect()
    }

    /// The model in the bytes of a file; `None` if they are too many or too few.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut take = |count: usize| {
            let (bytes, after) = rest.split_at_checked(2 * count)?;
            rest = after;
            Some(
                bytes
                    .chunks(2)
                    .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
                    .collect::<Vec<i16>>(),
            )
        };
        let features = take(FEATURES * UNITS)?;
        let units = take(DEEP_UNITS * UNITS)?;
        let constants = take(2 * DEEP_UNITS)?;
        let deep_units = take(DEEP_UNITS * LANES)?;
        let score_constants = take(LANES)?;
        let nodes = take(2 * (CONTEXTS - 1))?;
        let long = |pair: &[i16]| i32::from(pair[1]) << 16 | i32::from(pair[0] as u16);
        rest.is_empty().then(|| Model {
            features,
            units,
            constants: constants.chunks(2).map(long).collect(),
            deep_units,
            score_constants,
            nodes: nodes.chunks(2).map(|node| (node[0], node[1])).collect(),
        })
    }
}

/// How many scores are likelier than this one.
pub(crate) fn place(keys: &[i16; LANES], score: usize) -> u8 {
    keys.iter().filter(|&&key| key > keys[score]).count() as u8
}

/// For each of four distances from the likeliest score, the sum of how much nearer each score is.
pub(crate) fn sums(keys: &[i16; LANES]) -> [i16; 4] {
    let top = keys.iter().max().expect("there are some") >> 6;
    DISTANCES.map(|near| keys.iter().map(|key| (near - (top - (key >> 6))).max(0)).sum())
}

/// How often each place occurs, by table.
type Counts = Vec<[f32; SCORES]>;

/// The sum and the threshold that separate the places of `members` best.
fn best_split(
    positions: &[TreeExample],
    members: &[u32],
    thresholds: &[Vec<i16>; 4],
) -> (usize, i16) {
    let tables = 1 + positions.iter().map(|position| position.table).max().unwrap_or(0) as usize;
    let mut best = (f32::MAX, 0, 0);
    for (sum, thresholds) in thresholds.iter().enumerate() {
        let mut bins: Vec<Counts> = vec![vec![[0.0; SCORES]; tables]; thresholds.len() + 1];
        for &member in members {
            let TreeExample { sums, place, weight, table } = &positions[member as usize];
            let bin = thresholds.partition_point(|&threshold| threshold <= sums[sum]);
            bins[bin][usize::from(*table)][usize::from(*place)] += weight;
        }
        // The counts of all bins up to each one.
        for bin in 1..bins.len() {
            let (before, after) = bins.split_at_mut(bin);
            let pairs = after[0].iter_mut().flatten().zip(before[bin - 1].iter().flatten());
            pairs.for_each(|(count, before)| *count += before);
        }
        let all = bins.pop().expect("there is one more than thresholds");
        for (&threshold, below) in thresholds.iter().zip(&bins) {
            let above = all.iter().zip(below).map(|(all, below)| {
                std::array::from_fn(|place| (all[place] - below[place]).max(0.0))
            });
            let cost: f32 = below.iter().copied().chain(above).map(|counts| bits(&counts)).sum();
            if cost < best.0 {
                best = (cost, sum, threshold);
            }
        }
    }
    (best.1, best.2)
}

/// The bits that places with these counts take, by Shannon.
pub(crate) fn bits(counts: &[f32; SCORES]) -> f32 {
    let scaled = |count: f32| if count > 0.0 { count * count.log2() } else { 0.0 };
    scaled(counts.iter().sum()) - counts.iter().map(|&count| scaled(count)).sum::<f32>()
}
