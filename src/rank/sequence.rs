//! The positions of many slots, one after the other.

use super::Ranking;
use fourbook_solver::board::{Board, Geometry, Word};

/// Stones that one table puts on the board.
const CHUNK_BITS: u32 = 8;

/// Rows further on than this are found by their number.
const FEW_STEPS: u64 = 16;

/// Unranks slots, much faster than [`Ranking::unrank`] if they ascend: neighbours have the same
/// mask, and the row of stones of one follows from that of the one before.
pub(crate) struct Sequence<'a, B: Word> {
    ranking: &'a Ranking,
    geometry: &'static Geometry<B>,
    /// The slot of `row`.
    slot: u64,
    /// The first slot after the slots of the mask; 0 before the first.
    end: u64,
    mask: B,
    is_symmetric: bool,
    /// The stones in the order of their bits, 1 for the side to move.
    row: u64,
    /// By chunk of the row and its bits: the same stones on the board.
    parts: Vec<[B; 1 << CHUNK_BITS]>,
}

impl Ranking {
    /// Prepares to unrank slots that mostly ascend.
    pub(crate) fn sequence<B: Word>(&self) -> Sequence<'_, B> {
        let chunks = self.ply.div_ceil(CHUNK_BITS) as usize;
        Sequence {
            ranking: self,
            geometry: B::geometry(self.size),
            slot: 0,
            end: 0,
            mask: B::ZERO,
            is_symmetric: false,
            row: 0,
            parts: vec![[B::ZERO; 1 << CHUNK_BITS]; chunks],
        }
    }
}

impl<B: Word> Sequence<'_, B> {
    /// The position whose stones a slot describes, as [`Ranking::unrank`] says.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    #[inline]
    pub(crate) fn position(&mut self, slot: u64) -> Board<B> {
        if slot >= self.end || slot < self.slot {
            self.seek(slot);
        } else if slot - self.slot > FEW_STEPS {
            self.row = self.ranking.colours.row(slot % self.ranking.colourings);
        } else {
            for _ in self.slot..slot {
                self.row = next_row(self.row);
            }
        }
        self.slot = slot;
        let mut mover = B::ZERO;
        let mut row = self.row;
        for part in &self.parts {
            mover |= part[row as usize % (1 << CHUNK_BITS)];
            row >>= CHUNK_BITS;
        }
        Board::from_bitboards_unchecked(self.geometry, mover, self.mask)
    }

    /// How many positions have a slot: two if the mirror image of its position is another one.
    #[inline]
    pub(crate) fn images(&mut self, slot: u64) -> u64 {
        if slot >= self.end || slot < self.slot {
            self.position(slot);
        }
        if !self.is_symmetric {
            return 2;
        }
        let position = self.position(slot);
        if position.mirrored() == position { 1 } else { 2 }
    }

    /// Starts again at a slot, mostly of another mask.
    #[cold]
    fn seek(&mut self, slot: u64) {
        let ranking = self.ranking;
        assert!(slot < ranking.slots, "slot {slot} of {}", ranking.slots);
        let mask_index = slot / ranking.colourings;
        self.end = (mask_index + 1) * ranking.colourings;
        self.row = ranking.colours.row(slot % ranking.colourings);
        self.mask = ranking.mask(mask_index);
        let geometry = self.geometry;
        let image = |mask| Board::from_bitboards_unchecked(geometry, B::ZERO, mask);
        self.is_symmetric = image(self.mask) == image(self.mask).mirrored();
        let cells: Vec<B> = self.mask.cells().collect();
        for (part, cells) in self.parts.iter_mut().zip(cells.chunks(CHUNK_BITS as usize)) {
            for bits in 1..1_usize << cells.len() {
                part[bits] = part[bits & (bits - 1)] | cells[bits.trailing_zeros() as usize];
            }
        }
    }
}

/// The next larger number with the same number of ones; there has to be one.
///
/// Source: R. W. Gosper, in "HAKMEM" (1972), item 175.
#[inline(always)]
fn next_row(row: u64) -> u64 {
    let zeros = row.trailing_zeros();
    let carried = row + (1 << zeros);
    carried | ((row ^ carried) >> 2 >> zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook_solver::board::Size;
    use fourbook_solver::with_word;

    fn check<B: Word>(size: Size, ply: u32, first: u64, step: u64) {
        let ranking = Ranking::new(size, ply).unwrap();
        let mut sequence = ranking.sequence();
        for slot in (first.min(ranking.slots)..ranking.slots).step_by(step as usize).take(3000) {
            let position = ranking.unrank::<B>(slot);
            let images = if position.mirrored() == position { 1 } else { 2 };
            assert_eq!(sequence.images(slot), images, "{size}, ply {ply}, slot {slot}");
            assert_eq!(sequence.position(slot), position, "{size}, ply {ply}, slot {slot}");
        }
        // And back again.
        assert_eq!(sequence.position(0), ranking.unrank(0));
    }

    #[test]
    fn a_sequence_has_the_positions_of_its_slots() {
        for (size, plies) in [("4x4", 16), ("7x6", 12), ("8x8", 9), ("10x10", 6), ("5x4", 9)] {
            let size: Size = size.parse().unwrap();
            for ply in 0..=plies {
                for (first, step) in [(0, 1), (1, 3), (5, 17), (100, 64), (1000, 1021)] {
                    with_word!(size, B => check::<B>(size, ply, first, step));
                }
            }
        }
    }
}
