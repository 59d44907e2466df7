//! Why work on a whole book failed.

use crate::book::BookError;
use crate::enumerate::PlyError;
use crate::errors::count;
use crate::memory::HumanBytes;
use crate::solver::{Stopped, TableError};
use std::io;

/// Why a book could not be read, packed, verified or counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The book is damaged.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// The memory limit is too low to remember which positions there are.
    #[error(
        "expected {} of memory at least, which it takes to enumerate the positions to ply {ply}, \
         found {} that may be used; allow more, or choose a shallower book",
        HumanBytes(*needed), HumanBytes(*available)
    )]
    Memory {
        /// The deepest ply.
        ply: u32,
        /// The least memory that it takes, in bytes.
        needed: u64,
        /// The memory limit, in bytes.
        available: u64,
    },
    /// The values fit neither the memory limit nor a temporary file.
    #[error(
        "cannot make a temporary file of {} for the values of ply {ply}, which do not fit the memory \
         that may be used; allow more memory, or choose another folder for temporary files \
         (TMPDIR)",
        count(bytes, "byte")
    )]
    File {
        /// The ply.
        ply: u32,
        /// The length of the file.
        bytes: u64,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A [`BookReader`](super::BookReader) was asked for a ply that it does not read.
    #[error("expected a ply from 0 to {deepest}, found {ply}")]
    PlyTooDeep {
        /// The ply.
        ply: u32,
        /// The deepest that can be read.
        deepest: u32,
    },
    /// The book to pack is not as deep as the new one.
    #[error(
        "expected a depth of 0 to {deepest}, the depth of the book, found {depth}; choose such a \
         depth, or generate a deeper book"
    )]
    DepthTooDeep {
        /// The depth asked for.
        depth: u32,
        /// The depth of the book.
        deepest: u32,
    },
    /// Exact scores were requested from a book of outcomes.
    #[error("expected a book of exact scores, found one of win, draw or loss; choose another book")]
    NoScores,
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Another thread cancelled the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
