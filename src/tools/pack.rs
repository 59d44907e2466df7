//! Makes a shallower book from a deeper one, without a solver. The new book may
//! also store its values in another encoding.
//!
//! A ply that the deeper book stores is copied; other plies are derived from the next one, as
//! when a book is generated. The new book has the same bytes as one that the same version generates
//! from scratch.

use super::error::ToolError;
use super::reader::BookReader;
use super::resources::Resources;
use crate::book::{Book, BookContents, Encoding, Provenance, every_second_ply};
use fourbook_solver::ValueKind;

/// Options of the new book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackOptions {
    /// The deepest ply; at most that of the old book.
    pub depth: u32,
    /// The kind of its values. A book of scores can be packed as one of outcomes.
    pub kind: ValueKind,
    /// How values are stored.
    pub encoding: Encoding,
}

/// Computes the contents of a new book from `book`, on the threads of the current rayon pool.
///
/// Checks the checksums of all sections that it reads, and that every position has a value. If
/// `book` was generated, the new book has the provenance of a generated book; otherwise it has
/// the provenance of `book` with a note.
///
/// # Errors
///
/// If `book` is shallower, is damaged, or has no scores but `options` ask for them; or the work is
/// cancelled.
pub fn pack<'a>(
    book: &'a Book,
    options: PackOptions,
    resources: impl Into<Resources<'a>>,
) -> Result<BookContents, ToolError> {
    let resources = resources.into();
    let PackOptions { depth, kind, encoding } = options;
    if depth > book.depth() {
        return Err(ToolError::DepthTooDeep { depth, deepest: book.depth() });
    }
    if kind == ValueKind::Scores && book.kind() == ValueKind::WinDrawLoss {
        let expected = "a book of exact scores";
        let found = "one of win, draw or loss";
        return Err(ToolError::unfit(expected, found, "choose another book"));
    }
    let stored = every_second_ply(depth);
    let mut reader = BookReader::new(book, depth, resources)?;
    for section in book.sections() {
        if stored.iter().any(|&ply| book.source_of(ply) == section.ply) {
            book.check_section(section)?;
        }
    }
    let plies = stored.into_iter().map(|ply| reader.scores(ply)).collect::<Result<Vec<_>, _>>()?;
    let values: u64 = plies.iter().map(|ply| ply.bytes().len() as u64).sum();
    let memory = Some(resources.memory().saturating_sub(values));
    let provenance = provenance(book, options);
    Ok(BookContents { size: book.size(), kind, encoding, plies, provenance, memory })
}

/// Where the new book comes from.
fn provenance(book: &Book, PackOptions { depth, kind, encoding }: PackOptions) -> Provenance {
    let old = book.provenance();
    let was_generated = Encoding::ALL.into_iter().any(|encoding| {
        let asked = Provenance::generated(book.size(), book.depth(), book.kind(), encoding);
        asked.arguments == old.arguments
    });
    let new = Provenance::generated(book.size(), depth, kind, encoding);
    let arguments = if was_generated {
        new.arguments
    } else if (depth, kind) == (book.depth(), book.kind()) {
        old.arguments.clone()
    } else {
        old.packed_arguments(depth, kind)
    };
    // The values are the work of the program that made the old book.
    Provenance { arguments, values: new.values, ..old.clone() }
}
