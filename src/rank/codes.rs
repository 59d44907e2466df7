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
    /// By index: the number of stones.
    stones: Box<[u8]>,
    /// By index: the number of smaller codes with as many stones.
    among_equals: Box<[u32]>,
    /// The indices by number of stones, ascending for each number.
    by_stones: Box<[u32]>,
    /// By number of stones: the place in `by_stones` of the first code that has it.
    starts: Box<[u32]>,
}

impl Codes {
    pub(super) fn new(size: Size, most_stones: usize) -> Codes {
        let (places, base) = (size.width() / 2, size.height() + 1);
        let are_few = base.pow(places as u32) <= FEW;
        let most_stones = if are_few { places * size.height() } else { most_stones };
        let (heights, stones) = list(places, size.height(), most_stones);
        let code = |heights: &Heights| {
            heights[..places].iter().fold(0, |code, &height| code * base as u32 + u32::from(height))
        };
        let listed = if are_few { Box::default() } else { heights.iter().map(code).collect() };
        let mut starts = vec![0; places * size.height() + 2].into_boxed_slice();
        for &stones in &stones {
            starts[usize::from(stones) + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut ends = starts.clone();
        let mut by_stones = vec![0; heights.len()].into_boxed_slice();
        let among_equals = (0..).zip(&stones).map(|(index, &stones)| {
            let stones = usize::from(stones);
            let place = ends[stones];
            by_stones[place as usize] = index;
            ends[stones] += 1;
            place - starts[stones]
        });
        let among_equals = among_equals.collect();
        Codes {
            listed,
            heights: heights.into_boxed_slice(),
            stones: stones.into_boxed_slice(),
            among_equals,
            by_stones,
            starts,
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
    pub(super) fn among_equals(&self, index: usize) -> u32 {
        self.among_equals[index]
    }

    /// The indices of the codes with a number of stones, ascending.
    pub(super) fn with_stones(&self, stones: usize) -> &[u32] {
        match self.starts.get(stones + 1) {
            Some(&end) => &self.by_stones[self.starts[stones] as usize..end as usize],
            None => &[],
        }
    }

    /// The heights that a code spells.
    #[inline(always)]
    pub(super) fn heights(&self, index: usize) -> &Heights {
        &self.heights[index]
    }

    /// The stones of a code.
    pub(super) fn stones(&self, index: usize) -> usize {
        self.stones[index].into()
    }
}

/// All heights with at most `most_stones` stones, in the order of their codes, and their
/// numbers of stones.
fn list(places: usize, most_height: usize, most_stones: usize) -> (Vec<Heights>, Vec<u8>) {
    let few = FEW.min((most_height + 1).pow(places as u32));
    let (mut all, mut all_stones) = (Vec::with_capacity(few), Vec::with_capacity(few));
    let (mut heights, mut stones) = (Heights::default(), 0);
    loop {
        all.push(heights);
        all_stones.push(stones as u8);
        // The next code with few enough stones: one more in the last place that takes it,
        // and none after it.
        let mut place = places;
        loop {
            if place == 0 {
                return (all, all_stones);
            }
            place -= 1;
            if usize::from(heights[place]) < most_height && stones < most_stones {
                heights[place] += 1;
                stones += 1;
                break;
            }
            stones -= usize::from(heights[place]);
            heights[place] = 0;
        }
    }
}
