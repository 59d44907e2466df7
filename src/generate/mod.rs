//! Generating a book: the deepest ply is solved, position by position, and all
//! shallower plies follow from it.
//!
//! [`run`] makes a book by a [`Plan`]. What has been solved is kept in a [checkpoint] beside
//! the book's file from the first position on, so a run may be interrupted in any
//! way, and the next run of the same plan resumes it.
//!
//! Several machines can share the work: [`solve_shard`] solves one
//! [shard](Shard) of the deepest ply and writes a part, and [`merge()`] combines
//! all [parts](Parts) into the same book that [`run`] makes alone.
//!
//! # Memory
//!
//! Positions are counted and remembered by bits, one for each slot of each ply:
//! two when a whole book is made or merged, one for a shard. At ply 14 of 7x6, of
//! which 23 of 46 million slots are positions to solve, that is 24 MB for a book,
//! 8 bits a position, and 9 MB for a shard, 3 bits a position of the whole ply.
//! Scores take a byte a slot, or a byte a position of the shard; they are in the
//! mapped file of the checkpoint, whose pages the system may drop. When the
//! shallower plies are derived, they are in memory, a byte a slot: 29 MB then.
//! Merging takes what making a book takes, less the transposition table.

mod audit;
pub mod checkpoint;
mod error;
mod estimate;
mod merge;
mod plan;
mod report;
mod run;
mod sample;
mod shard;
mod workers;

pub use crate::enumerate::{PlyCounts, PlyError};
#[doc(no_inline)]
pub use crate::scores::ValueKind;
pub use error::GenerateError;
pub use estimate::{Estimate, Sample, estimate};
pub use merge::Parts;
pub use plan::{Needs, Plan};
pub use report::{OutcomeCounts, PlyReport, Report};
pub use shard::{Folder, PartBytes, PartError, PartStore, Shard, Solved, solve as solve_shard};
#[doc(hidden)]
pub use shard::{FoundPart, PartHeader, PartIdentity, find_part};

use crate::board::with_word;
use crate::book::{BookContents, Provenance};
use crate::files;
use crate::mapping::FrozenScores;
use crate::progress::Progress;
use crate::scores::PlyScores;
use crate::solver::STACK_BYTES;
use checkpoint::{Arguments, Checkpoint};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    report: Report,
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

    /// How it was made.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
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
            let contents = BookContents { size, kind, encoding, flat_to: None, plies, provenance };
            contents.write_file(out, progress)
        })?;
        // Not every system removes a file that is mapped.
        drop(self.deepest);
        checkpoint::remove(&self.plan.checkpoint_folder())?;
        let json = serde_json::to_string_pretty(&self.report).expect("a report has text for keys");
        let path = self.plan.report_file();
        files::replace(&path, |file| writeln!(file, "{json}"))
            .map_err(|source| GenerateError::Report { path, source })?;
        Ok(self.report)
    }
}

/// Generates a book, or resumes an interrupted run of the same plan: solves the deepest ply,
/// derives the others, writes the book and its report, and removes the checkpoint.
///
/// Setting `cancel` stops it. However the process ends, what has been solved is kept. The
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
/// let parts = Parts::find("parts")?;
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
    let folder = plan.checkpoint_folder();
    let arguments = Arguments::new(plan.size, plan.depth, plan.kind, needs.slots);
    let checkpoint = Checkpoint::open(&folder, &arguments)?;
    let pool = start_threads(plan.threads)?;
    let run = run::Generation { plan, progress, cancel, folder, checkpoint, pool, parts };
    with_word!(plan.size, B => run.run::<B>())
}

/// Threads that can solve.
fn start_threads(threads: usize) -> Result<ThreadPool, GenerateError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("solver-{index}"))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|source| GenerateError::Threads { threads, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Step;
    use std::path::Path;
    use std::sync::Mutex;
    use std::sync::atomic::Ordering;

    fn plan(folder: &Path, size: &str, depth: u32) -> Plan {
        let (threads, table_bytes, out) = (2, 1 << 20, folder.join("test.book"));
        Plan { threads, table_bytes, out, ..Plan::new(size.parse().unwrap(), depth) }
    }

    /// Writes down the steps, their totals and what was done of each; cancels when so many
    /// positions are solved.
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
    fn a_book_is_the_same_in_the_word_of_larger_boards() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "4x4", 7);
        let cancel = Arc::default();
        let plies = |generated: &Generated| -> Vec<Vec<u8>> {
            generated.plies().iter().map(|scores| scores.bytes.to_vec()).collect()
        };
        let narrow = scores(&plan, None, &(), &cancel).unwrap();
        let expected = plies(&narrow);
        narrow.write(&()).unwrap();
        for file in [&plan.out, &plan.report_file()] {
            std::fs::remove_file(file).unwrap();
        }
        let folder = plan.checkpoint_folder();
        let slots = plan.check().unwrap().slots;
        let arguments = Arguments::new(plan.size, plan.depth, plan.kind, slots);
        let checkpoint = Checkpoint::open(&folder, &arguments).unwrap();
        let pool = start_threads(plan.threads).unwrap();
        let wide = run::Generation {
            plan: &plan,
            progress: &(),
            cancel: &cancel,
            folder,
            checkpoint,
            pool,
            parts: None,
        };
        assert!(plies(&wide.run::<u128>().unwrap()) == expected);
    }

    /// Nobody can solve 10x10, but all around that works, and is interrupted at once.
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
