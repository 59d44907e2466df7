//! The mirror image of a position is worth the same, and so are the mirror
//! images of its moves.

use crate::common::{self, any_position};
use fourbook::{Outcome, Position, Score, Size, Solver};
use proptest::prelude::*;

/// A new solver, so that no result comes from the mirror image.
fn analyse(position: Position) -> (Score, Vec<Option<Score>>) {
    let mut solver = Solver::for_size(position.size(), 0).expect("there is memory for a solver");
    let (score, moves) = common::analyse(&mut solver, position);
    let outcome = solver.outcome(position).expect("there is no limit");
    assert_eq!(outcome, Outcome::of(score), "{position:?}");
    assert_eq!(solver.score(position), Ok(score), "{position:?}");
    (score, moves)
}

fn check(position: Position) {
    let (score, moves) = analyse(position);
    let (mirrored_score, mut mirrored_moves) = analyse(position.mirrored());
    mirrored_moves.reverse();
    assert_eq!((mirrored_score, &mirrored_moves), (score, &moves), "{position:?}");
    if let Some(&best) = moves.iter().flatten().max() {
        assert_eq!(best, score, "{position:?}");
    }
}

fn size_of(text: &str) -> Size {
    text.parse().unwrap()
}

/// A position of `least` stones in which the game goes on; rarely of fewer stones, if every further
/// move would end the game.
fn late_position(size: &str, least: u32) -> impl Strategy<Value = Position> {
    let size = size_of(size);
    let columns = prop::collection::vec(0..size.width(), 2 * size.cells() as usize);
    columns.prop_map(move |columns| {
        let mut position = Position::empty(size);
        for column in columns {
            // If a move would end the game too early, another one is tried.
            if position.can_play(column) && !position.play(column).is_over() {
                position = position.play(column);
            }
            if position.ply() >= least {
                break;
            }
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn late_positions_of_7x6(position in late_position("7x6", 24)) {
        prop_assume!(position.ply() >= 24);
        check(position);
    }

    #[test]
    fn positions_of_4x4(position in any_position(size_of("4x4"))) {
        check(position);
    }

    #[test]
    fn positions_of_4x5(position in any_position(size_of("4x5"))) {
        check(position);
    }

    #[test]
    fn positions_of_5x4(position in any_position(size_of("5x4"))) {
        check(position);
    }

    #[test]
    fn late_positions_of_6x4(position in late_position("6x4", 8)) {
        prop_assume!(position.ply() >= 8);
        check(position);
    }

    #[test]
    fn late_positions_of_5x6(position in late_position("5x6", 14)) {
        prop_assume!(position.ply() >= 14);
        check(position);
    }

    #[test]
    fn late_positions_of_9x6(position in late_position("9x6", 36)) {
        prop_assume!(position.ply() >= 36);
        check(position);
    }

    #[test]
    fn late_positions_of_8x8(position in late_position("8x8", 46)) {
        prop_assume!(position.ply() >= 46);
        check(position);
    }

    #[test]
    fn late_positions_of_10x10(position in late_position("10x10", 84)) {
        prop_assume!(position.ply() >= 84);
        check(position);
    }
}
