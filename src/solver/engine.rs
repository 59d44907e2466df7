//! The search of one position from end to end, by one thread or several.

use super::STACK_BYTES;
use super::board::Board;
use super::builds::{BuiltWord, NullWindow};
use super::joint::{Joint, Member};
use super::limits::{SharedLimits, Stopped};
use super::node::Node;
use super::search::{Ended, Search};
use super::shared::TranspositionTable;
use super::table::{Levels, TableError, late};
use super::weights::MoveOrder;
use super::windows::{Question, QuickBudget, Windows};
use crate::board::{Position, Score, Size, winning_score};
use crate::simd::Instructions;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The search in its best build, and the table that a thread has for itself.
#[derive(Debug)]
pub(super) struct Engine<B: BuiltWord> {
    late: B::Table,
    /// The same for threads that help.
    spare: Mutex<Vec<B::Table>>,
    pub(super) null_window: NullWindow<B>,
    order: MoveOrder,
    quick_budget: QuickBudget,
}

impl<B: BuiltWord> Engine<B> {
    pub(super) fn new(size: Size) -> Result<Self, TableError> {
        let null_window = B::null_window(size, Instructions::detect());
        Ok(Engine {
            late: late::<B>()?,
            spare: Mutex::default(),
            null_window,
            order: MoveOrder::BEST,
            quick_budget: QuickBudget::default(),
        })
    }

    pub(super) fn set_order(&mut self, size: Size, order: MoveOrder) {
        self.null_window = B::null_window_of_any_order(size, Instructions::detect());
        self.order = order;
    }

    /// Answers a question about a position, and counts the nodes visited.
    pub(super) fn run(
        &mut self,
        table: &TranspositionTable,
        position: Position<B>,
        limits: SharedLimits<'_>,
        question: Question,
        nodes: &mut u64,
    ) -> Result<Score, Stopped> {
        if let Some(score) = position.score_by_rules() {
            return Ok(score);
        }
        let ply = position.ply();
        let Some(node) = Node::new(position) else {
            return Ok(-winning_score(position.size().cells(), ply + 2));
        };
        let mut quick_budget = self.quick_budget;
        let mut search = |on_open: &mut dyn FnMut(&Arc<Joint<B>>)| {
            let search = self.search(position.size(), table, &self.late, limits);
            let shared = B::shared(table);
            let mut windows = Windows::new(search, node, ply, self.null_window, shared, on_open);
            let score = windows.answer(question, &mut quick_budget);
            (score, windows.tell_nodes(), windows.joint())
        };
        let (score, alone, joint) = match limits.limits.threads {
            None | Some(0 | 1) => search(&mut |_| ()),
            Some(threads) => thread::scope(|scope| {
                search(&mut |joint| self.start_helpers(scope, threads - 1, table, joint))
            }),
        };
        self.quick_budget = quick_budget;
        *nodes += joint.map_or(alone, |joint| joint.nodes());
        match score {
            Ok(score) => Ok(score as Score),
            Err(Ended::Stopped(stopped)) => Err(stopped),
            Err(Ended::Paused | Ended::Decided | Ended::Proved(_)) => {
                unreachable!("windows go on after these")
            }
        }
    }

    /// Starts threads that help a search to its end. With fewer than asked for, it takes
    /// longer.
    fn start_helpers<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        number: usize,
        table: &'scope TranspositionTable,
        joint: &Arc<Joint<B>>,
    ) {
        for number in 1..=number {
            let joint = Arc::clone(joint);
            let helper = thread::Builder::new().name(format!("helper-{number}"));
            let _ = helper.stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
                let taken = spare().pop();
                let Ok(late) = taken.map_or_else(late::<B>, Ok) else { return };
                self.help(table, &joint, &late, &AtomicBool::new(false));
                spare().push(late);
            });
        }
    }

    fn search<'a>(
        &self,
        size: Size,
        table: &'a TranspositionTable,
        late: &'a B::Table,
        limits: SharedLimits<'a>,
    ) -> Search<'a, B> {
        let board = Board::new(B::geometry(size), &self.order);
        Search::new(board, Levels::new(size, &B::shared(table).tables, late), limits)
    }

    /// Helps one search after the other, until `leave` is set.
    pub(super) fn help_all(&self, table: &TranspositionTable, leave: &AtomicBool) {
        while let Some(joint) = B::shared(table).searches.next(leave) {
            self.help(table, &joint, &self.late, leave);
        }
    }

    /// Helps a search to its end, or until `leave` is set.
    fn help(
        &self,
        table: &TranspositionTable,
        joint: &Arc<Joint<B>>,
        late: &B::Table,
        leave: &AtomicBool,
    ) {
        let (node, ply) = (joint.node, joint.ply);
        let mut search = self.search(joint.size, table, late, joint.limits());
        search.member = Some(Member::helper(Arc::clone(joint), leave));
        while let Some(beta) = search.member.as_mut().and_then(Member::take_window) {
            let score = (self.null_window)(&mut search, node, ply, beta);
            match (search.ended.take(), &search.member) {
                (None, Some(member)) => member.decide(score),
                (Some(Ended::Decided), _) => {}
                _ => break,
            }
        }
        search.tell_nodes();
    }
}
