//! The values of all positions of a ply, in the order of their slots.

use crate::book::Book;
use crate::derive::Below;
use crate::enumerate::ReachablePly;
use crate::scores::decode;
use fourbook_solver::board::{Position, Score, winning_score};
use fourbook_solver::with_word;
use std::ops::Range;

/// The values of the positions of a ply that the rules do not score, of the book's
/// [kind](Book::kind), a position and its mirror image once; from a [`BookReader`](super::BookReader).
#[derive(Clone, Copy)]
pub struct PlyValues<'a> {
    pub(super) positions: &'a ReachablePly,
    /// One byte a slot, as [`PlyScores`](crate::book::PlyScores) has them.
    pub(super) bytes: &'a [u8],
    pub(super) book: &'a Book,
    /// The first slot of a position that should have a value and has none.
    pub(super) first_missing: Option<u64>,
}

impl<'a> PlyValues<'a> {
    /// How many slots there are.
    pub(super) fn slots(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The ply to derive others from.
    pub(super) fn below(&self) -> Below<'a> {
        Below { ranking: &self.positions.ranking, bytes: self.bytes, kind: self.book.kind() }
    }

    /// The positions in some slots with their values.
    pub(super) fn values_in(
        &self,
        slots: Range<u64>,
    ) -> Box<dyn Iterator<Item = (Position, Score)> + 'a> {
        let PlyValues { positions, bytes, book, .. } = *self;
        with_word!(book.size(), B => {
            Box::new(positions.stored_in::<B>(slots).map(move |(slot, position)| {
                let value = decode(bytes[slot as usize]).expect("no value is missing");
                (position.widen(), value)
            }))
        })
    }

    /// The positions with their values, in the order of the slots.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (Position, Score)> + 'a> {
        self.values_in(0..self.slots())
    }

    /// All positions of the ply in which the game goes on, with their values, in the order of the
    /// slots: as [`iter`](Self::iter), but with the positions in which the side to move wins with
    /// its next stone.
    pub fn ongoing(&self) -> Box<dyn Iterator<Item = (Position, Score)> + 'a> {
        let PlyValues { positions, bytes, book, .. } = *self;
        let ranking = &positions.ranking;
        let win = book.kind().of(winning_score(book.size().cells(), ranking.ply + 1));
        with_word!(book.size(), B => {
            let mut sequence = ranking.sequence::<B>();
            Box::new(positions.ongoing.in_range(0..self.slots()).map(move |slot| {
                let value = decode(bytes[slot as usize]).unwrap_or(win);
                (sequence.position(slot).widen(), value)
            }))
        })
    }
}
