//! Numbers for the positions of a ply, without gaps for keys: *ranking*.
//!
//! A position with `n` stones is a choice of column heights and of which of
//! the stones are the mover's. Both choices are numbered; together they give a
//! *slot*. Mirror images share a slot. Nearly nine in ten slots of ply 12 on
//! 7x6 belong to a position that a game can reach, and six in ten to one that a book
//! has an entry for, so a slot serves as index of a
//! result and as a bit of a visited set, and no book needs to store a key.
//!
//! # The numbering
//!
//! Let `half = W / 2`. The *left code* reads the heights of the left `half`
//! columns from the edge inwards as digits in base `H + 1`, the edge first;
//! the *right code* does the same from the right edge; the middle column of an
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

mod colours;
mod columns;

use crate::board::{Geometry, Position, Size};
use colours::Colours;
use columns::Columns;

/// The numbering of all positions with a given number of stones.
///
/// ```
/// use fourbook::board::Position;
/// use fourbook::rank::Ranking;
/// let ranking = Ranking::<7, 6>::new(4).expect("ply 4 is small");
/// let position = Position::<7, 6>::from_moves("4453")?;
/// let slot = ranking.rank(position);
/// assert!(slot < ranking.slots());
/// assert_eq!(ranking.rank(position.mirrored()), slot);
/// let back = ranking.unrank(slot);
/// assert!(back == position || back == position.mirrored());
/// # Ok::<(), fourbook::board::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranking<const W: usize, const H: usize> {
    ply: u32,
    /// binomial(ply, ply / 2): colour ranks of one mask.
    colourings: u64,
    slots: u64,
    /// By right code and middle: how many canonical masks come before.
    masks_before: Box<[u64]>,
    /// `masks_before`, less the index in its sum of the smallest left code
    /// allowed: adding a left code's index gives the mask index. Wraps.
    mask_base: Box<[u64]>,
    /// By code: its index among the codes with the same number of stones.
    index_in_sum: Box<[u64]>,
    /// By number of stones: the codes that have it, ascending.
    codes_by_sum: CodesBySum,
    colours: Colours,
    /// The bit after the last stone of a row.
    stop: u64,
}

type CodesBySum = Box<[Box<[u16]>]>;

/// More slots than this fit no file.
const MAX_SLOTS: u128 = 1 << 48;

/// More than the stones of any ply with few enough slots: 52 stones can be
/// coloured in more than `MAX_SLOTS` ways. Twelve bits are left for a code.
const ROW_BITS: u32 = 52;

impl<const W: usize, const H: usize> Ranking<W, H> {
    const HALF: usize = W / 2;
    const CODES: usize = (H + 1).pow((W / 2) as u32);
    const MIDDLES: usize = if W % 2 == 1 { H + 1 } else { 1 };

    /// The numbering of the positions with `ply` stones; `None` if there are
    /// more stones than cells, or more than 2^48 slots, which no file holds.
    #[must_use]
    pub fn new(ply: u32) -> Option<Self> {
        if ply > Geometry::<W, H>::CELLS {
            return None;
        }
        let stones = ply as usize;
        let (codes_by_sum, index_in_sum) = Self::group_codes_by_sum();
        let mut masks_before = vec![0; Self::CODES * Self::MIDDLES].into_boxed_slice();
        let mut mask_base = masks_before.clone();
        let mut masks = 0_u64;
        for right in 0..Self::CODES {
            let right_stones = Self::code_heights(right).iter().sum::<usize>();
            for middle in 0..Self::MIDDLES {
                let pair = right * Self::MIDDLES + middle;
                masks_before[pair] = masks;
                let left_stones = stones.checked_sub(right_stones + middle);
                let Some(lefts) = left_stones.and_then(|sum| codes_by_sum.get(sum)) else {
                    continue;
                };
                let below = lefts.partition_point(|&left| usize::from(left) < right) as u64;
                mask_base[pair] = masks.wrapping_sub(below);
                masks += lefts.len() as u64 - below;
            }
        }
        let colourings = colours::count(stones);
        let slots = u128::from(masks) * u128::from(colourings);
        (slots <= MAX_SLOTS).then_some(Ranking {
            ply,
            colourings,
            slots: slots as u64,
            masks_before,
            mask_base,
            index_in_sum,
            codes_by_sum,
            colours: Colours::new(stones),
            stop: 1 << stones,
        })
    }

    fn group_codes_by_sum() -> (CodesBySum, Box<[u64]>) {
        let mut codes_by_sum = vec![Vec::new(); Self::HALF * H + 1];
        let mut index_in_sum = Vec::with_capacity(Self::CODES);
        for code in 0..Self::CODES {
            let same_sum = &mut codes_by_sum[Self::code_heights(code).iter().sum::<usize>()];
            index_in_sum.push(same_sum.len() as u64);
            same_sum.push(code as u16);
        }
        let codes_by_sum = codes_by_sum.into_iter().map(Vec::into_boxed_slice).collect();
        (codes_by_sum, index_in_sum.into_boxed_slice())
    }

    /// The heights that a code spells, from the edge inwards; unused places are 0.
    fn code_heights(mut code: usize) -> [usize; W] {
        let mut heights = [0; W];
        for place in (0..Self::HALF).rev() {
            heights[place] = code % (H + 1);
            code /= H + 1;
        }
        heights
    }

    /// Number of stones of the positions numbered here.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Number of slots: every rank is smaller.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// The slot of a position, the same for its mirror image.
    ///
    /// # Panics
    ///
    /// May panic if the position has not [`ply`](Self::ply) stones; if it does
    /// not, the result means nothing.
    #[must_use]
    #[inline]
    pub fn rank(&self, position: Position<W, H>) -> u64 {
        debug_assert_eq!(position.ply(), self.ply);
        let columns = Columns::of(position);
        let (mut left, mut right) = (0, 0);
        for place in 0..Self::HALF {
            left += columns.part_of_code(place, place);
            right += columns.part_of_code(W - 1 - place, place);
        }
        let middle = if W % 2 == 1 { columns.height(W / 2) } else { 0 };
        // The canonical image has the smaller right code and, of equal ones, the
        // smaller row of stones. Taking both images and the minimum of one
        // number each needs no branch, which no predictor would foresee.
        let seen = (right as u64) << ROW_BITS | columns.row_of_stones::<false>();
        let mirrored = (left as u64) << ROW_BITS | columns.row_of_stones::<true>();
        let canonical = seen.min(mirrored);
        let (left, right) = (left.max(right), (canonical >> ROW_BITS) as usize);
        let row = (canonical & ((1 << ROW_BITS) - 1)) ^ self.stop;
        let base = self.mask_base[right * Self::MIDDLES + middle];
        base.wrapping_add(self.index_in_sum[left]).wrapping_mul(self.colourings)
            + self.colours.rank(row)
    }

    /// The position whose stones `slot` describes.
    ///
    /// It respects gravity and the numbers of stones; whether a game can reach
    /// it is another matter. Where a mask is its own mirror image some slots are
    /// the rank of no position; the position returned then has another rank.
    ///
    /// # Panics
    ///
    /// If `slot` is not below [`slots`](Self::slots).
    #[must_use]
    pub fn unrank(&self, slot: u64) -> Position<W, H> {
        assert!(slot < self.slots, "slot {slot} of {}", self.slots);
        let mask_index = slot / self.colourings;
        // The last pair with no more masks before it; pairs without masks share
        // their number with the next one, which therefore is the last.
        let pair = self.masks_before.partition_point(|&before| before <= mask_index) - 1;
        let (right, middle) = (pair / Self::MIDDLES, pair % Self::MIDDLES);
        let right_heights = Self::code_heights(right);
        let left_stones = self.ply as usize - middle - right_heights.iter().sum::<usize>();
        let index = mask_index.wrapping_sub(self.mask_base[pair]) as usize;
        let left = self.codes_by_sum[left_stones][index];
        let mut heights = Self::code_heights(usize::from(left));
        if W % 2 == 1 {
            heights[W / 2] = middle;
        }
        for place in 0..Self::HALF {
            heights[W - 1 - place] = right_heights[place];
        }
        let colours = self.colours.row(slot % self.colourings);
        let (mut position, mut mask, mut used) = (0, 0, 0);
        for (column, height) in heights.into_iter().enumerate() {
            let column_mask = (1 << height) - 1;
            let shift = column * Geometry::<W, H>::COLUMN_BITS;
            mask |= column_mask << shift;
            position |= ((colours >> used) & column_mask) << shift;
            used += height;
        }
        Position::from_bitboards_unchecked(position, mask)
    }
}

/// How many [slots](Ranking::slots) there are for `ply` stones on a board of
/// this size, without making the tables to number them; `None` where
/// [`Ranking::new`] has none.
///
/// ```
/// use fourbook::board::Size;
/// assert_eq!(fourbook::rank::slots(Size::STANDARD, 12), Some(7_116_648));
/// assert_eq!(fourbook::rank::slots(Size::STANDARD, 43), None);
/// ```
#[must_use]
pub fn slots(size: Size, ply: u32) -> Option<u64> {
    let stones = ply as usize;
    if stones > size.cells() {
        return None;
    }
    // Masks by number of stones; a mask that is its own image has pairs of
    // equal columns and, on an odd width, one more.
    let half = masks(size.width() / 2, size.height(), stones / 2);
    let middle = if size.width() % 2 == 1 { size.height() } else { 0 };
    let symmetric: u128 = (0..=middle.min(stones))
        .filter(|middle| (stones - middle).is_multiple_of(2))
        .map(|middle| half[(stones - middle) / 2])
        .sum();
    let all = masks(size.width(), size.height(), stones)[stones];
    let colourings = u128::from(colours::count(stones));
    let slots = (all + symmetric) / 2 * colourings;
    (slots <= MAX_SLOTS).then_some(slots as u64)
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
mod tests {
    use super::*;

    /// Every slot of every ply that a 4x4 board has: the slots that are the rank
    /// of their own position are those of all canonical positions.
    #[test]
    fn ranks_of_a_small_board_are_unique_and_undone() {
        for ply in 0..=16 {
            let ranking = Ranking::<4, 4>::new(ply).unwrap();
            for slot in 0..ranking.slots() {
                let position = ranking.unrank(slot);
                assert_eq!(position.ply(), ply);
                let back = ranking.rank(position);
                assert_eq!(ranking.rank(position.mirrored()), back);
                if back != slot {
                    let twin = ranking.unrank(back);
                    assert_eq!(twin, position.mirrored());
                    assert_eq!(position.mask(), twin.mask());
                }
            }
        }
    }

    #[test]
    fn slots_at_ply_12_are_as_many_as_the_format_says() {
        assert_eq!(Ranking::<7, 6>::new(12).unwrap().slots(), 7_116_648);
    }

    #[test]
    fn too_many_stones_or_slots_are_refused() {
        assert!(Ranking::<4, 4>::new(17).is_none());
        assert!(Ranking::<8, 7>::new(36).is_none());
    }
}
