//! Threads that help the searches of others.

use super::abdada::{Member, SharedSearch};
use super::searches::{Searches, Work};
use crate::board::{Board, Size, with_word};
use crate::search::{BuiltSearch, BuiltWord, Ended, MoveOrder, Node, Search};
use crate::simd::Instructions;
use crate::stack::for_search;
use crate::table::{Table, TableError, TableWord, late};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A thread that helps.
#[derive(Debug, Default)]
pub struct Helper {
    /// The table for late plies, for boards of one size: positions of different boards can have
    /// the same key.
    late: Option<(Size, Table)>,
}

impl Helper {
    /// Helps one search after the other until `leave` is set; waits while there is none. After
    /// setting `leave`, call [`Searches::wake`].
    pub fn help_until(&mut self, searches: &Searches, leave: &AtomicBool) {
        let mut can_help = true;
        while let Some(work) = searches.next(leave, |_| can_help) {
            can_help = match work {
                Work::Positions(positions) => positions.help(leave),
                Work::Search(search) => self.help(search, leave).unwrap_or(false),
            };
        }
    }

    /// Helps a search to its end, or until `leave` is set. Returns whether there is a thread for it.
    fn help(&mut self, shared: Arc<SharedSearch>, leave: &AtomicBool) -> Result<bool, TableError> {
        let size = shared.position.size();
        let late = match &mut self.late {
            Some((of, late)) if *of == size => late,
            other => &mut other.insert((size, late()?)).1,
        };
        Ok(help(shared, late, leave))
    }
}

/// Helps a search, with this table for late plies, to its end or until `leave` is set. Returns
/// whether there is a thread for it.
pub(super) fn help(shared: Arc<SharedSearch>, late: &Table, leave: &AtomicBool) -> bool {
    let size = shared.position.size();
    with_word!(size, B => {
        let search_window = B::build(Instructions::detect(), size, &MoveOrder::BEST);
        search(shared, search_window, late, leave)
    })
}

/// Searches the windows of a search beside its leader.
fn search<B: TableWord>(
    shared: Arc<SharedSearch>,
    search_window: BuiltSearch<B>,
    late: &Table,
    leave: &AtomicBool,
) -> bool {
    let position = Board::<B>::of(shared.position);
    let budget = Arc::clone(&shared.budget);
    let tables = Arc::clone(&shared.tables);
    let order = MoveOrder::BEST;
    let node = Node::new(position).expect("the leader has a move that does not lose");
    let mut search = Search::new(position.size(), &order, (&tables, late), budget);
    search.leave = Some(leave);
    search.member = Some(Member::helper(shared, leave));
    let helped = for_search::<B, _>((position.size(), position.ply()), || {
        while let Some(beta) = search.member.as_mut().and_then(Member::take_window) {
            let score = search_window(&mut search, node, position.ply(), beta);
            match (search.ended.take(), &search.member) {
                (None, Some(member)) => member.decide(score),
                (Some(Ended::Decided), _) => {}
                _ => break,
            }
        }
    });
    search.count_nodes();
    helped.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::table::Tables;
    use crate::{Budget, Limits};

    /// Keys of positions on different boards can be equal.
    #[test]
    fn helpers_keep_entries_of_different_boards_apart() {
        let mut helper = Helper::default();
        let mut help = |size: &str| {
            let tables = Arc::new(Tables::new(0).unwrap());
            let position = Position::empty(size.parse().unwrap());
            let budget = Budget::new(&Limits::default());
            let shared = Arc::new(SharedSearch::new(tables, position, budget));
            drop(Member::leader(Arc::clone(&shared)));
            helper.help(shared, &AtomicBool::new(false)).unwrap();
            let (_, late) = helper.late.as_ref().unwrap();
            let found = u64::probe(late, u64::place(4453));
            let mut known = found;
            known.learn(3, 3);
            u64::store(late, u64::place(4453), known, 1);
            found != u64::UNKNOWN
        };
        assert_eq!(["7x6", "7x6", "8x5", "7x6"].map(&mut help), [false, true, false, false]);
    }
}
