//! The subcommands, each with its arguments and a `run` function.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod export;
pub(crate) mod generate;
#[cfg(feature = "server")]
pub(crate) mod health;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod lookup;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod pack;
pub(crate) mod page;
pub(crate) mod plan;
pub(crate) mod play;
#[cfg(feature = "server")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod strategy;
pub(crate) mod verify;
