//! The limits of a search, and the nodes spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What ends a search before it has an answer; nothing by default.
///
/// Limits hold for one call, however many positions, searches and threads it needs. They are
/// checked every few thousand nodes, so a search may go on for about a millisecond after one
/// is reached. The node budget of one thread is exact; each of several threads may visit a
/// few hundred nodes more.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most nodes to visit.
    pub max_nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops the search when another thread sets it to `true`.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The node budget was used up.
    #[error("the node budget was used up before the position was solved")]
    NodeBudget,
    /// The deadline passed.
    #[error("the deadline passed before the position was solved")]
    Deadline,
    /// Another thread cancelled the search.
    #[error("the search was cancelled")]
    Cancelled,
}

/// The limits of a call and the nodes it has visited, shared by all its searches and threads.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    nodes: AtomicU64,
    /// Nodes of all budgets that share this counter.
    total: Arc<AtomicU64>,
    /// Several threads count nodes here, so each has to check more often.
    pub(super) is_shared: bool,
}

impl Budget {
    /// A budget of which nothing is used; `is_shared` if several threads are to use it.
    pub(crate) fn new(limits: &Limits, is_shared: bool) -> Arc<Self> {
        Self::counted(limits, is_shared, Arc::default())
    }

    /// As [`new`](Self::new); nodes are added to `total` while a search runs.
    pub(crate) fn counted(limits: &Limits, is_shared: bool, total: Arc<AtomicU64>) -> Arc<Self> {
        Arc::new(Budget { limits: limits.clone(), nodes: AtomicU64::new(0), total, is_shared })
    }

    /// The remaining limits, for searches by one thread of at most `most` nodes.
    pub(super) fn part(&self, most: u64) -> Arc<Self> {
        let max_nodes = Some(self.nodes_left().min(most));
        Self::new(&Limits { max_nodes, ..self.limits.clone() }, false)
    }

    /// Nodes visited, as counted here by the threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Nodes that may still be visited.
    pub(super) fn nodes_left(&self) -> u64 {
        self.limits.max_nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes()))
    }

    /// Counts nodes.
    pub(super) fn spend(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.total.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The limit that has been reached, if any.
    pub(crate) fn reached(&self) -> Option<Stopped> {
        let Limits { cancel, deadline, .. } = &self.limits;
        if self.nodes_left() == 0 {
            return Some(Stopped::NodeBudget);
        }
        if cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stopped::Cancelled);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stopped::Deadline);
        }
        None
    }
}
