//! Makes a shallower book from a deeper one, without a solver. The new book may
//! also store its values in another encoding.
//!
//! A ply that the deeper book stores is copied; other plies are derived from the next one, as
//! when a book is generated. The new book has the same bytes as one that the same version generates
//! from scratch.

use super::error::ToolError;
use super::reader::BookReader;
use super::resources::Resources;
use crate::book::{Book, BookContents, Encoding, Provenance};
use crate::scores::PlyScores;
use fourbook_solver::ValueKind;
use std::ops::Deref;
use std::sync::Arc;

/// Options of the new book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackOptions {
    /// The deepest ply; at most that of the old book.
    pub depth: u32,
    /// The kind of its values. A book of scores can be packed as one of outcomes.
    pub kind: ValueKind,
    /// How values are stored.
    pub encoding: Encoding,
    /// The last ply that a compact book stores flat; see [`BookContents::flat_to`]. The book
    /// stores every ply up to this one, so a lookup there reads one slot instead of one for each
    /// move. Without it, and in a flat book, every second ply is stored.
    pub flat_to: Option<u32>,
}

impl PackOptions {
    /// The plies that the new book stores.
    fn stored(&self) -> Vec<u32> {
        let flat_to = self.flat_to.filter(|_| self.encoding == Encoding::Compact);
        (0..=self.depth)
            .filter(|&ply| (self.depth - ply).is_multiple_of(2) || Some(ply) <= flat_to)
            .collect()
    }
}

/// The values of plies, each with its number of stones: one byte a slot, computed, or as read from a
/// book.
pub(super) type Plies = Vec<(u32, Arc<dyn Deref<Target = [u8]> + Send + Sync>)>;

/// The values of a new book.
pub struct Packed {
    /// The plies stored, the shallowest first.
    pub(super) plies: Plies,
    /// The book without its plies. Its memory is that for the values and for encoding them.
    pub(super) contents: BookContents<'static>,
}

impl Packed {
    /// The scores of the plies that the new book stores, the shallowest first.
    pub fn plies(&self) -> Vec<PlyScores<'_>> {
        self.plies.iter().map(|(ply, bytes)| PlyScores { ply: *ply, bytes }).collect()
    }

    /// The contents of the new book, from the result of [`plies`](Self::plies).
    pub fn contents<'a>(&self, plies: &'a [PlyScores<'a>]) -> BookContents<'a> {
        let values = plies.iter().map(|ply| ply.bytes.len() as u64).sum();
        let memory = self.contents.memory.map(|memory| memory.saturating_sub(values));
        BookContents { plies, memory, ..self.contents.clone() }
    }
}

/// Computes the values of a new book from `book`, on the threads of the current rayon pool.
///
/// Checks the checksums of all sections that it reads, and that every position has a value. If
/// `book` was generated, the new book has the provenance of a generated book; otherwise it has
/// the provenance of `book` with a note.
///
/// # Errors
///
/// If `book` is shallower, is damaged, or has no scores but `options` ask for them.
pub fn pack<'a>(
    book: &'a Book,
    options: PackOptions,
    resources: impl Into<Resources<'a>>,
) -> Result<Packed, ToolError> {
    let resources = resources.into();
    if options.depth > book.depth() {
        return Err(ToolError::DepthTooDeep { depth: options.depth, deepest: book.depth() });
    }
    if options.kind == ValueKind::Scores && book.kind() == ValueKind::WinDrawLoss {
        let expected = "a book of exact scores";
        let found = "one of win, draw or loss";
        return Err(ToolError::unfit(expected, found, "choose another book"));
    }
    let stored = options.stored();
    let mut reader = BookReader::new(book, options.depth, resources)?;
    for section in book.sections() {
        if stored.iter().any(|&ply| book.source_of(ply) == section.ply) {
            book.check_section(section)?;
        }
    }
    let mut plies: Plies = Vec::new();
    for ply in stored {
        plies.push((ply, reader.hand_out(ply)?));
    }
    let PackOptions { kind, encoding, flat_to, .. } = options;
    let size = book.size();
    let provenance = provenance(book, options);
    let memory = Some(resources.memory());
    let contents = BookContents { size, kind, encoding, flat_to, plies: &[], provenance, memory };
    Ok(Packed { plies, contents })
}

/// Where the new book comes from.
fn provenance(book: &Book, options: PackOptions) -> Provenance {
    let PackOptions { depth, kind, encoding, flat_to } = options;
    let old = book.provenance();
    let was_generated = Encoding::ALL.into_iter().any(|encoding| {
        let asked = Provenance::generated(book.size(), book.depth(), book.kind(), encoding);
        asked.arguments == old.arguments_before_flat_to()
    });
    let mut new = Provenance::generated(book.size(), depth, kind, encoding);
    if let (Encoding::Compact, Some(ply)) = (encoding, flat_to) {
        new = new.flat_to(ply);
    }
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
