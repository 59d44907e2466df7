//! A ladder of samples: positions of several plies, solved from late plies, which are easy, towards
//! the ply of a plan. Where that ply is too hard, its work follows from the rungs below.

use super::error::GenerateError;
use super::plan::Plan;
use super::sample::EvenSample;
use super::workers::Run;
use crate::progress::Step;
use fourbook_solver::board::Position;
use fourbook_solver::splitmix::SplitMix;
use fourbook_solver::{Budget, Limits, Solvers, TranspositionTable};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Empty cells of the first positions that are solved.
const FIRST_CELLS: u32 = 16;

/// Positions of a rung.
const WIDTH: usize = 64;

/// The fewest solved positions of a rung that counts.
const FEWEST: u64 = 16;

/// The most positions from which the ladder is built: most random games end early.
const MOST_ROOTS: usize = 1 << 13;

/// Nodes of the first rung, whatever time there is: they take milliseconds.
const FIRST_NODES: u64 = 1 << 21;

/// The most rungs of a line, the nearest ones.
const MOST_OF_LINE: usize = 6;

/// The bounds of the logarithm of the growth of work with each stone less: work grows more slowly over
/// the latest plies than over those of a book, where it triples with two stones.
const GROWTH: (f64, f64) = (0.54, 0.8);

/// The least processor time that is measured well.
const LEAST_TIME: Duration = Duration::from_millis(50);

/// The largest table for a sample, since the plan may be for a larger machine. A sample of a minute
/// does not fill it.
const MOST_TABLE_BYTES: usize = 1 << 30;

/// Positions of a ply that were solved, and their work. The work on positions that were not
/// finished counts, too: otherwise a sample would miss the slow ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rung {
    pub(super) ply: u32,
    pub(super) solved: u64,
    pub(super) nodes: u64,
    /// Time of all threads together.
    pub(super) seconds: f64,
}

/// Solves positions of later plies and then, in the time that is left, as many as possible of a
/// sample of `ply`. Returns the rungs, the latest ply first, and the table.
pub(super) fn climb(
    run: &Run<'_>,
    time: Duration,
    sample: &EvenSample,
    ply: u32,
) -> Result<(Vec<Rung>, Arc<TranspositionTable>), GenerateError> {
    let Plan { size, table_bytes, .. } = *run.plan;
    let table = Arc::new(TranspositionTable::new(size, table_bytes.min(MOST_TABLE_BYTES))?);
    let solvers = Solvers::new(Arc::clone(&table));
    run.progress.begin(Step::Sample, 0, 0);
    let roots: Vec<Position> = sample.evenly().map(|(_, position)| position).collect();
    let later = later(&roots, size.cells(), ply);
    let started = Instant::now();
    let mut rungs: Vec<Rung> = Vec::new();
    for (step, positions) in later.iter().enumerate().rev() {
        let left = time.saturating_sub(started.elapsed());
        let limits = if rungs.is_empty() {
            Limits { max_nodes: Some(FIRST_NODES), ..Limits::default() }
        } else {
            Limits { max_time: Some(left), ..Limits::default() }
        };
        let rung = solve(run, &solvers, limits, ply + 2 * (step as u32 + 1), positions)?;
        if rungs.is_empty() || rung.solved >= FEWEST {
            rungs.push(rung);
        }
        if rung.solved < positions.len() as u64 {
            return Ok((rungs, table));
        }
    }
    let max_time = Some(time.saturating_sub(started.elapsed()));
    let limits = Limits { max_time, ..Limits::default() };
    let rung = solve(run, &solvers, limits, ply, &roots)?;
    if rungs.is_empty() || rung.solved >= FEWEST.min(sample.positions) {
        rungs.push(rung);
    }
    Ok((rungs, table))
}

/// Positions two, four and more stones after some of the roots, from games at random in which no
/// player can win with the next stone.
fn later(roots: &[Position], cells: u32, ply: u32) -> Vec<Vec<Position>> {
    let steps = cells.saturating_sub(FIRST_CELLS).saturating_sub(ply) / 2;
    let mut rungs = vec![Vec::new(); steps as usize];
    let mut random = SplitMix(1);
    for &(mut position) in &roots[..roots.len().min(MOST_ROOTS)] {
        let mut play = || {
            let open = |child: &Position| child.score_by_rules().is_none();
            let open: Vec<Position> = position.children().flatten().filter(open).collect();
            position = *open.get(random.below(open.len().max(1)))?;
            Some(position)
        };
        for rung in &mut rungs {
            let Some(position) = play().and_then(|_| play()) else { break };
            if rung.len() < WIDTH {
                rung.push(position);
            }
        }
        if rungs.last().is_none_or(|last| last.len() == WIDTH) {
            break;
        }
    }
    // Few positions say little, unless there are no more.
    while rungs.len() > 1 && rungs.last().is_some_and(|last| last.len() < FEWEST as usize) {
        rungs.pop();
    }
    rungs
}

/// Solves as many positions as the limits allow.
fn solve(
    run: &Run<'_>,
    solvers: &Solvers,
    limits: Limits,
    ply: u32,
    positions: &[Position],
) -> Result<Rung, GenerateError> {
    let Run { plan, progress, cancel, .. } = *run;
    let budget = Budget::new(&Limits { cancel: Some(Arc::clone(cancel)), ..limits });
    let solved = AtomicU64::new(0);
    let threads = run.pool.current_num_threads();
    let (started, worked) = (Instant::now(), processor_time());
    let (count, numbered) = (positions.len() as u64, (0..).zip(positions.to_vec()));
    let on_result = |_, _| {
        solved.fetch_add(1, Ordering::Relaxed);
        progress.advance(1);
    };
    run.search(|| solvers.run(numbered, count, plan.kind, &budget, threads, on_result))??;
    let time = match (worked, processor_time()) {
        (Some(before), Some(after)) if after >= before + LEAST_TIME => after - before,
        _ => started.elapsed() * threads as u32,
    };
    let (solved, nodes, seconds) = (solved.into_inner(), budget.nodes(), time.as_secs_f64());
    Ok(Rung { ply, solved, nodes, seconds })
}

/// The nodes that a position of `ply` takes: a line through the logarithms of the rungs, the latest
/// ply first.
pub(super) fn nodes_at(rungs: &[Rung], ply: u32) -> f64 {
    let rungs = &rungs[rungs.len().saturating_sub(MOST_OF_LINE)..];
    let point =
        |it: &Rung| (f64::from(it.ply), ((it.nodes + 1) as f64 / it.solved.max(1) as f64).ln());
    let points = || rungs.iter().map(point);
    let count = rungs.len() as f64;
    let (x, y) = points().fold((0.0, 0.0), |(x, y), it| (x + it.0 / count, y + it.1 / count));
    let spread: f64 = points().map(|it| (it.0 - x).powi(2)).sum();
    let slope: f64 = points().map(|it| (it.0 - x) * (it.1 - y)).sum::<f64>() / spread.max(1e-9);
    (y + (-slope).clamp(GROWTH.0, GROWTH.1) * (x - f64::from(ply))).exp()
}

/// The processor time of this process up to now, on systems that report it.
fn processor_time() -> Option<Duration> {
    /// Linux counts in hundredths of a second, whatever its own clock.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the name in parentheses, which may have spaces. Fields 14 and 15 are the
    // user time and the system time.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()? + ticks()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook_solver::Size;

    #[test]
    fn games_are_open_and_two_stones_further_with_each_rung() {
        let size: Size = "7x6".parse().unwrap();
        let root = Position::empty(size);
        let rungs = later(&[root; 1000], size.cells(), 0);
        assert_eq!(rungs.len(), 13);
        for (step, rung) in rungs.iter().enumerate() {
            assert!(rung.len() >= FEWEST as usize);
            for position in rung {
                assert_eq!(position.ply() as usize, 2 * (step + 1));
                assert_eq!(position.score_by_rules(), None);
            }
        }
        let small: Size = "4x4".parse().unwrap();
        assert!(later(&[Position::empty(small)], small.cells(), 0).is_empty());
    }

    #[test]
    fn the_line_goes_through_rungs_and_beyond_them() {
        let rung = |ply: u32, nodes| Rung { ply, solved: 100, nodes, seconds: 1.0 };
        // Three times the nodes with each two stones less.
        let rungs = [rung(20, 100_000), rung(18, 300_000), rung(16, 900_000)];
        for (ply, nodes) in [(20, 1e3), (16, 9e3), (14, 27e3), (8, 729e3)] {
            let found = nodes_at(&rungs, ply);
            assert!((found / nodes - 1.0).abs() < 1e-3, "ply {ply}: {found}");
        }
        // One rung has the usual growth, and a strange one counts for little.
        assert!((2.5..3.5).contains(&(nodes_at(&rungs[..1], 18) / 1e3)));
        let strange = [rung(20, 100_000), rung(18, 100)];
        assert!(nodes_at(&strange, 8) > nodes_at(&strange, 20));
    }
}
