//! Numbers for the positions of a ply, without gaps for keys: *ranking*.
//!
//! A position with `n` stones is a choice of column heights and of which of
//! the stones are the mover's. Both choices are numbered; together they give a
//! *slot*. Mirror images share a slot. On 7x6, nearly nine in ten slots of ply 12
//! belong to a position that a game can reach, and six in ten to a position with an entry in
//! a book. So a slot serves as index of a
//! result and as a bit of a visited set, and no book needs to store a key.
//!
//! # The numbering
//!
//! Let `half = W / 2`. The *left code* reads the heights of the left `half` columns
//! from the edge inwards as digits in base `H + 1`, the edge first.
//! The *right code* does the same from the right edge. The middle column of an
//! odd width has its height as *middle* (0 on an even width). A mask and its
//! mirror image differ in which code is left and which is right. The canonical
//! one has `right <= left`. Canonical masks of `n` stones are numbered by right
//! code, then middle, then left code: the *mask index*.
//!
//! The stones, read in the order of their bits, are a row of `n` bits: 1 for
//! the side to move, which has `k = n / 2` of them (rounded down). Its number
//! among all such rows, in the order of the numbers they spell, is the *colour
//! rank*: the sum of `binomial(p, i)` over the set bits, `p` being the place
//! of the `i`-th one (`i` from 1, `p` from 0), known as the combinatorial number
//! system. Where the mask is its own mirror image, the smaller of the two
//! colour ranks counts.
//!
//! `slot = mask index * binomial(n, k) + colour rank`.

mod parts;
mod sequence;

use fourbook_solver::board::{Board, Geometry, Size, Word};
use parts::{Codes, Colours, HalvesAndRows, Heights};
use std::cmp::Ordering;

/// The numbering of all positions of a board with a given number of stones.
#[derive(Clone, Debug)]
pub(crate) struct Ranking {
    pub(crate) size: Size,
    /// Number of stones of the positions.
    pub(crate) ply: u32,
    /// binomial(ply, ply / 2): colour ranks of one mask.
    colourings: u64,
    /// Number of slots: every rank is smaller.
    pub(crate) slots: u64,
    /// Heights that the middle column can have: 1 on an even width, which has none.
    middles: usize,
    codes: Codes,
    /// By right code and middle: the number of canonical masks before them.
    masks_before: Box<[u32]>,
    /// `masks_before`, less the index in its sum of the smallest left code
    /// allowed: adding a left code's index gives the mask index. Wraps.
    mask_base: Box<[u32]>,
    colours: Colours,
    /// The bit after the last stone of a row.
    stop: u64,
}

/// More slots than this fit no file.
const MAX_SLOTS: u128 = 1 << 48;

impl Ranking {
    /// The numbering of the positions with `ply` stones; `None` if there are
    /// more stones than cells, or more than 2^48 slots, which no file holds.
    pub(crate) fn new(size: Size, ply: u32) -> Option<Self> {
        let slots = slots(size, ply)?;
        let stones = ply as usize;
        let middles = if size.width() % 2 == 1 { size.height() + 1 } else { 1 };
        let codes = Codes::new(size, stones);
        let mut masks_before = vec![0; codes.heights.len() * middles].into_boxed_slice();
        let mut mask_base = masks_before.clone();
        let mut masks = 0_u64;
        // By number of stones: the codes before `right`.
        let mut below = vec![0_u32; stones + 1];
        let pairs = masks_before.chunks_exact_mut(middles).zip(mask_base.chunks_exact_mut(middles));
        for (right, (before, base)) in pairs.enumerate() {
            let right_stones = codes.stones(right);
            let Some(others) = stones.checked_sub(right_stones) else {
                before.fill(masks as u32);
                continue;
            };
            for (middle, (before, base)) in before.iter_mut().zip(base).enumerate() {
                *before = masks as u32;
                let Some(left_stones) = others.checked_sub(middle) else { continue };
                let below = below[left_stones];
                *base = (masks as u32).wrapping_sub(below);
                masks += u64::from(codes.with_stones(left_stones).len() as u32 - below);
            }
            below[right_stones] += 1;
        }
        assert!(masks <= u32::MAX.into(), "{size}, ply {ply}: {masks} masks");
        let colours = Colours::new(stones);
        let colourings = slots / masks.max(1);
        debug_assert_eq!(slots, masks * colourings);
        Some(Ranking {
            size,
            ply,
            colourings,
            slots,
            middles,
            codes,
            masks_before,
            mask_base,
            colours,
            stop: 1 << stones,
        })
    }

    /// The slot of a position, the same for its mirror image.
    ///
    /// # Panics
    ///
    /// May panic if the position has not [`ply`](Self::ply) stones or another board; if it
    /// does not, the result means nothing.
    #[inline(always)]
    pub(crate) fn rank<B: Word>(&self, position: Board<B>) -> u64 {
        debug_assert_eq!((position.size(), position.ply()), (self.size, self.ply));
        // With the board of 7x6 as a constant, looking up takes a third less time.
        if position.size() == Size::STANDARD {
            self.rank_on(&B::STANDARD, position)
        } else {
            self.rank_on_others(position)
        }
    }

    #[inline(never)]
    fn rank_on_others<B: Word>(&self, position: Board<B>) -> u64 {
        self.rank_on(position.geometry(), position)
    }

    #[inline(always)]
    fn rank_on<B: Word>(&self, geometry: &Geometry<B>, position: Board<B>) -> u64 {
        let HalvesAndRows { left, middle, right, row, mirrored_row } =
            HalvesAndRows::of(geometry, position.key());
        // The canonical image has the smaller right code and, of equal ones, the smaller row of
        // stones. The minimum of one number for each image needs no branch, which would often be
        // mispredicted. Row and code fit one number: rankings with many codes have few stones.
        let row_bits = self.ply + 1;
        let canonical = (right << row_bits | row).min(left << row_bits | mirrored_row);
        let left = left.max(right) as usize;
        let right = (canonical >> row_bits) as usize;
        let row = (canonical & (2 * self.stop - 1)) ^ self.stop;
        let middles = if geometry.size.width() % 2 == 1 { geometry.size.height() + 1 } else { 1 };
        let left = self.codes.index(left);
        let right = self.codes.index(right);
        let mask_index =
            self.mask_base[right * middles + middle].wrapping_add(self.codes.among_equals[left]);
        u64::from(mask_index).wrapping_mul(self.colourings) + self.colours.rank(row)
    }

    /// The position whose stones `slot` describes.
    ///
    /// It respects gravity and the numbers of stones; a game may not reach it. Where a mask is its
    /// own mirror image, some slots are the rank of no position; the position returned then has the
    /// rank of its mirror image.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    pub(crate) fn unrank<B: Word>(&self, slot: u64) -> Board<B> {
        assert!(slot < self.slots, "slot {slot} of {}", self.slots);
        let (heights, middle) = self.heights(slot / self.colourings);
        let colours = self.colours.row(slot % self.colourings);
        let geometry = B::geometry(self.size);
        let (mover, mask) = if self.size == Size::STANDARD {
            stones(&B::STANDARD, heights, middle, colours)
        } else {
            stones(geometry, heights, middle, colours)
        };
        Board::from_bitboards_unchecked(geometry, mover, mask)
    }

    /// The heights of the left and right half of the columns of a mask, and that of the
    /// middle column.
    #[inline(always)]
    fn heights(&self, mask_index: u64) -> ((&Heights, &Heights), usize) {
        // The last pair with no more masks before it; pairs without masks share
        // their number with the next one, which therefore is the last.
        let pair = self.masks_before.partition_point(|&before| u64::from(before) <= mask_index) - 1;
        let right = pair / self.middles;
        let middle = pair % self.middles;
        let left_stones = self.ply as usize - middle - self.codes.stones(right);
        let index = (mask_index as u32).wrapping_sub(self.mask_base[pair]) as usize;
        let left = self.codes.with_stones(left_stones)[index] as usize;
        ((&self.codes.heights[left], &self.codes.heights[right]), middle)
    }

    /// The mask with this index.
    fn mask<B: Word>(&self, mask_index: u64) -> B {
        let (heights, middle) = self.heights(mask_index);
        stones(B::geometry(self.size), heights, middle, 0).1
    }
}

/// The stones of the side to move and all stones, from the heights of the left and right
/// half, that of the middle column, and a row of colours.
#[inline(always)]
fn stones<B: Word>(
    geometry: &Geometry<B>,
    (left, right): (&Heights, &Heights),
    middle: usize,
    mut colours: u64,
) -> (B, B) {
    let width = geometry.size.width();
    let height = |column: usize| -> u32 {
        let from_right = width - 1 - column;
        match column.cmp(&from_right) {
            Ordering::Less => left[column].into(),
            Ordering::Equal => middle as u32,
            Ordering::Greater => right[from_right].into(),
        }
    };
    let mut mover = B::ZERO;
    let mut mask = B::ZERO;
    for column in 0..width {
        let height = height(column);
        // A column has at most 31 stones.
        let column_mask = (1_u64 << height) - 1;
        let shift = column as u32 * geometry.column_bits;
        mask |= B::truncate(column_mask.into()) << shift;
        mover |= B::truncate((colours & column_mask).into()) << shift;
        colours >>= height;
    }
    (mover, mask)
}

/// How many [slots](Ranking::slots) there are for `ply` stones on a board of this size, without
/// making the tables to number them; `None` where [`Ranking::new`] returns `None`.
pub(crate) fn slots(size: Size, ply: u32) -> Option<u64> {
    if ply > size.cells() {
        return None;
    }
    let width = size.width();
    let height = size.height();
    let stones = ply as usize;
    // Masks by number of stones; a mask that is its own image has pairs of
    // equal columns and, on an odd width, one more.
    let half = masks(width / 2, height, stones / 2);
    let middle = if width % 2 == 1 { height } else { 0 };
    let symmetric: u128 = (0..=middle.min(stones))
        .filter(|middle| (stones - middle).is_multiple_of(2))
        .map(|middle| half[(stones - middle) / 2])
        .sum();
    let all = masks(width, height, stones)[stones];
    let slots = ((all + symmetric) / 2).checked_mul(parts::count(stones))?;
    (slots <= MAX_SLOTS).then_some(slots as u64)
}

/// The deepest ply of a board up to which all plies can be numbered.
pub(crate) fn deepest_ply(size: Size) -> u32 {
    (0..size.cells()).take_while(|&ply| slots(size, ply).is_some()).last().unwrap_or(0)
}

/// How many ways there are to put each number of stones, up to `most`, on
/// `columns` columns of a height.
fn masks(columns: usize, height: usize, most: usize) -> Vec<u128> {
    let mut ways = vec![0; most + 1];
    ways[0] = 1;
    for _ in 0..columns {
        ways = (0..=most)
            .map(|stones| ways[stones.saturating_sub(height)..=stones].iter().sum())
            .collect();
    }
    ways
}

#[cfg(test)]
mod tests;
