//! A search that idle threads can help.

use super::board::Board;
use super::builds::BuiltWord;
use super::limits::Budget;
use super::parallel::abdada::{Member, SharedSearch};
use super::parallel::searches::{HelperTables, LongSearch};
use super::search::{Ended, Search};
use super::shared::TranspositionTable;
use super::table::{Levels, TableError, late};
use super::weights::MoveOrder;
use crate::board::Size;
use crate::simd::Instructions;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search over a shared table and the late one of a thread.
pub(super) fn search<'a, B: BuiltWord>(
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
