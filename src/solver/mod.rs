//! Exact scores by search.
//!
//! Null-window negamax over bitboards; see the private modules for the parts:
//! `search` (the tree), `bounds` (scores proved without search), `lanes` (all
//! moves of a position at once), `table` and `tables` (what has been proved before).

mod bench;
mod bounds;
mod cpu;
mod lanes;
mod limits;
mod search;
mod table;
mod tables;

pub use bench::{Bench, bench};
pub use limits::{Limits, Stopped};
pub use table::TableError;
pub use tables::TranspositionTable;

use crate::board::{Geometry, Outcome, Position, Score, Size, winning_score};
use cpu::{Instructions, NullWindow};
use search::{Node, Search};
use std::cmp::Reverse;
use std::sync::Arc;
use table::Table;
use tables::Tables;

/// A stack, in bytes, with room for the deepest search there is, even in a program
/// built without optimisation. Threads that solve should have it; the system
/// provides only what is used.
pub const STACK_BYTES: usize = 32 << 20;

/// Solves positions; one for each thread, all over one shared table.
///
/// ```
/// use fourbook::board::Position;
/// use fourbook::solver::{Limits, Solver, TranspositionTable};
/// use std::sync::Arc;
/// let table = Arc::new(TranspositionTable::new(16 << 20)?);
/// let mut solver = Solver::<7, 6>::new(table)?;
/// let position = Position::from_moves("7422341735647741166133573473242566")?;
/// assert_eq!(solver.score(position, &Limits::default())?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<const W: usize, const H: usize> {
    shared: Arc<TranspositionTable>,
    late: Table,
    null_window: NullWindow,
    nodes: u64,
}

/// The scores of a position and of all its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis<const W: usize> {
    /// Score of the position.
    pub score: Score,
    /// Score of each column (from 0) for the side to move, `None` if it cannot
    /// be played.
    pub moves: [Option<Score>; W],
}

impl<const W: usize> Analysis<W> {
    /// The analysis of a position, from a way to score it and its moves.
    pub(crate) fn of<const H: usize, E>(
        position: Position<W, H>,
        mut score: impl FnMut(Position<W, H>) -> Result<Score, E>,
    ) -> Result<Self, E> {
        let mut moves = [None; W];
        for (column, child) in position.children().into_iter().enumerate() {
            if let Some(child) = child {
                moves[column] = Some(-score(child)?);
            }
        }
        let score = match moves.iter().flatten().max() {
            Some(&best) => best,
            None => score(position)?,
        };
        Ok(Analysis { score, moves })
    }

    /// The columns (from 0) that reach the position's score, those nearest to
    /// the centre first; empty if no move is left.
    pub fn best_moves(&self) -> impl Iterator<Item = usize> + '_ {
        best_first(&self.moves).into_iter().filter(|&column| self.moves[column] == Some(self.score))
    }
}

/// All columns (from 0) by their scores, the best first, those nearest to the centre
/// first where scores are equal, and those last that cannot be played.
#[must_use]
pub fn best_first(moves: &[Option<Score>]) -> Vec<usize> {
    let mut columns: Vec<usize> = (0..moves.len()).collect();
    let from_centre = |column: usize| (2 * column + 1).abs_diff(moves.len());
    // `None` is less than any score.
    columns.sort_by_key(|&column| (Reverse(moves[column]), from_centre(column)));
    columns
}

impl<const W: usize, const H: usize> Solver<W, H> {
    /// A solver over a shared table.
    ///
    /// # Errors
    ///
    /// If there is no memory for the solver's own small table.
    pub fn new(table: Arc<TranspositionTable>) -> Result<Self, TableError> {
        Ok(Solver {
            shared: table,
            late: tables::late()?,
            null_window: Instructions::detect().null_window(Size::of::<W, H>()),
            nodes: 0,
        })
    }

    /// The exact score of a position.
    ///
    /// # Errors
    ///
    /// If a limit is reached first.
    pub fn score(&mut self, position: Position<W, H>, limits: &Limits) -> Result<Score, Stopped> {
        self.run(position, limits, |window| window.score())
    }

    /// Whether the side to move wins, draws or loses; cheaper than the score.
    ///
    /// # Errors
    ///
    /// If a limit is reached first.
    pub fn outcome(
        &mut self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Outcome, Stopped> {
        self.run(position, limits, |window| window.outcome()).map(Outcome::of)
    }

    /// The scores of a position and of all its moves; a limit on nodes counts
    /// for all of them together.
    ///
    /// # Errors
    ///
    /// If a limit is reached first.
    pub fn analyse(
        &mut self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Analysis<W>, Stopped> {
        let before = self.nodes;
        Analysis::of(position, |position| {
            let spent = self.nodes - before;
            self.score(position, &limits.after(spent))
        })
    }

    /// Nodes visited so far, in all.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn run(
        &mut self,
        position: Position<W, H>,
        limits: &Limits,
        walk: impl FnOnce(&mut Windows<'_>) -> i32,
    ) -> Result<Score, Stopped> {
        if let Some(score) = position.score_by_rules() {
            return Ok(score);
        }
        let ply = position.ply();
        let Some(node) = Node::new(position) else {
            return Ok(-winning_score(Geometry::<W, H>::CELLS, ply + 2));
        };
        let search = Search::new(Tables::new(&self.shared, &self.late), limits);
        let mut windows = Windows { search, node, ply, null_window: self.null_window };
        let score = walk(&mut windows);
        self.nodes += windows.search.nodes;
        windows.search.stopped.map_or(Ok(score as Score), Err)
    }
}

/// The windows that are searched for one position's score.
struct Windows<'a> {
    search: Search<'a>,
    node: Node,
    ply: u32,
    null_window: NullWindow,
}

impl Windows<'_> {
    fn at_least(&mut self, beta: i32) -> i32 {
        (self.null_window)(&mut self.search, self.node, self.ply, beta)
    }

    fn outcome(&mut self) -> i32 {
        let score = self.at_least(1);
        if score >= 1 || self.search.stopped.is_some() { score } else { self.at_least(0).min(0) }
    }

    fn score(&mut self) -> i32 {
        let mut score = self.outcome();
        // Towards the nearest win or the farthest loss, from what is already proved.
        while score > 0 && self.search.stopped.is_none() {
            let next = self.at_least(score + 1);
            if next <= score {
                break;
            }
            score = next;
        }
        while score < 0 && self.search.stopped.is_none() {
            let next = self.at_least(score);
            if next >= score {
                break;
            }
            score = next;
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_moves_are_in_the_order_in_which_columns_are_tried() {
        assert_eq!(best_first(&[Some(1); 7]), Geometry::<7, 6>::CENTRE_FIRST);
        assert_eq!(best_first(&[Some(0); 8]), Geometry::<8, 7>::CENTRE_FIRST);
        assert_eq!(best_first(&[Some(-2), None, Some(3), None]), [2, 0, 1, 3]);
    }

    /// Every build of the search walks the same tree.
    #[test]
    fn all_instructions_visit_the_same_nodes() {
        let nodes_and_scores = |instructions: Instructions| {
            let table = Arc::new(TranspositionTable::new(1 << 20).unwrap());
            let mut solver = Solver::<7, 6>::new(table).unwrap();
            solver.null_window = instructions.null_window(Size::STANDARD);
            let text = include_str!("../../tests/data/middle-medium.txt");
            let scores: Vec<_> = text
                .lines()
                .take(40)
                .map(|line| Position::from_moves(line.split(' ').next().unwrap()).unwrap())
                .map(|position| solver.score(position, &Limits::default()))
                .collect();
            (solver.nodes(), scores)
        };
        let expected = nodes_and_scores(Instructions::Baseline);
        for instructions in Instructions::available() {
            assert_eq!(nodes_and_scores(instructions), expected, "{instructions:?}");
        }
    }
}
