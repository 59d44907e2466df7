//! The context function for 7x6: three sums over what stands on the board, computed
//! by a network with one layer of hidden units, and a tree of thresholds over them.

use crate::board::threats::winning_cells;
use crate::board::{Geometry, Word};

const STANDARD: Geometry<u64> = u64::STANDARD;

/// Hidden units. The weights that a feature has for all of them lie in two cache lines.
const UNITS: usize = 64;
/// Sums that the tree looks at.
const SUMS: usize = 3;
/// The greatest output of a hidden unit.
const FULL: i16 = 256;

/// Where slanted lines are among the bits of lines: lines begin in the first four columns.
const SLANTED_FROM: u32 = 28;

/// Features, each with a weight for every unit: what each column holds; the
/// threats of each player; lines with two stones of one player and none of
/// the other; who moves.
const COLUMN_STATES: usize = 128;
const THREATS: usize = 7 * COLUMN_STATES;
const BOARD_BITS: usize = 49;
const LINES: usize = THREATS + 2 * BOARD_BITS;
const LINE_BITS: usize = 2 * SLANTED_FROM as usize;
const SIDE_TO_MOVE: usize = LINES + 2 * LINE_BITS;
const FEATURES: usize = SIDE_TO_MOVE + 2;

/// Levels of the tree.
const LEVELS: u32 = 10;
/// How many contexts there are.
pub(super) const CONTEXTS: usize = 1 << LEVELS;
const NODES: usize = CONTEXTS - 1;

/// Where the parts of the model begin: weights of the features and of the
/// units, 16 bits each; the sums' constants, 32 bits; the tree's nodes, a
/// threshold of 32 bits and 32 bits for the number of the sum.
const UNIT_WEIGHTS: usize = FEATURES * UNITS * 2;
const CONSTANTS: usize = UNIT_WEIGHTS + SUMS * UNITS * 2;
const TREE: usize = CONSTANTS + SUMS * 4;

/// Bytes from the beginning of a cache line on.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

static MODEL: Aligned<{ TREE + NODES * 8 }> =
    Aligned(*include_bytes!("../../../books/context-1.bin"));

/// The weights for all units from `offset` on.
#[inline(always)]
fn weights(offset: usize) -> impl Iterator<Item = i16> {
    let (pairs, _) = MODEL.0[offset..offset + 2 * UNITS].as_chunks();
    pairs.iter().map(|&pair| i16::from_le_bytes(pair))
}

#[inline(always)]
fn number(offset: usize) -> i32 {
    let bytes = &MODEL.0[offset..offset + 4];
    i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The context of the position with these stones of the first player.
#[inline(always)]
pub(super) fn context(first: u64, mask: u64) -> usize {
    let units = hidden(first, mask).map(|unit| unit.clamp(0, FULL));
    // One more than there are, as the remainder of a power of two is found sooner.
    let mut sums = [0; SUMS.next_power_of_two()];
    for (index, sum) in sums.iter_mut().take(SUMS).enumerate() {
        let weights = weights(UNIT_WEIGHTS + index * UNITS * 2);
        // Compilers know the product of two numbers of 16 bits as one instruction.
        let product = |(&unit, weight): (&i16, i16)| i32::from(unit) * i32::from(weight);
        let products = units.iter().zip(weights).map(product);
        *sum = number(CONSTANTS + 4 * index) + products.sum::<i32>();
    }
    let mut node = 0;
    for _ in 0..LEVELS {
        let at = TREE + 8 * node;
        let above = sums[MODEL.0[at + 4] as usize % sums.len()] >= number(at);
        node = 2 * node + 1 + usize::from(above);
    }
    node - NODES
}

/// The hidden units before they are clamped.
#[inline(always)]
fn hidden(first: u64, mask: u64) -> [i16; UNITS] {
    let second = first ^ mask;
    let mut units = [0_i16; UNITS];
    let mut add = |feature: usize| {
        for (unit, weight) in units.iter_mut().zip(weights(feature * UNITS * 2)) {
            *unit = unit.wrapping_add(weight);
        }
    };
    let key = first + mask + STANDARD.bottom;
    for column in 0..7 {
        add(column * COLUMN_STATES + (key >> (7 * column)) as usize % COLUMN_STATES);
    }
    add(SIDE_TO_MOVE + mask.count_ones() as usize % 2);
    // Few loops, as where each ends cannot be foreseen.
    let mut add_bits = |mut bits: u128, from: usize| {
        while bits != 0 {
            add(from + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    };
    let both =
        |first: u64, second: u64, width: usize| u128::from(first) | u128::from(second) << width;
    let wins = |own| winning_cells(&STANDARD, own, mask);
    let threats = [wins(first), wins(second)];
    add_bits(both(threats[0], threats[1], BOARD_BITS), THREATS);
    let (lines, others) = (lines_with(first, second), lines_with(second, first));
    let lines = [lines[0], others[0]];
    add_bits(both(lines[0], lines[1], LINE_BITS), LINES);
    units
}

/// The first cells of the lines that have exactly two stones of `own` and none of
/// `other`, and of those with exactly one: of level lines in the lower bits, of slanted
/// ones above. One that goes down begins higher than any that goes up.
#[inline(always)]
pub(super) fn lines_with(own: u64, other: u64) -> [u64; 2] {
    let free = STANDARD.board & !other;
    let (down, level, up) = (along(own, free, 6), along(own, free, 7), along(own, free, 8));
    let join = |level: u64, down: u64, up: u64| level | (down | up) << SLANTED_FROM;
    [join(level[0], down[0], up[0]), join(level[1], down[1], up[1])]
}

/// The same for the lines in one direction, where `free` cells are not the other's.
#[inline(always)]
fn along(own: u64, free: u64, step: u32) -> [u64; 2] {
    let (free_pairs, behind) = (free & free >> step, own >> step);
    let open = free_pairs & free_pairs >> (2 * step);
    // Of the first two cells, and of the last two.
    let (odd, both, any) = (own ^ behind, own & behind, own | behind);
    let shift = 2 * step;
    let two = (odd & odd >> shift) | (both & !(any >> shift)) | (both >> shift & !any);
    let one = (odd & !(any >> shift)) | (odd >> shift & !any);
    [open & two, open & one]
}
