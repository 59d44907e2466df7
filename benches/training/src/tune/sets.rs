//! Sets of positions, and the nodes that it takes to solve them.

use super::climb::Measured;
use super::positions;
use fourbook::solver::{MoveOrder, TableError, on_large_stack};
use fourbook::{Position, Size, Solver};
use std::collections::HashSet;
use std::error::Error;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, thread};

/// Size of each set's table. The number of nodes depends on it, since a full table loses entries.
const TABLE_BYTES: usize = 64 << 20;

/// The plan of a set: `PLYxCOUNT` or `PLYxCOUNT:WEIGHT` as a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Stones on the board.
    pub(crate) ply: u32,
    /// Number of positions.
    pub(crate) count: usize,
    /// The weight of its nodes among all sets.
    pub(crate) weight: f64,
}

impl FromStr for Plan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = || {
            let (set, weight) = text.split_once(':').unwrap_or((text, "1"));
            let (ply, count) = set.split_once('x')?;
            let plan = Plan {
                ply: ply.parse().ok()?,
                count: count.parse().ok()?,
                weight: weight.parse().ok()?,
            };
            let is_useful = plan.count > 0 && plan.weight > 0.0 && plan.weight.is_finite();
            is_useful.then_some(plan)
        };
        parsed().ok_or_else(|| {
            format!(
                "expected sets as PLYxCOUNT or PLYxCOUNT:WEIGHT, such as 12x1000, found '{text}'"
            )
        })
    }
}

/// Positions that are solved one after the other with one table.
#[derive(Debug)]
pub(crate) struct Set {
    plan: Plan,
    positions: Vec<Position>,
}

/// The planned sets, with positions from a seed. No position is in the `excluded` sets.
pub(crate) fn draw(
    plans: &[Plan],
    size: Size,
    seed: u64,
    excluded: &[Set],
) -> Result<Vec<Set>, String> {
    let excluded = excluded.iter().flat_map(|set| &set.positions);
    let mut excluded: HashSet<u128> = excluded.map(|it| it.canonical_key()).collect();
    let mut sets = Vec::with_capacity(plans.len());
    for &plan in plans {
        let positions = positions::draw(size, plan.ply, plan.count, seed, &excluded)?;
        excluded.extend(positions.iter().map(|position| position.canonical_key()));
        sets.push(Set { plan, positions });
    }
    Ok(sets)
}

/// The cost of solving a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Count {
    /// The set.
    pub(crate) plan: Plan,
    /// Nodes visited.
    pub(crate) nodes: u64,
    /// Time it took, which depends on what else the machine does.
    pub(crate) elapsed: Duration,
}

/// The costs of solving all sets.
#[derive(Debug)]
pub(crate) struct Counts(pub(crate) Vec<Count>);

impl Measured for Counts {
    /// The mean logarithm of the nodes, with the weights of the sets.
    fn cost(&self) -> f64 {
        let logarithms = self.0.iter().map(|it| it.plan.weight * (it.nodes.max(1) as f64).ln());
        logarithms.sum::<f64>() / self.0.iter().map(|it| it.plan.weight).sum::<f64>()
    }
}

impl Counts {
    /// Solves the sets with moves in some order: each set on one thread, with a
    /// table of its own, so that the nodes are the same in every run.
    pub(crate) fn of(
        sets: &[Set],
        order: MoveOrder,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        Ok(Counts(count_all(sets, order, threads)?))
    }

    /// The growth of each set's nodes, and of their mean, over `others`.
    pub(crate) fn changes_from(&self, others: &Counts) -> Changes {
        let pairs = self.0.iter().zip(&others.0);
        let change = |new: u64, old: u64| new as f64 / old.max(1) as f64 - 1.0;
        Changes {
            sets: pairs.map(|(new, old)| (new.plan.ply, change(new.nodes, old.nodes))).collect(),
            mean: (self.cost() - others.cost()).exp() - 1.0,
        }
    }
}

/// The counts of all sets, in their order.
fn count_all(sets: &[Set], order: MoveOrder, threads: usize) -> Result<Vec<Count>, TableError> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(sets.len()));
    let take_sets = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(set) = sets.get(index) else { break };
            let result = count(set, order);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(sets.len()) {
            scope.spawn(|| on_large_stack(take_sets));
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn count(set: &Set, order: MoveOrder) -> Result<Count, TableError> {
    let start = Instant::now();
    let mut solver = Solver::for_size(set.positions[0].size(), TABLE_BYTES)?;
    solver.set_order(order);
    for &position in &set.positions {
        solver.score(position).expect("nothing limits the search");
    }
    Ok(Count { plan: set.plan, nodes: solver.nodes(), elapsed: start.elapsed() })
}

/// The growth of the nodes, as shares.
#[derive(Debug)]
pub(crate) struct Changes {
    /// The ply of each set, and its change.
    pub(crate) sets: Vec<(u32, f64)>,
    /// The mean of all sets.
    pub(crate) mean: f64,
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2} % (", self.mean * 100.0)?;
        for (index, (ply, change)) in self.sets.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}ply {ply}: {:+.2} %", change * 100.0)?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Plan {
        text.parse().unwrap()
    }

    #[test]
    fn plans_are_parsed_and_bad_ones_refused() {
        assert_eq!(plan("12x1000"), Plan { ply: 12, count: 1000, weight: 1.0 });
        assert_eq!(plan("8x60:2.5"), Plan { ply: 8, count: 60, weight: 2.5 });
        for text in ["", "12", "12x", "x5", "12x0", "-1x5", "12x5:", "12x5:0", "12x5:inf", "1x2x3"]
        {
            let error = text.parse::<Plan>().unwrap_err();
            assert!(error.contains(&format!("found '{text}'")), "{error}");
        }
    }

    #[test]
    fn sets_have_no_position_in_common() {
        let plans = [plan("6x200"), plan("6x100"), plan("8x100")];
        let tuned = draw(&plans, Size::STANDARD, 1, &[]).unwrap();
        let check = draw(&plans, Size::STANDARD, 2, &tuned).unwrap();
        let all = tuned.iter().chain(&check).flat_map(|set| &set.positions);
        let keys: HashSet<u128> = all.map(|position| position.canonical_key()).collect();
        assert_eq!(keys.len(), 800);
    }

    #[test]
    fn counts_are_the_same_with_any_threads_and_follow_the_order() {
        let plans = [plan("26x50"), plan("28x50:3"), plan("30x50")];
        for size in [Size::STANDARD, "8x8".parse().unwrap()] {
            let plans = plans.map(|it| Plan { ply: it.ply + size.cells() - 42, ..it });
            let sets = draw(&plans, size, 1, &[]).unwrap();
            let nodes = |order, threads| {
                let counts = Counts::of(&sets, order, threads).unwrap();
                counts.0.into_iter().map(|count| count.nodes).collect::<Vec<u64>>()
            };
            let best = nodes(MoveOrder::BEST, 1);
            assert!(best.iter().all(|&nodes| nodes > 0), "{best:?}");
            assert_eq!(best, nodes(MoveOrder::BEST, 2));
            let mut other = MoveOrder::BEST;
            (other.early.threat, other.late.threat) = (-256, -256);
            assert_ne!(best, nodes(other, 5));
        }
    }

    #[test]
    fn the_cost_is_the_weighted_mean_of_logarithms() {
        let count = |text, nodes| Count { plan: plan(text), nodes, elapsed: Duration::ZERO };
        let old = Counts(vec![count("8x1", 1000), count("9x1:3", 1000)]);
        let new = Counts(vec![count("8x1", 1000), count("9x1:3", 2000)]);
        assert!((old.cost() - 1000_f64.ln()).abs() < 1e-9);
        assert!((new.cost() - old.cost() - 0.75 * 2_f64.ln()).abs() < 1e-9);
        let text = new.changes_from(&old).to_string();
        assert_eq!(text, "+68.18 % (ply 8: +0.00 %, ply 9: +100.00 %)");
    }
}
