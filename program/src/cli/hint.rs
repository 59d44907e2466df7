//! Advice about errors of the library in terms of the command line: the library does not know its
//! options.

use super::error::{Cause, FAILED, INTERRUPTED, WRONG_USE};
use fourbook::book::BookError;
use fourbook::generate::GenerateError;
use fourbook::oracle::OracleError;
use fourbook::solver::TableError;
use fourbook::tools::ToolError;
use std::io;

const DEPTH: &str = "choose the depth with --depth";
const MORE_MEMORY: &str = "choose how much memory may be used with --memory";
const OUT: &str = "choose the file with --out";
const REPLACE: &str = "choose the file with --out, or replace it with --force";
const SIZE: &str = "choose the board with --size";
const THREADS: &str = "choose the number of threads with --threads";

fn some(hint: &str) -> Option<String> {
    Some(hint.to_owned())
}

/// Whether a disk has no room, or none for this user.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

impl Cause for GenerateError {
    fn hint(&self) -> Option<String> {
        use GenerateError as E;
        match self {
            E::Book(BookError::TooDeep { .. } | BookError::Memory { .. }) | E::Depth { .. } => {
                some(DEPTH)
            }
            E::Base { .. } => {
                some("choose --size, --side, --wdl and --scores as for that strategy")
            }
            E::Threads { .. } => some(THREADS),
            E::OutputExists(_) => some(REPLACE),
            E::NoFileName(_) | E::Folder { .. } | E::Locked(_) | E::Checkpoint { .. } => some(OUT),
            E::Book(BookError::Io { source, .. }) if is_full(source) => {
                some("make room, or choose a file on another disk with --out")
            }
            E::Disk { .. } => some("choose the file with --out, and the depth with --depth"),
            E::Memory { .. } => some(
                "choose the size of the transposition table with --memory, the number of threads \
                 with --threads, and the depth with --depth",
            ),
            E::Table(error) => error.hint(),
            E::Interrupted { .. } => some("start it again with the same command"),
            E::NoParts(_) => some("'fourbook generate --shard' writes them"),
            _ => None,
        }
    }

    fn exit(&self) -> u8 {
        use GenerateError as E;
        match self {
            E::NoFileName(_) | E::Depth { .. } | E::Base { .. } => WRONG_USE,
            E::Interrupted { .. } => INTERRUPTED,
            E::Book(error) => error.exit(),
            _ => FAILED,
        }
    }
}

impl Cause for ToolError {
    fn hint(&self) -> Option<String> {
        use ToolError as E;
        match self {
            E::Memory { .. } | E::Scratch { .. } => some(MORE_MEMORY),
            E::DepthTooDeep { .. } | E::Values { .. } => some(DEPTH),
            E::Different { .. } => some("import the values of the file all the same with --trust"),
            E::RowsSize { .. } => some(SIZE),
            E::Table(error) => error.hint(),
            _ => None,
        }
    }

    fn exit(&self) -> u8 {
        match self {
            ToolError::DepthTooDeep { .. } | ToolError::RowsSize { .. } => WRONG_USE,
            ToolError::Book(error) => error.exit(),
            _ => FAILED,
        }
    }
}

impl Cause for BookError {
    fn hint(&self) -> Option<String> {
        match self {
            BookError::NoBook { found, .. } if !found.is_empty() => some(SIZE),
            _ => None,
        }
    }

    /// Files that do not go with the options or with each other are wrong use.
    fn exit(&self) -> u8 {
        match self {
            Self::TooDeep { .. } | Self::WrongSize { .. } | Self::Strategy { .. } => WRONG_USE,
            _ => FAILED,
        }
    }
}

impl Cause for TableError {
    fn hint(&self) -> Option<String> {
        some("choose the size of the transposition table with --memory")
    }
}

#[cfg(feature = "server")]
impl Cause for fourbook_server::LoadError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Book(error) => error.hint(),
            Self::Memory(error) => error.hint(),
            Self::Threads(_) => some(THREADS),
            _ => None,
        }
    }

    fn exit(&self) -> u8 {
        match self {
            Self::Book(error) | Self::Strategy(error) => error.exit(),
            Self::SameSize { .. } => WRONG_USE,
            _ => FAILED,
        }
    }
}

impl Cause for OracleError {
    fn exit(&self) -> u8 {
        match self {
            OracleError::Book(error) => error.exit(),
            _ => FAILED,
        }
    }
}
impl Cause for fourbook::PositionError {}
impl Cause for io::Error {}
impl Cause for serde_json::Error {}
#[cfg(windows)]
impl Cause for ctrlc::Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::error::Error;
    use std::path::PathBuf;

    fn hint(error: impl Into<Error>) -> Option<String> {
        error.into().context("cannot do what was asked for").hint
    }

    #[test]
    fn options_are_named_that_help() {
        let exists = GenerateError::OutputExists(PathBuf::from("a.book"));
        assert_eq!(hint(exists).as_deref(), Some(REPLACE));
        assert_eq!(hint(ToolError::DepthTooDeep { depth: 9, deepest: 8 }).as_deref(), Some(DEPTH));
        let read = || ToolError::Memory { ply: 16, needed: 1 << 30, available: 1 << 20 };
        assert_eq!(hint(read()).as_deref(), Some(MORE_MEMORY));
        assert_eq!(hint(std::io::Error::other("broken")), None);
    }
}
