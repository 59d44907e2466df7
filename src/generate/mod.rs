//! Generates a book: solves every position of the deepest ply, and derives the shallower plies.
//!
//! [`run`] makes the book of a [`Plan`]. A checkpoint beside the book's file keeps every solved
//! position, so a run may be interrupted at any time, and the next run of the same plan resumes.
//!
//! Several machines can share the work: [`solve_shard`] solves one [shard](Shard) of the deepest
//! ply and writes a part, and [`merge()`] combines all [parts](Parts) into the book that [`run`]
//! would have made.
//!
//! # Memory
//!
//! A set of slots takes one bit for each slot of each ply. A whole book or a merge keeps two such
//! sets, a shard one. Ply 14 of 7x6 has 46 million slots, 23 million of them with a position to
//! solve: 24 MB for a book, 9 MB for a shard. While positions are solved, their scores take one byte
//! each. Then they take one byte a slot, and so do the shallower plies: 75 MB for ply 14. A merge
//! needs as much memory as a run without its transposition table.

mod checkpoint;
mod error;
mod estimate;
mod log;
mod merge;
mod part;
mod plan;
mod report;
mod run;
mod shard;
mod workers;

pub use crate::enumerate::PlyCounts;
pub use error::GenerateError;
pub use estimate::{Estimate, Work, estimate};
pub(crate) use log::{Header, Log, PIECE};
pub use merge::Parts;
pub use plan::Plan;
pub use report::{Effort, PlyReport, Report};
pub use run::{Solved, merge, run, solve_shard};
pub use shard::Shard;

use fourbook_solver::ValueKind;

/// The end of the names of files with such values.
pub(crate) const fn file_suffix(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Scores => "",
        ValueKind::WinDrawLoss => "-wdl",
    }
}
