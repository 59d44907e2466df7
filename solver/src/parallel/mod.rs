//! Several threads: one search together, or many positions side by side.

pub(super) mod abdada;
pub(super) mod helper;
pub(crate) mod jobs;
pub(super) mod searches;
pub(crate) mod threads;
