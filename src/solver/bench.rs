//! A fixed amount of work: how fast is the solver here, and is it still the same
//! solver?
//!
//! The number of nodes is a signature of the search: it is the same on every
//! machine, and changes when, and only when, the search does. (The idea is
//! Stockfish's.)

use super::{Limits, Solver, TableError, TranspositionTable};
use crate::board::{Position, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Positions of 7x6 from all stages of the game, with their scores.
const POSITIONS: [(&str, Score); 26] = [
    ("21564625", 17),
    ("723136345", -12),
    ("7746475166", 13),
    ("147642612356", 14),
    ("767611726114", 15),
    ("5265726263767", 15),
    ("4177454", -5),
    ("245543363", -6),
    ("6166611116", 4),
    ("62333261132", -4),
    ("563275374775", -3),
    ("5622736721521", -8),
    ("6427116", 3),
    ("417736254", 0),
    ("345172746227512", 14),
    ("1213126743735437", 13),
    ("6446122314551753", 13),
    ("122171424236737524", 12),
    ("1767214714521351212", 12),
    ("14275117665733726573", -10),
    ("143166551223564", 4),
    ("761214645537644", 3),
    ("5514163121613665", -4),
    ("44731111274133135", 2),
    ("342772544147541577", -2),
    ("3524724651544255273", -4),
];

/// Size of the table; it decides what is forgotten, hence the nodes.
const TABLE_BYTES: usize = 64 << 20;

/// What the bench found.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions solved.
    pub positions: usize,
    /// Nodes visited: the signature.
    pub nodes: u64,
    /// Time it took, table included.
    pub elapsed: Duration,
    /// Positions whose score came out wrong: 0, or the solver is broken.
    pub wrong: usize,
}

/// Solves the fixed positions one after the other, in one thread.
///
/// # Errors
///
/// If there is no memory for the tables.
pub fn bench() -> Result<Bench, TableError> {
    let start = Instant::now();
    let mut solver = Solver::<7, 6>::new(Arc::new(TranspositionTable::new(TABLE_BYTES)?))?;
    let wrong = POSITIONS
        .iter()
        .filter(|(moves, score)| {
            let position = Position::from_moves(moves).expect("the positions are legal");
            solver.score(position, &Limits::default()) != Ok(*score)
        })
        .count();
    let nodes = solver.nodes();
    Ok(Bench { positions: POSITIONS.len(), nodes, elapsed: start.elapsed(), wrong })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes with the search, and then this number is to be changed with intent.
    const SIGNATURE: u64 = 8_337_972;

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
    fn the_search_visits_as_many_nodes_as_ever() {
        let bench = bench().unwrap();
        assert_eq!((bench.wrong, bench.nodes), (0, SIGNATURE));
    }
}
