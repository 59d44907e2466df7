//! Files mapped into memory: the only place with `unsafe` code for it.

mod score_map;

pub use score_map::{FrozenScores, ScoreMap};
