//! Why work on a whole book failed.

use crate::book::BookError;
use crate::memory::HumanBytes;
use fourbook_solver::TableError;
use fourbook_solver::board::Size;
use fourbook_solver::text::{count, grouped};
use std::fmt::Display;
use std::io;

/// Why a book could not be read, packed, verified, counted, or exchanged with other programs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The book is damaged, the positions of a ply cannot be enumerated, or the work was cancelled.
    #[error(transparent)]
    Book(#[from] BookError),
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
    Scratch {
        /// The ply.
        ply: u32,
        /// The length of the file.
        bytes: u64,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The book to read, pack or import is not as deep as was asked for.
    #[error(
        "expected a depth of 0 to {deepest}, that of the book to read, found {depth}; choose such \
         a depth, or generate a deeper book"
    )]
    DepthTooDeep {
        /// The depth asked for.
        depth: u32,
        /// The depth of the book to read.
        deepest: u32,
    },
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Rows of a table are wrong.
    #[error(
        "expected a position and its value in every line; correct these lines:{}",
        list(first.iter().map(|(line, problem)| format!("line {line}: {problem}")), *wrong)
    )]
    Rows {
        /// How many rows.
        wrong: u64,
        /// The first of them: line, from 1, and problem.
        first: Vec<(u64, String)>,
    },
    /// Rows of a table are wrong for the board, and right for others.
    #[error(
        "expected positions of {size} boards, found those of others, such as {}",
        fits[0]
    )]
    RowsSize {
        /// The board.
        size: Size,
        /// The boards that the first 10,000 rows fit, at least one.
        fits: Vec<Size>,
    },
    /// The bytes of another format, or a difference of two books, could not be written.
    #[error("cannot write the output")]
    Write(#[from] io::Error),
    /// Values to import differ from a known book.
    #[error(
        "expected the values of the known book at ply {ply}, found {}; fetch or make the file \
         again:{}",
        count(wrong, "difference"), list(first.iter(), *wrong)
    )]
    Different {
        /// Number of stones.
        ply: u32,
        /// How many positions.
        wrong: u64,
        /// The first of them, each with the known value and the value of the file.
        first: Vec<String>,
    },
    /// Positions of a ply have no value or a wrong one.
    #[error(
        "expected a value for every position of ply {ply} that agrees with all others, found {} of \
         {} without; correct the file, choose a smaller depth, or generate the book:{}",
        grouped(wrong), count(positions, "position"), list(first.iter(), *wrong)
    )]
    Values {
        /// Number of stones.
        ply: u32,
        /// How many positions.
        wrong: u64,
        /// How many positions the ply has.
        positions: u64,
        /// The first of them, each with what was expected and found.
        first: Vec<String>,
    },
}

impl ToolError {
    /// The error of a file that is of another format or damaged, or of a book, position or option that
    /// does not fit.
    pub(crate) fn unfit(
        expected: impl Display,
        found: impl Display,
        advice: &'static str,
    ) -> ToolError {
        BookError::format(expected, found, advice).into()
    }
}

/// The first of `all` lines, each after a line break, and how many more there are.
fn list(first: impl ExactSizeIterator<Item = impl Display>, all: u64) -> String {
    let more = all - first.len() as u64;
    let lines = first.map(|line| format!("\n  {line}")).collect::<String>();
    if more == 0 { lines } else { format!("{lines}\n  and {more} more") }
}
