//! What a book says of itself, in one piece.

use super::{Book, Provenance, Section, VERSION};
use crate::scores::ValueKind;
use serde::Serialize;

/// What the header of a book says, made by [`Book::info`]. As JSON, these are fields of what
/// `fourbook info --json` and the server's `/v1/book` tell.
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
    /// What the values are.
    pub values: ValueKind,
    /// How it was made.
    pub provenance: Provenance,
    /// The stored plies, ascending.
    pub sections: Vec<Section>,
}

impl Book {
    /// What the header says.
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
            provenance: self.provenance().clone(),
            sections: self.sections().to_vec(),
        }
    }
}
