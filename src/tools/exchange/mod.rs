//! Books of other programs: reading, writing, and comparing them
//! with ours.
//!
//! | [`Format`] | what it is | boards | values |
//! |---|---|---|---|
//! | [`csv`] | text, a position and its value a line | all | scores or outcomes |
//! | [`pons`] | the hash table of Pascal Pons' solver, `7x6.book` | all, not too deep | scores, some of them lost |
//! | [`bitbully`] | BitBully's three sorted lists | 7x6, ply 8 or 12 | outcomes or scores |
//!
//! [`ForeignBook::open`] takes the bytes of any of them, checks what can be checked without playing
//! games, and never panics, whatever the bytes are. It uses memory in proportion to their number.
//!
//! - [`import()`] makes a book of one. The deepest ply has to be there in full;
//!   the others are derived from it and compared with what the file has.
//! - [`export()`] writes a book in one of these formats.
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
//! assert!(file.starts_with(b"position,score,size\n,1,7x6\n"));
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
mod import;
pub mod pons;
mod value;

pub use compare::{Comparison, Difference, Other, compare};
pub use export::{ExportOptions, Exported, export};
pub use import::import;

use self::bitbully::Variant;
use self::value::{Facts, ForeignValue, Values};
use crate::board::notation::{Notation, diagram};
use crate::board::{Position, Size};
use crate::book::BookError;
use crate::errors::named;
use crate::scores::ValueKind;
use crate::tools::error::ToolError;
use std::path::Path;
use std::sync::Arc;

/// A file format of another program.
///
/// Parsed from and printed as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values; see [`csv`].
    Csv,
    /// The hash table of Pascal Pons' solver; see [`pons`].
    Pons,
    /// A list of BitBully's; see [`bitbully`].
    Bitbully(Variant),
}

named!(Format, "format", 5:
    Csv = "csv",
    Pons = "pons",
    Bitbully(Variant::Ply8) = "bitbully-8",
    Bitbully(Variant::Ply12) = "bitbully-12",
    Bitbully(Variant::Ply12Distances) = "bitbully-12-distances"
);

impl Format {
    /// The format of files with this name, if the extension determines it. Books of this library
    /// and of Pascal Pons' solver share `.book`, so that extension gives none.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?;
        extension.eq_ignore_ascii_case("csv").then_some(Format::Csv)
    }

    /// Whether a file has every stored position of the plies it is for and
    /// nothing else, so that a position that is missing is a mistake.
    #[must_use]
    pub const fn is_complete(self) -> bool {
        matches!(self, Format::Bitbully(_))
    }
}

/// A book of another program, over its bytes.
#[derive(Clone, Debug)]
pub struct ForeignBook<'a> {
    format: Format,
    facts: Facts,
    values: Arc<dyn Values + 'a>,
}

impl<'a> ForeignBook<'a> {
    /// The book in these bytes, which are of this format and for this board;
    /// without a size, for the board that the file names or, if it names none, for 7x6.
    ///
    /// # Errors
    ///
    /// If the bytes are of another format, are damaged where that can be seen, or
    /// are for another board.
    pub fn open(bytes: &'a [u8], format: Format, size: Option<Size>) -> Result<Self, ToolError> {
        let (facts, values) = match format {
            Format::Csv => csv::open(bytes, size.unwrap_or_default())?,
            Format::Pons => pons::open(bytes)?,
            Format::Bitbully(variant) => bitbully::open(bytes, variant)?,
        };
        match size {
            Some(asked) if asked != facts.size => {
                Err(BookError::WrongSize { asked, book: facts.size }.into())
            }
            _ => Ok(ForeignBook { format, facts, values }),
        }
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The board it is for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.facts.size
    }

    /// The most stones of a position that it has a value for.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.facts.plies.ilog2()
    }

    /// The kind of its values.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        self.facts.kind
    }

    /// Whether it has values of positions with `ply` stones.
    #[must_use]
    pub fn has_ply(&self, ply: u32) -> bool {
        self.facts.plies.checked_shr(ply).is_some_and(|plies| plies & 1 == 1)
    }

    /// How many entries it has.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.facts.entries
    }

    /// The value of a position that the rules do not score, of a ply that the book
    /// [has](Self::has_ply).
    pub(crate) fn find(&self, position: Position) -> ForeignValue {
        self.values.find(position)
    }
}

/// A position in texts: its moves, which can be looked up again; for the empty board, a diagram.
fn name(position: Position) -> String {
    let moves = Notation::Moves.print(position).ok().filter(|moves| !moves.is_empty());
    moves.unwrap_or_else(|| diagram::print(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_extension_that_says_one_thing_is_believed() {
        assert_eq!(Format::of_path(Path::new("a/b.CSV")), Some(Format::Csv));
        for path in ["7x6.book", "book_8ply.dat", "csv", "a.csv/b"] {
            assert_eq!(Format::of_path(Path::new(path)), None, "{path}");
        }
    }
    #[test]
    fn a_format_is_parsed_from_its_name() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "PONS".parse::<Format>().unwrap_err().to_string();
        assert!(Format::ALL.iter().all(|format| error.contains(format.name())), "{error}");
    }
}
