//! The parts of a rank: codes of the heights, numbers of the colours, and both read off a key.
//!
//! A code is a number in base `height + 1`, its digits the heights of half of the columns from the
//! edge inwards, the edge first. Small boards have few codes, and each is its own index. Large
//! boards have up to 16 million, most of them with more stones than the ply: only codes
//! that can occur are listed there, and the index is the place in the list.
//! Either way, a larger code has a larger index, and the largest that can occur is the last.
//!
//! Colours are numbered by the combinatorial number system.

use fourbook_solver::board::{Geometry, Size, Word};

/// Codes up to which all are kept.
const FEW: usize = 1 << 14;

/// Heights of half of the columns, from the edge inwards; unused places are 0.
pub(super) type Heights = [u8; Size::MAX_WIDTH / 2];

/// The codes of a board with at most some number of stones. If a board has few codes, all
/// up to the largest of these.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    /// The codes that are kept, ascending; empty where each is its own index.
    listed: Box<[u32]>,
    /// By index: the heights that the code spells.
    pub(super) heights: Box<[Heights]>,
    /// By index: the number of smaller codes with as many stones.
    pub(super) among_equals: Box<[u32]>,
    /// The indices by number of stones, ascending for each number.
    by_stones: Box<[u32]>,
    /// By number of stones: the place in `by_stones` of the first code that has it.
    starts: Box<[u32]>,
}

impl Codes {
    pub(super) fn new(size: Size, most_stones: usize) -> Codes {
        let places = size.width() / 2;
        let base = size.height() + 1;
        let are_few = base.pow(places as u32) <= FEW;
        let heights = list(places, size.height(), most_stones, are_few);
        let listed = if are_few {
            Box::default()
        } else {
            heights
                .iter()
                .map(|heights| {
                    heights[..places]
                        .iter()
                        .fold(0, |code, &height| code * base as u32 + u32::from(height))
                })
                .collect()
        };
        let mut starts = vec![0; places * size.height() + 2].into_boxed_slice();
        for heights in &heights {
            starts[sum(heights) + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut ends = starts.clone();
        let mut by_stones = vec![0; heights.len()].into_boxed_slice();
        let among_equals = (0..).zip(&heights).map(|(index, heights)| {
            let stones = sum(heights);
            let place = ends[stones];
            by_stones[place as usize] = index;
            ends[stones] += 1;
            place - starts[stones]
        });
        let among_equals = among_equals.collect();
        Codes { listed, heights: heights.into_boxed_slice(), among_equals, by_stones, starts }
    }

    /// The index of a code.
    #[inline(always)]
    pub(super) fn index(&self, code: usize) -> usize {
        if self.listed.is_empty() { code } else { self.place_in_list(code) }
    }

    #[cold]
    fn place_in_list(&self, code: usize) -> usize {
        self.listed.partition_point(|&listed| (listed as usize) < code)
    }

    /// The indices of the codes with a number of stones, ascending.
    pub(super) fn with_stones(&self, stones: usize) -> &[u32] {
        match self.starts.get(stones + 1) {
            Some(&end) => &self.by_stones[self.starts[stones] as usize..end as usize],
            None => &[],
        }
    }

    /// The stones of a code.
    pub(super) fn stones(&self, index: usize) -> usize {
        sum(&self.heights[index])
    }
}

fn sum(heights: &Heights) -> usize {
    heights.iter().map(|&height| usize::from(height)).sum()
}

/// Lists the heights of codes in ascending order, up to the largest code of at most `most_stones`
/// stones. Codes with more stones are left out unless `all` is set.
fn list(places: usize, most_height: usize, most_stones: usize, all: bool) -> Vec<Heights> {
    let mut last = Heights::default();
    let mut left = most_stones;
    for height in &mut last[..places] {
        *height = left.min(most_height) as u8;
        left -= usize::from(*height);
    }
    let few = FEW.min((most_height + 1).pow(places as u32));
    let mut codes = Vec::with_capacity(few);
    let mut heights = Heights::default();
    let mut stones = 0;
    loop {
        codes.push(heights);
        if heights == last {
            return codes;
        }
        // The next code: one more in the last place that takes it, and none after it.
        for place in (0..places).rev() {
            if usize::from(heights[place]) < most_height && (all || stones < most_stones) {
                heights[place] += 1;
                stones += 1;
                break;
            }
            stones -= usize::from(heights[place]);
            heights[place] = 0;
        }
    }
}

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

/// The height of a column of a key, and its stones. A column has `bits` bits, at most 32.
#[inline(always)]
fn column<B: Word>(key: B, bits: u32, column: usize) -> (u64, Rows) {
    let stones = (key >> (column as u32 * bits)).low() & ((1_u64 << bits) - 1);
    let Column { top, height } = if bits <= 8 {
        COLUMNS[stones as usize % COLUMNS.len()]
    } else {
        // No column is empty; setting the lowest bit shows it to the compiler and saves a test.
        let height = (stones | 1).ilog2();
        Column { top: 1 << height, height: height.into() }
    };
    (height, Rows { row: stones, mirrored: stones, top })
}

/// The parts of a position's rank. A column of a [key](fourbook_solver::board::Position::key)
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
        let width = geometry.size.width();
        let bits = geometry.column_bits;
        // From the edges inwards, so that no product waits for more than half of the others.
        let (mut left, mut lower) = column(key, bits, 0);
        let (mut right, mut upper) = column(key, bits, width - 1);
        for place in 1..width / 2 {
            let (height, rows) = column(key, bits, place);
            (left, lower) = (left * u64::from(bits) + height, rows.right_of(lower));
            let (height, rows) = column(key, bits, width - 1 - place);
            (right, upper) = (right * u64::from(bits) + height, upper.right_of(rows));
        }
        let mut middle = 0;
        if width % 2 == 1 {
            let (height, rows) = column(key, bits, width / 2);
            (middle, lower) = (height as usize, rows.right_of(lower));
        }
        let Rows { row, mirrored: mirrored_row, .. } = upper.right_of(lower);
        HalvesAndRows { left, right, middle, row, mirrored_row }
    }
}

/// The side to move has at most half of the stones, and there are at most 50: more can
/// be coloured in more ways than there may be slots.
const MAX_MOVER_STONES: usize = 28;

/// Stones looked up at once: two look-ups up to ply 14.
const CHUNK_BITS: usize = 7;

type Binomials = [[u64; MAX_MOVER_STONES + 1]];

/// The numbering of all rows of a number of stones, half of which (rounded
/// down) are the mover's: a row of bits, 1 for the side to move.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    stones: usize,
    /// By place and count of ones: binomial(place, count).
    binomials: Box<Binomials>,
    /// By chunk of the row and number of ones before it (0 for the first chunk), then by the bits
    /// of the chunk: in the low byte the number of its ones, above it their share of the rank.
    parts: Box<[[u64; 1 << CHUNK_BITS]]>,
    /// Numbers of ones before a chunk that there are tables for.
    counts: usize,
    /// Chunks of a row.
    chunks: usize,
}

impl Colours {
    pub(super) fn new(stones: usize) -> Self {
        assert!(stones / 2 <= MAX_MOVER_STONES, "so many colourings have no slots");
        let binomials = binomials(stones);
        let counts = stones / 2 + 1;
        let chunks = stones.div_ceil(CHUNK_BITS);
        let mut parts = vec![[0; 1 << CHUNK_BITS]; 1 + chunks.saturating_sub(1) * counts];
        for (index, part) in parts.iter_mut().enumerate() {
            let (chunk, ones_before) = match index.checked_sub(1) {
                None => (0, 0),
                Some(index) => (1 + index / counts, index % counts),
            };
            fill(part, chunk * CHUNK_BITS, ones_before, &binomials);
        }
        Colours { stones, binomials, parts: parts.into_boxed_slice(), counts, chunks }
    }

    /// The number of a row.
    #[inline(always)]
    pub(super) fn rank(&self, mut row: u64) -> u64 {
        let mut sum = self.parts[0][row as usize % (1 << CHUNK_BITS)];
        let mut table = 1;
        for _ in 1..self.chunks {
            row >>= CHUNK_BITS;
            let ones_before = (sum & 0xff) as usize;
            sum += self.parts[table + ones_before][row as usize % (1 << CHUNK_BITS)];
            table += self.counts;
        }
        sum >> 8
    }

    /// The row with this number.
    pub(super) fn row(&self, mut rank: u64) -> u64 {
        let mut row = 0;
        let mut place = self.stones;
        for ones in (1..=self.stones / 2).rev() {
            loop {
                place -= 1;
                let before = self.binomials[place][ones];
                if before <= rank {
                    rank -= before;
                    row |= 1 << place;
                    break;
                }
            }
        }
        row
    }
}

/// How many rows of a number of stones there are; up to 124 stones, which is what the
/// largest board has.
pub(super) fn count(stones: usize) -> u128 {
    // Each step is a binomial coefficient, so nothing is lost by dividing.
    (1..=stones / 2).fold(1, |rows, i| rows * (stones - stones / 2 + i) as u128 / i as u128)
}

/// Fills the table of the chunk that starts at the place `first`. Entries that no row has are
/// arbitrary.
fn fill(
    part: &mut [u64; 1 << CHUNK_BITS],
    first: usize,
    ones_before: usize,
    binomials: &Binomials,
) {
    let places = CHUNK_BITS.min(binomials.len() - 1 - first);
    for bits in 1..1_usize << places {
        let last = bits.ilog2() as usize;
        let without_last = part[bits ^ 1 << last];
        let ones = ones_before + (without_last & 0xff) as usize + 1;
        let share = binomials[first + last].get(ones).unwrap_or(&0);
        part[bits] = without_last + (share << 8 | 1);
    }
}

/// binomial(n, k) for every n up to `stones`.
fn binomials(stones: usize) -> Box<Binomials> {
    let mut rows = vec![[0; MAX_MOVER_STONES + 1]; stones + 1];
    rows[0][0] = 1;
    for n in 1..=stones {
        rows[n][0] = 1;
        for k in 1..=MAX_MOVER_STONES.min(n) {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
        }
    }
    rows.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbered_in_order_and_found_again() {
        for stones in 0..=16 {
            let colours = Colours::new(stones);
            let rows = (0..1_u64 << stones).filter(|row| row.count_ones() as usize == stones / 2);
            let mut rows_seen = 0;
            for (rank, row) in rows.enumerate() {
                assert_eq!(colours.rank(row), rank as u64);
                assert_eq!(colours.row(rank as u64), row);
                rows_seen += 1;
            }
            assert_eq!(count(stones), rows_seen);
        }
    }
}
