//! Several positions, solved by several threads side by side.

use super::crew::Crew;
use super::limits::{Limits, SharedLimits, Stopped};
use super::{STACK_BYTES, Solver};
use crate::board::{Position, Score};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// Nodes of one search after which other threads are started: before that, it is mostly
/// over when a thread has started.
const ALONE_NODES: u64 = 1 << 13;

/// The same of all searches together, where many are easy.
const ALONE_NODES_IN_ALL: u64 = 8 * ALONE_NODES;

/// Calls a function with a solver for another thread, if there is memory for one.
pub(crate) type Lend<'a> = dyn Fn(&mut dyn FnMut(&mut Solver)) + Sync + 'a;

/// The scores of all positions, one after the other; or, if the limits let several threads
/// work and it takes long, side by side. Threads without a position help the others. A limit
/// on nodes counts for all together, and all nodes count as the solver's.
///
/// # Errors
///
/// If a limit is reached first.
pub(crate) fn score_all(
    solver: &mut Solver,
    positions: &[Position],
    limits: &Limits,
    lend: &Lend<'_>,
) -> Result<Vec<Score>, Stopped> {
    let before = solver.nodes;
    let threads = limits.threads.unwrap_or(1);
    let (most, most_in_all) =
        if threads > 1 { (ALONE_NODES, ALONE_NODES_IN_ALL) } else { (u64::MAX, u64::MAX) };
    let mut scores = Vec::with_capacity(positions.len());
    for &position in positions {
        if solver.nodes - before >= most_in_all {
            break;
        }
        let left = limits.after(solver.nodes - before).max_nodes;
        let max_nodes = Some(left.map_or(most, |left| left.min(most)));
        let alone = Limits { max_nodes, threads: None, ..limits.clone() };
        match solver.score(position, &alone) {
            Ok(score) => scores.push(score),
            Err(Stopped::NodeBudget) if left.is_none_or(|left| left > most) => break,
            Err(stopped) => return Err(stopped),
        }
    }
    let left = &positions[scores.len()..];
    if !left.is_empty() {
        let team = Team::new(solver, left, limits, solver.nodes - before);
        let rest = team.score_all(solver, threads, lend);
        solver.nodes = before + team.spent.load(Ordering::Relaxed);
        scores.extend(rest?);
    }
    Ok(scores)
}

/// What the threads share.
struct Team<'a> {
    positions: &'a [Position],
    /// As many as positions.
    scores: Vec<OnceLock<Score>>,
    /// The first position that no thread has taken.
    next: AtomicUsize,
    limits: Limits,
    /// Nodes of all, helpers and positions solved before included.
    spent: Arc<AtomicU64>,
    /// The limit that one of them has reached; the others reach it soon.
    stopped: OnceLock<Stopped>,
    crew: Crew,
}

impl<'a> Team<'a> {
    fn new(solver: &Solver, positions: &'a [Position], limits: &Limits, spent: u64) -> Self {
        Team {
            positions,
            scores: positions.iter().map(|_| OnceLock::new()).collect(),
            next: AtomicUsize::new(0),
            limits: Limits { threads: None, ..limits.clone() },
            spent: Arc::new(AtomicU64::new(spent)),
            stopped: OnceLock::new(),
            crew: Crew::new(&solver.shared),
        }
    }

    fn score_all(
        &self,
        solver: &mut Solver,
        threads: usize,
        lend: &Lend<'_>,
    ) -> Result<Vec<Score>, Stopped> {
        thread::scope(|scope| {
            for number in 1..threads {
                let other = thread::Builder::new().name(format!("analysis-{number}"));
                // With fewer threads than asked for, it takes longer.
                let _ = other.stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                    lend(&mut |solver| self.work(solver));
                });
            }
            self.work(solver);
        });
        if let Some(&stopped) = self.stopped.get() {
            return Err(stopped);
        }
        let solved = |score: &OnceLock<Score>| *score.get().expect("all have been solved");
        Ok(self.scores.iter().map(solved).collect())
    }

    /// Solves one position after the other, and helps when there are no more.
    fn work(&self, solver: &mut Solver) {
        let busy = self.crew.join();
        let limits = SharedLimits::of_all(&self.limits, &self.spent);
        while self.stopped.get().is_none() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&position) = self.positions.get(number) else { break };
            match solver.score_within(position, limits) {
                Ok(score) => drop(self.scores[number].set(score)),
                Err(stopped) => drop(self.stopped.set(stopped)),
            }
        }
        busy.help_others(solver);
    }
}
