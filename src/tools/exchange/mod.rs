//! Books of other programs: reading, writing, and comparing them
//! with ours.
//!
//! | [`Format`] | what it is | boards | values |
//! |---|---|---|---|
//! | [`csv`] | text, a position and its value a line | all | scores or outcomes |
//! | [`pons`] | the hash table of Pascal Pons' solver, `7x6.book` | all, not too deep | scores, some of them left out |
//! | [`bitbully`] | BitBully's three sorted lists | 7x6, ply 8 or 12 | outcomes or scores |
//! | [`csv`] | the data set connect-4 of UCI | 7x6, ply 8 | outcomes, forced moves left out |
//!
//! [`ForeignBook::open`] takes the bytes of any of them, checks what can be checked without playing
//! games, and never panics, whatever the bytes are. It uses memory in proportion to their number.
//!
//! - [`import()`] makes a book of one. The deepest ply has to be there in full;
//!   the others are derived from it and compared with what the file has. The values can also be
//!   compared with a book that is known to be right.
//! - [`export()`] writes a book in any of them but UCI's.
//! - [`compare()`] looks every position up in both, and says which entries of the
//!   file belong to no position at all.
//!
//! ```
//! use fourbook::Book;
//! use fourbook::tools::exchange::{
//!     Comparison, ExportOptions, ForeignBook, Format, Other, compare, export,
//! };
//!
//! let book = Book::from_bytes(include_bytes!("../../../books/7x6-d8.book"))?;
//! let mut file = Vec::new();
//! export(&book, &ExportOptions::new(Format::Csv), &mut file, &())?;
//! assert!(file.starts_with(b"position,score,size\n......./"));
//!
//! let text = b"position,score\n44,-1\n4,-1\n";
//! let other = ForeignBook::open(text, Format::Csv, None)?;
//! let Comparison { compared, different, missing, .. } =
//!     compare(&book, Other::Foreign(&other), &(), &mut |difference| {
//!         assert_eq!((difference.ours, difference.theirs), (Some(1), Some(-1)));
//!         Ok(())
//!     })?;
//! assert_eq!((compared, different, missing), (2, 1, 27));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitbully;
mod compare;
pub mod csv;
mod export;
mod foreign;
mod import;
pub mod pons;

pub use compare::{Comparison, Difference, Other, compare};
pub use export::{ExportOptions, export};
pub use foreign::{Exported, ForeignBook, Format};
pub use import::import;

use crate::book::{BookError, described, other_file};
use crate::tools::error::ToolError;
use fourbook_solver::board::Size;

const BOOK: &str = "a book of another program";

/// Names the kind of a file that is no book of another program, or else returns `error`.
fn named(bytes: &[u8], error: ToolError) -> ToolError {
    other_file(bytes).map_or(error, |(kind, advice)| ToolError::unfit(BOOK, kind, advice))
}

impl Format {
    /// Recognises the format of a file by its content. BitBully's files have no beginning
    /// of their own, so all of their entries are read.
    ///
    /// # Errors
    ///
    /// If the file has none of the formats. The error names what it is, if it is known.
    pub fn recognise(bytes: &[u8]) -> Result<Format, ToolError> {
        let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let format = match bytes {
            _ if csv::is_header(first_line) => Some(Format::Csv),
            _ if csv::is_uci(bytes) => Some(Format::Uci),
            [width, height, _, _, 1, ..]
                if Size::new((*width).into(), (*height).into()).is_ok() =>
            {
                Some(Format::Pons)
            }
            _ => Format::ALL.into_iter().find(|&format| match format {
                Format::Csv => csv::is_row(first_line),
                Format::Bitbully(variant) => bitbully::open(bytes, variant).is_ok(),
                _ => false,
            }),
        };
        let advice = "check that this is the file you mean, or choose its format";
        format.ok_or_else(|| named(bytes, ToolError::unfit(BOOK, described(bytes), advice)))
    }
}

impl<'a> ForeignBook<'a> {
    /// The book in these bytes, which are of this format and for this board. Without a size, it is
    /// for the board that the file names. If it names none, the board is 7x6.
    ///
    /// # Errors
    ///
    /// If the bytes are of another format, are damaged where that can be seen, or
    /// are for another board.
    pub fn open(bytes: &'a [u8], format: Format, size: Option<Size>) -> Result<Self, ToolError> {
        let book = match format {
            Format::Csv => csv::open(bytes, size.unwrap_or_default()),
            Format::Pons => pons::open(bytes),
            Format::Bitbully(variant) => bitbully::open(bytes, variant),
            Format::Uci => csv::open_uci(bytes),
        };
        let book = book.map_err(|error| named(bytes, error))?;
        if let Some(asked) = size {
            BookError::check_size(asked, book.size)?;
        }
        Ok(book)
    }
}
