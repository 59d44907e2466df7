//! Estimates of the memory and time that a plan requires.

use super::error::GenerateError;
use super::ladder::{Rung, climb, nodes_at};
use super::plan::Plan;
use super::sample::sample;
use super::shard::Shard;
use super::workers::Run;
use crate::enumerate::Reachable;
use crate::progress::Progress;
use crate::rank::slots;
use fourbook_solver::board::Size;
use fourbook_solver::{TranspositionTable, ValueKind, thread_count};
use serde::Serialize;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The most slots of a ply that is counted, which takes seconds.
const MOST_SLOTS_COUNTED: u64 = 1 << 26;

/// The most positions of a sample.
const MOST_SAMPLED: usize = 1 << 16;

/// The fewest solved positions from which the work of a ply follows: some positions take a thousand times as
/// long as others.
const ENOUGH: u64 = 100;

/// The factor by which an estimate may be wrong for each two stones between the plan and the nearest
/// rung.
const ERROR_OF_STEP: f64 = 1.15;

/// The cost of a plan, as `fourbook plan --json` prints it. Memory and disk space are in bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The board, such as `7x6`.
    pub size: String,
    /// The deepest ply of the book.
    pub depth: u32,
    /// The kind of its values.
    pub kind: ValueKind,
    /// Number of threads that solve.
    pub threads: usize,
    /// Positions of the deepest ply that have to be solved.
    pub positions: u64,
    /// Whether they have been counted; else their number follows from that of
    /// slots, and from what part of them a shallower ply uses.
    pub counted: bool,
    /// The work; `None` if no time was given.
    #[serde(flatten)]
    pub work: Option<Work>,
    /// The most memory for the whole book, the table included.
    pub memory_bytes: u64,
    /// The largest size of the transposition table.
    pub table_bytes: usize,
    /// About how much the checkpoint takes on the disk.
    pub checkpoint_bytes: u64,
    /// At most the size of the flat book.
    pub book_bytes: u64,
    /// Number of shards, so that each takes about an hour unless their number was given.
    pub shards: u32,
    /// About how many positions a shard has.
    pub shard_positions: u64,
    /// Memory for a shard.
    pub shard_memory_bytes: u64,
    /// The part of a shard and its checkpoint.
    pub part_bytes: u64,
}

/// The work of a plan, extrapolated from positions that have been solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Work {
    /// Stones of the positions of the sample: the depth of the plan, less if that has more
    /// positions than can be counted in a short time, or more if those are too hard to solve.
    pub sample_ply: u32,
    /// Number of positions solved.
    pub sample_positions: u64,
    /// Nodes visited for them.
    pub sample_nodes: u64,
    /// Time that all threads worked on them together, in seconds.
    pub sample_core_seconds: f64,
    /// Nodes that the whole work takes, about.
    pub nodes: f64,
    /// Hours of one processor core that the whole work takes, about.
    pub core_hours: f64,
    /// Hours with the threads of the plan.
    pub hours: f64,
    /// Hours of a shard with these threads.
    pub shard_hours: f64,
    /// The factor by which nodes and hours may be wrong, about.
    #[serde(rename = "work_error")]
    pub error: f64,
    /// About how much memory the whole book takes, in bytes: the transposition table grows with the
    /// work.
    pub expected_memory_bytes: u64,
}

/// How many times less work a position of this board takes when its whole ply is solved in order,
/// compared with a few positions that lie far apart. A search of one finds much of its work done by
/// the searches of related positions.
///
/// Measured, whole against sample: 2.2 on 5x5 (ply 8), 1.7, 2.2 and 2.1 on 6x5
/// (plies 6, 8 and 10), 3.9 on 7x6 (ply 8) and 3.0 (the first third of ply 14):
/// more on larger boards, and about the same however far apart positions are, as
/// long as they are. `stride` is that distance. By this line, and samples of a few
/// hundred positions, the nodes of those plies are predicted to a factor of 1.25.
/// Boards of more cells than 8x7 use its factor: nothing is measured there.
fn sharing(size: Size, stride: f64) -> f64 {
    let cells = f64::from(size.cells().min(56));
    let far_apart = (2.1 + (cells - 28.0) * 0.095).max(1.0);
    far_apart.min(stride.max(1.0).powf(0.25))
}

/// How many times less work a position takes than one with `more` stones fewer, when the whole ply
/// of each is solved.
///
/// Measured, for two stones: 3.9, 3.4 and 3.1 on 5x5 and 3.7, 3.2 and 2.8 on 6x5 (from ply 6
/// to 12 each), 3.1 on 7x6 (the mean from ply 8 to 14).
fn easier(more: u32) -> f64 {
    3_f64.powf(f64::from(more) / 2.0)
}

/// Estimates the work, memory and disk space of `plan`. If `time` is not zero, solves positions
/// for about that long: some of late plies, and then many that are spread evenly over the deepest
/// ply. If that is too hard, the work follows from how it grows over the late plies.
///
/// The predicted work is right to a factor of about 1.5, of 2 where positions
/// of a shallower ply are solved instead, and of [`Work::error`] where only late plies are. Nothing is
/// written. Without a number of `shards`, each shard takes about an hour.
///
/// # Errors
///
/// If the depth is too large for the board, or memory is lacking, or `cancel`
/// is set.
pub fn estimate(
    plan: &Plan,
    shards: Option<u32>,
    time: Duration,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Estimate, GenerateError> {
    let (needs, slots) = (plan.needs()?, plan.slots()?);
    // The plan may be for a larger machine than this one.
    let threads = plan.thread_count();
    let here = Plan { threads: threads.min(thread_count(0)), ..plan.clone() };
    let run = Run::start(&here, progress, cancel)?;
    let ply = counted_ply(plan);
    let sample = sample(&run, ply, MOST_SAMPLED)?;
    let counted = sample.positions;
    let is_counted = ply == plan.depth;
    let extrapolate = || extrapolate(plan, slots, ply, counted);
    let positions = if is_counted { counted } else { run.pool.install(extrapolate) };
    let mut work = None;
    if !time.is_zero() {
        let (rungs, table) = climb(&run, time, &sample, ply)?;
        work = Some(self::work(plan, &rungs, &table, (ply, counted, positions))?);
    }
    run.check_cancelled(None)?;
    let shards = shards.unwrap_or_else(|| work.map_or(1, |work| shards_for(work.hours, positions)));
    let shard_positions = positions.div_ceil(shards.into());
    if let Some(work) = &mut work {
        work.shard_hours = work.hours * shard_positions as f64 / positions.max(1) as f64;
    }
    let Plan { size, depth, kind, table_bytes, .. } = *plan;
    let shard = plan.shard_needs(shard_positions)?;
    Ok(Estimate {
        size: size.to_string(),
        depth,
        kind,
        threads,
        positions,
        counted: is_counted,
        work,
        memory_bytes: needs.memory,
        table_bytes,
        checkpoint_bytes: plan.shard_needs(positions)?.checkpoint,
        book_bytes: needs.book,
        shards,
        shard_positions,
        shard_memory_bytes: shard.memory,
        part_bytes: shard.checkpoint.saturating_add(shard.book),
    })
}

/// The number of shards for some hours of work: an hour each, and a position at least.
fn shards_for(hours: f64, positions: u64) -> u32 {
    (hours.ceil() as u64).min(positions).clamp(1, Shard::MOST.into()) as u32
}

/// The deepest ply, at most that of the plan, that is quickly counted; with
/// the same side to move.
fn counted_ply(plan: &Plan) -> u32 {
    let is_small = |ply: u32| slots(plan.size, ply).is_some_and(|n| n <= MOST_SLOTS_COUNTED);
    let mut ply = plan.depth;
    while ply >= 2 && !is_small(ply) {
        ply -= 2;
    }
    ply
}

/// About how many positions the deepest ply has, by how the part of the slots
/// that are positions to solve changed towards the ply that is counted.
fn extrapolate(plan: &Plan, all_slots: u64, ply: u32, counted: u64) -> u64 {
    let size = plan.size;
    let part = |ply: u32, positions: u64| {
        positions as f64 / slots(size, ply).map_or(f64::INFINITY, |slots| slots as f64)
    };
    let last = part(ply, counted);
    let before = ply.checked_sub(2).and_then(|ply| {
        Some(part(ply, Reachable::to_depth(size, ply).ok()?.deepest().counts.stored))
    });
    let change = before.map_or(1.0, |before| last / before).min(1.0);
    let steps = (plan.depth - ply) / 2;
    (last * change.powi(steps as i32) * all_slots as f64) as u64
}

/// The work of a plan for `positions` positions, by rungs of which the last one may be a sample of
/// the `counted` positions of a ply.
fn work(
    plan: &Plan,
    rungs: &[Rung],
    table: &TranspositionTable,
    (ply, counted, positions): (u32, u64, u64),
) -> Result<Work, GenerateError> {
    let Plan { size, depth, table_bytes, .. } = *plan;
    let last = *rungs.last().expect("there is a rung for every board");
    let is_sampled = last.ply == ply && last.solved >= ENOUGH.min(counted);
    let used = if is_sampled { slice::from_ref(&last) } else { rungs };
    let (each, error) = if is_sampled {
        let mean = last.nodes as f64 / last.solved as f64;
        let saved = sharing(size, counted as f64 / last.solved as f64) * easier(depth - ply);
        (mean / saved, if ply == depth { 1.5 } else { 2.0 })
    } else {
        let steps = last.ply.saturating_sub(depth) / 2;
        let saved = sharing(size, f64::INFINITY);
        (nodes_at(rungs, depth) / saved, 2.0 * ERROR_OF_STEP.powi(steps as i32))
    };
    let nodes = each * positions as f64;
    let spent: u64 = used.iter().map(|rung| rung.nodes).sum();
    // The time of short rungs is not measured well.
    let longest = used.iter().max_by_key(|rung| rung.nodes).unwrap_or(&last);
    let core_hours = nodes * longest.seconds / longest.nodes.max(1) as f64 / 3600.0;
    let hours = core_hours / plan.thread_count() as f64;
    let table_bytes = (table.bytes_with(nodes / spent.max(1) as f64) as usize).min(table_bytes);
    Ok(Work {
        sample_ply: last.ply,
        sample_positions: last.solved,
        sample_nodes: last.nodes,
        sample_core_seconds: last.seconds,
        nodes,
        core_hours,
        hours,
        shard_hours: hours,
        error,
        expected_memory_bytes: Plan { table_bytes, ..plan.clone() }.needs()?.memory,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(size: (usize, usize), depth: u32) -> Plan {
        let size = Size::new(size.0, size.1).unwrap();
        Plan { threads: 2, table_bytes: 16 << 20, ..Plan::new(size, depth) }
    }

    fn estimate(plan: &Plan, seconds: u64) -> Estimate {
        let time = Duration::from_secs(seconds);
        super::estimate(plan, None, time, &(), &Arc::default()).unwrap()
    }

    #[test]
    fn small_plies_are_counted() {
        let size = Size::new(5, 4).unwrap();
        let stored = Reachable::to_depth(size, 6).unwrap().deepest().counts.stored;
        let estimate = estimate(&plan((5, 4), 6), 0);
        assert_eq!((estimate.positions, estimate.counted), (stored, true));
        assert_eq!(estimate.work, None);
    }

    #[test]
    fn where_all_are_solved_the_work_is_known() {
        let estimate = estimate(&plan((4, 4), 6), 100);
        let work = estimate.work.unwrap();
        assert_eq!((work.sample_positions, work.sample_ply), (estimate.positions, 6));
        assert!((work.nodes / work.sample_nodes as f64 - 1.0).abs() < 1e-9);
        assert_eq!(estimate.shards, 1);
    }

    #[test]
    fn any_number_of_hours_has_its_shards() {
        let shards = [(0.0, 7), (2.5, 7), (1e3, 7), (1e4, 9), (5e9, 1 << 40), (1e30, u64::MAX)]
            .map(|(hours, positions)| shards_for(hours, positions));
        assert_eq!(shards, [1, 3, 7, 9, Shard::MOST, Shard::MOST]);
    }

    /// No position of this ply is solved while a test runs.
    #[test]
    fn work_that_cannot_be_sampled_follows_from_later_plies() {
        let work = estimate(&plan((8, 8), 8), 1).work.unwrap();
        assert!(work.sample_ply > 12 && work.sample_positions > 0, "{work:?}");
        assert!(work.core_hours > 1e3 && work.core_hours.is_finite(), "{work:?}");
        assert!((3.0..50.0).contains(&work.error), "{work:?}");
    }

    #[test]
    fn sharing_is_between_none_and_what_was_measured() {
        assert_eq!(sharing(Size::STANDARD, 1.0), 1.0);
        let (near, far) = (sharing(Size::STANDARD, 20.0), sharing(Size::STANDARD, 1e6));
        assert!(1.0 < near && near < far && (3.0..3.9).contains(&far), "{near} {far}");
        for size in Size::all() {
            assert!((1.0..5.0).contains(&sharing(size, 1e6)), "{size}");
        }
    }

    #[test]
    fn positions_with_more_stones_are_easier() {
        assert_eq!(easier(0), 1.0);
        // Nodes a position of 6x5 at ply 8 and 12, measured.
        let measured = 7097.0 / 774.5;
        assert!((0.8..1.25).contains(&(easier(4) / measured)));
    }

    #[test]
    fn what_cannot_be_counted_is_estimated() {
        let deep = Plan { depth: 16, ..plan((7, 6), 14) };
        assert_eq!(counted_ply(&deep), 14);
        // Known: 4,200,899 positions at ply 12, 634,338 at ply 10.
        let plan = Plan { depth: 12, ..deep };
        let slots = plan.slots().unwrap();
        let estimated = extrapolate(&plan, slots, 10, 634_338) as f64 / 4_200_899.0;
        assert!((0.8..1.25).contains(&estimated), "{estimated}");
    }
}
