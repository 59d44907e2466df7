//! The search of one position from end to end.

use super::builds::{BuiltWord, NullWindow};
use super::driver::{Driver, QuickBudget};
use super::limits::{Budget, Stopped};
use super::node::Node;
use super::open::search;
use super::search::Ended;
use super::shared::TranspositionTable;
use super::table::{TableError, late};
use super::weights::MoveOrder;
use crate::board::{Position, Score, Size, winning_score};
use crate::scores::ValueKind;
use crate::simd::Instructions;
use std::sync::Arc;

/// The search in its best build, and the table that a thread has for itself.
#[derive(Debug)]
pub(super) struct Engine<B: BuiltWord> {
    late: B::Table,
    pub(super) null_window: NullWindow<B>,
    order: MoveOrder,
    quick_budget: QuickBudget,
}

impl<B: BuiltWord> Engine<B> {
    pub(super) fn new(size: Size) -> Result<Self, TableError> {
        let null_window = B::null_window(size, Instructions::detect());
        Ok(Engine {
            late: late::<B>()?,
            null_window,
            order: MoveOrder::BEST,
            quick_budget: QuickBudget::default(),
        })
    }

    pub(super) fn set_order(&mut self, size: Size, order: MoveOrder) {
        self.null_window = B::null_window_of_any_order(size, Instructions::detect());
        self.order = order;
    }

    /// Finds the score of a position, or one with the same sign if `kind` asks for outcomes;
    /// counts the nodes that this thread visits.
    pub(super) fn run(
        &mut self,
        table: &Arc<TranspositionTable>,
        position: Position<B>,
        kind: ValueKind,
        budget: &Arc<Budget>,
        nodes: &mut u64,
    ) -> Result<Score, Stopped> {
        if let Some(score) = position.score_by_rules() {
            return Ok(score);
        }
        let ply = position.ply();
        let Some(node) = Node::new(position) else {
            return Ok(-winning_score(position.size().cells(), ply + 2));
        };
        let search = search(position.size(), table, &self.late, self.order, Arc::clone(budget));
        let mut driver = Driver::new(search, node, ply, self.null_window, table);
        let score = driver.answer(kind, &mut self.quick_budget);
        *nodes += driver.count_nodes();
        match score {
            Ok(score) => Ok(score as Score),
            Err(Ended::Stopped(stopped)) => Err(stopped),
            Err(Ended::Paused | Ended::Decided | Ended::Proved(_)) => {
                unreachable!("windows go on after these")
            }
        }
    }
}
