//! Column heights and rows of stones, read off a position quickly.

use crate::board::geometry::MAX_WIDTH;
use crate::board::{Geometry, Position};

/// A board taken apart: the key of its position, column by column. A column
/// holds its stones, 1 for the side to move, and a 1 on top of them.
pub(super) struct Columns<const W: usize, const H: usize>([u64; W]);

/// What a column says, by its bits in the key.
#[derive(Clone, Copy)]
struct ColumnFacts {
    /// The bit on top of its stones: 2 to the power of its height.
    top: u64,
    /// What it adds to a left or right code, by place from the edge; at the
    /// last place that is its height.
    code: [u16; MAX_WIDTH / 2],
}

impl<const W: usize, const H: usize> Columns<W, H> {
    const BITS_MASK: u64 = (1 << (H + 1)) - 1;

    /// By the column's bits. A height is at most 7, so 8 bits are enough.
    const FACTS: &[ColumnFacts; 256] = &{
        let mut facts = [ColumnFacts { top: 0, code: [0; MAX_WIDTH / 2] }; 256];
        let mut bits = 1;
        while bits <= Self::BITS_MASK as usize {
            let height = bits.ilog2();
            let mut code = [0; MAX_WIDTH / 2];
            let mut place = W / 2;
            let mut weight = 1;
            while place > 0 {
                place -= 1;
                code[place] = (height * weight) as u16;
                weight *= H as u32 + 1;
            }
            facts[bits] = ColumnFacts { top: 1 << height, code };
            bits += 1;
        }
        facts
    };

    #[inline(always)]
    pub(super) fn of(position: Position<W, H>) -> Self {
        let key = position.key();
        Columns(std::array::from_fn(|column| {
            (key >> (column * Geometry::<W, H>::COLUMN_BITS)) & Self::BITS_MASK
        }))
    }

    #[inline(always)]
    fn facts(&self, column: usize) -> &'static ColumnFacts {
        &Self::FACTS[self.0[column] as usize]
    }

    #[inline(always)]
    pub(super) fn height(&self, column: usize) -> usize {
        self.part_of_code(column, W / 2 - 1)
    }

    /// What `column` adds to a code in which it has this place from the edge.
    #[inline(always)]
    pub(super) fn part_of_code(&self, column: usize, place: usize) -> usize {
        usize::from(self.facts(column).code[place])
    }

    /// All stones in the order of their bits on the board or its mirror image,
    /// pushed together, 1 for the side to move, and a 1 after the last.
    #[inline(always)]
    pub(super) fn row_of_stones<const MIRRORED: bool>(&self) -> u64 {
        // The row so far starts where a column's top bit stands and replaces it.
        let mut row = 1;
        for place in 0..W {
            let column = if MIRRORED { place } else { W - 1 - place };
            row = (row - 1) * self.facts(column).top + self.0[column];
        }
        row
    }
}
