//! fourbook for C and C++: the functions that `include/fourbook.h` declares.
//!
//! Every function that can fail returns a status; each thread keeps the text of its last error.
//! A panic becomes [`Status::Internal`](status::Status::Internal). Pointers of callers are
//! used in `border` only.

// The border to C: names that the linker sees, and pointers.
#![allow(unsafe_code)]

pub mod analysis;
pub mod board;
pub mod book;
mod border;
#[cfg(feature = "generate")]
pub mod generate;
pub mod limits;
pub mod oracle;
pub mod query;
pub mod status;
