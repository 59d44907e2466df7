//! The search of one position from end to end.

use super::board::Board;
use super::builds::{BuiltWord, NullWindow};
use super::driver::{Driver, QuickBudget};
use super::limits::{Budget, Stopped};
use super::node::Node;
use super::parallel::abdada::{Member, SharedSearch};
use super::parallel::searches::{HelperTables, LongSearch};
use super::search::{Ended, Search};
use super::shared::TranspositionTable;
use super::table::{Levels, TableError, late};
use super::weights::MoveOrder;
use crate::board::{Position, Score, Size, winning_score};
use crate::scores::ValueKind;
use crate::simd::Instructions;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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

fn search<'a, B: BuiltWord>(
    size: Size,
    table: &'a TranspositionTable,
    late: &'a B::Table,
    order: MoveOrder,
    budget: Arc<Budget>,
) -> Search<'a, B> {
    let board = Board::new(B::geometry(size), &order);
    Search::new(board, Levels::new(size, B::tables(table), late), budget)
}

/// A search that is open for helpers, and the table that it uses.
#[derive(Debug)]
pub(super) struct OpenSearch<B: BuiltWord> {
    pub(super) table: Arc<TranspositionTable>,
    pub(super) search: Arc<SharedSearch<B>>,
}

impl<B: BuiltWord> LongSearch for OpenSearch<B> {
    fn is_open(&self) -> bool {
        self.search.is_open()
    }

    fn helpers(&self) -> usize {
        self.search.helpers()
    }

    fn help(&self, tables: &mut HelperTables, leave: &AtomicBool) -> Result<(), TableError> {
        let shared = &self.search;
        let late = match B::late(tables) {
            Some(late) => late,
            none => none.insert(late::<B>()?),
        };
        let null_window = B::null_window(shared.size, Instructions::detect());
        let budget = Arc::clone(&shared.budget);
        let mut search = search(shared.size, &self.table, late, MoveOrder::BEST, budget);
        search.member = Some(Member::helper(Arc::clone(shared), leave));
        while let Some(beta) = search.member.as_mut().and_then(Member::take_window) {
            let score = null_window(&mut search, shared.node, shared.ply, beta);
            match (search.ended.take(), &search.member) {
                (None, Some(member)) => member.decide(score),
                (Some(Ended::Decided), _) => {}
                _ => break,
            }
        }
        search.count_nodes();
        Ok(())
    }
}
