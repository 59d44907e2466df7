//! A shallower book from a deeper one, without a solver; the new book may
//! also store its values in another encoding.
//!
//! Where the deeper book stores a ply of the new one, its values are taken over. Else they
//! follow from those of the next ply, as when a book is generated. Either way they
//! are those that generating would have given, and so are the bytes.

use super::walk::explore_to;
use crate::board::{Size, with_word};
use crate::book::{
    Book, BookContents, BookWord, ChecksumError, Encoding, MissingValue, Provenance, View,
    stored_plies,
};
use crate::enumerate::{PlyError, Reachable, ReachablePly};
use crate::generate::derive::derive_ply;
use crate::parallel::for_each_block_mut;
use crate::progress::{Progress, Step};
use crate::scores::{ABSENT, PlyScores, ValueKind, encode};
use std::sync::atomic::{AtomicU64, Ordering};

/// Why a book could not be packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The book is not as deep as asked for.
    #[error(
        "expected a depth of 0 to {deepest}, the depth of the book, found {depth}; choose such a \
         depth, or generate a deeper book"
    )]
    TooDeep {
        /// The depth asked for.
        depth: u32,
        /// That of the book.
        deepest: u32,
    },
    /// Exact scores were asked for, of a book that has none.
    #[error("expected a book of exact scores, found one of win, draw or loss; choose another book")]
    NoScores,
    /// A section's bytes are not those that were written.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// A position has no value that should have one.
    #[error(transparent)]
    Missing(#[from] MissingValue),
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
}

/// What the new book is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The deepest ply; at most that of the old book.
    pub depth: u32,
    /// What its values are; a book of scores can be packed as one of outcomes.
    pub kind: ValueKind,
    /// How they are stored.
    pub encoding: Encoding,
    /// To which ply a compact book is flat all the same, as
    /// [`BookContents::flat_to`] says.
    pub flat_to: Option<u32>,
}

/// The values of a new book.
#[derive(Clone, Debug)]
pub struct Packed {
    pub(super) size: Size,
    pub(super) options: Options,
    /// The plies stored, the shallowest first, with one byte a slot.
    pub(super) plies: Vec<(u32, Vec<u8>)>,
    pub(super) provenance: Provenance,
}

impl Packed {
    /// The scores of the plies that the new book stores, the shallowest first.
    #[must_use]
    pub fn plies(&self) -> Vec<PlyScores<'_>> {
        self.plies.iter().map(|(ply, bytes)| PlyScores { ply: *ply, bytes }).collect()
    }

    /// What to write, given what [`plies`](Self::plies) returned.
    #[must_use]
    pub fn contents<'a>(&self, plies: &'a [PlyScores<'a>]) -> BookContents<'a> {
        BookContents {
            size: self.size,
            kind: self.options.kind,
            encoding: self.options.encoding,
            flat_to: self.options.flat_to,
            plies,
            provenance: self.provenance.clone(),
        }
    }
}

/// The values of a book as deep as `options` say, from those of `book`, on the
/// threads of the current rayon pool.
///
/// The checksums of the sections read are checked, and that every position
/// has a value. The new book has the provenance that generating it would have
/// given, if `book` was generated; else that of `book` with a note.
///
/// # Errors
///
/// If `book` is not as deep, has no scores though they are wanted, or is damaged.
pub fn pack(book: &Book, options: Options, progress: &dyn Progress) -> Result<Packed, PackError> {
    if options.depth > book.depth() {
        return Err(PackError::TooDeep { depth: options.depth, deepest: book.depth() });
    }
    if options.kind == ValueKind::Scores && book.kind() == ValueKind::WinDrawLoss {
        return Err(PackError::NoScores);
    }
    let plies = with_word!(book.size(), B => plies::<B>(book, options.depth, progress))?;
    Ok(Packed { size: book.size(), options, plies, provenance: provenance(book, options) })
}

/// The stored plies of a new book of this depth.
fn plies<B: BookWord>(
    book: &Book,
    depth: u32,
    progress: &dyn Progress,
) -> Result<Vec<(u32, Vec<u8>)>, PackError> {
    let view = book.view::<B>();
    let mut reachable = Reachable::<B>::root(book.size());
    let mut plies = Vec::new();
    for ply in stored_plies(depth) {
        let source = if book.stores(ply) { ply } else { ply + 1 };
        explore_to(&mut reachable, source, progress)?;
        let mut bytes = read(&view, reachable.ply(source), progress)?;
        if source != ply {
            let below = reachable.ply(source).ranking();
            bytes = derive_ply(reachable.ply(ply), below, &bytes, book.kind());
        }
        plies.push((ply, bytes));
    }
    Ok(plies)
}

/// The values of a stored ply, one byte a slot.
fn read<B: BookWord>(
    view: &View<'_, B>,
    reachable: &ReachablePly<B>,
    progress: &dyn Progress,
) -> Result<Vec<u8>, PackError> {
    let (book, ranking) = (view.book(), reachable.ranking());
    let ply = ranking.ply();
    let mut sections = book.sections().iter().filter(|section| section.ply == ply);
    sections.try_for_each(|section| book.check_section(section))?;
    progress.begin(Step::Read { ply }, ranking.slots());
    let mut bytes = vec![ABSENT; ranking.slots() as usize];
    let first_missing = AtomicU64::new(u64::MAX);
    for_each_block_mut(&mut bytes, &|start, bytes| {
        for (slot, byte) in (start..).zip(bytes.iter_mut()) {
            if !reachable.ongoing().contains(slot) {
                continue;
            }
            let position = ranking.unrank(slot);
            if position.can_win_at_once() {
                continue;
            }
            match view.stored(position, ply) {
                Some(value) => *byte = encode(value),
                None => drop(first_missing.fetch_min(slot, Ordering::Relaxed)),
            }
        }
        progress.advance(bytes.len() as u64);
    });
    match first_missing.into_inner() {
        u64::MAX => Ok(bytes),
        slot => Err(view.missing(ranking.unrank(slot)).into()),
    }
}

/// Where the new book comes from.
fn provenance(book: &Book, options: Options) -> Provenance {
    let Options { depth, kind, encoding, flat_to } = options;
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
