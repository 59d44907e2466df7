//! Files in memory, mapped or copied when they are read, and the `unsafe` code for it.

#[cfg(feature = "generate")]
mod file;
mod filled;

#[cfg(feature = "generate")]
pub(crate) use file::zeros_in_file;
pub(crate) use filled::Filled;
