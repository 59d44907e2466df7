//! One run, from counting positions to the book and its report, or to the part of a shard.

use super::checkpoint::Checkpoint;
use super::error::GenerateError;
use super::log::Log;
use super::merge::Parts;
use super::part::{Part, PartHeader};
use super::plan::Plan;
use super::report::{Effort, PlyReport, Report};
use super::shard::Shard;
use super::workers::Run;
use crate::book::{BookContents, BookError, Provenance, every_second_ply};
use crate::derive::derive_plies;
use crate::enumerate::Reachable;
use crate::files::{self, folder_of};
use crate::memory::Memory;
use crate::progress::{Progress, Step};
use crate::scores::ABSENT;
use fourbook_solver::text::with_causes;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Generates a book, or resumes an interrupted run of the same plan: solves the deepest ply,
/// derives the others, writes the book and its report, and removes the checkpoint.
///
/// Setting the flag of `progress` stops it. However the process ends, solved positions are kept. The
/// book is the same for any number of threads and any interruptions.
///
/// # Errors
///
/// If the plan fails its [checks](Plan::check), its checkpoint cannot be used, a file cannot be
/// written, the system lacks something, or the run was cancelled.
///
/// ```no_run
/// use fourbook::generate::{self, Plan};
/// use fourbook::{Book, Size};
/// let plan = Plan::new(Size::STANDARD, 8);
/// let report = generate::run(&plan, &())?;
/// let book = Book::open(&plan.out)?;
/// println!("{} nodes for a book to ply {}", report.solving.nodes, book.depth());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(plan: &Plan, progress: &dyn Progress) -> Result<Report, GenerateError> {
    plan.check()?;
    let run = Run::start(plan, progress)?;
    let all = Shard::WHOLE;
    let log = Log::lock(&plan.checkpoint_file(), &plan.part(all, 0, 0..0))?;
    let (reachable, counted) = explore(&run)?;
    let stored = reachable.deepest().counts.stored;
    let mut checkpoint = Checkpoint::open(log, plan.part(all, stored, 0..stored))?;
    let effort = run.solve(&checkpoint)?;
    let solved = Some((stored, stored));
    let scores = [Ok(checkpoint.take_scores())];
    let report = make(&run, &reachable, counted, (scores, solved), effort, None)?;
    checkpoint.log.remove()?;
    Ok(report)
}

/// Makes the book that [`run`] makes from the parts of its shards. The plan is that of
/// [`Parts::plan`].
///
/// After an interruption, the same call starts again.
///
/// # Errors
///
/// As [`run`]; and if a part has changed since the parts were found.
///
/// ```no_run
/// use fourbook::generate::{self, Parts};
/// let parts = Parts::find("parts", &())?;
/// let plan = parts.plan("7x6-d12.book".into(), 2);
/// generate::merge(&parts, &plan, &())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(parts: &Parts, plan: &Plan, progress: &dyn Progress) -> Result<Report, GenerateError> {
    plan.check()?;
    let run = Run::start(plan, progress)?;
    let (reachable, counted) = explore(&run)?;
    parts.check_number(reachable.deepest().counts.stored)?;
    let number = Some(parts.number());
    make(&run, &reachable, counted, (parts.scores(), None), parts.effort(), number)
}

/// A shard that is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The file of its part.
    pub path: PathBuf,
    /// The positions of the shard, by their numbers, from 0, in the order that is divided.
    pub range: Range<u64>,
    /// The work spent on the part.
    pub effort: Effort,
    /// Whether it had been solved before, so that nothing was left to do.
    pub was_there: bool,
}

/// Solves a shard of a plan and writes its part to the file `plan.out`, whose folder is made if it
/// does not exist. An interrupted run
/// is resumed, as [`run`] does. A part that is there already is left
/// as it is; a damaged one is replaced.
///
/// # Errors
///
/// As [`run`]; and if the file is something else than
/// this shard's part.
///
/// ```no_run
/// use fourbook::Size;
/// use fourbook::generate::{self, Plan, Shard};
/// let shard = Shard::new(2, 4)?;
/// let plan = Plan::new(Size::STANDARD, 12);
/// let out = shard.file_name(plan.size, plan.depth, plan.kind).into();
/// let plan = Plan { out, ..plan };
/// let solved = generate::solve_shard(&plan, shard, &())?;
/// println!("{} positions in {}", solved.range.count(), solved.path.display());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_shard(
    plan: &Plan,
    shard: Shard,
    progress: &dyn Progress,
) -> Result<Solved, GenerateError> {
    let wanted = plan.part(shard, 0, 0..0);
    let solved = |part: PartHeader, was_there| Solved {
        path: plan.out.clone(),
        range: part.identity.range(),
        effort: part.effort,
        was_there,
    };
    let find = |warn: &dyn Fn(&GenerateError)| match Part::find(&plan.out, &wanted) {
        Err(damage @ GenerateError::DamagedPart { .. }) => {
            warn(&damage);
            Ok(None)
        }
        found => found,
    };
    let warn = |damage: &GenerateError| tracing::warn!("{}; that is done now", with_causes(damage));
    // A run that was killed after it wrote the part has left its checkpoint.
    if let Some(part) = find(&warn)?
        && !plan.checkpoint_file().exists()
    {
        return Ok(solved(part, true));
    }
    // A plan that cannot be makes no folder.
    plan.slots()?;
    let folder = folder_of(&plan.out);
    fs::create_dir_all(folder).map_err(BookError::io("create the folder", folder))?;
    plan.check_machine(&|plan| plan.shard_needs(0))?;
    let run = Run::start(plan, progress)?;
    let log = Log::lock(&plan.checkpoint_file(), &wanted)?;
    if let Some(part) = find(&|_| ())? {
        log.remove()?;
        return Ok(solved(part, true));
    }
    let identity = match log.found {
        Some(identity) => identity,
        None => {
            let positions = run.count()?;
            plan.part(shard, positions, shard.range(positions))
        }
    };
    plan.check_machine(&|plan| plan.shard_needs(identity.count))?;
    let checkpoint = Checkpoint::open(log, identity)?;
    let effort = run.solve(&checkpoint)?;
    Ok(solved(checkpoint.finish(effort, &plan.out)?, false))
}

/// Finds the positions of all plies, and says how long that took.
fn explore(run: &Run<'_>) -> Result<(Reachable, Duration), GenerateError> {
    let started = Instant::now();
    let mut reachable = Reachable::root(run.plan.size);
    let explored = run.pool.install(|| reachable.explore_to(run.plan.depth, run.progress));
    run.interruptible(None, explored)?;
    Ok((reachable, started.elapsed()))
}

/// Puts the scores of all parts into their slots, derives the shallower plies, and writes the book
/// and its report. An interruption reports how many positions are `solved` and kept.
fn make(
    run: &Run<'_>,
    reachable: &Reachable,
    counted: Duration,
    (parts, solved): (impl IntoIterator<Item = Result<Vec<u8>, GenerateError>>, Option<(u64, u64)>),
    solving: Effort,
    shards: Option<u32>,
) -> Result<Report, GenerateError> {
    let started = Instant::now();
    let Plan { size, depth, kind, encoding, table_bytes, ref out, .. } = *run.plan;
    run.progress.begin(Step::Merge, 0, shards.unwrap_or(1).into());
    let mut deepest = vec![ABSENT; reachable.deepest().ranking.slots as usize];
    let mut order = run.order(depth)?;
    for scores in parts {
        for (score, (slot, _)) in scores?.into_iter().zip(&mut order) {
            deepest[slot as usize] = score;
        }
        run.progress.advance(1);
        run.check_cancelled(solved)?;
    }
    drop(order);
    let kept = &every_second_ply(depth);
    let plies = run.pool.install(|| {
        derive_plies(reachable, (deepest, kind), kept, run.progress, |_: &_, _: &_| Ok(()))
    });
    let plies = run.interruptible(solved, plies)?;
    let counts = run.pool.install(|| {
        let deepest_first = plies.iter().rev();
        deepest_first
            .map(|ply| PlyReport::new(reachable.ply(ply.ply).counts, ply, run.progress))
            .collect()
    });
    let report = Report {
        program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        size,
        depth,
        kind,
        threads: run.plan.thread_count(),
        table_bytes,
        shards,
        memory_bytes: Memory::now().total,
        solving,
        peak_memory_bytes: Memory::peak(),
        plies: run.interruptible(solved, counts)?,
        other_milliseconds: (counted + started.elapsed()).as_millis() as u64,
    };
    let provenance = Provenance::generated(size, depth, kind, encoding);
    // The transposition table is gone.
    let memory = Some(table_bytes as u64);
    let contents = BookContents { size, kind, encoding, plies, provenance, memory };
    let written = run.pool.install(|| contents.write_whole(out, run.plan.replace, run.progress));
    run.interruptible(solved, written)?;
    let json = serde_json::to_string_pretty(&report).expect("a report has text for keys");
    let path = run.plan.report_file();
    files::replace(&path, |file| writeln!(file, "{json}"))
        .map_err(BookError::io("write the report of the complete book to", &path))?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::solve_shard;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};

    fn plan(folder: &Path, size: &str, depth: u32) -> Plan {
        let (threads, table_bytes, out) = (2, 1 << 20, folder.join("test.book"));
        Plan { threads, table_bytes, out, ..Plan::new(size.parse().unwrap(), depth) }
    }

    /// Records steps, totals and progress; cancels after a given number of
    /// solved positions.
    #[derive(Default)]
    struct Recorder {
        steps: Mutex<Vec<(Step, u64, u64)>>,
        cancel: Arc<AtomicBool>,
        cancel_at: Option<u64>,
    }

    impl Progress for Recorder {
        fn begin(&self, step: Step, done: u64, total: u64) {
            self.steps.lock().unwrap().push((step, total, done));
            self.advance(0);
        }

        fn advance(&self, units: u64) {
            let mut steps = self.steps.lock().unwrap();
            let (step, _, done) = steps.last_mut().unwrap();
            *done += units;
            if matches!(step, Step::SolveAll(_)) && self.cancel_at.is_some_and(|at| *done >= at) {
                self.cancel.store(true, Ordering::Relaxed);
            }
        }

        fn cancel(&self) -> Option<&Arc<AtomicBool>> {
            Some(&self.cancel)
        }
    }

    #[test]
    fn every_unit_of_every_step_is_told_also_of_a_resumed_run() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "4x4", 6);
        let first = Recorder { cancel_at: Some(20), ..Recorder::default() };
        let Err(GenerateError::Interrupted { solved: Some((solved, stored)), .. }) =
            run(&plan, &first)
        else {
            panic!("it was cancelled")
        };
        assert!((20..stored).contains(&solved), "{solved} of {stored}");
        let second = Recorder::default();
        run(&plan, &second).unwrap();
        let steps = second.steps.into_inner().unwrap();
        // Enumerate, solve, merge, derive, encode.
        assert_eq!(steps.len(), 6 + 1 + 1 + 6 + 4);
        assert!(steps.contains(&(Step::SolveAll(6), stored, stored)));
        assert!(steps.iter().all(|&(_, total, done)| total == done), "{steps:?}");
    }

    /// 10x10 cannot be solved. Everything around the solving works, and the run is interrupted at
    /// once.
    #[test]
    fn boards_of_more_than_64_bits_are_enumerated_and_divided() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "10x10", 4);
        let recorder = Recorder { cancel_at: Some(0), ..Recorder::default() };
        let error = run(&plan, &recorder).unwrap_err();
        let GenerateError::Interrupted { solved: Some((0, stored)), .. } = error else {
            panic!("{error}")
        };
        let shard = Shard::new(1, 3).unwrap();
        let plan = Plan { out: folder.path().join("test.part"), ..plan };
        recorder.cancel.store(false, Ordering::Relaxed);
        let error = solve_shard(&plan, shard, &recorder).unwrap_err();
        let GenerateError::Interrupted { solved: Some((0, of_shard)), .. } = error else {
            panic!("{error}")
        };
        assert!(of_shard.abs_diff(stored / 3) <= 1, "{of_shard} of {stored}");
    }
}
