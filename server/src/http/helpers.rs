//! Solver threads without work, which help the searches of others.

use super::pool::Pastime;
use fourbook::Oracle;
use fourbook::solver::TranspositionTable;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Has threads without work help the searches of others, on the board where most are under
/// way. All searches on one board share one table.
#[derive(Debug)]
pub(super) struct Helpers {
    boards: Vec<Helped>,
    state: Mutex<State>,
}

/// A board on which threads can help.
#[derive(Debug)]
struct Helped {
    /// Without a book, which may be replaced.
    oracle: Oracle,
    /// Set while nobody is to help here; changed only while the state is locked.
    leave: AtomicBool,
}

#[derive(Debug)]
struct State {
    /// How many searches are under way on each board.
    searches: Vec<usize>,
    /// The board where threads help.
    busiest: usize,
    /// Threads are wanted for work of their own.
    wanted: bool,
}

impl Helpers {
    /// For boards with these tables, of which there is at least one.
    pub(super) fn new(tables: impl IntoIterator<Item = Arc<TranspositionTable>>) -> Self {
        let helped =
            |table| Helped { oracle: Oracle::sharing(None, table), leave: AtomicBool::new(false) };
        let boards: Vec<Helped> = tables.into_iter().map(helped).collect();
        let state = State { searches: vec![0; boards.len()], busiest: 0, wanted: false };
        let helpers = Helpers { boards, state: Mutex::new(state) };
        helpers.change(|_| ());
        helpers
    }

    /// Counts a search on a board, until what this returns is dropped.
    pub(super) fn begin(&self, board: usize) -> UnderWay<'_> {
        self.change(|state| state.searches[board] += 1);
        UnderWay { helpers: self, board }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and has threads leave the boards where they are not to help then.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        state.choose();
        for (board, helped) in self.boards.iter().enumerate() {
            let leave = state.wanted || board != state.busiest;
            if leave && !helped.leave.swap(leave, Ordering::Relaxed) {
                helped.oracle.table().wake_helpers();
            }
            helped.leave.store(leave, Ordering::Relaxed);
        }
    }
}

impl State {
    /// Chooses the board where most searches are under way; of several the one where threads
    /// help already.
    fn choose(&mut self) {
        let by_searches = |&board: &usize| (self.searches[board], board == self.busiest);
        let busiest = (0..self.searches.len()).max_by_key(by_searches);
        self.busiest = busiest.unwrap_or(self.busiest);
    }
}

impl Pastime for Arc<Helpers> {
    fn help(&self) -> bool {
        loop {
            let busiest = {
                let state = self.lock();
                if state.wanted {
                    return true;
                }
                state.busiest
            };
            let Helped { oracle, leave } = &self.boards[busiest];
            if oracle.help(leave).is_err() {
                return false;
            }
        }
    }

    fn want(&self, wanted: bool) {
        self.change(|state| state.wanted = wanted);
    }
}

/// Counts a search until dropped, be it by a panic.
#[derive(Debug)]
pub(super) struct UnderWay<'a> {
    helpers: &'a Helpers,
    board: usize,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.helpers.change(|state| state.searches[self.board] -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Limits, Position, Size};

    fn helpers(sizes: &[&str]) -> Arc<Helpers> {
        let table = |size: &&str| {
            let size: Size = size.parse().unwrap();
            Arc::new(TranspositionTable::new(size, 1 << 20).unwrap())
        };
        Arc::new(Helpers::new(sizes.iter().map(table)))
    }

    /// The boards where threads may help.
    fn helped(helpers: &Helpers) -> Vec<usize> {
        let is_helped = |&board: &usize| !helpers.boards[board].leave.load(Ordering::Relaxed);
        (0..helpers.boards.len()).filter(is_helped).collect()
    }

    #[test]
    fn threads_help_where_most_searches_are_under_way() {
        let helpers = helpers(&["7x6", "8x8", "4x4"]);
        assert_eq!(helped(&helpers), [0]);
        let first = helpers.begin(1);
        assert_eq!(helped(&helpers), [1]);
        // As many elsewhere are no reason to go there, more are.
        let other = helpers.begin(0);
        assert_eq!(helped(&helpers), [1]);
        let third = helpers.begin(0);
        assert_eq!(helped(&helpers), [0]);
        drop((other, third));
        assert_eq!(helped(&helpers), [1]);
        drop(first);
        assert_eq!(helped(&helpers), [1]);
    }

    #[test]
    fn nobody_helps_anywhere_while_threads_are_wanted() {
        let helpers = helpers(&["7x6", "4x4"]);
        helpers.want(true);
        assert_eq!(helped(&helpers), [0; 0]);
        assert!(helpers.help());
        let _search = helpers.begin(1);
        assert_eq!(helped(&helpers), [0; 0]);
        helpers.want(false);
        assert_eq!(helped(&helpers), [1]);
    }

    #[test]
    fn a_thread_goes_from_board_to_board_and_comes_back_when_it_is_wanted() {
        let helpers = helpers(&["7x6", "8x8", "6x5"]);
        std::thread::scope(|scope| {
            let helper = scope.spawn(|| helpers.help());
            for (board, moves) in [(1, "4453444555233"), (0, "4453444555233"), (2, "345")] {
                let table = helpers.boards[board].oracle.table();
                let position = Position::empty(table.size()).play_moves(moves).unwrap();
                let oracle = Oracle::sharing(None, Arc::clone(table));
                let _search = helpers.begin(board);
                let limits = Limits { max_nodes: Some(200_000), ..Limits::default() };
                // Whether it is solved is all the same.
                let _ = oracle.score(position, &limits);
            }
            helpers.want(true);
            assert!(helper.join().unwrap());
        });
    }
}
