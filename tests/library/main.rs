//! Tests the public library against results that were found without it.

mod book;
mod bot;
mod cancel;
mod common;
mod exchange;
mod fuzz_seeds;
mod generate;
mod level;
mod minimax;
mod mirror;
mod notation;
mod numbering;
mod parallel;
mod python_reader;
mod refused;
mod shards;
mod sizes;
mod solver;
mod strategy;
mod truth;
mod wide;
