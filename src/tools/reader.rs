//! The values of whole plies, for callers that compute with them.

use super::error::ToolError;
use super::plies::{BookPlies, Ply};
use super::resources::Resources;
use crate::board::{Position, Word};
use crate::book::{Book, Value};
use crate::parallel::{BLOCK, for_each_block};
use crate::scores::PlyScores;

/// Reads the values of whole plies, many times as fast as looking positions up.
///
/// Each value is read once, on the threads of the current rayon pool, and takes a byte a slot.
/// Plies that are not stored are derived from the next one. Going through plies in order,
/// up or down, reads none twice.
///
/// ```
/// use fourbook::Book;
/// use fourbook::tools::BookReader;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let book = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book"))?;
/// let mut reader = BookReader::new(&book, book.depth(), &())?;
/// for ply in 0..=book.depth() {
///     let values = reader.read(ply)?;
///     // One after the other, in the order of the slots ...
///     let wins = values.iter().filter(|(_, value)| value.outcome().sign() > 0).count();
///     // ... or on all threads, in any order.
///     let counted = AtomicU64::new(0);
///     values.for_each(&|position, value| {
///         assert_eq!(position.ply(), ply);
///         if value.outcome().sign() > 0 {
///             counted.fetch_add(1, Ordering::Relaxed);
///         }
///     });
///     assert_eq!(counted.into_inner(), wins as u64);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BookReader<'a> {
    deepest: u32,
    plies: Plies<'a>,
}

/// In the word that holds the book's boards.
enum Plies<'a> {
    Narrow(BookPlies<'a, u64>),
    Wide(BookPlies<'a, u128>),
}

impl<'a> BookReader<'a> {
    /// Prepares to read the plies up to `depth`, or up to the book's depth if that is less.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn new(
        book: &'a Book,
        depth: u32,
        resources: impl Into<Resources<'a>>,
    ) -> Result<Self, ToolError> {
        let (deepest, resources) = (depth.min(book.depth()), resources.into());
        let plies = if book.size().is_narrow() {
            Plies::Narrow(BookPlies::new(book, deepest, resources)?)
        } else {
            Plies::Wide(BookPlies::new(book, deepest, resources)?)
        };
        Ok(BookReader { deepest, plies })
    }

    /// The values of a ply.
    ///
    /// # Errors
    ///
    /// If the ply is deeper than `depth`, the book is damaged or lacks a value, or the values fit
    /// neither in memory nor on the disk.
    pub fn read(&mut self, ply: u32) -> Result<PlyValues<'_>, ToolError> {
        let deepest = self.deepest;
        if ply > deepest {
            return Err(ToolError::PlyTooDeep { ply, deepest });
        }
        let values = match &mut self.plies {
            Plies::Narrow(plies) => Values::Narrow(complete(plies, ply)?),
            Plies::Wide(plies) => Values::Wide(complete(plies, ply)?),
        };
        Ok(PlyValues(values))
    }
}

/// Reads a ply; an error if a value is missing.
pub(super) fn complete<'a, B: Word>(
    plies: &'a mut BookPlies<'_, B>,
    ply: u32,
) -> Result<Ply<'a, B>, ToolError> {
    let read = plies.read(ply)?;
    read.check_complete()?;
    Ok(read)
}

/// The values of the positions of a ply that the rules do not score, a position and its mirror
/// image once; from a [`BookReader`].
#[derive(Clone, Copy)]
pub struct PlyValues<'a>(Values<'a>);

#[derive(Clone, Copy)]
enum Values<'a> {
    Narrow(Ply<'a, u64>),
    Wide(Ply<'a, u128>),
}

impl<'a> PlyValues<'a> {
    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self.0 {
            Values::Narrow(ply) => ply.positions.counts().stored,
            Values::Wide(ply) => ply.positions.counts().stored,
        }
    }

    /// The same values as [bytes](crate::book::encode), one a slot.
    #[must_use]
    pub fn scores(&self) -> PlyScores<'a> {
        match self.0 {
            Values::Narrow(ply) => scores(ply),
            Values::Wide(ply) => scores(ply),
        }
    }

    /// The positions with their values, in the order of the slots.
    #[must_use]
    pub fn iter(&self) -> Box<dyn Iterator<Item = (Position, Value)> + 'a> {
        match self.0 {
            Values::Narrow(ply) => Box::new(values(ply)),
            Values::Wide(ply) => Box::new(values(ply)),
        }
    }

    /// Calls `visit` with the positions and their values, in any order, on the threads of the
    /// current rayon pool.
    pub fn for_each(&self, visit: &(dyn Fn(Position, Value) + Sync)) {
        match self.0 {
            Values::Narrow(ply) => for_each(ply, visit),
            Values::Wide(ply) => for_each(ply, visit),
        }
    }
}

fn scores<B: Word>(ply: Ply<'_, B>) -> PlyScores<'_> {
    PlyScores { ply: ply.positions.ranking().ply(), bytes: ply.bytes }
}

fn value<B: Word>(
    ply: Ply<'_, B>,
    (position, value): (Position<B>, Option<i8>),
) -> (Position, Value) {
    let value = value.expect("no value is missing");
    (position.widen(), Value::of(ply.book.kind(), value))
}

fn values<B: Word>(ply: Ply<'_, B>) -> impl Iterator<Item = (Position, Value)> {
    ply.values_in(0..ply.slots()).map(move |found| value(ply, found))
}

fn for_each<B: Word>(ply: Ply<'_, B>, visit: &(dyn Fn(Position, Value) + Sync)) {
    for_each_block(ply.slots(), BLOCK, &|slots| {
        for found in ply.values_in(slots) {
            let (position, value) = value(ply, found);
            visit(position, value);
        }
    });
}
