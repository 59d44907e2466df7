//! Numbers for the colourings of a row of stones: the combinatorial number system.

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
