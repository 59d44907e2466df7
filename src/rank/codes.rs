//! Codes: the heights of half of the columns as one number.
//!
//! A code is a number in base `height + 1`, its digits the heights from the edge
//! inwards, the edge first. Small boards have few codes, and each is its own index. Large
//! boards have up to 16 million, most of them with more stones than the ply: of these
//! only the codes that can occur are listed, and the index is the place in the list.
//! Either way, a larger code has a larger index.

use crate::board::Size;

/// Codes up to which all are kept.
const FEW: usize = 1 << 14;

/// Heights of half of the columns, from the edge inwards; unused places are 0.
pub(super) type Heights = [u8; Size::MAX_WIDTH / 2];

/// The codes of a board with at most some number of stones; or all, if they are few.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    /// The codes that are kept, ascending; empty where each is its own index.
    listed: Box<[u32]>,
    /// By index: the heights that the code spells.
    heights: Box<[Heights]>,
    /// By index: the number of smaller codes with as many stones.
    among_equals: Box<[u32]>,
    /// By number of stones: the indices of the codes that have it, ascending.
    by_stones: Box<[Box<[u32]>]>,
}

impl Codes {
    pub(super) fn new(size: Size, most_stones: usize) -> Codes {
        let (places, base) = (size.width() / 2, size.height() + 1);
        let are_few = base.pow(places as u32) <= FEW;
        let most_stones = if are_few { places * size.height() } else { most_stones };
        let all = list(places, size.height(), most_stones);
        let code = |heights: &Heights| {
            heights[..places].iter().fold(0, |code, &height| code * base as u32 + u32::from(height))
        };
        let listed = if are_few { Box::default() } else { all.iter().map(code).collect() };
        let mut by_stones = vec![Vec::new(); places * size.height() + 1];
        let among_equals = (0..).zip(&all).map(|(index, heights)| {
            let equals = &mut by_stones[stones(heights)];
            equals.push(index);
            equals.len() as u32 - 1
        });
        Codes {
            listed,
            among_equals: among_equals.collect(),
            by_stones: by_stones.into_iter().map(Vec::into_boxed_slice).collect(),
            heights: all.into_boxed_slice(),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.heights.len()
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

    /// The number of smaller codes with as many stones.
    #[inline(always)]
    pub(super) fn among_equals(&self, index: usize) -> u64 {
        u64::from(self.among_equals[index])
    }

    /// The indices of the codes with a number of stones, ascending.
    pub(super) fn with_stones(&self, stones: usize) -> &[u32] {
        self.by_stones.get(stones).map_or(&[], |indices| indices)
    }

    /// The heights that a code spells.
    #[inline(always)]
    pub(super) fn heights(&self, index: usize) -> &Heights {
        &self.heights[index]
    }

    /// The stones of a code.
    pub(super) fn stones(&self, index: usize) -> usize {
        stones(self.heights(index))
    }
}

fn stones(heights: &Heights) -> usize {
    heights.iter().map(|&height| usize::from(height)).sum()
}

/// All heights with at most `most_stones` stones, in the order of their codes.
fn list(places: usize, most_height: usize, most_stones: usize) -> Vec<Heights> {
    let mut all = Vec::new();
    let mut heights = Heights::default();
    loop {
        all.push(heights);
        // The next code with few enough stones: one more in the last place that takes it,
        // and none after it.
        let mut place = places;
        loop {
            if place == 0 {
                return all;
            }
            place -= 1;
            if usize::from(heights[place]) < most_height && stones(&heights) < most_stones {
                heights[place] += 1;
                break;
            }
            heights[place] = 0;
        }
    }
}
