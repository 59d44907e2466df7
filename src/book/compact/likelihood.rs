//! How likely each score is, on 7x6: a network over the stones and threats on the board, and
//! contexts for how sure its result is.
//!
//! A section does not store the value but its *place*: the number of likelier scores. A context
//! need only describe how fast the likelihood falls off: few contexts suffice.

use super::tactics::Quiet;
use fourbook_solver::board::threats::winning_cells;
use fourbook_solver::board::{Geometry, Score, Word};
use fourbook_solver::simd::Simd;
use std::hint::black_box;
use std::ops::RangeInclusive;

const STANDARD: Geometry<u64> = u64::STANDARD;

/// Units of the first layer. The weights that a feature has for all of them lie in two
/// cache lines.
pub const UNITS: usize = 64;
/// Units of the second layer.
pub const DEEP_UNITS: usize = 16;
/// Scores from the first player's view: -21 to 21.
pub const SCORES: usize = 43;
/// Room for the scores, whole registers.
pub const LANES: usize = 48;
const GREATEST: Score = 21;

/// The greatest output of a unit of the first layer.
const FULL: i16 = 256;

/// Features, each with a weight for every unit: the contents of each column; the threats of
/// each player; lines with two stones, or one, of one player and none of the other; the columns
/// with safe moves; moves that threaten; the number of stones.
const COLUMN_STATES: usize = 128;
const THREATS: usize = 7 * COLUMN_STATES;
const BOARD_BITS: usize = 49;
/// The first bit of the slanted lines in a word of lines. A line begins in one of the first four
/// columns.
const SLANTED_FROM: u32 = 28;
const LINES_WITH_TWO: usize = THREATS + 2 * BOARD_BITS;
const LINE_BITS: usize = 56;
const LINES_WITH_ONE: usize = LINES_WITH_TWO + 2 * LINE_BITS;
const SAFE_COLUMNS: usize = LINES_WITH_ONE + 2 * LINE_BITS;
const THREATENING_MOVES: usize = SAFE_COLUMNS + 128;
const STONES: usize = THREATENING_MOVES + BOARD_BITS;
/// With more stones, only the parity of their number counts.
const MOST_STONES: usize = 22;
/// The number of features.
pub const FEATURES: usize = STONES + MOST_STONES + 2;

/// How many contexts there are.
pub const CONTEXTS: usize = 1 << LEVELS;
/// Levels of the tree.
pub const LEVELS: u32 = 7;
/// The distances from the likeliest score, one for each sum that the tree compares.
pub const DISTANCES: [i16; 4] = [16, 32, 64, 128];

/// Where the parts of the model begin: the weights of the features; for each deep unit, the weights
/// of the units and a constant; for each score, the weights of the deep units and a constant; the
/// nodes of the tree, each a threshold and the number of a sum. All numbers have 16 bits, except
/// the constants of the deep units.
const UNIT_WEIGHTS: usize = FEATURES * UNITS * 2;
const CONSTANTS: usize = UNIT_WEIGHTS + DEEP_UNITS * UNITS * 2;
const DEEP_WEIGHTS: usize = CONSTANTS + DEEP_UNITS * 4;
const SCORE_CONSTANTS: usize = DEEP_WEIGHTS + DEEP_UNITS * LANES * 2;
const TREE: usize = SCORE_CONSTANTS + LANES * 2;

/// Numbers that begin at a cache line.
#[repr(align(64))]
pub(super) struct Lines<T>(pub(super) T);

/// The CRC-32 of the file of constants, by which sections name the model.
pub(super) const NUMBER: u32 = 0x33e1_67a5;

const FILE: &[u8; TREE + (CONTEXTS - 1) * 4] = include_bytes!("../../../books/context.bin");

/// The features that are bits of a word, and how many bits those may be.
pub(super) const BIT_SETS: [(usize, usize); 7] = [
    (LINES_WITH_ONE, LINE_BITS),
    (LINES_WITH_ONE + LINE_BITS, LINE_BITS),
    (LINES_WITH_TWO, LINE_BITS),
    (LINES_WITH_TWO + LINE_BITS, LINE_BITS),
    (THREATS, BOARD_BITS),
    (THREATS + BOARD_BITS, BOARD_BITS),
    (THREATENING_MOVES, BOARD_BITS),
];

/// Rows of weights for such a word, one for each bit. The last one, of zeros, is for the
/// lowest bit of a word without any.
const BIT_ROWS: usize = u64::BITS as usize + 1;

/// Where the rows of weights begin: of the contents of columns, of words, and of the other
/// features.
const ROWS_OF_BITS: usize = THREATS;
const ROWS_OF_SAFE_COLUMNS: usize = ROWS_OF_BITS + BIT_SETS.len() * BIT_ROWS;
const ROWS_OF_STONES: usize = ROWS_OF_SAFE_COLUMNS + 128;
const ROWS: usize = ROWS_OF_STONES + FEATURES - STONES;

/// The weights that a feature has for all units.
const ROW: usize = UNITS * 2;

/// The weights of the features, in rows.
static WEIGHTS: Lines<[u8; ROWS * ROW]> = {
    const fn copy(rows: &mut [u8], row: usize, feature: usize, count: usize) {
        let (_, rows) = rows.split_at_mut(row * ROW);
        let (_, weights) = FILE.split_at(feature * ROW);
        rows.split_at_mut(count * ROW).0.copy_from_slice(weights.split_at(count * ROW).0);
    }
    let mut rows = [0; _];
    copy(&mut rows, 0, 0, THREATS);
    let mut set = 0;
    while set < BIT_SETS.len() {
        copy(&mut rows, ROWS_OF_BITS + set * BIT_ROWS, BIT_SETS[set].0, BIT_SETS[set].1);
        set += 1;
    }
    copy(&mut rows, ROWS_OF_SAFE_COLUMNS, SAFE_COLUMNS, 128);
    copy(&mut rows, ROWS_OF_STONES, STONES, FEATURES - STONES);
    Lines(rows)
};

/// The part of the file after the weights of the features.
static LAYERS: Lines<[u8; FILE.len() - UNIT_WEIGHTS]> = {
    let mut bytes = [0; _];
    bytes.copy_from_slice(FILE.split_at(UNIT_WEIGHTS).1);
    Lines(bytes)
};

/// `N` numbers of bytes from `offset` on.
#[inline(always)]
fn numbers<const N: usize>(bytes: &[u8], offset: usize) -> impl Iterator<Item = i16> {
    let (pairs, _) = bytes[offset..offset + 2 * N].as_chunks();
    pairs.iter().map(|&pair| i16::from_le_bytes(pair))
}

/// `N` numbers from `offset` in the file on, after the weights of the features.
#[inline(always)]
fn layer<const N: usize>(offset: usize) -> impl Iterator<Item = i16> {
    numbers::<N>(&LAYERS.0, offset - UNIT_WEIGHTS)
}

/// The scores by likelihood.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// For each score, its likelihood times 64 plus 63 less its number, so that no two keys are
    /// equal. A score that the section cannot have has the lowest key.
    keys: [i16; LANES],
    /// The greatest key.
    likeliest: i16,
}

/// Likelihoods are logarithms in sixteenths, from -512 to 511.
const LEAST: i16 = -512;
const MOST: i16 = 511;
/// The key of a score that a section does not have.
pub const EXCLUDED: i16 = i16::MIN;

impl Order {
    /// The order of those `scores`, from the first player's view, in a position.
    #[inline(always)]
    pub(super) fn of<S: Simd>(quiet: &Quiet, scores: RangeInclusive<Score>) -> Order {
        let mut units = units::<S>(quiet);
        units.iter_mut().for_each(|unit| *unit = (*unit).clamp(0, FULL));
        let mut logits = [0_i16; LANES];
        logits.iter_mut().zip(layer::<LANES>(SCORE_CONSTANTS)).for_each(|(l, c)| *l = c);
        for (index, deep) in deep_units::<S>(&units).into_iter().enumerate() {
            let weights = layer::<LANES>(DEEP_WEIGHTS + index * LANES * 2);
            for (logit, weight) in logits.iter_mut().zip(weights) {
                // Compilers know the upper half of a product as one instruction.
                let product = (i32::from(deep) * i32::from(weight)) >> 16;
                *logit = logit.wrapping_add(product as i16);
            }
        }
        let number = |score: &Score| i16::from(*score) + i16::from(GREATEST);
        let least = number(scores.start());
        let greatest = number(scores.end()).min(SCORES as i16 - 1);
        let mut keys = [EXCLUDED; LANES];
        for (number, (key, logit)) in (0_i16..).zip(keys.iter_mut().zip(logits)) {
            let is_possible = number >= least && number <= greatest;
            let likelihood = (logit >> 4).clamp(LEAST, MOST);
            *key = if is_possible { likelihood * 64 + 63 - number } else { EXCLUDED };
        }
        Order { likeliest: greatest_below(&keys, i16::MAX), keys }
    }

    /// The score with `place` likelier ones, if there is one.
    #[inline(always)]
    pub(super) fn score(&self, place: u8) -> Option<Score> {
        let mut key = self.likeliest;
        for _ in 0..place {
            key = greatest_below(&self.keys, key);
        }
        (key != EXCLUDED).then_some((63 - (key & 63)) as Score - GREATEST)
    }

    /// How many scores are likelier than this one, if it is possible.
    pub(super) fn place(&self, score: Score) -> Option<u8> {
        let number = i16::from(score) + i16::from(GREATEST);
        let key = *self.keys.get(usize::try_from(number).ok()?)?;
        let likelier = self.keys.iter().filter(|&&other| other > key).count();
        (key != EXCLUDED).then_some(likelier as u8)
    }

    /// The context: how many scores are nearly as likely as the likeliest, by four distances.
    #[inline(always)]
    pub(super) fn context<S: Simd>(&self) -> usize {
        let sums = sums::<S>(&self.keys, self.likeliest >> 6);
        let mut node = 0;
        for _ in 0..LEVELS {
            let Node { threshold, shift } = NODES[node];
            node = 2 * node + 1 + usize::from((sums >> shift) as i16 >= threshold);
        }
        node - NODES.len()
    }
}

/// The four sums that the tree compares: for each distance from the likeliest score, whose
/// likelihood is `top`, the sum of how much nearer each score is. They are four numbers of 16 bits
/// in a word, the first one lowest: choosing one by a shift is faster than a read.
#[inline(always)]
pub(super) fn sums<S: Simd>(keys: &[i16; LANES], top: i16) -> u64 {
    if let Some(sums) = S::nearness(keys, top, DISTANCES) {
        return sums;
    }
    let mut sums = 0;
    for (index, near) in DISTANCES.into_iter().enumerate() {
        let mut lanes = [0_i16; 8];
        for keys in keys.chunks_exact(8) {
            for (lane, &key) in lanes.iter_mut().zip(keys) {
                *lane += (near - (top - (key >> 6))).max(0);
            }
        }
        sums |= u64::from(join(lanes, |a, b| a + b) as u16) << (16 * index);
    }
    sums
}

/// A node of the tree.
#[derive(Clone, Copy)]
struct Node {
    threshold: i16,
    /// Where its sum is in the word of all sums.
    shift: u16,
}

static NODES: [Node; CONTEXTS - 1] = {
    let mut nodes = [Node { threshold: 0, shift: 0 }; CONTEXTS - 1];
    let mut index = 0;
    while index < nodes.len() {
        let at = TREE + 4 * index;
        let sum = number(at + 2) as usize;
        assert!(sum < DISTANCES.len());
        nodes[index] = Node { threshold: number(at), shift: 16 * sum as u16 };
        index += 1;
    }
    nodes
};

/// The greatest of the keys that are less.
#[inline(always)]
fn greatest_below(keys: &[i16; LANES], below: i16) -> i16 {
    let mut greatest = [EXCLUDED; 8];
    for keys in keys.chunks_exact(8) {
        for (greatest, &key) in greatest.iter_mut().zip(keys) {
            *greatest = (*greatest).max(if key < below { key } else { EXCLUDED });
        }
    }
    join(greatest, i16::max)
}

/// Joins all lanes into one: half of them with the other half each time, as registers do.
#[inline(always)]
fn join(mut lanes: [i16; 8], two: impl Fn(i16, i16) -> i16) -> i16 {
    for half in [4, 2, 1] {
        for lane in 0..half {
            lanes[lane] = two(lanes[lane], lanes[lane + half]);
        }
    }
    lanes[0]
}

#[inline(always)]
const fn number(offset: usize) -> i16 {
    i16::from_le_bytes([FILE[offset], FILE[offset + 1]])
}

/// The weights of the units for all deep units, interleaved for pairs of units: the form in
/// which processors multiply and add them at once.
static PAIRS: Lines<[[[i16; 2]; DEEP_UNITS]; UNITS / 2]> = {
    let mut pairs = [[[0; 2]; DEEP_UNITS]; UNITS / 2];
    let mut index = 0;
    while index < DEEP_UNITS * UNITS {
        let deep = index / UNITS;
        let unit = index % UNITS;
        pairs[unit / 2][deep][unit % 2] = number(UNIT_WEIGHTS + 2 * index);
        index += 1;
    }
    Lines(pairs)
};

/// The constants of the deep units.
static DEEP_CONSTANTS: [i32; DEEP_UNITS] = {
    let mut constants = [0; DEEP_UNITS];
    let mut index = 0;
    while index < DEEP_UNITS {
        let low = number(CONSTANTS + 4 * index);
        let high = number(CONSTANTS + 4 * index + 2);
        constants[index] = (high as i32) << 16 | low as u16 as i32;
        index += 1;
    }
    constants
};

/// The units of the second layer.
#[inline(always)]
pub(super) fn deep_units<S: Simd>(units: &[i16; UNITS]) -> [i16; DEEP_UNITS] {
    let (pairs, _) = units.as_chunks();
    let pairs: &[[i16; 2]; UNITS / 2] = pairs.try_into().expect("half as many pairs");
    if let Some(deep) = S::layer(pairs, &PAIRS.0, &DEEP_CONSTANTS) {
        return deep;
    }
    let mut deep = [0; DEEP_UNITS];
    for (index, (deep, constant)) in deep.iter_mut().zip(DEEP_CONSTANTS).enumerate() {
        // Otherwise compilers widen them all before the loop, and narrow them again in it.
        let units = black_box(units);
        let weights = layer::<UNITS>(UNIT_WEIGHTS + index * UNITS * 2);
        let sum = constant
            + units
                .iter()
                .zip(weights)
                .map(|(&unit, weight)| i32::from(unit) * i32::from(weight))
                .sum::<i32>();
        *deep = (sum >> 6).clamp(0, i16::MAX.into()) as i16;
    }
    deep
}

/// The units of the first layer before they are clamped.
#[inline(always)]
fn units<S: Simd>(quiet: &Quiet) -> [i16; UNITS] {
    let mut units = Sums([0; UNITS]);
    for feature in column_features(quiet) {
        units.add(feature);
    }
    units.add(ROWS_OF_SAFE_COLUMNS + columns_of(quiet.safe));
    units.add(ROWS_OF_STONES + stones(quiet.mask));
    // Written out, since compilers would not unroll a loop.
    let sets = bit_sets(quiet);
    let at_once = if S::WIDE { SEVERAL_AT_ONCE } else { ONE_AT_ONCE };
    units.add_bits(0, sets[0], at_once[0]);
    units.add_bits(1, sets[1], at_once[1]);
    units.add_bits(2, sets[2], at_once[2]);
    units.add_bits(3, sets[3], at_once[3]);
    units.add_bits(4, sets[4], at_once[4]);
    units.add_bits(5, sets[5], at_once[5]);
    units.add_bits(6, sets[6], at_once[6]);
    units.0
}

/// How many rows of weights are added for a word at first, and how many at a time after that, even
/// if the word has fewer bits. With wide registers, adding a row of zeros takes less time than
/// mispredicting the end of a loop.
type AtOnce = [usize; 2];

/// For processors with wide registers, by how many bits the words mostly have.
const SEVERAL_AT_ONCE: [AtOnce; BIT_SETS.len()] = {
    let one = [8, 4];
    let two = [4, 2];
    let wins = [0, 1];
    [one, one, two, two, wins, wins, [0, 2]]
};

/// For any processor.
const ONE_AT_ONCE: [AtOnce; BIT_SETS.len()] = [[0, 1]; _];

/// Sums of rows of weights.
struct Sums([i16; UNITS]);

impl Sums {
    #[inline(always)]
    fn add(&mut self, row: usize) {
        for (unit, weight) in self.0.iter_mut().zip(numbers::<UNITS>(&WEIGHTS.0, row * ROW)) {
            *unit = unit.wrapping_add(weight);
        }
    }

    /// Adds the rows of the bits of one of the [`BIT_SETS`].
    #[inline(always)]
    fn add_bits(&mut self, set: usize, mut bits: u64, [first, more]: AtOnce) {
        let from = ROWS_OF_BITS + set * BIT_ROWS;
        let mut add_lowest = |bits: u64| {
            self.add(from + bits.trailing_zeros() as usize);
            bits & bits.wrapping_sub(1)
        };
        for _ in 0..first {
            bits = add_lowest(bits);
        }
        while bits != 0 {
            for _ in 0..more {
                bits = add_lowest(bits);
            }
        }
    }
}

impl Quiet {
    /// Returns the features of the position, in ascending order.
    pub fn features(&self) -> Vec<u16> {
        let mut features = column_features(self).to_vec();
        features.extend([SAFE_COLUMNS + columns_of(self.safe), STONES + stones(self.mask)]);
        for (bits, (from, _)) in bit_sets(self).into_iter().zip(BIT_SETS) {
            features.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| from + bit));
        }
        features.sort_unstable();
        features.into_iter().map(|feature| feature as u16).collect()
    }
}

/// The feature of each column's contents.
#[inline(always)]
fn column_features(quiet: &Quiet) -> [usize; 7] {
    let key = quiet.first + quiet.mask + STANDARD.bottom;
    std::array::from_fn(|column| {
        column * COLUMN_STATES + (key >> (7 * column)) as usize % COLUMN_STATES
    })
}

/// The feature of the number of stones.
#[inline(always)]
fn stones(mask: u64) -> usize {
    let stones = mask.count_ones() as usize;
    if stones > MOST_STONES { MOST_STONES + stones % 2 } else { stones }
}

/// The features of a position that are in [`BIT_SETS`].
#[inline(always)]
fn bit_sets(quiet: &Quiet) -> [u64; BIT_SETS.len()] {
    let &Quiet { first, mask, threats, .. } = quiet;
    let second = first ^ mask;
    let [two, one] = lines_with(first, second);
    let [other_two, other_one] = lines_with(second, first);
    let wins = |own| winning_cells(&STANDARD, own, mask);
    [one, other_one, two, other_two, wins(first), wins(second), threats]
}

/// The columns of `cells` as bits; a column has at most one of the cells.
#[inline(always)]
fn columns_of(cells: u64) -> usize {
    (0..7).map(|column| usize::from(cells >> (7 * column) & 127 != 0) << column).sum()
}

/// The first cells of the lines that have exactly two stones of `own` and none of `other`, and of
/// the lines with exactly one: level lines in the lower bits, slanted ones above. A line that goes
/// down begins higher than any that goes up.
#[inline(always)]
fn lines_with(own: u64, other: u64) -> [u64; 2] {
    let free = STANDARD.board & !other;
    let down = along(own, free, 6);
    let level = along(own, free, 7);
    let up = along(own, free, 8);
    let join = |level: u64, down: u64, up: u64| level | (down | up) << SLANTED_FROM;
    [join(level[0], down[0], up[0]), join(level[1], down[1], up[1])]
}

/// The same for the lines in one direction, where `free` cells are not the other's.
#[inline(always)]
fn along(own: u64, free: u64, step: u32) -> [u64; 2] {
    let free_pairs = free & free >> step;
    let behind = own >> step;
    let open = free_pairs & free_pairs >> (2 * step);
    // Stones in the first two cells of each line, and in the last two.
    let odd = own ^ behind;
    let both = own & behind;
    let any = own | behind;
    let shift = 2 * step;
    let two = (odd & odd >> shift) | (both & !(any >> shift)) | (both >> shift & !any);
    let one = (odd & !(any >> shift)) | (odd >> shift & !any);
    [open & two, open & one]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::compact::tactics::{Tactics, resolve};
    use fourbook_solver::board::{Board, Position};
    use fourbook_solver::simd::Baseline;

    const DOCUMENT: &str = include_str!("../../../docs/src/format.md");

    fn listed<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
        numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The table of the document, which another program worked out from the description.
    #[test]
    fn every_step_is_as_the_format_says() {
        let (_, table) = DOCUMENT.split_once("| Moves | Value seen |").unwrap();
        let rows: Vec<&str> =
            table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
        assert!(rows.len() >= 8);
        for row in rows {
            let fields: Vec<&str> = row
                .trim_matches('|')
                .split('|')
                .map(|field| field.trim_matches([' ', '`']))
                .collect();
            let position = Position::from_moves(fields[0]).unwrap();
            for position in [position, position.mirrored()] {
                let position = Board::<u64>::of(position).canonical();
                let found = match resolve::<Baseline>(position.mover(), position.mask()) {
                    Tactics::Known(score) => {
                        [&score.to_string()[..], "", "", "", "", "", ""].map(String::from)
                    }
                    Tactics::Quiet(quiet) => steps(&quiet),
                };
                assert_eq!(found.each_ref().map(String::as_str), fields[1..], "{row}");
            }
        }
    }

    /// The other fields of a row.
    fn steps(quiet: &Quiet) -> [String; 7] {
        let units = units::<Baseline>(quiet).map(|unit| unit.clamp(0, FULL));
        let order = Order::of::<Baseline>(quiet, -18..=18);
        let scores = (0..5).map(|place| order.score(place).unwrap());
        [
            String::new(),
            listed(quiet.features()),
            listed(&units[..4]),
            listed(&deep_units::<Baseline>(&units)[..4]),
            listed((0..4).map(|index| {
                (sums::<Baseline>(&order.keys, order.likeliest >> 6) >> (16 * index)) as i16
            })),
            order.context::<Baseline>().to_string(),
            listed(scores),
        ]
    }

    #[test]
    fn the_place_of_a_score_is_the_number_of_likelier_ones() {
        let position = Board::<u64>::of(Position::from_moves("323341357243").unwrap()).canonical();
        let Tactics::Quiet(quiet) = resolve::<Baseline>(position.mover(), position.mask()) else {
            panic!("the score is not known")
        };
        let order = Order::of::<Baseline>(&quiet, -3..=7);
        let mut scores: Vec<Score> = (0..11).map(|place| order.score(place).unwrap()).collect();
        for (place, &score) in (0..).zip(&scores) {
            assert_eq!(order.place(score), Some(place));
        }
        assert_eq!((order.score(11), order.score(200)), (None, None));
        assert_eq!((order.place(-4), order.place(8), order.place(-100)), (None, None, None));
        scores.sort_unstable();
        assert_eq!(scores, (-3..=7).collect::<Vec<Score>>());
        // No score at all, and more than there are.
        assert_eq!(Order::of::<Baseline>(&quiet, 22..=30).score(0), None);
        assert!(Order::of::<Baseline>(&quiet, Score::MIN..=Score::MAX).score(42).is_some());
        assert_eq!(Order::of::<Baseline>(&quiet, Score::MIN..=Score::MAX).score(43), None);
    }

    #[test]
    fn the_model_is_the_one_that_the_format_names() {
        let checksum = crc32fast::hash(FILE);
        assert!(DOCUMENT.contains(&format!("CRC-32 `{checksum:08x}`")), "{checksum:08x}");
    }
}
