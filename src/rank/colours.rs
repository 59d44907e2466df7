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
    /// By chunk of the row and number of ones before it, then by the bits of
    /// the chunk: in the low byte the number of its ones, above it what they
    /// add to the rank.
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
        let mut parts = Vec::new();
        for first in (0..stones).step_by(CHUNK_BITS) {
            for ones_before in 0..counts {
                parts.push(std::array::from_fn(|bits| {
                    part(bits, first, ones_before, &binomials).unwrap_or(0)
                }));
            }
        }
        let chunks = stones.div_ceil(CHUNK_BITS);
        Colours { stones, binomials, parts: parts.into_boxed_slice(), counts, chunks }
    }

    /// The number of a row.
    #[inline(always)]
    pub(super) fn rank(&self, mut row: u64) -> u64 {
        let (mut sum, mut table) = (0, 0);
        for _ in 0..self.chunks {
            let ones_before = (sum & 0xff) as usize;
            sum += self.parts[table + ones_before][row as usize % (1 << CHUNK_BITS)];
            row >>= CHUNK_BITS;
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

/// The entry of a chunk that starts at the place `first`; `None` if no row has it.
fn part(mut bits: usize, first: usize, ones_before: usize, binomials: &Binomials) -> Option<u64> {
    let ones = bits.count_ones();
    let (mut rank, mut i) = (0, ones_before);
    while bits != 0 {
        i += 1;
        rank += binomials.get(first + bits.trailing_zeros() as usize)?.get(i)?;
        bits &= bits - 1;
    }
    Some(rank << 8 | u64::from(ones))
}

/// binomial(n, k) for every n up to `stones`.
fn binomials(stones: usize) -> Box<Binomials> {
    let mut rows = vec![[0; MAX_MOVER_STONES + 1]; stones + 1];
    rows[0][0] = 1;
    for n in 1..=stones {
        rows[n][0] = 1;
        for k in 1..=MAX_MOVER_STONES {
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
