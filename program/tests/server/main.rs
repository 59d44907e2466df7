//! The server: its routes in this process, and `fourbook serve` as a process.

mod books;
#[allow(dead_code)]
#[path = "../../../tests/library/book/broken.rs"]
mod broken;
mod broken_books;
mod errors;
mod fuzz_seeds;
mod levels;
#[cfg(unix)]
mod parts;
#[cfg(unix)]
mod process;
#[cfg(unix)]
#[path = "../pseudo_terminal/mod.rs"]
mod pseudo_terminal;
mod routes;
mod sizes;
mod solver;
mod support;
