//! The command line of fourbook, for programs and packages that bring it along.

mod cli;

pub use cli::run;
