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
//! two when a whole book is made or merged, one for a shard. Ply 14 of 7x6 has 46 million
//! slots, 23 million of them with a position to solve. That takes 24 MB for a book,
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
#[doc(hidden)]
pub use run::{Generated, scores};
pub use run::{merge, run};
pub use shard::{Folder, PartBytes, PartStore, Shard, Solved, solve as solve_shard};
#[doc(hidden)]
pub use shard::{PartHeader, PartIdentity, find_part};
