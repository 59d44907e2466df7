//! Files in memory, mapped or copied when they are read, and the `unsafe` code for it.

mod filled;
#[cfg(feature = "generate")]
mod read;
#[cfg(feature = "generate")]
mod score_map;
#[cfg(feature = "generate")]
mod scratch;

pub(crate) use filled::Filled;
#[cfg(feature = "generate")]
pub use read::{map_all_of, map_to_read};
#[cfg(feature = "generate")]
pub(crate) use score_map::ScoreMap;
#[cfg(feature = "generate")]
pub(crate) use scratch::zeros_in_file;
