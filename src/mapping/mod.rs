//! Files mapped into memory: the only place with `unsafe` code for it.

mod read;
mod score_map;

pub use read::ReadMap;
pub use score_map::{FrozenScores, ScoreMap};
