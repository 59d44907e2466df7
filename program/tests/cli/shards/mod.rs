//! Shards of a book, their parts, and merging them.

mod killing;
mod merging;
mod planning;
mod support;
