//! Why a book of another program could not be read, written, imported or compared.

use crate::board::Size;
use crate::book::BookError;
use crate::enumerate::PlyError;
use crate::errors::count;
use crate::memory::HumanBytes;
use crate::tools::ToolError;
use std::fmt::Display;
use std::io;

/// Why a book of another program could not be read, written, imported or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The file is of another format, or damaged.
    #[error("expected {expected}, found {found}; {advice}")]
    File {
        /// The contents that the format expects.
        expected: String,
        /// The contents of the file.
        found: String,
        /// The next step.
        advice: &'static str,
    },
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
    /// The bytes could not be read as a table.
    #[error("cannot read comma-separated values")]
    Csv(#[source] csv::Error),
    /// The file is for another board than was asked for.
    #[error("expected a book for {asked} boards, found one for {found} boards; choose that size")]
    FileSize {
        /// The size asked for.
        asked: Size,
        /// The size that the file is for.
        found: Size,
    },
    /// The format to write cannot hold the book.
    #[error("expected {expected} for {format}, found {found}; {advice}")]
    Unfit {
        /// The name of the format.
        format: &'static str,
        /// A book or table that the format can hold.
        expected: String,
        /// The book or table.
        found: String,
        /// The next step.
        advice: &'static str,
    },
    /// No game was found that leads to a position, so it cannot be written as moves. On large
    /// boards a long search for a game gives up.
    #[error(
        "found no game that leads to the position {diagram}; choose a notation other than moves"
    )]
    NoMoves {
        /// The position, as a [diagram](crate::board::notation::diagram).
        diagram: String,
    },
    /// The bytes of another format could not be written.
    #[error("cannot write the book in another format")]
    Write(#[from] io::Error),
    /// The file to import is not as deep as the book.
    #[error(
        "expected a depth of 0 to {deepest}, the depth of the file, found {depth}; choose such a depth"
    )]
    FileDepth {
        /// The depth asked for.
        depth: u32,
        /// The depth of the file.
        deepest: u32,
    },
    /// There is too little memory for the positions of the deepest ply.
    #[error(
        "{} of memory are available, but the positions of ply {ply} need {}; choose a smaller depth \
         if the file has one, or import it on a larger machine",
        HumanBytes(*available), HumanBytes(*needed)
    )]
    Memory {
        /// Number of stones.
        ply: u32,
        /// Memory needed, in bytes.
        needed: u64,
        /// Memory available, in bytes.
        available: u64,
    },
    /// Positions of a ply have no value or a wrong one.
    #[error(
        "expected a value for every position of ply {ply} that agrees with all others, found {}; \
         correct the file, choose a smaller depth, or generate the book:{}",
        count(wrong, "fault"), list(first.iter(), *wrong)
    )]
    Values {
        /// Number of stones.
        ply: u32,
        /// How many positions.
        wrong: u64,
        /// The first of them, each with what was expected and found.
        first: Vec<String>,
    },
    /// The books to compare are for different boards.
    #[error("expected two books for the same board, found one for {book} and one for {other}")]
    Boards {
        /// The board of the first book.
        book: Size,
        /// The board of the other book.
        other: Size,
    },
    /// One of the books to compare is damaged.
    #[error("the {} book cannot be compared", if *.is_first { "first" } else { "other" })]
    Damaged {
        /// Whether it is the first one.
        is_first: bool,
        /// The book's error.
        source: BookError,
    },
    /// The books to compare have no ply in common.
    #[error("expected a ply that both books have, found none to ply {depth}; choose a deeper book")]
    NoPly {
        /// The depth of the shallower book.
        depth: u32,
    },
    /// A difference of two books could not be written.
    #[error("cannot write a difference")]
    Difference(#[source] io::Error),
    /// A whole book could not be read.
    #[error(transparent)]
    Book(#[from] ToolError),
}

impl ExchangeError {
    /// The error of a file that is of another format, or damaged.
    pub(super) fn file(
        expected: impl Display,
        found: impl Display,
        advice: &'static str,
    ) -> ExchangeError {
        let (expected, found) = (expected.to_string(), found.to_string());
        ExchangeError::File { expected, found, advice }
    }
}

impl From<PlyError> for ExchangeError {
    fn from(error: PlyError) -> Self {
        ToolError::from(error).into()
    }
}

/// The first of `all` lines, each after a line break, and how many more there are.
fn list(first: impl ExactSizeIterator<Item = impl Display>, all: u64) -> String {
    let more = all - first.len() as u64;
    let lines = first.map(|line| format!("\n  {line}")).collect::<String>();
    if more == 0 { lines } else { format!("{lines}\n  and {more} more") }
}
