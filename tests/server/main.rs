//! The daemon's routes, in this process.

mod books;
mod errors;
mod routes;
mod solver;
mod support;
