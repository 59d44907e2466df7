//! The functions under fuzzing: none may panic on any bytes.
//!
//! The fuzz targets call these functions, and so do the tests `fuzz_seeds` of the
//! packages, with the seeds and with random changes to them. To add one takes
//! a function here, its line in `TARGETS` beside it, a target of the same name in
//! `fuzz_targets` (with its `[[bin]]`) and a folder of seeds.

pub mod library;
#[cfg(all(unix, feature = "server"))]
pub mod server;

pub use library::{book, exchange, notation};
#[cfg(all(unix, feature = "server"))]
pub use server::request;
