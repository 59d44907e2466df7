//! Positions to test with.

use fourbook::{Position, Size, Solver};
use proptest::prelude::*;

/// A position that is not solved while a test runs, and a solver for it.
pub(crate) fn endless_work() -> (Position, Solver) {
    let size = Size::new(8, 8).unwrap();
    (Position::empty(size), Solver::for_size(size, 1 << 20).expect("there is memory"))
}

/// A position of a game of random moves, ended games included.
pub(crate) fn any_position(size: Size) -> impl Strategy<Value = Position> {
    prop::collection::vec(0..size.width(), 0..=size.cells() as usize).prop_map(move |columns| {
        columns.into_iter().fold(Position::empty(size), |position, column| {
            match !position.is_over() && position.can_play(column) {
                true => position.play(column),
                false => position,
            }
        })
    })
}

/// Like [`any_position`], but played to the end of the game.
pub(crate) fn finished_position(size: Size) -> impl Strategy<Value = Position> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), size.cells() as usize);
    choices.prop_map(move |choices| {
        let mut position = Position::empty(size);
        for choice in choices {
            let children: Vec<_> = position.children().flatten().collect();
            if children.is_empty() {
                break;
            }
            position = *choice.get(&children);
        }
        position
    })
}
