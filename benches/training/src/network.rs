//! Fitting the network: features, units, deep units, and a likelihood for every score.

use fourbook::book::context_model::{DEEP_UNITS, FEATURES, LANES, SCORES, UNITS};
use fourbook::solver::splitmix::SplitMix;

/// The greatest outputs of units and deep units.
const FULL: f32 = 1.0;
const DEEP_FULL: f32 = 8.0;
/// The share of the gradient beyond a unit's lowest and highest output, where it still learns a
/// little.
const LEAK: f32 = 0.01;
const DEEP_LEAK: f32 = 0.03;

/// Where each kind of number begins: weights of the features by feature; of the units by unit;
/// constants of the deep units; weights of the deep units by deep unit; constants of the scores.
pub(crate) const UNIT_WEIGHTS: usize = FEATURES * UNITS;
pub(crate) const CONSTANTS: usize = UNIT_WEIGHTS + UNITS * DEEP_UNITS;
pub(crate) const DEEP_WEIGHTS: usize = CONSTANTS + DEEP_UNITS;
pub(crate) const SCORE_CONSTANTS: usize = DEEP_WEIGHTS + DEEP_UNITS * LANES;
const ALL: usize = SCORE_CONSTANTS + LANES;

/// The numbers of a network.
#[derive(Clone)]
pub(crate) struct Network(pub(crate) Vec<f32>);

/// The gradient: for each number, the sum of the changes that positions ask for.
pub(crate) struct Gradient {
    pub(crate) values: Vec<f32>,
    pub(crate) positions: usize,
    /// The bits that the scores of the positions took.
    pub(crate) bits: f64,
}

impl Gradient {
    pub(crate) fn new() -> Self {
        Gradient { values: vec![0.0; ALL], positions: 0, bits: 0.0 }
    }
}

/// The values of the layers for one position, before clamping.
struct Layers {
    units: [f32; UNITS],
    deep: [f32; DEEP_UNITS],
    shares: [f32; LANES],
}

impl Network {
    pub(crate) fn new(random: &mut SplitMix) -> Self {
        let mut values = vec![0.0; ALL];
        let mut fill = |from: usize, to: usize, middle: f32, scale: f32| {
            values[from..to].iter_mut().for_each(|v| *v = middle + symmetric(random) * scale);
        };
        fill(0, UNIT_WEIGHTS, 0.0, 0.1);
        fill(UNIT_WEIGHTS, CONSTANTS, 0.0, 1.5 / (UNITS as f32).sqrt());
        fill(CONSTANTS, DEEP_WEIGHTS, 0.3, 0.2);
        fill(DEEP_WEIGHTS, SCORE_CONSTANTS, 0.0, 0.4);
        Network(values)
    }

    fn layers(&self, features: &[u16]) -> Layers {
        let mut units = [0.0; UNITS];
        for &feature in features {
            add(&mut units, row(&self.0, usize::from(feature) * UNITS), 1.0);
        }
        let mut deep: [f32; DEEP_UNITS] = *row(&self.0, CONSTANTS);
        for (index, unit) in units.iter().enumerate() {
            let weights = row(&self.0, UNIT_WEIGHTS + index * DEEP_UNITS);
            add(&mut deep, weights, unit.clamp(0.0, FULL));
        }
        let mut shares: [f32; LANES] = *row(&self.0, SCORE_CONSTANTS);
        for (index, unit) in deep.iter().enumerate() {
            let weights = row(&self.0, DEEP_WEIGHTS + index * LANES);
            add(&mut shares, weights, unit.clamp(0.0, DEEP_FULL));
        }
        shares[SCORES..].fill(f32::NEG_INFINITY);
        let highest = shares.iter().copied().fold(f32::MIN, f32::max);
        shares.iter_mut().for_each(|share| *share = (*share - highest).exp());
        let all: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
        Layers { units, deep, shares }
    }

    /// Adds the gradient of a position with this score.
    pub(crate) fn learn(&self, features: &[u16], score: usize, gradient: &mut Gradient) {
        let Layers { units, deep, mut shares } = self.layers(features);
        gradient.bits -= f64::from(shares[score].max(1e-9)).log2();
        gradient.positions += 1;
        let changes = &mut gradient.values;
        shares[score] -= 1.0;
        add(row_mut(changes, SCORE_CONSTANTS), &shares, 1.0);
        let mut deep_errors = [0.0; DEEP_UNITS];
        for (index, (&unit, error)) in deep.iter().zip(&mut deep_errors).enumerate() {
            let at = DEEP_WEIGHTS + index * LANES;
            *error = leak(unit, DEEP_FULL, DEEP_LEAK, dot::<LANES>(row(&self.0, at), &shares));
            add(row_mut(changes, at), &shares, unit.clamp(0.0, DEEP_FULL));
        }
        add(row_mut(changes, CONSTANTS), &deep_errors, 1.0);
        let mut errors = [0.0; UNITS];
        for (index, (&unit, error)) in units.iter().zip(&mut errors).enumerate() {
            let at = UNIT_WEIGHTS + index * DEEP_UNITS;
            *error = leak(unit, FULL, LEAK, dot::<DEEP_UNITS>(row(&self.0, at), &deep_errors));
            add(row_mut(changes, at), &deep_errors, unit.clamp(0.0, FULL));
        }
        for &feature in features {
            add(row_mut(changes, usize::from(feature) * UNITS), &errors, 1.0);
        }
    }
}

/// The error of a unit before it is clamped.
fn leak(unit: f32, full: f32, leak: f32, error: f32) -> f32 {
    match unit {
        unit if unit <= 0.0 => error.min(0.0) * leak,
        unit if unit >= full => error.max(0.0) * leak,
        _ => error,
    }
}

fn row<const N: usize>(values: &[f32], at: usize) -> &[f32; N] {
    values[at..].first_chunk().expect("all rows are inside")
}

fn row_mut<const N: usize>(values: &mut [f32], at: usize) -> &mut [f32; N] {
    values[at..].first_chunk_mut().expect("all rows are inside")
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [f32; N], values: &[f32; N], factor: f32) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

/// In sixteen sums, which fit registers.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum()
}

/// Adapts the step of each number to its earlier changes.
///
/// Source: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (2015).
pub(crate) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub(crate) fn new() -> Self {
        Adam { means: vec![0.0; ALL], squares: vec![0.0; ALL], steps: 0 }
    }

    /// Changes the network by the sum of some gradients, which are 0 afterwards.
    pub(crate) fn step(&mut self, network: &mut Network, gradients: &mut [Gradient], rate: f32) {
        const KEPT: (f32, f32) = (0.9, 0.999);
        self.steps += 1;
        let mean_scale = 1.0 / (1.0 - KEPT.0.powi(self.steps));
        let square_scale = 1.0 / (1.0 - KEPT.1.powi(self.steps));
        let Some((sum, others)) = gradients.split_first_mut() else { return };
        for other in others {
            let pairs = sum.values.iter_mut().zip(&mut other.values);
            pairs.for_each(|(sum, other)| *sum += std::mem::take(other));
            sum.positions += std::mem::take(&mut other.positions);
            sum.bits += std::mem::take(&mut other.bits);
        }
        let share = 1.0 / sum.positions.max(1) as f32;
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((value, change), (mean, square)) in
            network.0.iter_mut().zip(&mut sum.values).zip(moments)
        {
            let change = std::mem::take(change) * share;
            *mean = KEPT.0 * *mean + (1.0 - KEPT.0) * change;
            *square = KEPT.1 * *square + (1.0 - KEPT.1) * change * change;
            *value -= rate * (*mean * mean_scale) / ((*square * square_scale).sqrt() + 1e-8);
        }
        sum.positions = 0;
        sum.bits = 0.0;
    }
}

/// A number from -1 to 1.
fn symmetric(random: &mut SplitMix) -> f32 {
    (random.draw() >> 40) as f32 / (1_u64 << 24) as f32 * 2.0 - 1.0
}
