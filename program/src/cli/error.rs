//! The error that ends a subcommand: its text, what to do next, and the exit code.

use super::output::is_closed;
use fourbook::with_causes;
use std::fmt::{self, Display};

/// Something went wrong, or a check failed.
pub(crate) const FAILED: u8 = 1;
/// The arguments are wrong on any machine.
pub(crate) const WRONG_USE: u8 = 2;
/// Ended by Ctrl-C or the system, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

pub(crate) type Result<T = (), E = Error> = std::result::Result<T, E>;

/// An error as the program prints it.
#[derive(Debug)]
pub(crate) struct Error {
    text: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: u8,
}

/// An error of the library or the system that can end a subcommand.
pub(crate) trait Cause: std::error::Error {
    /// The option or subcommand that helps.
    fn hint(&self) -> Option<String> {
        None
    }

    fn exit(&self) -> u8 {
        FAILED
    }
}

impl<E: Cause + 'static> From<E> for Error {
    fn from(cause: E) -> Self {
        // A reader such as `head` may close the output early; that is no failure.
        if is_closed(&cause) {
            return Error { exit: 0, ..Error::reported() };
        }
        Error { text: with_causes(&cause), hint: cause.hint(), exit: cause.exit() }
    }
}

impl Error {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Error { text: text.into(), hint: None, exit: FAILED }
    }

    /// Some input was bad or a check failed, as has been printed.
    pub(crate) fn reported() -> Self {
        Error::new("")
    }

    /// A signal has ended the work, as has been printed.
    pub(crate) fn interrupted() -> Self {
        Error { exit: INTERRUPTED, ..Error::reported() }
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.text.is_empty()
    }

    /// The program was called wrongly in a way that the argument parser cannot see.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Error { exit: WRONG_USE, ..Error::new(text) }
    }

    pub(crate) fn with_hint(self, hint: String) -> Self {
        Error { hint: Some(hint), ..self }
    }

    /// Puts what was attempted before the text.
    pub(crate) fn context(self, attempt: impl Display) -> Self {
        if self.is_reported() {
            return self;
        }
        Error { text: format!("{attempt}: {}", self.text), ..self }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Converts errors and says what was attempted.
pub(crate) trait Context<T> {
    fn with_context<D: Display>(self, attempt: impl FnOnce() -> D) -> Result<T>;
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn with_context<D: Display>(self, attempt: impl FnOnce() -> D) -> Result<T> {
        self.map_err(|error| error.into().context(attempt()))
    }
}
