//! Runs what threads share without locks in every order that the memory model allows: the buckets of
//! the transposition table for 128-bit keys, and the windows of a search by several threads.
//!
//! The modules are the solver's, over loom's atomic operations in place of the standard library's. The
//! rest of the solver is left out.

#![allow(dead_code, unreachable_pub)]

mod board {
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Position;
}

mod limits {
    #[derive(Debug)]
    pub(crate) struct Budget;
}

#[path = "../../../solver/src/parallel/abdada.rs"]
mod abdada;
mod sync;
mod table;
mod windows;

/// The most times that a thread is interrupted in an order; two find nearly all faults.
const INTERRUPTIONS: usize = 2;

/// Runs `model` in every order of its threads.
fn in_every_order(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(INTERRUPTIONS);
    builder.max_branches = 100_000;
    builder.check(model);
}

fn main() {
    table::run();
    windows::run();
    println!("buckets and windows hold in every order of their threads");
}
