//! The limits of a search, and its progress.

use crate::board::{Position, ScoreBounds};
use crate::errors::count;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Limits that end a search before it has an answer; none by default.
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
    /// Shows other threads how far the search is. It limits nothing.
    pub progress: Option<Arc<SearchProgress>>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
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

/// A search that ended at a limit, with its results so far.
///
/// ```
/// use fourbook::{Limits, Position, Solver, StopReason};
/// let limits = Limits { max_nodes: Some(30_000), ..Limits::default() };
/// let stopped = Solver::new(16 << 20)?.score(Position::from_moves("4")?, &limits).unwrap_err();
/// assert_eq!((stopped.reason, stopped.nodes), (StopReason::NodeBudget, 30_000));
/// assert!(stopped.bounds.is_some_and(|bounds| bounds.min < 0 && bounds.max > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}{}", self.findings())]
pub struct Stopped {
    /// The limit.
    pub reason: StopReason,
    /// The bounds of the score proved so far; `None` for a call about several positions.
    pub bounds: Option<ScoreBounds>,
    /// Nodes that the call visited.
    pub nodes: u64,
}

impl Stopped {
    /// Returns bounds and nodes as the end of a text; empty if nothing was searched.
    #[must_use]
    pub fn findings(&self) -> String {
        let nodes = count(self.nodes, "node");
        match self.bounds {
            _ if self.nodes == 0 => String::new(),
            Some(bounds) => format!("; proved with {nodes}: {bounds}"),
            None => format!("; visited {nodes}"),
        }
    }
}

/// How far searches are, for other threads to read while they run.
///
/// ```
/// use fourbook::solver::SearchProgress;
/// use fourbook::{Limits, Position, Solver};
/// use std::sync::Arc;
/// let progress = Arc::new(SearchProgress::default());
/// let limits = Limits { progress: Some(Arc::clone(&progress)), ..Limits::default() };
/// let score = Solver::new(16 << 20)?.score(Position::from_moves("5622736721521")?, &limits)?;
/// let bounds = progress.bounds().expect("the search has begun");
/// assert_eq!((bounds.min, bounds.max), (score, score));
/// assert!(progress.nodes() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct SearchProgress {
    nodes: AtomicU64,
    /// Bounds of the position that the current call is about.
    bounds: Mutex<Option<ScoreBounds>>,
}

impl SearchProgress {
    /// Nodes visited by all calls with this value among their limits.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The bounds of the score proved by the current or last call; `None` for a call about several
    /// positions.
    #[must_use]
    pub fn bounds(&self) -> Option<ScoreBounds> {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Option<ScoreBounds>> {
        // No code that can panic runs while the lock is held.
        self.bounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, bounds: Option<ScoreBounds>) {
        *self.lock() = bounds;
    }

    /// Tightens the bounds by further proved ones.
    fn narrow(&self, bounds: ScoreBounds) {
        self.lock().iter_mut().for_each(|known| *known = known.and(bounds));
    }
}

/// The position that a call is about, if it is about a single one.
#[derive(Debug)]
struct Subject {
    position: Option<Position>,
    /// The bounds of this call alone.
    progress: SearchProgress,
}

/// The limits of a call and the nodes it has visited, shared by all its searches and threads.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    nodes: AtomicU64,
    /// Nodes of all budgets that share this counter.
    total: Arc<AtomicU64>,
    subject: Arc<Subject>,
}

impl Budget {
    /// An unused budget.
    #[cfg(any(test, feature = "generate"))]
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Self::counted(limits, None, Arc::default())
    }

    /// An unused budget for a call about `position`. Adds nodes to `total` while a search runs.
    pub(crate) fn counted(
        limits: &Limits,
        position: Option<Position>,
        total: Arc<AtomicU64>,
    ) -> Arc<Self> {
        let subject = Subject { position, progress: SearchProgress::default() };
        let bounds = position.map(ScoreBounds::by_rules);
        subject.progress.begin(bounds);
        limits.progress.iter().for_each(|progress| progress.begin(bounds));
        let subject = Arc::new(subject);
        Arc::new(Budget { limits: limits.clone(), nodes: AtomicU64::new(0), total, subject })
    }

    /// The remaining limits, for searches by one thread of at most `most` nodes.
    pub(super) fn part(&self, most: u64) -> Arc<Self> {
        let max_nodes = Some(self.nodes_left().min(most));
        Arc::new(Budget {
            limits: Limits { max_nodes, ..self.limits.clone() },
            nodes: AtomicU64::new(0),
            total: Arc::default(),
            subject: Arc::clone(&self.subject),
        })
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
        if let Some(progress) = &self.limits.progress {
            progress.nodes.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// Stores bounds proved about the score of a position, if the call is about that position.
    pub(crate) fn prove(&self, position: Position, bounds: ScoreBounds) {
        if self.subject.position == Some(position) {
            self.subject.progress.narrow(bounds);
            self.limits.progress.iter().for_each(|progress| progress.narrow(bounds));
        }
    }

    /// The limit that has been reached, if any.
    pub(crate) fn reached(&self) -> Option<StopReason> {
        let Limits { cancel, deadline, .. } = &self.limits;
        if self.nodes_left() == 0 {
            return Some(StopReason::NodeBudget);
        }
        if cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(StopReason::Cancelled);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(StopReason::Deadline);
        }
        None
    }

    /// The error of a call that has ended at a limit.
    pub(crate) fn stopped(&self, reason: StopReason) -> Stopped {
        Stopped { reason, bounds: self.subject.progress.bounds(), nodes: self.nodes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_survive_packing_and_become_tighter() {
        let progress = SearchProgress::default();
        progress.narrow(ScoreBounds { min: -1, max: 1 });
        assert_eq!(progress.bounds(), None);
        progress.begin(Some(ScoreBounds { min: -59, max: 59 }));
        progress.narrow(ScoreBounds { min: -3, max: 60 });
        progress.narrow(ScoreBounds { min: -10, max: 0 });
        assert_eq!(progress.bounds(), Some(ScoreBounds { min: -3, max: 0 }));
        progress.begin(Some(ScoreBounds { min: 0, max: 0 }));
        assert_eq!(progress.bounds(), Some(ScoreBounds::exactly(0)));
    }

    #[test]
    fn the_text_says_what_was_proved_with_how_many_nodes() {
        let stopped =
            |bounds, nodes| Stopped { reason: StopReason::Deadline, bounds, nodes }.to_string();
        let reason = "the deadline passed before the position was solved";
        let bounds = Some(ScoreBounds { min: 0, max: 5 });
        let expected = "; proved with 1,234 nodes: at least a draw (score 0 to 5)";
        assert_eq!(stopped(bounds, 1234), format!("{reason}{expected}"));
        assert_eq!(stopped(None, 1), format!("{reason}; visited 1 node"));
        assert_eq!(stopped(bounds, 0), reason);
    }
}
