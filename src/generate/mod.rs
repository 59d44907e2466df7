//! Generating a book: the deepest ply is solved, position by position, and all
//! shallower plies follow from it.
//!
//! [`run`] makes the scores of all plies of a book, in the form that a book is
//! written from. What has been solved is kept in a [checkpoint] beside the
//! book's file from the first position on, so a run may be interrupted in any
//! way, and the next run of the same plan goes on.
//!
//! Several machines can share the work: [`solve_shard`] solves one
//! [shard](Shard) of the deepest ply and writes a part, and [`merge`] makes of
//! all [parts](Parts) what [`run`] makes alone.
//!
//! # Memory
//!
//! Positions are counted and remembered by bits, one for each slot of each ply:
//! two when a whole book is made or merged, one for a shard. On 7x6 a slot
//! in two is a position to solve at ply 14, so that is about 5 bits a position
//! in memory. Scores take a byte a slot, or a byte a position of the shard; they
//! are in the mapped file of the checkpoint, whose pages the system may drop.
//! The shallower plies, a byte a slot, are in memory when they are derived.

mod audit;
pub mod checkpoint;
pub(crate) mod derive;
mod estimate;
mod memory;
mod merge;
mod plan;
pub mod progress;
mod report;
mod run;
mod sample;
mod sealed;
mod shard;
mod workers;

#[doc(no_inline)]
pub use crate::scores::ValueKind;
pub use estimate::{Estimate, Sample, estimate};
pub use memory::Memory;
pub use merge::{MergeError, PartProblem, Parts};
pub use plan::{Needs, Plan, PlanError};
pub use progress::{Event, Progress};
pub use report::{OutcomeCounts, PlyReport, Report};
pub use shard::{
    PartError, PartHeader, PartIdentity, Shard, ShardError, Solved, solve as solve_shard,
};

use crate::enumerate::PlyError;
use crate::mapping::FrozenScores;
use crate::scores::PlyScores;
use crate::solver::{STACK_BYTES, TableError};
use checkpoint::{Arguments, Checkpoint, CheckpointError};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why nothing was generated.
///
/// Each text says the cause too, where the system has named one.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The file of a part cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// Parts make no book.
    #[error(transparent)]
    Merge(Box<MergeError>),
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The positions cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {cause}; choose fewer")]
    Threads {
        /// How many.
        threads: usize,
        /// What went wrong.
        cause: ThreadPoolBuildError,
    },
    /// The run was cancelled. What has been solved is in the checkpoint.
    #[error("{}", interruption(checkpoint, *solved))]
    Interrupted {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// How many positions of the deepest ply are solved, and how many
        /// there are, if the run came so far as to count them.
        solved: Option<(u64, u64)>,
    },
    /// Estimating was cancelled; there is nothing to keep.
    #[error("interrupted")]
    Cancelled,
    /// All has been done but positions lack a score: a fault of the program, or
    /// another program has written to the checkpoint.
    #[error(
        "{solved} of {stored} positions are solved though all should be: the checkpoint '{}' was changed by another program, or this one is at fault; remove the checkpoint to start anew",
        checkpoint.display()
    )]
    Incomplete {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// Positions that have a score.
        solved: u64,
        /// Positions that need one.
        stored: u64,
    },
}

fn interruption(checkpoint: &Path, solved: Option<(u64, u64)>) -> String {
    let checkpoint = checkpoint.display();
    match solved {
        Some((solved, stored)) => {
            format!(
                "interrupted: {solved} of {stored} positions are solved and kept in '{checkpoint}'"
            )
        }
        None => format!("interrupted before solving; '{checkpoint}' is as it was"),
    }
}

/// The scores of all plies of a book.
#[derive(Debug)]
pub struct Generated {
    depth: u32,
    /// The deepest ply, in the checkpoint's file.
    deepest: FrozenScores,
    /// The stored plies above, from the deeper to the shallower.
    shallower: Vec<(u32, Vec<u8>)>,
    report: Report,
    checkpoint: PathBuf,
}

impl Generated {
    /// The scores of the plies that a book stores: the deepest one and every
    /// second above it, in this order.
    #[must_use]
    pub fn plies(&self) -> Vec<PlyScores<'_>> {
        let deepest = PlyScores { ply: self.depth, bytes: &self.deepest };
        let shallower = self.shallower.iter().map(|(ply, bytes)| PlyScores { ply: *ply, bytes });
        std::iter::once(deepest).chain(shallower).collect()
    }

    /// How it was made.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Removes the checkpoint, when the book has been written.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be removed.
    pub fn remove_checkpoint(self) -> Result<Report, CheckpointError> {
        // Not every system removes a file that is mapped.
        drop(self.deepest);
        checkpoint::remove(&self.checkpoint)?;
        Ok(self.report)
    }
}

/// Generates what `plan` says, or goes on where a run before was interrupted.
///
/// Setting `cancel` stops it; so does the end of the process, in whatever way,
/// since what has been solved is kept. The result is the same for any number
/// of threads and any interruptions.
///
/// # Errors
///
/// If the plan fails its [checks](Plan::check), its checkpoint cannot be used,
/// the system lacks something, or the run was cancelled.
///
/// ```no_run
/// use fourbook::board::Size;
/// use fourbook::generate::{self, Event, Plan, ValueKind};
/// let plan = Plan {
///     size: Size::STANDARD,
///     depth: 8,
///     kind: ValueKind::Scores,
///     threads: 2,
///     table_bytes: 1 << 30,
///     out: "7x6-d8.book".into(),
/// };
/// let generated = generate::run(&plan, &|_: &Event| (), &Default::default())?;
/// for scores in generated.plies() {
///     println!("ply {}: {} slots", scores.ply, scores.bytes.len());
/// }
/// generated.remove_checkpoint()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    plan: &Plan,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Generated, GenerateError> {
    start(plan, None, progress, cancel)
}

/// Makes of all parts of a book what [`run`] makes alone. What is to be made of
/// them, [`Parts::plan`] says.
///
/// It can be interrupted as a run can; the same call does it anew. A run of the
/// same plan goes on with what has been merged, too.
///
/// # Errors
///
/// As [`run`]; and if a part has changed since the parts were found.
///
/// ```no_run
/// use fourbook::generate::{self, Event, Parts};
/// let parts = Parts::find("parts")?;
/// let plan = parts.plan("7x6-d12.book".into(), 2);
/// let generated = generate::merge(&parts, &plan, &|_: &Event| (), &Default::default())?;
/// println!("{} plies", generated.plies().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(
    parts: &Parts,
    plan: &Plan,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Generated, GenerateError> {
    start(plan, Some(parts), progress, cancel)
}

fn start(
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
    plan.size.dispatch(run::Run { plan, progress, cancel, folder, checkpoint, pool, parts })
}

/// Threads that can solve.
fn start_threads(threads: usize) -> Result<ThreadPool, GenerateError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("solver-{index}"))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|cause| GenerateError::Threads { threads, cause })
}
