//! Estimates of the memory and time that a plan requires.

use super::error::GenerateError;
use super::plan::Plan;
use super::shard::Shard;
use super::workers::Run;
use crate::enumerate::ranking_of_ply;
use crate::progress::{Progress, Step};
use crate::rank::Ranking;
use fourbook_solver::board::{Position, Size, Word, is_reachable};
use fourbook_solver::splitmix::{SplitMix, sample};
use fourbook_solver::{Budget, Limits, Solvers, TranspositionTable, ValueKind, with_word};
#[cfg(target_os = "linux")]
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most slots of the deepest ply in which positions are looked for.
const MOST_SLOTS: u64 = 1 << 17;

/// The largest table for a sample, since the plan may be for a larger machine. A sample of a minute
/// does not fill it.
const MOST_TABLE_BYTES: usize = 1 << 30;

/// The fewest solved positions whose spread says how wrong their mean may be: some positions take a
/// thousand times as long as others.
const FEWEST: usize = 8;

/// The factor by which [`sharing`] may be wrong.
const SHARING_ERROR: f64 = 1.5;

/// The cost of a plan, as `fourbook plan --json` prints it. Memory and disk space are in bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The board.
    pub size: Size,
    /// The deepest ply of the book.
    pub depth: u32,
    /// The kind of its values.
    pub kind: ValueKind,
    /// Number of threads that solve.
    pub threads: usize,
    /// Positions of the deepest ply that have to be solved.
    pub positions: u64,
    /// Whether they have been counted; else their number follows from a sample of the slots.
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

/// The work of a plan, extrapolated from positions of its deepest ply that have been solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Work {
    /// Number of positions solved.
    pub sample_positions: u64,
    /// Nodes visited for them.
    pub sample_nodes: u64,
    /// Processor time of them, in seconds.
    pub sample_core_seconds: f64,
    /// Nodes that the whole work takes, about.
    pub nodes: f64,
    /// Hours of one processor core that the whole work takes, about.
    pub core_hours: f64,
    /// Hours with the threads of the plan.
    pub hours: f64,
    /// Hours of a shard with these threads.
    pub shard_hours: f64,
    /// The factor by which nodes and hours may be wrong, about, by the spread of the sample; `None`
    /// if too few positions were solved: then nodes and hours are at least what the work takes.
    #[serde(rename = "work_error")]
    pub error: Option<f64>,
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

/// Estimates the work, memory and disk space of `plan`. If `time` is not zero, solves positions of the
/// deepest ply, chosen at random, for about that long.
///
/// Nothing is written. Without a number of `shards`, each shard takes about an hour.
///
/// # Errors
///
/// If the depth is too large for the board, memory is lacking, or it is cancelled.
pub fn estimate(
    plan: &Plan,
    shards: Option<u32>,
    time: Duration,
    progress: &dyn Progress,
) -> Result<Estimate, GenerateError> {
    let needs = plan.needs()?;
    let slots = plan.slots()?;
    let run = Run::start(plan, progress)?;
    let ranking = ranking_of_ply(plan.size, plan.depth)?;
    let found = with_word!(plan.size, B => positions::<B>(&ranking));
    let tried = slots.min(MOST_SLOTS);
    let positions = (found.len() as f64 / tried as f64 * slots as f64).round() as u64;
    let mut work = None;
    if !time.is_zero() {
        work = Some(solve(&run, &found, positions, time)?);
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
        size,
        depth,
        kind,
        threads: plan.thread_count(),
        positions,
        counted: tried == slots,
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

/// The stored positions in slots chosen at random, or in all slots if there are few. They come in a
/// random order.
fn positions<B: Word>(ranking: &Ranking) -> Vec<Position> {
    let mut found = Vec::new();
    for slot in sample(ranking.slots, MOST_SLOTS, 1) {
        let board = ranking.unrank::<B>(slot);
        // Of a position and its mirror image on the same cells, one has its slot.
        let is_stored = board.score_by_rules().is_none() && ranking.rank(board) == slot;
        if is_stored && is_reachable(board.widen()) {
            found.push(board.widen());
        }
    }
    let mut random = SplitMix(1);
    for place in (1..found.len()).rev() {
        found.swap(place, random.below(place + 1));
    }
    found
}

/// Solves as many positions of a sample as the time allows, on one thread, and extrapolates to
/// `positions` positions.
fn solve(
    run: &Run<'_>,
    sample: &[Position],
    positions: u64,
    time: Duration,
) -> Result<Work, GenerateError> {
    let Plan { size, kind, table_bytes, .. } = *run.plan;
    let table = Arc::new(TranspositionTable::new(size, table_bytes.min(MOST_TABLE_BYTES))?);
    let solvers = Solvers::new(Arc::clone(&table));
    let cancel = run.progress.cancel().cloned();
    let budget = Budget::new(&Limits { max_time: Some(time), cancel, ..Limits::default() });
    run.progress.begin(Step::Sample, 0, 0);
    let started = Instant::now();
    let before = time_spent(started);
    let mut nodes_of_each = Vec::new();
    run.search(|| {
        for &position in sample {
            let nodes = budget.nodes();
            let position = iter::once((0, position));
            if solvers.run(position, 1, kind, &budget, 1, |_, _| ())?.is_some() {
                break;
            }
            nodes_of_each.push((budget.nodes() - nodes) as f64);
            run.progress.advance(1);
        }
        Ok::<_, GenerateError>(())
    })??;
    let seconds = (time_spent(started) - before).as_secs_f64();
    let solved = nodes_of_each.len() as f64;
    // The nodes of a position that was not finished count, too: otherwise a sample would miss the
    // slow ones.
    let sample_nodes = budget.nodes();
    let mean = sample_nodes as f64 / solved.max(1.0);
    let nodes = mean * positions as f64 / sharing(size, positions as f64 / solved.max(1.0));
    let is_enough = nodes_of_each.len() >= FEWEST.min(sample.len());
    let core_hours = nodes * seconds / sample_nodes.max(1) as f64 / 3600.0;
    let hours = core_hours / run.plan.thread_count() as f64;
    let table_bytes = table.bytes_with(nodes / sample_nodes.max(1) as f64) as usize;
    let expected = Plan { table_bytes: table_bytes.min(run.plan.table_bytes), ..run.plan.clone() };
    Ok(Work {
        sample_positions: nodes_of_each.len() as u64,
        sample_nodes,
        sample_core_seconds: seconds,
        nodes,
        core_hours,
        hours,
        shard_hours: hours,
        error: is_enough.then(|| SHARING_ERROR * (1.0 + 2.0 * error_of_mean(&nodes_of_each))),
        expected_memory_bytes: expected.needs()?.memory,
    })
}

/// The processor time of this process on Linux; elsewhere the time since `started`.
fn time_spent(started: Instant) -> Duration {
    #[cfg(target_os = "linux")]
    if let Ok(time) = clock_gettime(ClockId::ProcessCPUTime).try_into() {
        return time;
    }
    started.elapsed()
}

/// The standard error of the mean of these numbers, as a part of the mean.
fn error_of_mean(numbers: &[f64]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    squares.sqrt() / count / mean.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Reachable;

    fn plan(size: (usize, usize), depth: u32) -> Plan {
        let size = Size::new(size.0, size.1).unwrap();
        Plan { threads: 2, table_bytes: 16 << 20, ..Plan::new(size, depth) }
    }

    fn estimate(plan: &Plan, seconds: u64) -> Estimate {
        let time = Duration::from_secs(seconds);
        super::estimate(plan, None, time, &()).unwrap()
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
    fn what_is_not_counted_is_estimated() {
        for (depth, positions) in [(10, 634_338), (12, 4_200_899), (14, 23_192_137)] {
            let estimate = estimate(&plan((7, 6), depth), 0);
            let factor = estimate.positions as f64 / f64::from(positions);
            assert!(!estimate.counted && (0.98..1.02).contains(&factor), "ply {depth}: {factor}");
        }
    }

    #[test]
    fn where_all_are_solved_the_work_is_known() {
        let estimate = estimate(&plan((4, 4), 6), 100);
        let work = estimate.work.unwrap();
        assert_eq!(work.sample_positions, estimate.positions);
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
    fn work_that_cannot_be_sampled_has_a_lower_bound() {
        let work = estimate(&plan((8, 8), 8), 1).work.unwrap();
        assert_eq!((work.sample_positions, work.error), (0, None));
        assert!(work.nodes > work.sample_nodes as f64 && work.core_hours > 1.0, "{work:?}");
    }

    #[test]
    fn sharing_is_between_none_and_what_was_measured() {
        assert_eq!(sharing(Size::STANDARD, 1.0), 1.0);
        let near = sharing(Size::STANDARD, 20.0);
        let far = sharing(Size::STANDARD, 1e6);
        assert!(1.0 < near && near < far && (3.0..3.9).contains(&far), "{near} {far}");
        for size in Size::all() {
            assert!((1.0..5.0).contains(&sharing(size, 1e6)), "{size}");
        }
    }

    #[test]
    fn the_error_of_a_mean_follows_from_the_spread() {
        assert_eq!(error_of_mean(&[5.0; 10]), 0.0);
        // The deviations are 2 each, so the standard error of four is 1.
        assert_eq!(error_of_mean(&[8.0, 12.0, 8.0, 12.0]), 0.1);
        assert_eq!(error_of_mean(&[]), 0.0);
    }
}
