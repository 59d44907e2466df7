//! Contexts: what can be seen of a position's value without a search.
//!
//! A context is a number below [`CONTEXTS`]; each has a prefix code of its own.
//! The functions are parts of the book format: whole numbers only, and none of
//! them ever changes. Mirror images have the same context.

use crate::board::threats::winning_cells;
use crate::board::{Geometry, Position, Size};

/// How many contexts a function tells apart.
pub(super) const CONTEXTS: usize = 512;

/// A context function, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Function {
    /// Counts of threats, for any board.
    Threats = 0,
    /// A small network and a decision tree, for 7x6.
    Network = 1,
}

impl Function {
    /// The best there is for boards of this size.
    pub(super) fn for_size(size: Size) -> Function {
        if size == Size::STANDARD { Function::Network } else { Function::Threats }
    }

    /// The function with this number, if boards of this size can have it.
    pub(super) fn from_number(number: u8, size: Size) -> Option<Function> {
        match number {
            0 => Some(Function::Threats),
            1 if size == Size::STANDARD => Some(Function::Network),
            _ => None,
        }
    }

    /// The context of a position that is its own [canonical](Position::canonical) image.
    #[inline]
    pub(super) fn of<const W: usize, const H: usize>(self, position: Position<W, H>) -> usize {
        match self {
            Function::Threats => of_threats(position),
            Function::Network => network::context(position.first_player(), position.mask()),
        }
    }
}

/// Two bits each for the threats of the first player in even rows (from 0), of
/// the second in odd ones, and the other two, the most important first; three
/// stand for more. One bit for a threat that the side to move has to answer.
fn of_threats<const W: usize, const H: usize>(position: Position<W, H>) -> usize {
    let first = winning_cells::<W, H>(position.first_player(), position.mask());
    let second = winning_cells::<W, H>(position.second_player(), position.mask());
    let (even, odd) = (Geometry::<W, H>::EVEN_ROWS, Geometry::<W, H>::ODD_ROWS);
    let counts = [first & even, second & odd, second & even, first & odd];
    let counts = counts.map(|cells| cells.count_ones().min(3) as usize);
    let forced = position.opponent_winning_cells() & position.possible_moves() != 0;
    2 * counts.into_iter().fold(0, |context, count| 4 * context + count) + usize::from(forced)
}

/// The function for 7x6: three sums over what stands on the board, computed by
/// a network with one layer of hidden units, and a tree of thresholds over them.
mod network {
    use super::winning_cells;
    use crate::board::Geometry;

    type Standard = Geometry<7, 6>;

    /// Hidden units.
    const UNITS: usize = 16;
    /// Sums that the tree looks at.
    const SUMS: usize = 3;
    /// Of a hidden unit: the value of the largest output.
    const FULL: i32 = 1024;

    /// Features, each with a weight for every unit: what each column holds; the
    /// threats of each player; lines with two stones of one player and none of
    /// the other, by direction, player and first cell; who moves.
    const COLUMN_STATES: usize = 128;
    const THREATS: usize = 7 * COLUMN_STATES;
    const BOARD_BITS: usize = 49;
    const LINES: usize = THREATS + 2 * BOARD_BITS;
    const DIRECTIONS: [u32; 3] = [6, 7, 8];
    const SIDE_TO_MOVE: usize = LINES + DIRECTIONS.len() * 2 * BOARD_BITS;
    const FEATURES: usize = SIDE_TO_MOVE + 2;

    /// Levels of the tree.
    const LEVELS: usize = 9;
    const NODES: usize = (1 << LEVELS) - 1;

    /// Where the parts of the model begin: weights of the features and of the
    /// units, 16 bits each; the sums' constants, 32 bits; the tree's nodes, a
    /// threshold of 32 bits and 32 bits for the number of the sum.
    const UNIT_WEIGHTS: usize = FEATURES * UNITS * 2;
    const CONSTANTS: usize = UNIT_WEIGHTS + SUMS * UNITS * 2;
    const TREE: usize = CONSTANTS + SUMS * 4;

    static MODEL: &[u8; TREE + NODES * 8] = include_bytes!("model-7x6.bin");

    #[inline(always)]
    fn weights(offset: usize) -> [i32; UNITS] {
        let bytes = &MODEL[offset..offset + 2 * UNITS];
        std::array::from_fn(|i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]).into())
    }

    #[inline(always)]
    fn number(offset: usize) -> i32 {
        let bytes = &MODEL[offset..offset + 4];
        i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    /// The context of the position with these stones of the first player.
    #[inline]
    pub(super) fn context(first: u64, mask: u64) -> usize {
        let units = hidden(first, mask).map(|unit| unit.clamp(0, FULL));
        let sums: [i32; SUMS] = std::array::from_fn(|sum| {
            let weights = weights(UNIT_WEIGHTS + sum * UNITS * 2);
            let products = units.iter().zip(weights).map(|(unit, weight)| unit * weight);
            number(CONSTANTS + 4 * sum) + products.sum::<i32>()
        });
        let mut node = 0;
        for _ in 0..LEVELS {
            let at = TREE + 8 * node;
            let above = sums[MODEL[at + 4] as usize % SUMS] >= number(at);
            node = 2 * node + 1 + usize::from(above);
        }
        node - NODES
    }

    /// The hidden units before they are clamped.
    #[inline(always)]
    fn hidden(first: u64, mask: u64) -> [i32; UNITS] {
        let second = first ^ mask;
        let mut units = [0; UNITS];
        let mut add = |feature: usize| {
            for (unit, weight) in units.iter_mut().zip(weights(feature * UNITS * 2)) {
                *unit += weight;
            }
        };
        let key = first + mask + Standard::BOTTOM;
        for column in 0..7 {
            add(column * COLUMN_STATES + (key >> (7 * column)) as usize % COLUMN_STATES);
        }
        add(SIDE_TO_MOVE + mask.count_ones() as usize % 2);
        let mut add_cells = |mut cells: u64, from: usize| {
            while cells != 0 {
                add(from + cells.trailing_zeros() as usize);
                cells &= cells - 1;
            }
        };
        for (player, (own, other)) in [(first, second), (second, first)].into_iter().enumerate() {
            let from = player * BOARD_BITS;
            add_cells(winning_cells::<7, 6>(own, mask), THREATS + from);
            for (index, step) in DIRECTIONS.into_iter().enumerate() {
                let cells = lines_with_two(own, other, step);
                add_cells(cells, LINES + 2 * index * BOARD_BITS + from);
            }
        }
        units
    }

    /// The first cells of the lines of four, `step` bits from cell to cell, that
    /// have exactly two stones of `own` and none of `other`.
    #[inline(always)]
    fn lines_with_two(own: u64, other: u64, step: u32) -> u64 {
        let along = |cells: u64| [0, 1, 2, 3].map(|i| cells >> (i * step));
        let [a, b, c, d] = along(Standard::BOARD & !other);
        let open = a & b & c & d;
        let [a, b, c, d] = along(own);
        let (odd, both) = ([a ^ b, c ^ d], [a & b, c & d]);
        let split = odd[0] & odd[1];
        let left = both[0] & !odd[1] & !both[1];
        let right = both[1] & !odd[0] & !both[0];
        open & (split | left | right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a table of the document, whose contexts were worked out by
    /// another program, from the description alone.
    fn assert_contexts<const W: usize, const H: usize>(heading: &str, function: Function) {
        let document = include_str!("../../../books/FORMAT.md");
        let (_, table) = document.split_once(&format!("{heading}\n|---|---|\n")).unwrap();
        let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
        assert!(rows.len() >= 5);
        for row in rows {
            let fields: Vec<&str> = row.split(['|', '`', ' ']).filter(|s| !s.is_empty()).collect();
            let position = Position::<W, H>::from_moves(fields[0]).unwrap();
            for position in [position, position.mirrored()] {
                let context = function.of(position.canonical());
                assert_eq!(context.to_string(), fields[1], "{row}");
            }
        }
    }

    #[test]
    fn the_contexts_are_those_that_the_format_says() {
        assert_contexts::<4, 4>("| Moves on 4x4 | Context |", Function::Threats);
        assert_contexts::<7, 6>("| Moves | Context |", Function::Network);
    }

    #[test]
    fn the_model_is_the_one_that_the_format_names() {
        let checksum = crc32fast::hash(include_bytes!("model-7x6.bin"));
        let document = include_str!("../../../books/FORMAT.md");
        assert!(document.contains(&format!("CRC-32 `{checksum:08x}`")), "{checksum:08x}");
    }

    #[test]
    fn every_context_is_below_their_number() {
        let mut position = Position::<5, 4>::EMPTY;
        for column in [0, 1, 0, 1, 0, 2, 2, 4, 3, 3, 4] {
            position = position.play(column);
            assert!(Function::Threats.of(position.canonical()) < CONTEXTS);
        }
        assert_eq!(Function::from_number(1, Size::new(5, 4).unwrap()), None);
        assert_eq!(Function::from_number(2, Size::STANDARD), None);
    }
}
