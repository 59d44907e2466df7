//! Whether the bytes of a checkpoint are what they should be.

use crate::enumerate::ReachablePly;
use crate::findings::Findings;
use crate::parallel::{BLOCK, sum_of_blocks};
use crate::scores::{ABSENT, decode};
use fourbook_solver::board::Score;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, Ordering};

/// Whether a byte stands for one of these scores.
pub(super) fn stands_for_one_of(possible: &RangeInclusive<Score>, byte: u8) -> bool {
    decode(byte).is_some_and(|score| possible.contains(&score))
}

/// Counts the `bytes` that hold a score. Each score must be a `possible` one; if there is a byte
/// for each slot of a `ply`, it must also belong to a stored position: the error is
/// the first place with another byte.
pub(super) fn count_solved(
    bytes: &[AtomicU8],
    possible: &RangeInclusive<Score>,
    ply: Option<&ReachablePly>,
) -> Result<u64, (u64, u8)> {
    let byte_at = |place: u64| bytes[place as usize].load(Ordering::Relaxed);
    let found = sum_of_blocks(bytes.len() as u64, BLOCK, |block| {
        let mut found = Findings::default();
        let mut stored = None;
        for place in block.clone() {
            let byte = byte_at(place);
            if byte == ABSENT {
                continue;
            }
            // Most blocks of a new checkpoint hold nothing.
            let stored = stored
                .get_or_insert_with(|| ply.map(|ply| ply.stored_slots(block.clone()).peekable()));
            let has_position = stored.as_mut().is_none_or(|stored| {
                while stored.next_if(|&slot| slot < place).is_some() {}
                stored.peek() == Some(&place)
            });
            if !has_position || !stands_for_one_of(possible, byte) {
                found.note(place, || byte);
                break;
            }
            found.checked += 1;
        }
        found
    });
    let solved = found.checked;
    found.into_first().next().map_or(Ok(solved), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Reachable;
    use crate::scores::encode;
    use fourbook_solver::ValueKind;
    use fourbook_solver::board::Size;

    fn reachable() -> Reachable {
        Reachable::to_depth(Size::STANDARD, 7).unwrap()
    }

    fn solved(bytes: &[u8], kind: ValueKind) -> Result<u64, (u64, u8)> {
        let bytes: Vec<AtomicU8> = bytes.iter().copied().map(AtomicU8::new).collect();
        let possible = kind.possible_values(Size::STANDARD, 7);
        count_solved(&bytes, &possible, Some(reachable().deepest()))
    }

    #[test]
    fn solved_positions_are_counted_and_impossible_bytes_named() {
        let reachable = reachable();
        let ply = reachable.deepest();
        let slots = ply.ranking.slots;
        let stored: Vec<u64> = ply.stored_slots(0..slots).collect();
        let unused = (0..slots).find(|slot| !stored.contains(slot)).unwrap();
        let mut bytes = vec![ABSENT; slots as usize];
        assert_eq!(solved(&bytes, ValueKind::Scores), Ok(0));
        // At ply 7 of 7x6 the first stone that can win is the tenth, and the
        // ninth can make the side to move lose.
        bytes[stored[5] as usize] = encode(17);
        bytes[stored[9] as usize] = encode(-17);
        assert_eq!(solved(&bytes, ValueKind::Scores), Ok(2));
        assert!(solved(&bytes, ValueKind::WinDrawLoss).is_err());
        for (place, byte) in [(stored[7], encode(18)), (stored[7], 255), (unused, encode(0))] {
            let mut bytes = bytes.clone();
            bytes[place as usize] = byte;
            assert_eq!(solved(&bytes, ValueKind::Scores), Err((place, byte)));
        }
    }

    #[test]
    fn all_stored_positions_of_a_ply_are_counted() {
        let reachable = reachable();
        let mut bytes = vec![ABSENT; reachable.deepest().ranking.slots as usize];
        for slot in reachable.deepest().stored_slots(0..bytes.len() as u64) {
            bytes[slot as usize] = encode(0);
        }
        assert_eq!(solved(&bytes, ValueKind::Scores), Ok(reachable.deepest().counts.stored));
    }

    #[test]
    fn the_first_of_several_bad_bytes_is_named() {
        let slots = reachable().deepest().ranking.slots as usize;
        assert!(slots as u64 > 2 * BLOCK);
        let first = (5000, 255);
        let mut bytes = vec![ABSENT; slots];
        for slot in [slots - 1, 5001, 5000] {
            bytes[slot] = 255;
        }
        assert_eq!(solved(&bytes, ValueKind::Scores), Err(first));
    }
}
