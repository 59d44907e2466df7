//! The work under way that idle threads can help.

use super::abdada::SharedSearch;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The searches under way over one or several transposition tables that idle threads can help.
#[derive(Debug, Default)]
pub struct Searches {
    list: Mutex<Vec<Work>>,
    /// Signalled when a search is added, or helpers are to check whether to leave.
    changed: Condvar,
}

/// Work that idle threads can help.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Positions; a helper takes the next one.
    Positions(Arc<dyn SharedPositions>),
    /// The search of one position.
    Search(Arc<SharedSearch>),
}

/// Positions that several threads solve side by side.
pub(crate) trait SharedPositions: fmt::Debug + Send + Sync {
    /// Whether there are positions that no thread has taken.
    fn is_open(&self) -> bool;

    /// Solves positions until there are none, or `leave` is set. Returns whether there are a thread
    /// and memory for it.
    fn help(&self, leave: &AtomicBool) -> bool;
}

impl Work {
    fn is_open(&self) -> bool {
        match self {
            Work::Positions(positions) => positions.is_open(),
            Work::Search(search) => search.is_open(),
        }
    }

    /// The order in which helpers choose: positions of their own first, then the search with the
    /// fewest helpers.
    fn rank(&self) -> usize {
        match self {
            Work::Positions(_) => 0,
            Work::Search(search) => 1 + search.helpers(),
        }
    }

    fn address(&self) -> *const () {
        match self {
            Work::Positions(positions) => Arc::as_ptr(positions).cast(),
            Work::Search(search) => Arc::as_ptr(search).cast(),
        }
    }
}

impl Searches {
    fn list(&self) -> MutexGuard<'_, Vec<Work>> {
        // No code that can panic runs while the lock is held.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists work until the result is dropped.
    pub(crate) fn open(&self, work: Work) -> Listed<'_> {
        self.list().push(work.clone());
        self.changed.notify_all();
        Listed { searches: self, work }
    }

    /// The best work for a thread, as soon as there is some that it can help; `None` when `leave`
    /// is set.
    pub(super) fn next(
        &self,
        leave: &AtomicBool,
        can_help: impl Fn(&Work) -> bool,
    ) -> Option<Work> {
        let mut list = self.list();
        loop {
            if leave.load(Ordering::Relaxed) {
                return None;
            }
            let open = list.iter().filter(|work| can_help(work) && work.is_open());
            if let Some(work) = open.min_by_key(|work| work.rank()) {
                return Some(work.clone());
            }
            list = self.changed.wait(list).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The number of helpers of all searches of single positions.
    #[cfg(test)]
    pub(super) fn helpers(&self) -> usize {
        self.list().iter().map(|work| work.rank().saturating_sub(1)).sum()
    }

    /// Makes waiting helpers check whether to leave.
    pub fn wake(&self) {
        // With the lock, no helper is between the check and the wait.
        let list = self.list();
        self.changed.notify_all();
        drop(list);
    }
}

/// Takes work off the list when dropped.
#[derive(Debug)]
pub(crate) struct Listed<'a> {
    searches: &'a Searches,
    work: Work,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.searches.list().retain(|other| other.address() != self.work.address());
    }
}
