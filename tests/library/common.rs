//! Positions to test with.

use fourbook::solver::SolveError;
use fourbook::{Book, Position, Score, Size, Solver, Stopped};
use proptest::prelude::*;
use std::path::Path;

/// The folder of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A position that is not solved while a test runs, and a solver for it.
pub(crate) fn endless_work() -> (Position, Solver) {
    let size = Size::new(8, 8).unwrap();
    (Position::empty(size), Solver::for_size(size, 1 << 20).expect("there is memory"))
}

/// The scores of a position and of its moves, each solved by itself.
pub(crate) fn analyse(solver: &mut Solver, position: Position) -> (Score, Vec<Option<Score>>) {
    let mut score = |it| solver.score(it).expect("there is no limit");
    let moves = position.children().map(|child| child.map(|child| -score(child))).collect();
    (score(position), moves)
}

/// A position of a game of random moves, ended games included.
pub(crate) fn any_position(size: Size) -> impl Strategy<Value = Position> {
    prop::collection::vec(0..size.width(), 0..=size.cells() as usize).prop_map(move |columns| {
        columns.into_iter().fold(Position::empty(size), |position, column| {
            position.try_play(column).unwrap_or(position)
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

/// Pseudorandom numbers, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A random number below `limit`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // Knuth, MMIX.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// The position after up to `stones` random moves from the empty board.
    pub(crate) fn position(&mut self, size: Size, stones: usize) -> Position {
        let mut position = Position::empty(size);
        for _ in 0..self.below(stones + 1) {
            let children: Vec<Position> = position.children().flatten().collect();
            if children.is_empty() {
                break;
            }
            position = children[self.below(children.len())];
        }
        position
    }

    /// Positions with up to one stone more than the book's depth.
    pub(crate) fn positions(&mut self, book: &Book, count: usize) -> Vec<Position> {
        let stones = book.depth() as usize + 1;
        (0..count).map(|_| self.position(book.size(), stones)).collect()
    }
}

/// The limit at which a search has ended.
pub(crate) fn stopped<T: std::fmt::Debug>(result: Result<T, SolveError>) -> Stopped {
    match result {
        Err(SolveError::Stopped(stopped)) => stopped,
        other => panic!("expected a limit to be reached, found {other:?}"),
    }
}
