//! The atomic operations of the code that `tests/loom` runs in every order of its threads.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
pub(crate) use std::thread::yield_now;
