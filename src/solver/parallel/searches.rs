//! The searches under way that idle threads can help.

use super::abdada::SharedSearch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The searches under way over one or several transposition tables that idle threads can help.
#[derive(Debug, Default)]
pub struct Searches {
    list: Mutex<Vec<Arc<SharedSearch>>>,
    /// Signalled when a search is added, or helpers are to check whether to leave.
    changed: Condvar,
}

impl Searches {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<SharedSearch>>> {
        // No code that can panic runs while the lock is held.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists a search until the result is dropped.
    pub(in crate::solver) fn open(&self, search: Arc<SharedSearch>) -> Listed<'_> {
        self.list().push(Arc::clone(&search));
        self.changed.notify_all();
        Listed { searches: self, search }
    }

    /// The search with the fewest helpers, as soon as there is one that a thread can help; `None`
    /// when `leave` is set.
    pub(super) fn next(&self, leave: &AtomicBool, can_help: bool) -> Option<Arc<SharedSearch>> {
        let mut list = self.list();
        loop {
            if leave.load(Ordering::Relaxed) {
                return None;
            }
            let open = list.iter().filter(|search| can_help && search.is_open());
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
    search: Arc<SharedSearch>,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.searches.list().retain(|other| !Arc::ptr_eq(other, &self.search));
    }
}
