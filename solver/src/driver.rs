//! Drives the search of one position from null window to null window.
//!
//! The outcome comes first, then the score, which starts from the bound that the outcome proved.
//! That is expensive when the game is nearly decided: a quick win is found only as part of a search
//! of the whole rest of the game. A search for quick results alone is cheap, as it ends after few
//! stones, and gives the score at once. Neither is known to be cheaper in advance, so the two
//! alternate with growing budgets: quick results with few nodes, then the outcome with many times
//! as many. When the table knows much, positions without a quick result take few nodes. The search
//! for quick results then gets a smaller budget, too: [`QuickBudget`].

use crate::ValueKind;
use crate::board::{Board, Score, ScoreBounds};
use crate::parallel::abdada::{Member, SharedSearch};
use crate::parallel::searches::{Listed, Work};
use crate::search::{BuiltSearch, Ended, Node, Search};
use crate::table::{Bounds, TableWord};
use crate::transposition_table::TranspositionTable;
use std::sync::Arc;

/// Nodes of the first search for quick results where 30 cells are empty; positions with one
/// cell more take about 1.5 times as long.
const QUICK_NODES: u64 = 3000;
const QUICK_CELLS: u32 = 30;
/// The fewest nodes of a full budget.
const LEAST_QUICK_NODES: u64 = 100;
/// The most nodes of a full budget on any board.
const MOST_QUICK_NODES: u64 = 1 << 16;
/// The node budget of a search for the outcome, in budgets of one for quick results.
const OUTCOME_NODES: u64 = 20;
/// Both budgets grow by this factor with each turn.
const GROWTH: u64 = 4;
/// If positions without a quick result take this many full budgets after the first
/// search for one, that search gets its full budget; if they take fewer, a share in proportion.
const REST_FOR_FULL_BUDGET: u64 = 80;
/// The smallest share of the full budget: one part in this many.
const SMALLEST_PART: u64 = 10;
/// The number of positions that the average covers.
const REMEMBERED: u64 = 16;

/// Stones by which each search for quick results looks further than the one before.
const QUICK_STEP: u32 = 2;

/// Nodes of a search after which others may help; shorter searches end too soon.
const OPEN_AFTER: u64 = 1 << 12;

/// The search of one position.
pub(super) struct Driver<'a, B: TableWord> {
    search: Search<'a, B>,
    position: Board<B>,
    node: Node<B>,
    ply: u32,
    search_window: BuiltSearch<B>,
    table: &'a TranspositionTable,
    /// Lists the search for helpers, once it takes long.
    listed: Option<Listed<'a>>,
    /// Nodes visited when the first search for quick results had found none.
    not_quick_at: Option<u64>,
    /// Known bounds of the score; windows outside them need no search.
    known: ScoreBounds,
}

/// The node budget of first searches for quick results, learned from a solver's last positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuickBudget {
    /// [`REMEMBERED`] times the average number of full budgets that positions without a quick
    /// result took after the first search for one.
    rest: u64,
}

impl QuickBudget {
    /// The full budget, before anything is learned.
    pub(super) const FULL: QuickBudget = QuickBudget { rest: REST_FOR_FULL_BUDGET * REMEMBERED };

    /// The budget of a search whose full budget is `full` nodes.
    pub(super) fn of(self, full: u64) -> u64 {
        (full * self.rest / (REST_FOR_FULL_BUDGET * REMEMBERED)).clamp(full / SMALLEST_PART, full)
    }

    /// Learns that a position without a quick result took `nodes` more nodes, where the full
    /// budget is `full`.
    pub(super) fn learn(&mut self, nodes: u64, full: u64) {
        // A very long search says little about the next one.
        let times = (nodes / full).min(2 * REST_FOR_FULL_BUDGET);
        self.rest = self.rest - self.rest / REMEMBERED + times;
    }
}

/// Results that come with the same stone: the search asks for a win first, then for a loss.
#[derive(Clone, Copy, Debug)]
struct Quick {
    /// Stones of the same side before the one that ends the game.
    stones: u32,
    /// Whether it is known that there is no win by then.
    no_win: bool,
}

impl<'a, B: TableWord> Driver<'a, B> {
    pub(super) fn new(
        search: Search<'a, B>,
        position: Board<B>,
        node: Node<B>,
        search_window: BuiltSearch<B>,
        table: &'a TranspositionTable,
        known: ScoreBounds,
    ) -> Self {
        let ply = position.ply();
        let listed = None;
        let not_quick_at = None;
        Driver { search, position, node, ply, search_window, table, listed, not_quick_at, known }
    }

    /// Counts the nodes that this thread has visited in the budget; returns their number.
    pub(super) fn count_nodes(&mut self) -> u64 {
        self.search.count_nodes();
        self.search.nodes
    }

    /// The answer: the score, or a number with the same sign.
    pub(super) fn answer(
        &mut self,
        kind: ValueKind,
        budget: &mut QuickBudget,
    ) -> Result<i32, Ended> {
        let full = quick_nodes(self.search.board.geometry.size.cells() - self.ply);
        let bound = self.first_bound(full, budget.of(full))?;
        let score = match kind {
            ValueKind::Scores => self.exact(bound)?,
            ValueKind::WinDrawLoss => bound,
        };
        if let Some(before) = self.not_quick_at {
            budget.learn(self.search.nodes - before, full);
        }
        Ok(score)
    }

    /// A bound that decides whether the score is at least `beta`.
    fn at_least(&mut self, beta: i32) -> Result<i32, Ended> {
        let known = Bounds { lower: self.known.min.into(), upper: self.known.max.into() };
        if let Some(score) = known.decide(beta) {
            return Ok(score);
        }
        if self.search.nodes >= OPEN_AFTER && self.listed.is_none() {
            self.open();
        }
        if let Some(member) = &mut self.search.member {
            member.begin(beta);
        }
        let score = (self.search_window)(&mut self.search, self.node, self.ply, beta);
        let score = match (self.search.ended.take(), &self.search.member) {
            (None, _) => score,
            (Some(Ended::Decided), Some(member)) => member.answer(),
            (Some(ended), _) => return Err(ended),
        };
        self.report(score, beta);
        Ok(score)
    }

    /// Reports what the window of `beta` has proved.
    fn report(&self, score: i32, beta: i32) {
        let bound = score as Score;
        let bounds = match score >= beta {
            true => ScoreBounds { min: bound, ..ScoreBounds::NONE },
            false => ScoreBounds { max: bound, ..ScoreBounds::NONE },
        };
        self.search.budget.prove(self.position.widen(), bounds);
    }

    /// Lets idle threads help.
    fn open(&mut self) {
        let tables = Arc::clone(&self.table.tables);
        let budget = Arc::clone(&self.search.budget);
        let shared = Arc::new(SharedSearch::new(tables, self.position.widen(), budget));
        self.search.member = Some(Member::leader(Arc::clone(&shared)));
        self.listed = Some(self.table.searches().open(Work::Search(shared)));
    }

    /// Win, draw or loss as a bound of the score: a lower bound if it is positive, an upper bound
    /// if it is negative.
    fn first_bound(&mut self, mut full: u64, mut nodes: u64) -> Result<i32, Ended> {
        let mut quick = Quick { stones: QUICK_STEP, no_win: false };
        loop {
            if let Some(score) = self.within(nodes, |driver| driver.quick_result(&mut quick))? {
                return Ok(score);
            }
            self.not_quick_at.get_or_insert(self.search.nodes);
            if let Some(score) = self.within(OUTCOME_NODES * full, Self::outcome)? {
                return Ok(score);
            }
            full *= GROWTH;
            nodes *= GROWTH;
        }
    }

    /// Runs a search with a budget of nodes; `None` if the budget was used up or nothing was found.
    fn within(
        &mut self,
        nodes: u64,
        task: impl FnOnce(&mut Self) -> Result<Option<i32>, Ended>,
    ) -> Result<Option<i32>, Ended> {
        self.search.pause_after(nodes);
        let result = match task(self) {
            Err(Ended::Paused) => Ok(None),
            result => result,
        };
        self.search.pause_after(u64::MAX);
        result
    }

    /// A bound from a win or a loss that comes soon, later with each step.
    fn quick_result(&mut self, quick: &mut Quick) -> Result<Option<i32>, Ended> {
        loop {
            let board = &self.search.board;
            let win = board.mover_wins(self.ply, quick.stones);
            let loss = board.opponent_wins(self.ply, quick.stones);
            if win <= 1 || loss >= -1 {
                return Ok(None);
            }
            if !quick.no_win {
                let score = self.at_least(win)?;
                if score >= win {
                    return Ok(Some(score));
                }
                quick.no_win = true;
            }
            let score = self.at_least(loss + 1)?;
            if score <= loss {
                return Ok(Some(score));
            }
            *quick = Quick { stones: quick.stones + QUICK_STEP, no_win: false };
        }
    }

    fn outcome(&mut self) -> Result<Option<i32>, Ended> {
        let score = self.at_least(1)?;
        Ok(Some(if score >= 1 { score } else { self.at_least(0)?.min(0) }))
    }

    /// Starts from a bound with the sign of the score, and goes towards the nearest win or the
    /// farthest loss.
    fn exact(&mut self, mut score: i32) -> Result<i32, Ended> {
        while score > 0 {
            let next = self.at_least(score + 1)?;
            if next <= score {
                break;
            }
            score = next;
        }
        while score < 0 {
            let next = self.at_least(score)?;
            if next >= score {
                break;
            }
            score = next;
        }
        Ok(score)
    }
}

/// Nodes of the first search for quick results with `empty` empty cells.
fn quick_nodes(empty: u32) -> u64 {
    let mut nodes = QUICK_NODES;
    for _ in QUICK_CELLS..empty {
        nodes = nodes.saturating_mul(3) / 2;
    }
    for _ in empty..QUICK_CELLS {
        nodes = nodes * 2 / 3;
    }
    nodes.clamp(LEAST_QUICK_NODES, MOST_QUICK_NODES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_of_quick_results_follows_the_work_of_positions() {
        let mut budget = QuickBudget::FULL;
        assert_eq!((budget.of(3000), budget.of(LEAST_QUICK_NODES)), (3000, LEAST_QUICK_NODES));
        for _ in 0..10 * REMEMBERED {
            budget.learn(4 * LEAST_QUICK_NODES, LEAST_QUICK_NODES);
        }
        let few = budget.of(3000);
        assert!((300..600).contains(&few), "{few}");
        // A single very long search changes little; many change much.
        budget.learn(u64::MAX, LEAST_QUICK_NODES);
        assert!((few + 1..900).contains(&budget.of(3000)), "{}", budget.of(3000));
        for _ in 0..10 * REMEMBERED {
            budget.learn(1 << 20, 3000);
        }
        assert_eq!(budget.of(3000), 3000);
        for _ in 0..10 * REMEMBERED {
            budget.learn(0, 3000);
        }
        assert_eq!(budget.of(3000), 300);
    }
}
