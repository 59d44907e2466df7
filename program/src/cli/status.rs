//! How a subcommand ends, and lines on stderr.

use std::fmt::Display;
use std::io::{self, Write};

/// How a subcommand that ran to its end came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// All is well: exit code 0.
    Fine,
    /// Some input was bad or a check failed, as has been reported: exit code 1.
    Failed,
}

/// The program was called wrongly in a way that the argument parser cannot
/// see: exit code 2. Every other error that a subcommand returns is exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

/// Prints an error in the form all errors have.
pub(crate) fn report(error: &str) {
    say(&format!("error: {error}"));
}

/// Prints a line on stderr.
pub(crate) fn say(text: &str) {
    note(format_args!("fourbook: {text}"));
}

/// Prints a line on stderr, without the name of the program.
pub(crate) fn note(text: impl Display) {
    // Not `eprintln`, which panics if stderr is closed. What was done remains done.
    let _ = writeln!(io::stderr(), "{text}");
}
