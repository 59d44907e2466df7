//! The command line of fourbook, for programs and packages that include it.

mod cli;

pub use cli::run;
