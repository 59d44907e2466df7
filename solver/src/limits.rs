//! The limits of a search, and its progress.

use crate::board::{Player, Position, ScoreBounds, SizeError};
use crate::text::count;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Limits that end a search before it has an answer; none by default.
///
/// Limits hold for one call, however many positions, searches and threads it needs. No call
/// visits more than `max_nodes` nodes; one by several threads may stop a few hundred nodes earlier
/// for each. Time and the flag are checked every few hundred nodes, so a
/// search may go on for about a millisecond after one of these limits is reached.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most nodes to visit.
    pub max_nodes: Option<u64>,
    /// The longest time that a call may take, from its start. On `wasm32-unknown-unknown`, which
    /// has no clock, a call with this limit searches nothing.
    pub max_time: Option<Duration>,
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
    #[error("the work was cancelled")]
    Cancelled,
    /// The system provides no thread for a search that may be too deep for the caller's stack.
    #[error(
        "the system provides no thread for a deep search; run fewer threads, or allow more memory"
    )]
    NoThread,
}

impl StopReason {
    /// Whether it is a limit on nodes or time.
    pub fn is_limit(self) -> bool {
        matches!(self, StopReason::NodeBudget | StopReason::Deadline)
    }
}

/// Why a solver has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The search reached a limit.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The position's board has another size than the solver's.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// A search that ended at a limit, with its results.
///
/// ```
/// use fourbook_solver::SolveError;
/// use fourbook_solver::{Limits, Position, Solver, StopReason};
/// let limits = Limits { max_nodes: Some(30_000), ..Limits::default() };
/// let mut solver = Solver::new(16 << 20)?.with_limits(limits);
/// let score = solver.score(Position::from_moves("4")?);
/// let Err(SolveError::Stopped(stopped)) = score else { panic!("too easy") };
/// assert_eq!((stopped.reason, stopped.nodes), (StopReason::NodeBudget, 30_000));
/// assert!(stopped.bounds.is_some_and(|bounds| bounds.min < 0 && bounds.max > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}{}", self.findings())]
pub struct Stopped {
    /// The limit.
    pub reason: StopReason,
    /// The proved bounds of the score; `None` for a call about several positions.
    pub bounds: Option<ScoreBounds>,
    /// The player who moves in the position; `None` for a call about several positions.
    pub to_move: Option<Player>,
    /// Nodes that the call visited.
    pub nodes: u64,
}

impl Stopped {
    /// Returns bounds and nodes as the end of a text; empty if nothing was searched and nothing is
    /// known without a search.
    pub fn findings(&self) -> String {
        let nodes = count(self.nodes, "node");
        match self.bounds.zip(self.to_move) {
            Some((bounds, player)) if self.nodes == 0 && bounds.exclude_outcome() => {
                format!("; known without a search: {}", bounds.for_player(player))
            }
            _ if self.nodes == 0 => String::new(),
            Some((bounds, player)) => {
                format!("; proved with {nodes}: {}", bounds.for_player(player))
            }
            None => format!("; visited {nodes}"),
        }
    }
}

/// How far searches are, for other threads to read while they run.
///
/// ```
/// use fourbook_solver::SearchProgress;
/// use fourbook_solver::{Limits, Position, Solver};
/// use std::sync::Arc;
/// let progress = Arc::new(SearchProgress::default());
/// let limits = Limits { progress: Some(Arc::clone(&progress)), ..Limits::default() };
/// let mut solver = Solver::new(16 << 20)?.with_limits(limits);
/// let score = solver.score(Position::from_moves("5622736721521")?)?;
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
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The bounds of the score proved by the current or last call; `None` for a call about several
    /// positions.
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

/// Whether [`Instant`] works: without a clock it panics.
pub const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The limits of a call and the nodes it has visited, shared by all its searches and threads.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    /// The end of `max_time`; `None` without such a limit, or if it is too far away for the clock.
    deadline: Option<Instant>,
    /// Nodes that no thread has claimed yet.
    unclaimed: AtomicU64,
    /// Nodes of all budgets that share this counter.
    total: Option<Arc<AtomicU64>>,
    /// The position that the call is about, if it is about a single one.
    position: Option<Position>,
    /// How far this call alone is.
    own: SearchProgress,
    /// The budget that this one is a part of.
    whole: Option<Arc<Budget>>,
}

impl Budget {
    /// An unused budget.
    pub fn new(limits: &Limits) -> Arc<Self> {
        Self::counted(limits, None, None)
    }

    /// An unused budget for a call about a position, with the bounds of its score that are known
    /// before. Adds nodes to `total` while a search runs.
    pub fn counted(
        limits: &Limits,
        position: Option<(Position, ScoreBounds)>,
        total: Option<Arc<AtomicU64>>,
    ) -> Arc<Self> {
        let bounds = position.map(|(_, bounds)| bounds);
        limits.progress.iter().for_each(|progress| progress.begin(bounds));
        let deadline = limits.max_time.filter(|_| HAS_CLOCK);
        Arc::new(Budget {
            limits: limits.clone(),
            deadline: deadline.and_then(|time| Instant::now().checked_add(time)),
            unclaimed: AtomicU64::new(limits.max_nodes.unwrap_or(u64::MAX)),
            total,
            position: position.map(|(position, _)| position),
            own: SearchProgress { bounds: Mutex::new(bounds), ..SearchProgress::default() },
            whole: None,
        })
    }

    /// The remaining limits, for searches of at most `most` nodes. [`take_back`](Self::take_back)
    /// ends it.
    pub fn part(self: &Arc<Self>, most: u64) -> Arc<Self> {
        Arc::new(Budget {
            limits: self.limits.clone(),
            deadline: self.deadline,
            unclaimed: AtomicU64::new(self.claim(most)),
            total: self.total.clone(),
            position: None,
            own: SearchProgress::default(),
            whole: Some(Arc::clone(self)),
        })
    }

    /// Counts the nodes of a part here, too.
    pub fn take_back(&self, part: &Budget) {
        self.own.nodes.fetch_add(part.nodes(), Ordering::Relaxed);
        self.unclaimed.fetch_add(part.nodes_left(), Ordering::Relaxed);
    }

    /// Nodes visited, as counted here by the threads.
    pub fn nodes(&self) -> u64 {
        self.own.nodes()
    }

    /// The most nodes that the call may visit.
    pub(super) fn most_nodes(&self) -> u64 {
        self.limits.max_nodes.unwrap_or(u64::MAX)
    }

    /// Nodes that may still be claimed.
    pub fn nodes_left(&self) -> u64 {
        self.unclaimed.load(Ordering::Relaxed)
    }

    /// Claims up to `most` nodes for one thread, and returns how many it may visit.
    pub(super) fn claim(&self, most: u64) -> u64 {
        let left =
            self.unclaimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left: u64| {
                Some(left.saturating_sub(most))
            });
        left.unwrap_or_else(|left| left).min(most)
    }

    /// Counts `nodes` of the `claimed` ones, and gives the others back.
    pub(super) fn spend(&self, nodes: u64, claimed: u64) {
        self.unclaimed.fetch_add(claimed - nodes, Ordering::Relaxed);
        self.add(nodes);
    }

    /// Counts nodes that no thread has claimed, if need be beyond the limit.
    pub fn count(&self, nodes: u64) {
        self.claim(nodes);
        self.add(nodes);
    }

    fn add(&self, nodes: u64) {
        self.own.nodes.fetch_add(nodes, Ordering::Relaxed);
        if let Some(total) = &self.total {
            total.fetch_add(nodes, Ordering::Relaxed);
        }
        if let Some(progress) = &self.limits.progress {
            progress.nodes.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// Stores bounds proved about the score of a position, if the call is about that position.
    pub fn prove(&self, position: Position, bounds: ScoreBounds) {
        if let Some(whole) = &self.whole {
            whole.prove(position, bounds);
        } else if self.position == Some(position) {
            self.own.narrow(bounds);
            self.limits.progress.iter().for_each(|progress| progress.narrow(bounds));
        }
    }

    /// The limit that has been reached, if any.
    pub fn reached(&self) -> Option<StopReason> {
        if self.nodes_left() == 0 { Some(StopReason::NodeBudget) } else { self.interrupted() }
    }

    /// The limit other than nodes that has been reached, if any.
    pub fn interrupted(&self) -> Option<StopReason> {
        let Limits { cancel, max_time, .. } = &self.limits;
        if cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(StopReason::Cancelled);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || (max_time.is_some() && !HAS_CLOCK) {
            return Some(StopReason::Deadline);
        }
        None
    }

    /// The error of a call that has ended at a limit.
    pub fn stopped(&self, reason: StopReason) -> Stopped {
        let bounds = self.own.bounds();
        let to_move = self.position.map(Position::to_move);
        Stopped { reason, bounds, to_move, nodes: self.nodes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_only_become_tighter_until_the_next_call() {
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
        let stopped = |bounds, nodes| {
            let reason = StopReason::Deadline;
            let to_move = Some(Player::X);
            Stopped { reason, bounds, to_move, nodes }.to_string()
        };
        let reason = "the deadline passed before the position was solved";
        let bounds = Some(ScoreBounds { min: 0, max: 5 });
        let expected = "; proved with 1,234 nodes: at least a draw for X (score 0 to 5)";
        assert_eq!(stopped(bounds, 1234), format!("{reason}{expected}"));
        assert_eq!(stopped(None, 1), format!("{reason}; visited 1 node"));
        let expected = "; known without a search: at least a draw for X (score 0 to 5)";
        assert_eq!(stopped(bounds, 0), format!("{reason}{expected}"));
        assert_eq!(stopped(Some(ScoreBounds { min: -1, max: 5 }), 0), reason);
    }
}
