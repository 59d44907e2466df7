//! fourbook for C and C++: what `include/fourbook.h` declares.
//!
//! Every function that can fail answers with a status; texts of errors are kept for each thread.
//! No panic leaves this library: it becomes [`Status::Internal`](status::Status::Internal). All that
//! pointers of callers are used for is in `border`.

// The border to C: names that the linker sees, and pointers.
#![allow(unsafe_code)]

pub mod analysis;
pub mod board;
pub mod book;
mod border;
pub mod generate;
pub mod limits;
pub mod oracle;
pub mod status;
