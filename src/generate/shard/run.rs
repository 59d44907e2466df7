//! Solving one shard.

use super::cuts::{self, Profile};
use super::part::{self, PartHeader};
use super::{PartIdentity, Shard};
use crate::enumerate::{Order, depth_first};
use crate::generate::checkpoint::{self, Checkpoint};
use crate::generate::error::GenerateError;
use crate::generate::plan::Plan;
use crate::generate::sample::sample;
use crate::generate::workers::{Run, start_threads};
use crate::progress::Progress;
use fourbook_solver::text::with_causes;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Positions of earlier shards that are skipped between two looks at `cancel`.
const SKIPPED_AT_ONCE: u64 = 1 << 16;

/// A shard that is solved.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The file of its part.
    pub path: PathBuf,
    /// The header of the part, with the work spent on it.
    pub part: PartHeader,
    /// Whether it had been solved before, so that nothing was left to do.
    pub was_there: bool,
}

/// Solves a shard of a plan and writes its part to the file `plan.out`. An interrupted run
/// is resumed, as [`run`](crate::generate::run()) does. A part that is there already is left
/// as it is; a damaged one is replaced.
///
/// # Errors
///
/// As [`run`](crate::generate::run()); and if the file is something else than
/// this shard's part.
///
/// ```no_run
/// use fourbook::Size;
/// use fourbook::generate::{self, Plan, Shard};
/// let shard = Shard::new(2, 4)?;
/// let plan = Plan::new(Size::STANDARD, 12);
/// let out = shard.file_name(plan.size, plan.depth, plan.kind).into();
/// let plan = Plan { out, ..plan };
/// let solved = generate::solve_shard(&plan, shard, &(), &Default::default())?;
/// println!("{} positions in {}", solved.part.identity.count, solved.path.display());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    plan: &Plan,
    shard: Shard,
    progress: &dyn Progress,
    cancel: &Arc<AtomicBool>,
) -> Result<Solved, GenerateError> {
    if let Some(solved) = find(plan, shard, &|damage| {
        tracing::warn!("{}; that is done now", with_causes(damage));
    })? {
        return Ok(solved);
    }
    // Before anything is counted.
    check_machine(plan, 0)?;
    let run = Run { plan, progress, cancel, pool: start_threads(plan.threads)? };
    let folder = plan.checkpoint_folder();
    let identity = match checkpoint::purpose(&folder)? {
        // An earlier run has computed it.
        Some(found) if found.is_same_shard(&plan.part(Some(shard), 0, 0..0)) => found,
        _ => {
            let sample = sample(&run, plan.depth, cuts::MOST_KEPT)?;
            // Runs in the pool, whose threads have enough stack. One thread only: with more, the
            // nodes would differ from run to run.
            let profile = run.pool.install(|| Profile::measure(&run, &sample))?;
            plan.part(Some(shard), profile.positions, profile.range(shard))
        }
    };
    check_machine(plan, identity.count)?;
    let checkpoint = Checkpoint::open(&folder, &identity);
    // Another process may have come to its end just now.
    if let Some(solved) = find(plan, shard, &|_| ())? {
        return Ok(solved);
    }
    let checkpoint = checkpoint?;
    let effort = run.solve(&checkpoint, None, identity.count, || positions(&run, &identity))?;
    let path = plan.out.clone();
    let scores = checkpoint.freeze();
    let part = part::write(&path, identity, effort, &scores)?;
    drop(scores);
    checkpoint::remove(&folder)?;
    Ok(Solved { path, part, was_there: false })
}

/// The part, if it is there already; then its checkpoint is removed, as a run may have
/// ended between writing the one and removing the other.
fn find(
    plan: &Plan,
    shard: Shard,
    warn: &dyn Fn(&GenerateError),
) -> Result<Option<Solved>, GenerateError> {
    let path = plan.out.clone();
    let part = part::find(&path, plan, shard).or_else(|error| match error {
        GenerateError::DamagedPart { .. } => {
            warn(&error);
            Ok(None)
        }
        _ => Err(error),
    })?;
    let Some(part) = part else { return Ok(None) };
    let folder = plan.checkpoint_folder();
    if folder.is_dir()
        && let Err(error) = checkpoint::remove(&folder)
    {
        tracing::debug!("{}", with_causes(&error));
    }
    Ok(Some(Solved { path, part, was_there: true }))
}

/// Checks that this machine has the resources for a shard of `positions` positions.
fn check_machine(plan: &Plan, positions: u64) -> Result<(), GenerateError> {
    let needs = plan.shard_needs(positions)?;
    // The number of positions at another depth is unknown, so the number of slots stands for
    // it.
    plan.check_machine(&needs, &|plan| plan.shard_needs(plan.needs()?.slots))
}

/// The positions of the shard, numbered from 0.
fn positions(run: &Run<'_>, identity: &PartIdentity) -> Result<Order, GenerateError> {
    let mut order = depth_first(run.plan.size, run.plan.depth)?;
    for (skipped, _) in (0..identity.first).zip(&mut order) {
        if skipped % SKIPPED_AT_ONCE == 0 {
            run.check_cancelled(None)?;
        }
    }
    let visits = (0..).zip(order).take(identity.count as usize);
    Ok(Box::new(visits.map(|(place, (_, position))| (place, position))))
}
