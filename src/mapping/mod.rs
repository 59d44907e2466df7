//! Files mapped into memory: the only home of `unsafe`.

#![allow(unsafe_code)]

mod read;

pub use read::ReadMap;
