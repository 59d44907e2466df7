//! Fitting the network: features, hidden units, the sums that the tree looks at,
//! and, for the fitting only, one more layer and a share for every score.

use crate::features::FEATURES;
use crate::{Example, UNITS};

/// Sums that the tree looks at.
pub(crate) const SUMS: usize = 3;
/// Units after the sums, which only the fitting has.
const DECODER: usize = 32;
/// Scores of the first player: -21 to 21.
pub(crate) const SCORES: usize = 43;

/// Numbers that are fitted, each with a step that shrinks as it is used.
///
/// Source: J. Duchi, E. Hazan, Y. Singer, "Adaptive Subgradient Methods for Online
/// Learning" (2011), with slow forgetting.
struct Fitted {
    values: Vec<f32>,
    squares: Vec<f32>,
}

impl Fitted {
    fn new(count: usize, scale: f32, random: &mut Random) -> Self {
        let values = (0..count).map(|_| random.symmetric() * scale).collect();
        Fitted { values, squares: vec![0.01; count] }
    }

    #[inline(always)]
    fn step(&mut self, index: usize, gradient: f32, rate: f32) {
        let square = &mut self.squares[index];
        *square = *square * 0.999_99 + gradient * gradient + 1e-9;
        self.values[index] -= rate * gradient / square.sqrt();
    }
}

/// Source: G. Marsaglia, "Xorshift RNGs" (2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From -1 to 1.
    fn symmetric(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32 * 2.0 - 1.0
    }
}

/// The network while it is fitted.
pub(crate) struct Network {
    features: Fitted,
    units: Fitted,
    constants: Fitted,
    decoder: Fitted,
    decoder_constants: Fitted,
    scores: Fitted,
    score_constants: Fitted,
}

/// What the layers hold for one position.
struct Layers {
    units: [f32; UNITS],
    sums: [f32; SUMS],
    decoder: [f32; DECODER],
    shares: [f32; SCORES],
}

/// Below 0 and above 1, a unit that is clamped still learns a little.
const LEAK: f32 = 0.05;
/// The same for the decoder below 0.
const DECODER_LEAK: f32 = 0.1;

impl Network {
    pub(crate) fn new(random: &mut Random) -> Self {
        Network {
            features: Fitted::new(FEATURES * UNITS, 0.1, random),
            units: Fitted::new(UNITS * SUMS, 0.3, random),
            constants: Fitted::new(SUMS, 0.0, random),
            decoder: Fitted::new(SUMS * DECODER, 1.0, random),
            decoder_constants: Fitted::new(DECODER, 0.5, random),
            scores: Fitted::new(DECODER * SCORES, 0.3, random),
            score_constants: Fitted::new(SCORES, 0.0, random),
        }
    }

    /// The weights of the features, of the units for each sum, and the constants.
    pub(crate) fn weights(&self) -> [&[f32]; 3] {
        [&self.features.values, &self.units.values, &self.constants.values]
    }

    /// Fits to one position; gives the bits that its score took.
    pub(crate) fn fit(&mut self, example: &Example, features: &[u16], rate: f32) -> f64 {
        let layers = self.layers(features);
        let score = example.score_class();
        let bits = -f64::from(layers.shares[score].max(1e-9)).log2();
        let mut errors = layers.shares;
        errors[score] -= 1.0;
        let sum_errors = self.fit_decoder(&layers, &errors, rate);
        self.fit_units(features, &layers, &sum_errors, rate);
        bits
    }

    fn layers(&self, features: &[u16]) -> Layers {
        let mut units = [0_f32; UNITS];
        for &feature in features {
            let weights = &self.features.values[usize::from(feature) * UNITS..][..UNITS];
            units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += weight);
        }
        let sums = std::array::from_fn(|sum| {
            let weights = &self.units.values[sum * UNITS..][..UNITS];
            let products = units.iter().zip(weights).map(|(unit, w)| unit.clamp(0.0, 1.0) * w);
            self.constants.values[sum] + products.sum::<f32>()
        });
        let decoder = std::array::from_fn(|unit| {
            let products = (0..SUMS).map(|s| sums[s] * self.decoder.values[s * DECODER + unit]);
            let input: f32 = self.decoder_constants.values[unit] + products.sum::<f32>();
            input.max(DECODER_LEAK * input)
        });
        let mut shares = [0_f32; SCORES];
        shares.copy_from_slice(&self.score_constants.values);
        for (unit, weights) in decoder.iter().zip(self.scores.values.chunks(SCORES)) {
            shares.iter_mut().zip(weights).for_each(|(share, weight)| *share += unit * weight);
        }
        let highest = shares.iter().copied().fold(f32::MIN, f32::max);
        shares.iter_mut().for_each(|share| *share = (*share - highest).exp());
        let all: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
        Layers { units, sums, decoder, shares }
    }

    /// Fits what follows the sums; gives the errors of the sums.
    fn fit_decoder(&mut self, layers: &Layers, errors: &[f32; SCORES], rate: f32) -> [f32; SUMS] {
        let decoder_errors: [f32; DECODER] = std::array::from_fn(|unit| {
            let weights = &self.scores.values[unit * SCORES..][..SCORES];
            let error: f32 = errors.iter().zip(weights).map(|(error, weight)| error * weight).sum();
            if layers.decoder[unit] > 0.0 { error } else { DECODER_LEAK * error }
        });
        for (unit, value) in layers.decoder.iter().enumerate() {
            for (score, error) in errors.iter().enumerate() {
                self.scores.step(unit * SCORES + score, error * value, rate);
            }
        }
        for (score, &error) in errors.iter().enumerate() {
            self.score_constants.step(score, error, rate);
        }
        let sum_errors = std::array::from_fn(|sum| {
            let weights = &self.decoder.values[sum * DECODER..][..DECODER];
            decoder_errors.iter().zip(weights).map(|(error, weight)| error * weight).sum()
        });
        for sum in 0..SUMS {
            for (unit, error) in decoder_errors.iter().enumerate() {
                self.decoder.step(sum * DECODER + unit, error * layers.sums[sum], rate);
            }
        }
        for (unit, &error) in decoder_errors.iter().enumerate() {
            self.decoder_constants.step(unit, error, rate);
        }
        sum_errors
    }

    /// Fits what leads to the sums.
    fn fit_units(&mut self, features: &[u16], layers: &Layers, errors: &[f32; SUMS], rate: f32) {
        let unit_errors: [f32; UNITS] = std::array::from_fn(|unit| {
            let weights = (0..SUMS).map(|sum| self.units.values[sum * UNITS + unit]);
            let error: f32 = errors.iter().zip(weights).map(|(error, weight)| error * weight).sum();
            match layers.units[unit] {
                value if value <= 0.0 => error.min(0.0) * LEAK,
                value if value >= 1.0 => error.max(0.0) * LEAK,
                _ => error,
            }
        });
        for (sum, &error) in errors.iter().enumerate() {
            for (unit, value) in layers.units.iter().enumerate() {
                self.units.step(sum * UNITS + unit, error * value.clamp(0.0, 1.0), rate);
            }
            self.constants.step(sum, error, rate);
        }
        for &feature in features {
            for (unit, &error) in unit_errors.iter().enumerate() {
                self.features.step(usize::from(feature) * UNITS + unit, error, rate);
            }
        }
    }
}
