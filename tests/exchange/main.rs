//! Books of other programs: there and back again, compared, damaged and refused.

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code)] // Other tests use the rest of it.
#[path = "../book/support.rs"]
mod support;

mod bitbully;
mod csv;
mod damage;
mod program;
mod solver;
mod tools;
