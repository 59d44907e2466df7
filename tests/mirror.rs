//! The mirror image of a position is worth the same, and so are the mirror
//! images of its moves.

mod common;

use common::any_position;
use fourbook::board::{Outcome, Position};
use fourbook::solver::{Analysis, Limits, Solver, TranspositionTable};
use proptest::prelude::*;
use std::sync::Arc;

/// Solved by a solver of its own, so that nothing comes from the mirror image.
fn analyse<const W: usize, const H: usize>(position: Position<W, H>) -> Analysis<W> {
    let table = TranspositionTable::new(0).expect("there is memory for a small table");
    let mut solver = Solver::new(Arc::new(table)).expect("there is memory for a solver");
    let analysis = solver.analyse(position, &Limits::default()).expect("there is no limit");
    let outcome = solver.outcome(position, &Limits::default()).expect("there is no limit");
    assert_eq!(outcome, Outcome::of(analysis.score), "{position:?}");
    assert_eq!(solver.score(position, &Limits::default()), Ok(analysis.score), "{position:?}");
    analysis
}

fn check<const W: usize, const H: usize>(position: Position<W, H>) {
    let (seen, mirrored) = (analyse(position), analyse(position.mirrored()));
    assert_eq!(mirrored.score, seen.score, "{position:?}");
    let mut moves = mirrored.moves;
    moves.reverse();
    assert_eq!(moves, seen.moves, "{position:?}");
    if let Some(&best) = seen.moves.iter().flatten().max() {
        assert_eq!(best, seen.score, "{position:?}");
    }
}

/// A position of `least` stones in which the game goes on; of fewer, rarely,
/// where every move left would have ended it.
fn late_position<const W: usize, const H: usize>(
    least: u32,
) -> impl Strategy<Value = Position<W, H>> {
    prop::collection::vec(0..W, W * H).prop_map(move |columns| {
        let mut position = Position::EMPTY;
        for column in columns {
            // A game that would end too early goes on elsewhere.
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
    fn late_positions_of_7x6(position in late_position::<7, 6>(24)) {
        prop_assume!(position.ply() >= 24);
        check(position);
    }

    #[test]
    fn positions_of_4x4(position in any_position::<4, 4>()) {
        check(position);
    }

    #[test]
    fn positions_of_4x5(position in any_position::<4, 5>()) {
        check(position);
    }

    #[test]
    fn positions_of_5x4(position in any_position::<5, 4>()) {
        check(position);
    }

    #[test]
    fn late_positions_of_6x4(position in late_position::<6, 4>(8)) {
        prop_assume!(position.ply() >= 8);
        check(position);
    }

    #[test]
    fn late_positions_of_5x6(position in late_position::<5, 6>(14)) {
        prop_assume!(position.ply() >= 14);
        check(position);
    }
}
