//! Generating a book: the deepest ply is solved, position by position, and all
//! shallower plies follow from it.

mod memory;
mod plan;

pub use memory::Memory;
pub use plan::{Needs, Plan, PlanError, ScoreKind};
