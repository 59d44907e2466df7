//! Several threads: one search together, or many positions side by side.

pub(super) mod abdada;
mod helper;
pub(crate) mod jobs;
pub(crate) mod queue;
pub(super) mod searches;
