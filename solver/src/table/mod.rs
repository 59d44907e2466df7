//! The transposition table: what searches have already proved about positions.
//!
//! A table is shared by threads without locks, and never believes an entry that two
//! racing writes have mixed: [`narrow`] has one word an entry, for boards of up to 64
//! bits, [`wide`] several, in a [`bucket`] with a sequence lock, for all others. [`tiers`]
//! has a table for each tier of a computer's memory.

mod bucket;
mod entry;
mod memory;
mod narrow;
#[cfg(test)]
mod tests;
mod tiers;
mod wide;

pub(super) use entry::{Bounds, TableWord};
pub(super) use memory::Table;
pub use memory::TableError;
pub(super) use tiers::{Tables, Tiers, late};
