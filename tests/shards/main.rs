//! Shards of a book, their parts, and merging them, as users run it.

#[path = "../common/mod.rs"]
mod common;

mod dividing;
mod engines;
mod killing;
mod merging;
mod support;
