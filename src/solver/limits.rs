//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What ends a search before it has an answer; by default nothing does.
///
/// Limits are looked at every few thousand nodes, so a search may go on for
/// about a millisecond after one is reached. The node budget of one thread is exact; of
/// several, each may go on for a few hundred nodes after it is used up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most nodes to visit for one answer, which may be an analysis of many positions.
    pub max_nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set to `true` from any thread, stops the search.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The most threads that may work on it; one if `None`. More are started when a search
    /// takes longer than about a millisecond, and they change no score. Limits count for
    /// all of them together.
    pub threads: Option<usize>,
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

impl Limits {
    /// What is left of them after `nodes` nodes.
    pub(crate) fn after(&self, nodes: u64) -> Limits {
        let max_nodes = self.max_nodes.map(|most| most.saturating_sub(nodes));
        Limits { max_nodes, ..self.clone() }
    }

    /// The limit that has been reached after `nodes` nodes, if any.
    pub(crate) fn reached(&self, nodes: u64) -> Option<Stopped> {
        if self.max_nodes.is_some_and(|most| nodes >= most) {
            return Some(Stopped::NodeBudget);
        }
        if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stopped::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stopped::Deadline);
        }
        None
    }
}

/// The limits of a search, which other searches may have together with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedLimits<'a> {
    pub(super) limits: &'a Limits,
    /// Where all that have the node budget together count their nodes.
    pub(super) spent: Option<&'a Arc<AtomicU64>>,
}

impl<'a> SharedLimits<'a> {
    /// The limits of one search alone.
    pub(crate) fn of_one(limits: &'a Limits) -> Self {
        SharedLimits { limits, spent: None }
    }

    /// Limits of all searches that count their nodes in `spent`.
    pub(crate) fn of_all(limits: &'a Limits, spent: &'a Arc<AtomicU64>) -> Self {
        SharedLimits { limits, spent: Some(spent) }
    }
}
