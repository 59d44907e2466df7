//! Files mapped into memory: the only place with `unsafe` code for it.

mod read;
#[cfg(feature = "generate")]
mod score_map;
#[cfg(feature = "generate")]
mod scratch;

pub use read::ReadMap;
#[cfg(feature = "generate")]
pub(crate) use score_map::{FrozenScores, ScoreMap};
#[cfg(feature = "generate")]
pub(crate) use scratch::Scratch;
