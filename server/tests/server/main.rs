//! The routes of the server, in this process.

mod books;
#[allow(dead_code)]
#[path = "../../../tests/library/book/broken.rs"]
mod broken;
mod broken_books;
mod errors;
mod fuzz_seeds;
mod levels;
mod openapi;
#[cfg(unix)]
mod parts;
mod routes;
mod sizes;
mod solver;
mod support;
