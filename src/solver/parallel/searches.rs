//! The searches under way that idle threads can help.

use super::super::table::{SearchWord, TableError};
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A search that takes long, on whatever board.
pub(in crate::solver) trait LongSearch: Debug + Send + Sync {
    /// Whether there is still something to help with.
    fn is_open(&self) -> bool;

    /// The number of helpers.
    fn helpers(&self) -> usize;

    /// Helps to the end of the search, or until `leave` is set.
    fn help(&self, tables: &mut HelperTables, leave: &AtomicBool) -> Result<(), TableError>;
}

/// The tables for late plies of a thread that helps, allocated when it first does.
#[derive(Debug, Default)]
pub(in crate::solver) struct HelperTables {
    pub(in crate::solver) narrow: Option<<u64 as SearchWord>::Table>,
    pub(in crate::solver) wide: Option<<u128 as SearchWord>::Table>,
}

/// The searches under way over one or several transposition tables that idle threads can help.
#[derive(Debug, Default)]
pub struct Searches {
    list: Mutex<Vec<Arc<dyn LongSearch>>>,
    /// Signalled when a search is added, or helpers are to check whether to leave.
    changed: Condvar,
}

impl Searches {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<dyn LongSearch>>> {
        // No code that can panic runs while the lock is held.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists a search until the result is dropped.
    pub(in crate::solver) fn open(&self, search: Arc<dyn LongSearch>) -> Listed<'_> {
        self.list().push(Arc::clone(&search));
        self.changed.notify_all();
        Listed { searches: self, search }
    }

    /// Helps one search after the other until `leave` is set; waits while there is none.
    pub(super) fn help_until(&self, leave: &AtomicBool, tables: &mut HelperTables) {
        let mut has_memory = true;
        while let Some(search) = self.next(leave, &mut has_memory) {
            has_memory = search.help(tables, leave).is_ok();
        }
    }

    /// The search with the fewest helpers, as soon as there is one; `None` when `leave` is set.
    fn next(&self, leave: &AtomicBool, can_help: &mut bool) -> Option<Arc<dyn LongSearch>> {
        let mut list = self.list();
        loop {
            if leave.load(Ordering::Relaxed) {
                return None;
            }
            let open = list.iter().filter(|search| *can_help && search.is_open());
            if let Some(search) = open.min_by_key(|search| search.helpers()) {
                return Some(Arc::clone(search));
            }
            list = self.changed.wait(list).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The number of helpers of all searches.
    #[cfg(test)]
    pub(super) fn helpers(&self) -> usize {
        self.list().iter().map(|search| search.helpers()).sum()
    }

    /// Makes waiting helpers check whether to leave.
    pub(super) fn wake(&self) {
        // With the lock, no helper is between the check and the wait.
        let list = self.list();
        self.changed.notify_all();
        drop(list);
    }
}

/// Takes a search off the list when dropped.
#[derive(Debug)]
pub(in crate::solver) struct Listed<'a> {
    searches: &'a Searches,
    search: Arc<dyn LongSearch>,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.searches.list().retain(|other| !Arc::ptr_eq(other, &self.search));
    }
}
