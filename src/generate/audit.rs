//! Whether the bytes of a ply are what they should be.

use crate::board::{Score, Size, Word};
use crate::enumerate::ReachablePly;
use crate::parallel::{BLOCK, sum_of_blocks};
use crate::scores::{ABSENT, ValueKind, decode};
use std::ops::{Add, RangeInclusive};
use std::sync::atomic::{AtomicU8, Ordering};

/// A byte that cannot be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadByte {
    pub(super) slot: u64,
    pub(super) byte: u8,
}

/// Whether a byte stands for one of these scores.
pub(super) fn stands_for_one_of(possible: &RangeInclusive<Score>, byte: u8) -> bool {
    decode(byte).is_some_and(|score| possible.contains(&score))
}

/// The number of positions solved in `bytes`, one a slot of `ply`.
pub(super) fn count_solved<B: Word>(
    bytes: &[AtomicU8],
    ply: &ReachablePly<B>,
    kind: ValueKind,
) -> Result<u64, BadByte> {
    let possible = kind.possible_values(ply.ranking().size(), ply.ranking().ply());
    count(bytes, &|slot, byte| stands_for_one_of(&possible, byte) && ply.is_stored(slot))
}

/// The number of positions solved in `bytes`, one for each position of a range
/// of those that are stored at `ply`.
pub(super) fn count_solved_of_range(
    bytes: &[AtomicU8],
    size: Size,
    ply: u32,
    kind: ValueKind,
) -> Result<u64, BadByte> {
    let possible = kind.possible_values(size, ply);
    count(bytes, &|_, byte| stands_for_one_of(&possible, byte))
}

/// What was found in some of the bytes.
#[derive(Default)]
struct Found {
    solved: u64,
    first_bad: Option<BadByte>,
}

impl Add for Found {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let bad = self.first_bad.into_iter().chain(other.first_bad);
        Found { solved: self.solved + other.solved, first_bad: bad.min_by_key(|bad| bad.slot) }
    }
}

/// The number of `bytes` that hold a score, all of which have to be right.
fn count(bytes: &[AtomicU8], is_right: &(dyn Fn(u64, u8) -> bool + Sync)) -> Result<u64, BadByte> {
    let found = sum_of_blocks(bytes.len() as u64, BLOCK, |block| {
        let mut found = Found::default();
        for slot in block {
            let byte = bytes[slot as usize].load(Ordering::Relaxed);
            if byte == ABSENT {
                continue;
            }
            if !is_right(slot, byte) {
                found.first_bad = Some(BadByte { slot, byte });
                break;
            }
            found.solved += 1;
        }
        found
    });
    found.first_bad.map_or(Ok(found.solved), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Reachable;
    use crate::scores::encode;

    fn reachable() -> Reachable<u64> {
        Reachable::to_depth(Size::STANDARD, 7).unwrap()
    }

    fn solved(bytes: &[u8], kind: ValueKind) -> Result<u64, BadByte> {
        let bytes: Vec<AtomicU8> = bytes.iter().copied().map(AtomicU8::new).collect();
        count_solved(&bytes, reachable().deepest(), kind)
    }

    #[test]
    fn solved_positions_are_counted_and_impossible_bytes_named() {
        let reachable = reachable();
        let ply = reachable.deepest();
        let slots = ply.ranking().slots();
        let stored: Vec<u64> = (0..slots).filter(|&slot| ply.is_stored(slot)).collect();
        let unused = (0..slots).find(|&slot| !ply.is_stored(slot)).unwrap();
        let mut bytes = vec![ABSENT; slots as usize];
        assert_eq!(solved(&bytes, ValueKind::Scores), Ok(0));
        // At ply 7 of 7x6 the first stone that can win is the tenth, and the
        // ninth can make the side to move lose.
        bytes[stored[5] as usize] = encode(17);
        bytes[stored[9] as usize] = encode(-17);
        assert_eq!(solved(&bytes, ValueKind::Scores), Ok(2));
        assert!(solved(&bytes, ValueKind::WinDrawLoss).is_err());
        for (slot, byte) in [(stored[7], encode(18)), (stored[7], 255), (unused, encode(0))] {
            let mut bytes = bytes.clone();
            bytes[slot as usize] = byte;
            assert_eq!(solved(&bytes, ValueKind::Scores), Err(BadByte { slot, byte }));
        }
    }

    #[test]
    fn the_first_of_several_bad_bytes_is_named() {
        let slots = reachable().deepest().ranking().slots() as usize;
        assert!(slots as u64 > 2 * BLOCK);
        let first = BadByte { slot: 5000, byte: 255 };
        let mut bytes = vec![ABSENT; slots];
        for slot in [slots - 1, 5001, 5000] {
            bytes[slot] = 255;
        }
        assert_eq!(solved(&bytes, ValueKind::Scores), Err(first));
    }
}
