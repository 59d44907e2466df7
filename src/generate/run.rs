//! One run, from counting positions to the book and its report.

use super::audit::stands_for_one_of;
use super::checkpoint::{self, Checkpoint, Effort};
use super::error::{GenerateError, io_error};
use super::merge::{Parts, impossible};
use super::plan::Plan;
use super::report::{OutcomeCounts, PlyReport, Report};
use super::workers::{Run, start_threads};
use crate::book::{BookContents, Provenance, StoredPlies};
use crate::derive::derive_plies;
use crate::enumerate::{Reachable, ReachablePly, depth_first};
use crate::files;
use crate::mapping::FrozenScores;
use crate::memory::Memory;
use crate::progress::{Progress, Step};
use crate::scores::PlyScores;
use rayon::ThreadPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The scores of all plies of a book that is not written yet.
#[doc(hidden)]
#[derive(Debug)]
pub struct Generated {
    plan: Plan,
    pool: ThreadPool,
    /// The deepest ply, in the checkpoint's file.
    deepest: FrozenScores,
    /// The stored plies above, from the deeper to the shallower.
    shallower: Vec<(u32, Vec<u8>)>,
    /// How it was made.
    pub report: Report,
}

impl Generated {
    /// The scores of the plies that a book stores: the deepest one and every
    /// second above it, in this order.
    #[must_use]
    pub fn plies(&self) -> Vec<PlyScores<'_>> {
        let deepest = PlyScores { ply: self.plan.depth, bytes: &self.deepest };
        let shallower = self.shallower.iter().map(|(ply, bytes)| PlyScores { ply: *ply, bytes });
        std::iter::once(deepest).chain(shallower).collect()
    }

    /// Writes the book, removes the checkpoint and writes the report.
    ///
    /// # Errors
    ///
    /// If one of the files cannot be written or removed.
    pub fn write(self, progress: &dyn Progress) -> Result<Report, GenerateError> {
        let Plan { size, depth, kind, encoding, ref out, .. } = self.plan;
        let provenance = Provenance::generated(size, depth, kind, encoding);
        self.pool.install(|| {
            let plies = &self.plies();
            // The transposition table is gone.
            let memory = Some(self.plan.table_bytes as u64);
            let contents =
                BookContents { size, kind, encoding, flat_to: None, plies, provenance, memory };
            contents.write_file(out, progress)
        })?;
        // Not every system removes a file that is mapped.
        drop(self.deepest);
        checkpoint::remove(&self.plan.checkpoint_folder())?;
        let json = serde_json::to_string_pretty(&self.report).expect("a report has text for keys");
        let path = self.plan.report_file();
        files::replace(&path, |file| writeln!(file, "{json}"))
            .map_err(io_error("write the report of the complete book to", &path))?;
        Ok(self.report)
    }
}

/// Generates a book, or resumes an interrupted run of the same plan: solves the deepest ply,
/// derives the others, writes the book and its report, and removes the checkpoint.
///
/// Setting `cancel` stops it. However the process ends, solved positions are kept. The
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
/// let report = generate::run(&plan, &(), &Default::default())?;
/// let book = Book::open(&plan.out)?;
/// println!("{} nodes for a book to ply {}", report.solving.nodes, book.depth());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    plan: &Plan,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Report, GenerateError> {
    scores(plan, None, progress, cancel)?.write(progress)
}

/// Makes the book that [`run`] makes from the parts of its shards. The plan is that of
/// [`Parts::plan`].
///
/// It can be interrupted; the same call then starts again. [`run`] with the same plan
/// would solve what has not been merged yet.
///
/// # Errors
///
/// As [`run`]; and if a part has changed since the parts were found.
///
/// ```no_run
/// use fourbook::generate::{self, Parts};
/// let parts = Parts::find("parts", &())?;
/// let plan = parts.plan("7x6-d12.book".into(), 2);
/// generate::merge(&parts, &plan, &(), &Default::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(
    parts: &Parts,
    plan: &Plan,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Report, GenerateError> {
    scores(plan, Some(parts), progress, cancel)?.write(progress)
}

/// The scores of a book, solved or read from parts.
#[doc(hidden)]
pub fn scores(
    plan: &Plan,
    parts: Option<&Parts>,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Generated, GenerateError> {
    let needs = plan.check()?;
    let identity = plan.part(None, needs.slots, 0..needs.slots);
    let checkpoint = Checkpoint::open(&plan.checkpoint_folder(), &identity)?;
    let run = Run { plan, progress, cancel, pool: start_threads(plan.threads)? };
    let started = Instant::now();
    let reachable = explore(&run)?;
    let counted = started.elapsed();
    let Plan { size, depth, kind, .. } = *plan;
    let ply = reachable.deepest();
    let stored = ply.counts.stored;
    let solving = match parts {
        Some(parts) => collect(&run, &checkpoint, parts, ply)?,
        None => run.solve(&checkpoint, Some(ply), stored, || Ok(depth_first(size, depth)?))?,
    };
    let started = Instant::now();
    let deepest = checkpoint.freeze();
    let (from, kept) = ((&*deepest, kind), StoredPlies::every_second(depth));
    let check = |_: &_, _: &_| run.check_cancelled(Some((stored, stored)));
    let shallower =
        run.pool.install(|| derive_plies(&reachable, from, kept, run.progress, check))?;
    let report = |ply: u32, bytes: &[u8]| PlyReport {
        ply,
        counts: reachable.ply(ply).counts,
        outcomes: OutcomeCounts::of(PlyScores { ply, bytes }),
    };
    let plies = run.pool.install(|| {
        let shallower = shallower.iter().map(|(ply, bytes)| report(*ply, bytes));
        std::iter::once(report(depth, &deepest)).chain(shallower).collect()
    });
    let report = Report {
        program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        size: size.to_string(),
        depth,
        kind,
        threads: plan.threads,
        table_bytes: plan.table_bytes,
        shards: parts.map(Parts::number),
        memory_bytes: Memory::now().total,
        solving,
        peak_memory_bytes: Memory::peak(),
        other_milliseconds: (counted + started.elapsed()).as_millis() as u64,
        plies,
    };
    let (plan, pool) = (plan.clone(), run.pool);
    Ok(Generated { plan, pool, deepest, shallower, report })
}

/// Finds the positions of all plies.
fn explore(run: &Run<'_>) -> Result<Reachable, GenerateError> {
    let mut reachable = Reachable::root(run.plan.size);
    for ply in 1..=run.plan.depth {
        run.check_cancelled(None)?;
        run.pool.install(|| reachable.explore_to(ply, run.progress))?;
    }
    Ok(reachable)
}

/// Reads the scores of all parts into the checkpoint.
fn collect(
    run: &Run<'_>,
    checkpoint: &Checkpoint,
    parts: &Parts,
    deepest: &ReachablePly,
) -> Result<Effort, GenerateError> {
    let stored = deepest.counts.stored;
    parts.check_number(stored)?;
    let Plan { size, depth, kind, .. } = *run.plan;
    let possible = kind.possible_values(size, depth);
    let scores = checkpoint.scores();
    let mut order = depth_first(size, depth)?;
    run.progress.begin(Step::Merge, parts.number().into());
    for part in parts.read() {
        if run.cancel.load(Ordering::Relaxed) {
            break;
        }
        part?.read_scores(|block| {
            for (&byte, (slot, _)) in block.iter().zip(&mut order) {
                if !stands_for_one_of(&possible, byte) {
                    return Err(impossible(byte));
                }
                scores[slot as usize].store(byte, Ordering::Relaxed);
            }
            Ok(())
        })?;
        run.progress.advance(1);
    }
    run.check_complete(checkpoint, Some(deepest), stored)?;
    Ok(parts.effort())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::DepthFirst;
    use crate::generate::{Shard, solve_shard};
    use std::path::Path;
    use std::sync::Mutex;

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
        fn begin(&self, step: Step, total: u64) {
            self.steps.lock().unwrap().push((step, total, 0));
            self.advance(0);
        }

        fn advance(&self, units: u64) {
            let mut steps = self.steps.lock().unwrap();
            let (step, _, done) = steps.last_mut().unwrap();
            *done += units;
            if matches!(step, Step::SolveAll { .. }) && self.cancel_at.is_some_and(|at| *done >= at)
            {
                self.cancel.store(true, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn every_unit_of_every_step_is_told_also_of_a_resumed_run() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "4x4", 6);
        let first = Recorder { cancel_at: Some(20), ..Recorder::default() };
        let Err(GenerateError::Interrupted { solved: Some((solved, stored)), .. }) =
            run(&plan, &first, &first.cancel)
        else {
            panic!("it was cancelled")
        };
        assert!((20..stored).contains(&solved), "{solved} of {stored}");
        let second = Recorder::default();
        scores(&plan, None, &second, &second.cancel).unwrap();
        let steps = second.steps.into_inner().unwrap();
        assert_eq!(steps.len(), 6 + 1 + 6);
        assert!(steps.contains(&(Step::SolveAll { ply: 6, found: solved }, stored, stored)));
        assert!(steps.iter().all(|&(_, total, done)| total == done), "{steps:?}");
    }

    /// Boards that can be solved fit 64 bits; the word of larger ones gives the same for them.
    #[test]
    fn the_deepest_ply_is_the_same_in_the_word_of_larger_boards() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "4x4", 7);
        let cancel = Arc::default();
        let narrow = scores(&plan, None, &(), &cancel).unwrap();
        let expected = narrow.deepest.to_vec();
        narrow.write(&()).unwrap();
        for file in [&plan.out, &plan.report_file()] {
            std::fs::remove_file(file).unwrap();
        }
        let folder = plan.checkpoint_folder();
        let slots = plan.check().unwrap().slots;
        let identity = plan.part(None, slots, 0..slots);
        let checkpoint = Checkpoint::open(&folder, &identity).unwrap();
        let pool = start_threads(2).unwrap();
        let run = Run { plan: &plan, progress: &(), cancel: &cancel, pool };
        let reachable = explore(&run).unwrap();
        let (ply, order) = (reachable.deepest(), DepthFirst::<u128>::new(plan.size, plan.depth));
        let order = || Ok(Box::new(order?.map(|(slot, board)| (slot, board.widen()))) as _);
        run.solve(&checkpoint, Some(ply), ply.counts.stored, order).unwrap();
        assert!(*checkpoint.freeze() == *expected);
    }

    /// 10x10 cannot be solved. Everything around the solving works, and the run is interrupted at
    /// once.
    #[test]
    fn boards_of_more_than_64_bits_are_enumerated_and_divided() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "10x10", 4);
        let recorder = Recorder { cancel_at: Some(0), ..Recorder::default() };
        let error = run(&plan, &recorder, &recorder.cancel).unwrap_err();
        let GenerateError::Interrupted { solved: Some((0, stored)), .. } = error else {
            panic!("{error}")
        };
        let shard = Shard::new(1, 3).unwrap();
        let plan = Plan { out: folder.path().join("test.part"), ..plan };
        recorder.cancel.store(false, Ordering::Relaxed);
        let error = solve_shard(&plan, shard, &recorder, &recorder.cancel).unwrap_err();
        let GenerateError::Interrupted { solved: Some((0, of_shard)), .. } = error else {
            panic!("{error}")
        };
        assert!(of_shard.abs_diff(stored / 3) <= 1, "{of_shard} of {stored}");
    }
}
