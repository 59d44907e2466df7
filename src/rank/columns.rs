//! Column heights and rows of stones, read off a key quickly.

use crate::board::{Geometry, Word};

/// The stones of a column, from its bits.
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

/// The stones of neighbouring columns as a row of bits, and the row of their mirror image.
#[derive(Clone, Copy)]
struct Rows {
    row: u64,
    mirrored: u64,
    /// The bit after the last stone, which is set in both.
    top: u64,
}

impl Rows {
    /// These and the columns on their left.
    #[inline(always)]
    fn right_of(self, left: Rows) -> Rows {
        // The right row starts at the top bit, and replaces it.
        Rows {
            row: (self.row - 1) * left.top + left.row,
            mirrored: (left.mirrored - 1) * self.top + self.mirrored,
            top: self.top * left.top,
        }
    }
}

/// The columns of a key.
#[derive(Clone, Copy)]
struct Columns<B> {
    key: B,
    /// Bits of a column, at most 32.
    bits: u32,
}

impl<B: Word> Columns<B> {
    /// The height of a column, and its stones.
    #[inline(always)]
    fn at(self, column: usize) -> (u64, Rows) {
        let stones = (self.key >> (column as u32 * self.bits)).low() & ((1_u64 << self.bits) - 1);
        let Column { top, height } = if self.bits <= 8 {
            COLUMNS[stones as usize % COLUMNS.len()]
        } else {
            // No column is empty; setting the lowest bit shows it to the compiler and saves a test.
            let height = (stones | 1).ilog2();
            Column { top: 1 << height, height: height.into() }
        };
        (height, Rows { row: stones, mirrored: stones, top })
    }
}

/// The parts of a position's rank. A column of a [key](crate::board::Position::key)
/// holds its stones, 1 for the side to move, and a 1 on top of them.
pub(super) struct HalvesAndRows {
    /// The heights of the left half of the columns as a code, and of the right half.
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
        let columns = Columns { key, bits };
        // From the edges inwards, so that no product waits for more than half of the others.
        let ((mut left, mut lower), (mut right, mut upper)) =
            (columns.at(0), columns.at(width - 1));
        for place in 1..width / 2 {
            let (height, rows) = columns.at(place);
            (left, lower) = (left * u64::from(bits) + height, rows.right_of(lower));
            let (height, rows) = columns.at(width - 1 - place);
            (right, upper) = (right * u64::from(bits) + height, upper.right_of(rows));
        }
        let mut middle = 0;
        if width % 2 == 1 {
            let (height, rows) = columns.at(width / 2);
            (middle, lower) = (height as usize, rows.right_of(lower));
        }
        let Rows { row, mirrored: mirrored_row, .. } = upper.right_of(lower);
        HalvesAndRows { left, right, middle, row, mirrored_row }
    }
}
