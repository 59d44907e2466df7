//! The header of a book as a value to print.

use super::{Book, Provenance, Section, VERSION};
use fourbook_solver::ValueKind;
use serde::Serialize;

/// The header of a book, made by [`Book::info`]. `fourbook info --json` and the server's
/// `/v1/book` print these fields as JSON.
///
/// ```
/// # #[cfg(feature = "embedded-book")] {
/// let info = fourbook::Book::embedded().info();
/// assert_eq!((info.width, info.height, info.depth), (7, 6, 12));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BookInfo {
    /// All bytes of the book.
    pub bytes: u64,
    /// Version of the format that it is written in.
    pub format_version: u32,
    /// [`Book::identity`], as eight hexadecimal digits.
    pub identity: String,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// The most stones of a position that the book answers for.
    pub depth: u32,
    /// The kind of its values.
    pub values: ValueKind,
    /// How it was made, [escaped](Provenance::escaped).
    pub provenance: Provenance,
    /// The stored plies, ascending.
    pub sections: Vec<Section>,
}

impl Book {
    /// Returns the contents of the header.
    #[must_use]
    pub fn info(&self) -> BookInfo {
        BookInfo {
            bytes: self.length(),
            format_version: VERSION,
            identity: format!("{:08x}", self.identity()),
            width: self.size().width(),
            height: self.size().height(),
            depth: self.depth(),
            values: self.kind(),
            provenance: self.provenance().escaped(),
            sections: self.sections().to_vec(),
        }
    }
}
