//! The values of whole plies, for callers that compute with them.

use super::error::ToolError;
use super::plies::{BookPlies, PlyValues};
use super::resources::Resources;
use crate::book::{Book, Value};
use crate::parallel::{BLOCK, for_each_block};
use crate::scores::{PlyScores, decode};
use fourbook_solver::board::{Position, winning_score};
use fourbook_solver::with_word;
use std::ops::Range;

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
    pub(super) deepest: u32,
    plies: BookPlies<'a>,
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
        let deepest = depth.min(book.depth());
        Ok(BookReader { deepest, plies: BookPlies::new(&[book], deepest, resources.into())? })
    }

    /// The values of a ply.
    ///
    /// # Errors
    ///
    /// If the ply is deeper than `depth`, the book is damaged or lacks a value, or the values fit
    /// neither in memory nor on the disk.
    pub fn read(&mut self, ply: u32) -> Result<PlyValues<'_>, ToolError> {
        if ply > self.deepest {
            return Err(ToolError::DepthTooDeep { depth: ply, deepest: self.deepest });
        }
        self.plies.read_complete(ply)
    }
}

impl<'a> PlyValues<'a> {
    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.counts.stored
    }

    /// The same values as [bytes](crate::book::encode), one a slot.
    #[must_use]
    pub fn scores(&self) -> PlyScores<'a> {
        PlyScores { ply: self.positions.ranking.ply, bytes: self.bytes }
    }

    /// The positions in some slots with their values.
    pub(super) fn values_in(
        &self,
        slots: Range<u64>,
    ) -> Box<dyn Iterator<Item = (Position, Value)> + 'a> {
        let PlyValues { positions, bytes, book, .. } = *self;
        with_word!(book.size(), B => {
            Box::new(positions.stored_in::<B>(slots).map(move |(slot, position)| {
                let value = decode(bytes[slot as usize]).expect("no value is missing");
                (position.widen(), Value::of(book.kind(), value))
            }))
        })
    }

    /// The positions with their values, in the order of the slots.
    #[must_use]
    pub fn iter(&self) -> Box<dyn Iterator<Item = (Position, Value)> + 'a> {
        self.values_in(0..self.slots())
    }

    /// All positions of the ply in which the game goes on, with their values, in the order of the
    /// slots: as [`iter`](Self::iter), but with the positions in which the side to move wins with
    /// its next stone.
    #[must_use]
    pub fn ongoing(&self) -> Box<dyn Iterator<Item = (Position, Value)> + 'a> {
        let PlyValues { positions, bytes, book, .. } = *self;
        let (kind, ranking) = (book.kind(), &positions.ranking);
        let win = winning_score(book.size().cells(), ranking.ply + 1);
        with_word!(book.size(), B => {
            let mut sequence = ranking.sequence::<B>();
            Box::new(positions.ongoing.in_range(0..self.slots()).map(move |slot| {
                let value = decode(bytes[slot as usize]).unwrap_or(win);
                (sequence.position(slot).widen(), Value::of(kind, value))
            }))
        })
    }

    /// Calls `visit` with the positions and their values, in any order, on the threads of the
    /// current rayon pool.
    pub fn for_each(&self, visit: &(dyn Fn(Position, Value) + Sync)) {
        for_each_block(self.slots(), BLOCK, &|slots| {
            self.values_in(slots).for_each(|(position, value)| visit(position, value));
        });
    }
}
