//! Solves the positions of one thread.

use crate::board::{Board, Outcome, Position, Score, ScoreBounds, Size, winning_score, with_word};
use crate::driver::{Driver, QuickBudget};
use crate::limits::{Budget, Limits, SolveError, StopReason};
use crate::search::{BuiltWord, Ended, MoveOrder, Node, Search};
use crate::simd::Instructions;
use crate::table::{Table, TableError, late};
use crate::transposition_table::TranspositionTable;
use crate::{ValueKind, stack};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Solves positions of one board; one solver for each thread, which may share a table.
///
/// ```
/// use fourbook_solver::{Position, Size, Solver};
/// let mut solver = Solver::new(16 << 20)?;
/// let position = Position::from_moves("7422341735647741166133573473242566")?;
/// assert_eq!(solver.score(position)?, 1);
///
/// let mut solver = Solver::for_size(Size::new(8, 8)?, 16 << 20)?;
/// let position = Position::parse(solver.size(), "78378874521367783248225351113511721387187823632255655")?;
/// assert_eq!(solver.score(position)?, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    table: Arc<TranspositionTable>,
    /// The table for late plies that no other thread has.
    pub(crate) late: Table,
    order: MoveOrder,
    instructions: Instructions,
    quick_budget: QuickBudget,
    limits: Limits,
    nodes: u64,
}

impl Solver {
    /// A solver for 7x6 with a transposition table of about `table_bytes` bytes.
    ///
    /// # Errors
    ///
    /// If there is no memory for the tables.
    pub fn new(table_bytes: usize) -> Result<Self, TableError> {
        Self::for_size(Size::STANDARD, table_bytes)
    }

    /// A solver for boards of a size with a transposition table of about `table_bytes`
    /// bytes.
    ///
    /// # Errors
    ///
    /// If there is no memory for the tables.
    pub fn for_size(size: Size, table_bytes: usize) -> Result<Self, TableError> {
        Self::sharing(Arc::new(TranspositionTable::new(size, table_bytes)?))
    }

    /// A solver over a table that others may share, for the boards that the table is for.
    ///
    /// # Errors
    ///
    /// If there is no memory for the solver's own small table.
    pub fn sharing(table: Arc<TranspositionTable>) -> Result<Self, TableError> {
        Ok(Solver {
            table,
            late: late()?,
            order: MoveOrder::BEST,
            instructions: Instructions::detect(),
            quick_budget: QuickBudget::FULL,
            limits: Limits::default(),
            nodes: 0,
        })
    }

    /// This solver with limits on each call; without any, a search runs to its end.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Solver { limits, ..self }
    }

    /// The boards that it solves.
    pub fn size(&self) -> Size {
        self.table.size()
    }

    /// The exact score of a position.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the position's board has another size.
    pub fn score(&mut self, position: Position) -> Result<Score, SolveError> {
        self.single(position, ValueKind::Scores)
    }

    /// Whether the side to move wins, draws or loses; cheaper than the score.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the position's board has another size.
    pub fn outcome(&mut self, position: Position) -> Result<Outcome, SolveError> {
        self.single(position, ValueKind::WinDrawLoss).map(Outcome::of)
    }

    /// Searches moves in another order, to compare orders. Scores stay the same.
    pub fn set_order(&mut self, order: MoveOrder) {
        self.order = order;
    }

    /// Nodes visited by all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn single(&mut self, position: Position, kind: ValueKind) -> Result<Score, SolveError> {
        position.check_size(self.size())?;
        let budget =
            Budget::counted(&self.limits, Some((position, ScoreBounds::by_rules(position))), None);
        let value = self.value(position, ScoreBounds::NONE, kind, &budget, None);
        Ok(value.map_err(|reason| budget.stopped(reason))?)
    }

    /// The score of a position, or its sign if `kind` asks for outcomes. The score is known to be
    /// within `bounds`. Cancelled when `leave` is set.
    pub(crate) fn value(
        &mut self,
        position: Position,
        bounds: ScoreBounds,
        kind: ValueKind,
        budget: &Arc<Budget>,
        leave: Option<&AtomicBool>,
    ) -> Result<Score, StopReason> {
        assert_eq!(position.size(), self.size(), "a solver is for boards of one size");
        let score = with_word!(self.size(), B => {
            self.search(Board::<B>::of(position), bounds, kind, budget, leave)
        });
        score.map(|score| kind.of(score))
    }

    /// The score of a position, or a number with the same sign if `kind` asks for outcomes.
    fn search<B: BuiltWord>(
        &mut self,
        position: Board<B>,
        bounds: ScoreBounds,
        kind: ValueKind,
        budget: &Arc<Budget>,
        leave: Option<&AtomicBool>,
    ) -> Result<Score, StopReason> {
        if let Some(score) = position.score_by_rules() {
            return Ok(score);
        }
        let Some(node) = Node::new(position) else {
            return Ok(-winning_score(position.size().cells(), position.ply() + 2));
        };
        let tables = (&*self.table.tables, &self.late);
        let mut search = Search::new(position.size(), &self.order, tables, Arc::clone(budget));
        search.leave = leave;
        let search_window = B::build(self.instructions, self.size(), &self.order);
        let mut driver = Driver::new(search, position, node, search_window, &self.table, bounds);
        let depth = (position.size(), position.ply());
        let score =
            stack::for_search::<B, _>(depth, || driver.answer(kind, &mut self.quick_budget));
        self.nodes += driver.count_nodes();
        match score? {
            Ok(score) => Ok(score as Score),
            Err(Ended::Stopped(stopped)) => Err(stopped),
            Err(Ended::WantedElsewhere) => Err(StopReason::Cancelled),
            Err(Ended::Paused | Ended::Decided | Ended::Proved(_)) => {
                unreachable!("windows go on after these")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_bound_every_score_of_a_small_board() {
        let size = Size::new(4, 4).unwrap();
        let mut solver = Solver::for_size(size, 1 << 20).unwrap();
        let mut positions = vec![Position::empty(size)];
        for _ in 0..size.cells() {
            let position = positions[positions.len() / 2];
            positions = position.children().flatten().collect();
            for &position in &positions {
                let ScoreBounds { min, max } = ScoreBounds::by_rules(position);
                let score = solver.score(position).unwrap();
                assert!((min..=max).contains(&score), "{position:?}: {score}");
            }
            if positions.is_empty() {
                break;
            }
        }
    }

    /// All builds do the same, so they visit the same nodes.
    #[test]
    fn all_instructions_search_alike() {
        for (size, moves) in [
            ("7x6", "1213126743735437"),
            ("6x6", "352323645211622312"),
            ("9x6", "1881123672885851939729741373413992734"),
            ("8x8", "314236557547134454771156584711746483173816858753363"),
            ("10x7", "4391831274437a9a1992721122519749577648166a766622689484a"),
        ] {
            let size: Size = size.parse().unwrap();
            let position = Position::parse(size, moves).unwrap();
            let answers = Instructions::available().into_iter().map(|instructions| {
                let mut solver = Solver::for_size(size, 1 << 20).unwrap();
                solver.instructions = instructions;
                (solver.score(position), solver.nodes())
            });
            let answers: Vec<_> = answers.collect();
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{size}: {answers:?}");
        }
    }

    /// A board of up to 64 bits is searched in either word with the same result.
    #[test]
    fn both_words_search_alike() {
        let position = Position::from_moves("5622736721521").unwrap();
        let mut solver = Solver::new(1 << 20).unwrap();
        let budget = Budget::new(&Limits::default());
        let wide: Board<u128> = position.0;
        let score = solver.search(wide, ScoreBounds::NONE, ValueKind::Scores, &budget, None);
        assert_eq!(score, Ok(-8));
        assert!(solver.nodes() > 0);
    }
}
