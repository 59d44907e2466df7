//! Random positions, always the same ones from the same seed.

use fourbook::solver::splitmix::{SplitMix, mix};
use fourbook::{Position, Size};
use std::collections::HashSet;

/// After this many games in a row without a new position, the search for more ends.
const MOST_IN_VAIN: u32 = 1_000_000;

/// Positions of a ply from uniformly random moves, without ended games and
/// positions with a win at once.
///
/// No two are equal or mirror images, and none has its [canonical key](Position::canonical_key)
/// among `excluded`. Fails if random games do not reach `count` of them.
pub(crate) fn draw(
    size: Size,
    ply: u32,
    count: usize,
    seed: u64,
    excluded: &HashSet<u128>,
) -> Result<Vec<Position>, String> {
    // Each ply has its own random numbers, so its positions do not depend on other draws.
    let mut random = SplitMix(mix(mix(seed) ^ u64::from(ply)));
    let mut keys = excluded.clone();
    let mut positions = Vec::with_capacity(count);
    let mut in_vain = 0;
    while positions.len() < count {
        let position = random_position(size, ply, &mut random);
        match position.filter(|position| keys.insert(position.canonical_key())) {
            Some(position) => {
                positions.push(position);
                in_vain = 0;
            }
            None => in_vain += 1,
        }
        if in_vain == MOST_IN_VAIN {
            return Err(format!(
                "expected {count} positions of ply {ply} on {size}, found {} with random games; \
                 choose fewer, or another ply",
                positions.len()
            ));
        }
    }
    Ok(positions)
}

/// The position of one random game; `None` if the game is over by then or the side to move
/// can win at once.
fn random_position(size: Size, ply: u32, random: &mut SplitMix) -> Option<Position> {
    let mut position = Position::empty(size);
    for _ in 0..ply {
        if position.is_over() {
            return None;
        }
        let columns: Vec<usize> = position.legal_columns().collect();
        position = position.play(columns[random.below(columns.len())]);
    }
    (!position.is_over() && !position.can_win_at_once()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(positions: &[Position]) -> HashSet<u128> {
        positions.iter().map(|position| position.canonical_key()).collect()
    }

    #[test]
    fn a_seed_gives_the_same_positions_and_another_one_others() {
        let draw = |seed| draw(Size::STANDARD, 12, 100, seed, &HashSet::new()).unwrap();
        assert_eq!(draw(1), draw(1));
        assert!(keys(&draw(1)).intersection(&keys(&draw(2))).count() < 5);
    }

    #[test]
    fn positions_are_of_the_ply_and_size_different_and_undecided() {
        for (size, ply) in [("7x6", 20), ("8x8", 8), ("9x6", 30), ("6x6", 24), ("4x4", 6)] {
            let size: Size = size.parse().unwrap();
            let positions = draw(size, ply, 50, 7, &HashSet::new()).unwrap();
            assert_eq!(keys(&positions).len(), 50, "{size}");
            for position in positions {
                assert_eq!((position.size(), position.ply()), (size, ply));
                assert!(!position.is_over() && !position.can_win_at_once());
            }
        }
    }

    #[test]
    fn excluded_positions_are_not_drawn() {
        let draw = |excluded: &HashSet<u128>| draw(Size::STANDARD, 4, 200, 3, excluded).unwrap();
        let first = keys(&draw(&HashSet::new()));
        assert!(first.is_disjoint(&keys(&draw(&first))));
    }

    #[test]
    fn what_there_is_not_is_an_error() {
        let error = draw(Size::STANDARD, 1, 5, 1, &HashSet::new()).unwrap_err();
        // Mirror images count once.
        assert!(error.contains("5 positions of ply 1 on 7x6, found 4 "), "{error}");
        assert!(draw(Size::STANDARD, 43, 1, 1, &HashSet::new()).is_err());
    }
}
