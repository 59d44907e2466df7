//! How likely each score is, on 7x6: a network over what stands on the board and can be
//! seen of threats, and contexts for how sure it is.
//!
//! A value is not coded itself but its *rank*: how many scores are likelier. All that a
//! context has to say is how fast the likelihood falls off, so few contexts do.

use super::network::lines_with;
use super::tactics::Open;
use crate::board::threats::winning_cells;
use crate::board::{Geometry, Score, Word};
use std::hint::black_box;
use std::ops::RangeInclusive;

const STANDARD: Geometry<u64> = u64::STANDARD;

/// Units of the first layer. The weights that a feature has for all of them lie in two
/// cache lines.
const UNITS: usize = 64;
/// Units of the second layer.
const DEEP_UNITS: usize = 16;
/// The number of the last score, from 0: from the first player's view, -21 to 21.
const LAST: i16 = 42;
/// Room for the scores, whole registers.
const LANES: usize = 48;
const GREATEST: Score = 21;

/// The greatest output of a unit of the first layer.
const FULL: i16 = 256;

/// Features, each with a weight for every unit: what each column holds; the threats of
/// each player; lines with two stones of one player and none of the other; those with
/// one; which columns are safe to play in; moves that threaten; how many stones there are.
const COLUMN_STATES: usize = 128;
const THREATS: usize = 7 * COLUMN_STATES;
const BOARD_BITS: usize = 49;
const LINES_WITH_TWO: usize = THREATS + 2 * BOARD_BITS;
const LINE_BITS: usize = 56;
const LINES_WITH_ONE: usize = LINES_WITH_TWO + 2 * LINE_BITS;
const SAFE_COLUMNS: usize = LINES_WITH_ONE + 2 * LINE_BITS;
const THREATENING_MOVES: usize = SAFE_COLUMNS + 128;
const STONES: usize = THREATENING_MOVES + BOARD_BITS;
/// From so many stones on, only whether their number is odd counts.
const MOST_STONES: usize = 22;
const FEATURES: usize = STONES + MOST_STONES + 2;

/// How many contexts there are.
pub(super) const CONTEXTS: usize = 1 << LEVELS;
const LEVELS: u32 = 7;
const NODES: usize = CONTEXTS - 1;

/// Where the parts of the model begin: weights of the features; of the units, and a
/// constant, for each deep unit; of the deep units, and a constant, for each score; the
/// tree's nodes, a threshold and the number of a sum. All of 16 bits, but for the
/// constants of the deep units.
const UNIT_WEIGHTS: usize = FEATURES * UNITS * 2;
const CONSTANTS: usize = UNIT_WEIGHTS + DEEP_UNITS * UNITS * 2;
const DEEP_WEIGHTS: usize = CONSTANTS + DEEP_UNITS * 4;
const SCORE_CONSTANTS: usize = DEEP_WEIGHTS + DEEP_UNITS * LANES * 2;
const TREE: usize = SCORE_CONSTANTS + LANES * 2;

/// Bytes from the beginning of a cache line on.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

static MODEL: Aligned<{ TREE + NODES * 4 }> =
    Aligned(*include_bytes!("../../../books/context-2.bin"));

/// `N` numbers from `offset` on.
#[inline(always)]
fn numbers<const N: usize>(offset: usize) -> impl Iterator<Item = i16> {
    let (pairs, _) = MODEL.0[offset..offset + 2 * N].as_chunks();
    pairs.iter().map(|&pair| i16::from_le_bytes(pair))
}

/// The scores by likelihood.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// For each score its likelihood times 64 and, so that no two are the same, 63 less
    /// its number; the least there is for scores that the section cannot have.
    keys: [i16; LANES],
    /// The greatest of them.
    likeliest: i16,
}

/// Likelihoods are logarithms in sixteenths, from -512 to 511.
const LEAST: i16 = -512;
const MOST: i16 = 511;
const EXCLUDED: i16 = i16::MIN;

impl Order {
    /// The order of those `scores`, from the first player's view, in a position.
    #[inline(always)]
    pub(super) fn of(open: &Open, scores: RangeInclusive<Score>) -> Order {
        let mut units = units(open);
        units.iter_mut().for_each(|unit| *unit = (*unit).clamp(0, FULL));
        let mut logits = [0_i16; LANES];
        logits.iter_mut().zip(numbers::<LANES>(SCORE_CONSTANTS)).for_each(|(l, c)| *l = c);
        for (index, deep) in deep_units(&units).into_iter().enumerate() {
            let weights = numbers::<LANES>(DEEP_WEIGHTS + index * LANES * 2);
            for (logit, weight) in logits.iter_mut().zip(weights) {
                // Compilers know the upper half of a product as one instruction.
                let product = (i32::from(deep) * i32::from(weight)) >> 16;
                *logit = logit.wrapping_add(product as i16);
            }
        }
        let number = |score: &Score| i16::from(*score) + i16::from(GREATEST);
        let (least, greatest) = (number(scores.start()), number(scores.end()).min(LAST));
        let mut keys = [EXCLUDED; LANES];
        for (number, (key, logit)) in (0_i16..).zip(keys.iter_mut().zip(logits)) {
            let is_possible = number >= least && number <= greatest;
            let likelihood = (logit >> 4).clamp(LEAST, MOST);
            *key = if is_possible { likelihood * 64 + 63 - number } else { EXCLUDED };
        }
        Order { likeliest: greatest_below(&keys, i16::MAX), keys }
    }

    /// The score that `rank` others are likelier than, if there are so many.
    #[inline(always)]
    pub(super) fn score(&self, rank: u8) -> Option<Score> {
        let mut key = self.likeliest;
        for _ in 0..rank {
            key = greatest_below(&self.keys, key);
        }
        (key != EXCLUDED).then_some((63 - (key & 63)) as Score - GREATEST)
    }

    /// How many scores are likelier than this one, if it is possible.
    #[cfg(feature = "generate")]
    pub(super) fn rank(&self, score: Score) -> Option<u8> {
        let number = i16::from(score) + i16::from(GREATEST);
        let key = *self.keys.get(usize::try_from(number).ok()?)?;
        let likelier = self.keys.iter().filter(|&&other| other > key).count();
        (key != EXCLUDED).then_some(likelier as u8)
    }

    /// The context: how many scores are nearly as likely as the likeliest, by four measures
    /// of what is near.
    #[inline(always)]
    pub(super) fn context(&self) -> usize {
        let sums = self.sums();
        let mut node = 0;
        for _ in 0..LEVELS {
            let threshold = number(TREE + 4 * node);
            let sum = number(TREE + 4 * node + 2) as usize % sums.len();
            node = 2 * node + 1 + usize::from(sums[sum] >= threshold);
        }
        node - NODES
    }

    /// For each of four distances from the likeliest score, by how much the scores are
    /// nearer to it, in all.
    #[inline(always)]
    fn sums(&self) -> [i16; 4] {
        let top = self.likeliest >> 6;
        let mut sums = [0; 4];
        for (sum, near) in sums.iter_mut().zip([16, 32, 64, 128]) {
            let mut lanes = [0_i16; 8];
            for keys in self.keys.chunks_exact(8) {
                for (lane, &key) in lanes.iter_mut().zip(keys) {
                    *lane += (near - (top - (key >> 6))).max(0);
                }
            }
            *sum = join(lanes, |a, b| a + b);
        }
        sums
    }
}

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

/// All lanes joined into one, half of them with the other half, as registers do it.
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
fn number(offset: usize) -> i16 {
    i16::from_le_bytes([MODEL.0[offset], MODEL.0[offset + 1]])
}

/// The units of the second layer.
#[inline(always)]
fn deep_units(units: &[i16; UNITS]) -> [i16; DEEP_UNITS] {
    let mut deep = [0; DEEP_UNITS];
    for (index, deep) in deep.iter_mut().enumerate() {
        // Else compilers widen them all before the loop, and narrow them again in it.
        let units = black_box(units);
        let weights = numbers::<UNITS>(UNIT_WEIGHTS + index * UNITS * 2);
        let product = |(&unit, weight): (&i16, i16)| i32::from(unit) * i32::from(weight);
        let constant = &MODEL.0[CONSTANTS + 4 * index..][..4];
        let constant = i32::from_le_bytes([constant[0], constant[1], constant[2], constant[3]]);
        let sum = constant + units.iter().zip(weights).map(product).sum::<i32>();
        *deep = (sum >> 6).clamp(0, i16::MAX.into()) as i16;
    }
    deep
}

/// The units of the first layer before they are clamped.
#[inline(always)]
fn units(open: &Open) -> [i16; UNITS] {
    let mut units = [0_i16; UNITS];
    for_each_feature(open, |feature| {
        for (unit, weight) in units.iter_mut().zip(numbers::<UNITS>(feature * UNITS * 2)) {
            *unit = unit.wrapping_add(weight);
        }
    });
    units
}

/// Calls `add` with the number of every feature that the position has.
#[inline(always)]
fn for_each_feature(open: &Open, mut add: impl FnMut(usize)) {
    let &Open { first, mask, safe, threats } = open;
    let second = first ^ mask;
    let key = first + mask + STANDARD.bottom;
    for column in 0..7 {
        add(column * COLUMN_STATES + (key >> (7 * column)) as usize % COLUMN_STATES);
    }
    add(SAFE_COLUMNS + columns_of(safe));
    let stones = mask.count_ones() as usize;
    add(STONES + if stones > MOST_STONES { MOST_STONES + stones % 2 } else { stones });
    // Few loops, as where each ends cannot be foreseen.
    let mut add_bits = |mut bits: u128, from: usize| {
        while bits != 0 {
            add(from + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    };
    let both =
        |first: u64, second: u64, width: usize| u128::from(first) | u128::from(second) << width;
    let wins = [first, second].map(|own| winning_cells(&STANDARD, own, mask));
    add_bits(both(wins[0], wins[1], BOARD_BITS), THREATS);
    let [two, one] = lines_with(first, second);
    let [other_two, other_one] = lines_with(second, first);
    add_bits(both(two, other_two, LINE_BITS), LINES_WITH_TWO);
    add_bits(both(one, other_one, LINE_BITS), LINES_WITH_ONE);
    add_bits(threats.into(), THREATENING_MOVES);
}

/// Bit `c` for column `c` if one of the cells, at most one a column, is in it.
#[inline(always)]
fn columns_of(cells: u64) -> usize {
    (0..7).map(|column| usize::from(cells >> (7 * column) & 127 != 0) << column).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::book::compact::tactics::{Outlook, outlook};

    const DOCUMENT: &str = include_str!("../../../books/FORMAT.md");

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
                let position = position.narrow::<u64>().canonical();
                let found = match outlook(position.mover(), position.mask()) {
                    Outlook::Known(score) => {
                        [&score.to_string()[..], "", "", "", "", "", ""].map(String::from)
                    }
                    Outlook::Open(open) => steps(&open),
                };
                assert_eq!(found.each_ref().map(String::as_str), fields[1..], "{row}");
            }
        }
    }

    /// The other fields of a row.
    fn steps(open: &Open) -> [String; 7] {
        let mut features = Vec::new();
        for_each_feature(open, |feature| features.push(feature));
        features.sort_unstable();
        let units = units(open).map(|unit| unit.clamp(0, FULL));
        let order = Order::of(open, -18..=18);
        let scores = (0..5).map(|rank| order.score(rank).unwrap());
        [
            String::new(),
            listed(features),
            listed(&units[..4]),
            listed(&deep_units(&units)[..4]),
            listed(order.sums()),
            order.context().to_string(),
            listed(scores),
        ]
    }

    #[test]
    fn the_rank_of_a_score_is_its_place_in_the_order() {
        let position = Position::from_moves("323341357243").unwrap().narrow::<u64>().canonical();
        let Outlook::Open(open) = outlook(position.mover(), position.mask()) else {
            panic!("the score is not known")
        };
        let order = Order::of(&open, -3..=7);
        let mut scores: Vec<Score> = (0..11).map(|rank| order.score(rank).unwrap()).collect();
        for (rank, &score) in (0..).zip(&scores) {
            assert_eq!(order.rank(score), Some(rank));
        }
        assert_eq!((order.score(11), order.score(200)), (None, None));
        assert_eq!((order.rank(-4), order.rank(8), order.rank(-100)), (None, None, None));
        scores.sort_unstable();
        assert_eq!(scores, (-3..=7).collect::<Vec<Score>>());
        // No score at all, and more than there are.
        assert_eq!(Order::of(&open, 22..=30).score(0), None);
        assert!(Order::of(&open, Score::MIN..=Score::MAX).score(42).is_some());
        assert_eq!(Order::of(&open, Score::MIN..=Score::MAX).score(43), None);
    }

    #[test]
    fn the_model_is_the_one_that_the_format_names() {
        let checksum = crc32fast::hash(&MODEL.0);
        assert!(DOCUMENT.contains(&format!("CRC-32 `{checksum:08x}`")), "{checksum:08x}");
    }
}
