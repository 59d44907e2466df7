//! A shallower book from a deeper one, without a solver; the new book may
//! also store its values in another encoding.
//!
//! Plies of the deeper book's parity are taken over; those between follow
//! from the ply below, as when a book is generated. Either way the values are
//! those that generating would have given, so the bytes are, too.

use super::Progress;
use super::error::{ChecksumError, MissingValue};
use super::format::{Encoding, Provenance, stored_plies};
use super::reader::{Book, BookView};
use super::walk::explore_to;
use super::writer::BookContents;
use crate::board::{OnSize, Size};
use crate::enumerate::{PlyError, Reachable, ReachablePly};
use crate::generate::derive::derive_ply;
use crate::scores::{ABSENT, PlyScores, ValueKind, encode};
use rayon::prelude::*;
use std::fmt;

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
    /// The deepest ply; at most that of the book there is.
    pub depth: u32,
    /// What its values are; of scores, outcomes can be made.
    pub kind: ValueKind,
    /// How they are stored.
    pub encoding: Encoding,
}

/// A part of packing a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Playing on from every position of the ply before; the units are slots.
    Enumerate {
        /// Number of stones of the positions looked for.
        ply: u32,
    },
    /// Reading the values of a ply, or deriving them; the units are slots.
    Values {
        /// Number of stones of the positions.
        ply: u32,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Enumerate { ply } => write!(f, "ply {ply}: enumerating positions"),
            Step::Values { ply } => write!(f, "ply {ply}: reading values"),
        }
    }
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
pub fn pack<D: AsRef<[u8]>>(
    book: &Book<D>,
    options: Options,
    progress: &impl Progress<Step>,
) -> Result<Packed, PackError> {
    pack_borrowed(&book.borrowed(), options, progress)
}

fn pack_borrowed(
    book: &Book<&[u8]>,
    options: Options,
    progress: &dyn Progress<Step>,
) -> Result<Packed, PackError> {
    if options.depth > book.depth() {
        return Err(PackError::TooDeep { depth: options.depth, deepest: book.depth() });
    }
    if options.kind == ValueKind::Scores && book.kind() == ValueKind::Outcomes {
        return Err(PackError::NoScores);
    }
    book.size().dispatch(Pack { book, options, progress })
}

struct Pack<'a> {
    book: &'a Book<&'a [u8]>,
    options: Options,
    progress: &'a dyn Progress<Step>,
}

impl OnSize for Pack<'_> {
    type Output = Result<Packed, PackError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let view = self.book.view::<W, H>().expect("the size is the book's");
        let mut reachable = Reachable::root();
        let mut plies = Vec::new();
        for ply in stored_plies(self.options.depth) {
            let source = if self.book.stores(ply) { ply } else { ply + 1 };
            let step = |ply| Step::Enumerate { ply };
            explore_to(&mut reachable, source, step, self.progress)?;
            let mut bytes = self.read(&view, reachable.ply(source))?;
            if source != ply {
                let below = reachable.ply(source).ranking();
                bytes = derive_ply(reachable.ply(ply), below, &bytes, self.book.kind());
            }
            plies.push((ply, bytes));
        }
        let provenance = provenance(self.book, self.options);
        Ok(Packed { size: self.book.size(), options: self.options, plies, provenance })
    }
}

/// Slots a unit of parallel work.
const BLOCK: usize = 4096;

impl Pack<'_> {
    /// The values of a stored ply, each encoded in a byte.
    fn read<const W: usize, const H: usize>(
        &self,
        view: &BookView<&&[u8], W, H>,
        reachable: &ReachablePly<W, H>,
    ) -> Result<Vec<u8>, PackError> {
        let ranking = reachable.ranking();
        let ply = ranking.ply();
        let mut sections = self.book.sections().iter().filter(|section| section.ply == ply);
        sections.try_for_each(|section| self.book.check_section(section))?;
        self.progress.begin(Step::Values { ply }, ranking.slots());
        let mut bytes = vec![ABSENT; ranking.slots() as usize];
        let blocks = bytes.par_chunks_mut(BLOCK).enumerate().map(|(block, bytes)| {
            for (slot, byte) in ((block * BLOCK) as u64..).zip(bytes.iter_mut()) {
                if !reachable.ongoing().contains(slot) {
                    continue;
                }
                let position = ranking.unrank(slot);
                if !position.can_win_at_once() {
                    let value = view.stored(position, ply);
                    *byte = encode(value.ok_or(position)?);
                }
            }
            self.progress.advance(bytes.len() as u64);
            Ok(())
        });
        let missing = blocks.find_map_first(Result::err);
        match missing {
            Some(position) => Err(MissingValue::of(position).into()),
            None => Ok(bytes),
        }
    }
}

/// Where the new book comes from.
fn provenance(book: &Book<&[u8]>, options: Options) -> Provenance {
    let Options { depth, kind, encoding } = options;
    let old = book.provenance();
    let generated = |encoding| {
        Provenance::generated(book.size(), book.depth(), book.kind(), encoding).arguments
    };
    let new = Provenance::generated(book.size(), depth, kind, encoding);
    let arguments = if Encoding::ALL.map(generated).contains(&old.arguments) {
        new.arguments
    } else if (depth, kind) == (book.depth(), book.kind()) {
        old.arguments.clone()
    } else {
        let wdl = kind.option();
        format!("{}; pack --depth {depth}{wdl}", old.arguments)
    };
    // The values are the work of the program that made the old book.
    Provenance { arguments, values: new.values, ..old.clone() }
}
