//! Whether the bytes of a ply are what they should be.

use crate::board::{Score, Size};
use crate::enumerate::ReachablePly;
use crate::scores::{ABSENT, ValueKind, decode};
use rayon::prelude::*;
use std::ops::RangeInclusive;
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
///
/// # Errors
///
/// If there is a byte that is no possible score, or where no position is that
/// needs one: the first of them.
pub(super) fn count_solved<const W: usize, const H: usize>(
    bytes: &[AtomicU8],
    ply: &ReachablePly<W, H>,
    kind: ValueKind,
) -> Result<u64, BadByte> {
    let possible = kind.possible_values(Size::of::<W, H>(), ply.ranking().ply());
    count(bytes, |slot, byte| stands_for_one_of(&possible, byte) && ply.is_stored(slot))
}

/// The number of positions solved in `bytes`, one for each position of a range
/// of those that are stored at `ply`.
///
/// # Errors
///
/// If there is a byte that is no possible score: the first of them.
pub(super) fn count_solved_of_range<const W: usize, const H: usize>(
    bytes: &[AtomicU8],
    ply: u32,
    kind: ValueKind,
) -> Result<u64, BadByte> {
    let possible = kind.possible_values(Size::of::<W, H>(), ply);
    count(bytes, |_, byte| stands_for_one_of(&possible, byte))
}

/// The number of `bytes` that say something, all of which have to be right.
fn count(bytes: &[AtomicU8], is_right: impl Fn(u64, u8) -> bool + Sync) -> Result<u64, BadByte> {
    let check = |(slot, byte): (usize, &AtomicU8)| {
        let (slot, byte) = (slot as u64, byte.load(Ordering::Relaxed));
        match byte {
            ABSENT => Ok(0),
            _ if is_right(slot, byte) => Ok(1),
            _ => Err(BadByte { slot, byte }),
        }
    };
    let first_bad = |left: Result<u64, BadByte>, right: Result<u64, BadByte>| match (left, right) {
        (Ok(left), Ok(right)) => Ok(left + right),
        (Err(bad), _) | (Ok(_), Err(bad)) => Err(bad),
    };
    bytes.par_iter().enumerate().with_min_len(1 << 14).map(check).reduce(|| Ok(0), first_bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Reachable;
    use crate::scores::encode;

    fn solved(bytes: &[u8], kind: ValueKind) -> Result<u64, BadByte> {
        let reachable = Reachable::<7, 6>::to_depth(7).unwrap();
        let bytes: Vec<AtomicU8> = bytes.iter().copied().map(AtomicU8::new).collect();
        count_solved(&bytes, reachable.deepest(), kind)
    }

    #[test]
    fn solved_positions_are_counted_and_impossible_bytes_named() {
        let reachable = Reachable::<7, 6>::to_depth(7).unwrap();
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
        assert!(solved(&bytes, ValueKind::Outcomes).is_err());
        for (slot, byte) in [(stored[7], encode(18)), (stored[7], 255), (unused, encode(0))] {
            let mut bytes = bytes.clone();
            bytes[slot as usize] = byte;
            assert_eq!(solved(&bytes, ValueKind::Scores), Err(BadByte { slot, byte }));
        }
    }
}
