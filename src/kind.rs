//! The kind of every error, for languages with one status or exception for each kind.

use crate::book::BookError;
#[cfg(feature = "generate")]
use crate::generate::GenerateError;
use crate::oracle::OracleError;
#[cfg(feature = "generate")]
use crate::tools::ToolError;
use fourbook_solver::board::{PositionError, SizeError};
use fourbook_solver::text::NameError;
use fourbook_solver::{StopReason, Stopped, TableError};
use std::error::Error;
use std::io;
use std::path::Path;

/// The kind of an error, for languages with one status or exception for each kind.
#[derive(Clone, Copy, Debug)]
pub enum ErrorKind<'a> {
    /// An argument is out of range, or an unknown name.
    Argument,
    /// A position or move is invalid.
    Position,
    /// A board size is invalid, or not that of the book.
    Size,
    /// A book is damaged, or lacks what was asked for.
    Book,
    /// A file or folder cannot be read or written.
    File(&'a Path, &'a io::Error),
    /// A book or checkpoint cannot be made.
    Output,
    /// There is no memory, or no thread.
    Memory,
    /// The work takes more memory or threads than there are.
    TooLarge,
    /// A search reached a limit, or work was cancelled.
    Stopped(&'a Stopped),
    /// Generating was cancelled.
    Cancelled,
}

/// An error with a kind.
///
/// ```
/// use fourbook::{Classify, ErrorKind, Position};
/// let error = Position::from_moves("9").unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Position));
/// ```
pub trait Classify: Error {
    /// Returns the kind of the error.
    fn kind(&self) -> ErrorKind<'_>;
}

macro_rules! kinds {
    ($($error:ty => $kind:ident),+ $(,)?) => {$(
        impl Classify for $error {
            fn kind(&self) -> ErrorKind<'_> {
                ErrorKind::$kind
            }
        }
    )+};
}

kinds! {
    NameError => Argument,
    PositionError => Position,
    SizeError => Size,
    TableError => Memory,
}

impl Classify for Stopped {
    fn kind(&self) -> ErrorKind<'_> {
        match self.reason {
            StopReason::NoThread => ErrorKind::Memory,
            _ => ErrorKind::Stopped(self),
        }
    }
}

impl Classify for BookError {
    fn kind(&self) -> ErrorKind<'_> {
        use BookError as E;
        match self {
            E::Io { path, source, .. } => ErrorKind::File(path, source),
            E::File { path, source } => match &**source {
                E::Read(source) | E::ReadBlock { source, .. } if !is_cut_short(source) => {
                    ErrorKind::File(path, source)
                }
                fault => fault.kind(),
            },
            E::Stopped(stopped) => stopped.kind(),
            E::WrongSize { .. } => ErrorKind::Size,
            E::TooDeep { .. } | E::Strategy { .. } => ErrorKind::Argument,
            E::Memory { .. } => ErrorKind::TooLarge,
            E::Contents { .. } | E::Write(_) => ErrorKind::Output,
            _ => ErrorKind::Book,
        }
    }
}

/// Whether the file ended too soon, which is damage.
fn is_cut_short(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}

impl Classify for OracleError {
    fn kind(&self) -> ErrorKind<'_> {
        match self {
            OracleError::Stopped(error) => error.kind(),
            OracleError::Memory(error) => error.kind(),
            OracleError::Book(error) => error.kind(),
            OracleError::Size(error) => error.kind(),
        }
    }
}

#[cfg(feature = "generate")]
impl Classify for ToolError {
    fn kind(&self) -> ErrorKind<'_> {
        use ToolError as E;
        match self {
            E::Book(error) => error.kind(),
            E::Memory { .. } | E::Table(_) => ErrorKind::TooLarge,
            E::DepthTooDeep { .. } => ErrorKind::Argument,
            E::Scratch { .. } | E::Write(_) => ErrorKind::Output,
            _ => ErrorKind::Book,
        }
    }
}

#[cfg(feature = "generate")]
impl Classify for GenerateError {
    fn kind(&self) -> ErrorKind<'_> {
        use GenerateError as E;
        match self {
            E::Table(error) => error.kind(),
            E::Book(error) => error.kind(),
            E::Folder { folder, source } => ErrorKind::File(folder, source),
            E::NoFileName(_) | E::Depth { .. } | E::Base { .. } => ErrorKind::Argument,
            E::Memory { .. } | E::Threads { .. } => ErrorKind::TooLarge,
            E::Interrupted { .. } => ErrorKind::Cancelled,
            _ => ErrorKind::Output,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_is_not_damaged() {
        let kind = |fault| {
            let error = BookError::File { path: "a.book".into(), source: Box::new(fault) };
            matches!(error.kind(), ErrorKind::File(path, _) if path == Path::new("a.book"))
        };
        let failed = || io::Error::from(io::ErrorKind::Other);
        assert!(kind(BookError::Read(failed())));
        assert!(kind(BookError::ReadBlock { ply: 8, block: 0, source: failed() }));
        assert!(!kind(BookError::Read(io::ErrorKind::UnexpectedEof.into())));
        assert!(!kind(BookError::Block { ply: 8, block: 0, expected: 1, found: 2 }));
    }
}
