//! Why a book of another program could not be read, written, imported or compared.

use crate::board::{PositionError, Score, Size, SizeError};
use crate::book::BookError;
use crate::enumerate::PlyError;
use crate::errors::{count, with_causes};
use crate::memory::HumanBytes;
use crate::tools::ToolError;
use std::fmt::Display;
use std::io;

/// Why a book of another program could not be read, written, imported or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The first line of a table does not name its columns.
    #[error(
        "expected the first line to be 'position,score' or 'position,outcome', perhaps with \
         ',size', found '{found}'; add such a line, or choose another format"
    )]
    CsvHeader {
        /// The first line, shortened.
        found: String,
    },
    /// A table has no positions.
    #[error(
        "expected positions that the rules do not score, found none; \
         is it the file you mean?"
    )]
    NoRows,
    /// Rows of a table are wrong.
    #[error(
        "expected a position and its value in every line, found others:{}",
        list(first.iter().map(|(line, problem)| format!("line {line}: {}", with_causes(problem))), *more)
    )]
    Rows {
        /// The first of them: line, from 1, and problem.
        first: Vec<(u64, ExchangeError)>,
        /// How many more there are.
        more: u64,
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
    /// A row has too few fields or too many.
    #[error("expected {expected} fields, found {found}")]
    RowFields {
        /// The number of columns.
        expected: usize,
        /// The number of fields.
        found: usize,
    },
    /// A row names another board than the first one.
    #[error("expected the size {expected} as in the first row, found '{found}'")]
    RowSize {
        /// The board of the first row.
        expected: Size,
        /// The third field, shortened.
        found: String,
    },
    /// The first field of a row is no position.
    #[error(transparent)]
    RowPosition(#[from] PositionError),
    /// No game leads to the position of a row.
    #[error("expected a position that a game can reach, found '{found}'")]
    RowUnreachable {
        /// The position.
        found: String,
    },
    /// The second field of a row is no value that the position can have.
    #[error("expected a value from {least} to {most}, found '{found}'")]
    RowValue {
        /// The lowest value that a position of this ply can have.
        least: Score,
        /// The highest.
        most: Score,
        /// The second field, shortened.
        found: String,
    },
    /// The rules give the position of a row another value.
    #[error("expected the value {expected}, as the rules have it, found {found}")]
    RowRules {
        /// The value by the rules.
        expected: Score,
        /// The value in the row.
        found: Score,
    },
    /// Another row has another value for the same position.
    #[error("expected {expected} as in line {other} for the same position, found {found}")]
    RowConflict {
        /// The line of the other row, from 1.
        other: u64,
        /// The other row's value.
        expected: Score,
        /// This row's value.
        found: Score,
    },
    /// A hash table of Pascal Pons' solver is too short or too long.
    #[error(
        "expected {expected} bytes, found {found}; the file was cut short, or is no book of Pascal \
         Pons' solver: fetch or make it again, or choose another format"
    )]
    PonsLength {
        /// The length that the header gives, or the length of the header.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
    /// A hash table is for a board that cannot be played.
    #[error(
        "expected a board size, found {width}x{height}; is this a book of Pascal Pons' solver?"
    )]
    PonsBoardSize {
        /// Columns.
        width: u8,
        /// Rows.
        height: u8,
        /// Which boards can be played.
        source: SizeError,
    },
    /// A byte of the header of a hash table has an impossible value.
    #[error(
        "expected {what} to be {expected}, found {found}; is this a book of Pascal Pons' solver?"
    )]
    PonsHeader {
        /// The meaning of the byte.
        what: &'static str,
        /// The values it can have.
        expected: String,
        /// Its value.
        found: u8,
    },
    /// The partial keys of a hash table are too short to separate all positions.
    #[error(
        "expected partial keys of at least {}, as a table of {slots} slots needs to \
         tell the positions to ply {depth} apart, found {found}; its answers would be of other positions: \
         make it again",
        count(expected, "byte")
    )]
    PonsAmbiguous {
        /// Bytes of a partial key that are enough.
        expected: usize,
        /// Bytes of a partial key.
        found: usize,
        /// Slots of the table.
        slots: u64,
        /// The depth.
        depth: u32,
    },
    /// A value of a hash table is higher than any score.
    #[error(
        "expected values of at most {most}, found {found} in slot {slot}; the file is damaged: \
         fetch or make it again"
    )]
    PonsValue {
        /// The slot.
        slot: u64,
        /// The value of the highest score.
        most: u8,
        /// The value.
        found: u8,
    },
    /// A file of BitBully's is empty.
    #[error("expected entries of {expected} bytes, found an empty file; fetch it again")]
    BitbullyEmpty {
        /// Bytes of an entry.
        expected: usize,
    },
    /// A file of BitBully's is not made of whole entries.
    #[error(
        "expected entries of {expected} bytes, found {}, which is not a multiple; the \
         file was cut short or is of another format: choose that format",
        count(found, "byte")
    )]
    BitbullyLength {
        /// Bytes of an entry.
        expected: usize,
        /// Bytes of the file.
        found: usize,
    },
    /// An entry of BitBully's is not greater than the one before.
    #[error(
        "expected ascending codes, found entry {entry} (from 0) out of order; the file is damaged \
         or of another format: choose that format"
    )]
    BitbullyOrder {
        /// Number of the entry, from 0.
        entry: usize,
    },
    /// An entry of BitBully's has an impossible value.
    #[error(
        "expected {expected} as the value of entry {entry} (from 0), found {found}; the file is \
         damaged or of another format: choose that format"
    )]
    BitbullyValue {
        /// Number of the entry, from 0.
        entry: usize,
        /// The possible values.
        expected: &'static str,
        /// Its value.
        found: i8,
    },
    /// The bits that end a code of BitBully's are not 0.
    #[error(
        "expected a code that ends with two bits of 0, found {code:08x} in entry {entry} (from 0); \
         the file is damaged or of another format: choose that format"
    )]
    BitbullyCode {
        /// Number of the entry, from 0.
        entry: usize,
        /// Its code.
        code: u32,
    },
    /// The file is for another board than was asked for.
    #[error("expected a book for {asked} boards, found one for {found} boards; choose that size")]
    FileSize {
        /// The size asked for.
        asked: Size,
        /// The size that the file is for.
        found: Size,
    },
    /// The format to write is for another board than the book.
    #[error(
        "expected a book for {expected} boards, which is all that {format} has, found one for {found} boards"
    )]
    BookSize {
        /// The name of the format.
        format: &'static str,
        /// Its board.
        expected: Size,
        /// That of the book.
        found: Size,
    },
    /// The book is shallower than the format to write needs, or deeper than it can hold.
    #[error(
        "expected a book of depth {least} to {most} for {format}, found one of depth {found}; \
         choose another book, or pack this one to such a depth"
    )]
    BookDepth {
        /// The name of the format.
        format: &'static str,
        /// The least depth.
        least: u32,
        /// The greatest depth.
        most: u32,
        /// That of the book.
        found: u32,
    },
    /// The format to write has exact scores and the book has not.
    #[error(
        "expected a book of exact scores for {format}, found one of win, draw or loss; \
         choose another book or format"
    )]
    NoScores {
        /// The name of the format.
        format: &'static str,
    },
    /// No hash table has the size asked for.
    #[error("expected 2^{least} to 2^{most} as the size of a table, found 2^{found}")]
    TableSize {
        /// The least exponent.
        least: u32,
        /// The greatest exponent.
        most: u32,
        /// The exponent asked for.
        found: u32,
    },
    /// No game was found that leads to a position, so that it has no moves: on large
    /// boards the search for one is given up when it becomes too long.
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
        /// That of the file.
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
    /// Positions of the deepest ply are missing in the file.
    #[error(
        "expected values for {}, all of ply {ply}, found {missing} missing; \
         complete the file, choose a smaller depth, or generate the book; missing are:{}",
        count(expected, "position"), list(first, *missing - first.len() as u64)
    )]
    Missing {
        /// Number of stones.
        ply: u32,
        /// Number of positions that have to be in the file.
        expected: u64,
        /// How many are missing.
        missing: u64,
        /// The first of them, as [diagrams](crate::board::notation::diagram).
        first: Vec<String>,
    },
    /// No position of the ply can have these values.
    #[error(
        "expected values that positions of ply {ply} can have, found {}; \
         the file is damaged or wrong:{}",
        count(wrong, "other"), list(first, *wrong - first.len() as u64)
    )]
    Impossible {
        /// Number of stones.
        ply: u32,
        /// How many values.
        wrong: u64,
        /// The first of them: position and value.
        first: Vec<String>,
    },
    /// Values contradict the values derived from the deepest ply, or the value of the
    /// mirror image.
    #[error(
        "expected values that agree with those of ply {deepest}, found {} at ply {ply}; \
         the file is wrong (position, value expected, value found):{}",
        count(wrong, "other"), list(first, *wrong - first.len() as u64)
    )]
    Contradiction {
        /// Number of stones of the positions that have other values.
        ply: u32,
        /// Number of stones of the positions from which the values follow.
        deepest: u32,
        /// How many values.
        wrong: u64,
        /// The first of them: position, value expected, value found.
        first: Vec<String>,
    },
    /// The books to compare are for different boards.
    #[error("expected two books for the same board, found one for {book} and one for {other}")]
    Boards {
        /// That of the first.
        book: Size,
        /// That of the other.
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

impl From<PlyError> for ExchangeError {
    fn from(error: PlyError) -> Self {
        ToolError::from(error).into()
    }
}

/// Lines, each after a line break, and how many more there are.
fn list(lines: impl IntoIterator<Item = impl Display>, more: u64) -> String {
    let lines = lines.into_iter().map(|line| format!("\n  {line}")).collect::<String>();
    if more == 0 { lines } else { format!("{lines}\n  and {more} more") }
}
