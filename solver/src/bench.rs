//! A fixed amount of work: how fast is the solver here, and is it still the same
//! solver?
//!
//! The number of nodes is a signature of the search: it is the same on every
//! machine, and changes when, and only when, the search does. (The idea is
//! Stockfish's.)

use super::{Limits, Solver, TableError};
use crate::board::{Position, Score, Size};
use crate::splitmix::SplitMix;
use std::time::{Duration, Instant};

/// Positions of 7x6 from all stages of the game, one a line: moves and score.
const POSITIONS: &str = include_str!("bench.txt");

/// Size of the table. The number of nodes depends on it, since a full table loses entries.
const TABLE_BYTES: usize = 64 << 20;

/// Random positions of other boards.
const RANDOM_POSITIONS: u32 = 32;

/// Nodes that a search of one of them may visit.
const NODE_BUDGET: u64 = 1 << 18;

/// The result of the bench.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions searched.
    pub positions: usize,
    /// How many of them were solved within the node budget, which applies on boards other than 7x6.
    pub solved: usize,
    /// Nodes visited: the signature.
    pub nodes: u64,
    /// Time it took, table included.
    pub elapsed: Duration,
    /// Positions of 7x6 with a wrong score; 0 unless the solver is broken.
    pub wrong: usize,
}

/// Solves the fixed positions one after the other, in one thread. On other boards than 7x6, searches
/// a fixed set of positions from random games, in all stages of the game, each with a node budget.
/// Before each position, calls `progress` with how many are done, and how many there are.
///
/// # Errors
///
/// If there is no memory for the tables.
pub fn bench(size: Size, progress: &mut dyn FnMut(usize, usize)) -> Result<Bench, TableError> {
    let start = Instant::now();
    let (positions, max_nodes) = match size {
        Size::STANDARD => (fixed_positions(), None),
        _ => (random_positions(size), Some(NODE_BUDGET)),
    };
    let limits = Limits { max_nodes, ..Limits::default() };
    let mut solver = Solver::for_size(size, TABLE_BYTES)?.with_limits(limits);
    let mut solved = 0;
    let mut wrong = 0;
    for (done, &(position, expected)) in positions.iter().enumerate() {
        progress(done, positions.len());
        let score = solver.score(position).ok();
        solved += usize::from(score.is_some());
        wrong += usize::from(expected.is_some() && score != expected);
    }
    let nodes = solver.nodes();
    let elapsed = start.elapsed();
    Ok(Bench { positions: positions.len(), solved, nodes, elapsed, wrong })
}

fn fixed_positions() -> Vec<(Position, Option<Score>)> {
    let position = |line: &str| {
        let (moves, score) = line.split_once(' ')?;
        Some((Position::from_moves(moves).ok()?, Some(score.parse().ok()?)))
    };
    POSITIONS.lines().map(|line| position(line).expect("a position and its score")).collect()
}

fn random_positions(size: Size) -> Vec<(Position, Option<Score>)> {
    let mut random = SplitMix(1);
    let plies = (1..=RANDOM_POSITIONS).map(|n| size.cells() * n / (RANDOM_POSITIONS + 1));
    plies.map(|ply| (random_position(size, ply, &mut random), None)).collect()
}

/// A position of a random game with `ply` stones, or with fewer if no game gets there in
/// a number of tries.
fn random_position(size: Size, ply: u32, random: &mut SplitMix) -> Position {
    let mut deepest = Position::empty(size);
    for _ in 0..100 {
        let mut position = Position::empty(size);
        while position.ply() < ply {
            // A move that does not lose at once, if there is one, makes games longer.
            let children = position.children().flatten();
            let children: Vec<Position> =
                children.filter(|child| !child.is_over() && !child.can_win_at_once()).collect();
            if children.is_empty() {
                break;
            }
            position = children[random.below(children.len())];
        }
        if position.ply() > deepest.ply() {
            deepest = position;
        }
        if position.ply() == ply {
            break;
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the signatures of boards, which only an intended change of the search may change.
    fn check_signatures(expected: &[(&str, u64)]) {
        for &(size, nodes) in expected {
            let mut calls = 0;
            let mut count = |done, total| {
                assert_eq!(done, calls);
                calls += 1;
                assert!(calls <= total);
            };
            let bench = bench(size.parse().unwrap(), &mut count).unwrap();
            assert_eq!((bench.wrong, bench.nodes), (0, nodes), "{size}");
            assert_eq!(bench.positions, calls, "{size}");
        }
    }

    #[test]
    fn the_search_visits_as_many_nodes_as_ever() {
        check_signatures(&[("7x6", 3_585_056), ("5x5", 74_376)]);
    }

    #[test]
    #[ignore = "takes long to solve; `.ci/run slow` runs it"]
    fn the_search_of_large_boards_visits_as_many_nodes_as_ever() {
        check_signatures(&[("9x6", 2_401_283), ("8x8", 2_437_911), ("4x31", 5_254_179)]);
    }
}
