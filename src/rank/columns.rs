//! Column heights and rows of stones, read off a key quickly.

use crate::board::{Geometry, Word};

/// What the bits of a column say.
#[derive(Clone, Copy)]
struct Column {
    /// The bit on top of its stones: 2 to the power of its height.
    top: u64,
    height: u64,
}

/// By the bits of a column: columns of up to seven cells.
static COLUMNS: [Column; 256] = {
    let mut columns = [Column { top: 0, height: 0 }; 256];
    let mut bits = 1;
    while bits < columns.len() {
        columns[bits] = Column { top: 1 << bits.ilog2(), height: bits.ilog2() as u64 };
        bits += 1;
    }
    columns
};

/// What the rank of a position is made of. A column of a [key](crate::board::Position::key)
/// holds its stones, 1 for the side to move, and a 1 on top of them.
pub(super) struct HalvesAndRows {
    /// The heights of the left half of the columns as a code, and those of the right half.
    pub(super) left: u64,
    pub(super) right: u64,
    /// The height of the middle column; 0 where there is none.
    pub(super) middle: usize,
    /// All stones in the order of their bits on the board, pushed together, 1 for the
    /// side to move, and a 1 after the last; and the same of the mirror image.
    pub(super) row: u64,
    pub(super) mirrored_row: u64,
}

impl HalvesAndRows {
    /// Takes a key apart. There have to be fewer than 64 stones.
    #[inline(always)]
    pub(super) fn of<B: Word>(geometry: &Geometry<B>, key: B) -> Self {
        let (width, bits) = (geometry.width(), geometry.column_bits);
        // A column has at most 32 bits.
        let column_mask = (1_u64 << bits) - 1;
        let column = |column: usize| {
            let stones = (key >> (column as u32 * bits)).low() & column_mask;
            let Column { top, height } = if bits <= 8 {
                COLUMNS[stones as usize % COLUMNS.len()]
            } else {
                // No column is empty; telling the compiler saves a test.
                let height = (stones | 1).ilog2();
                Column { top: 1 << height, height: height.into() }
            };
            (stones, top, height)
        };
        // A row so far starts where a column's top bit stands and replaces it.
        let onto = |row: u64, (stones, top, _): (u64, u64, u64)| (row - 1) * top + stones;
        let (mut left, mut right, mut weight) = (0, 0, 1);
        for place in (0..width / 2).rev() {
            left += column(place).2 * weight;
            right += column(width - 1 - place).2 * weight;
            weight *= u64::from(bits);
        }
        let middle = if width % 2 == 1 { column(width / 2).2 as usize } else { 0 };
        let (mut row, mut mirrored_row) = (1, 1);
        for place in 0..width {
            row = onto(row, column(width - 1 - place));
            mirrored_row = onto(mirrored_row, column(place));
        }
        HalvesAndRows { left, right, middle, row, mirrored_row }
    }
}
