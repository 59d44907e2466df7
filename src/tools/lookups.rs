//! The positions of a ply, looked up one after the other.

use crate::book::{Book, BookError, Value};
use crate::enumerate::ranking_of_ply;
use crate::rank::Ranking;
use fourbook_solver::board::{Position, Word, is_reachable};
use fourbook_solver::with_word;
use std::sync::Arc;

/// The positions of a ply of a book with their values, as
/// [`PlyValues`](super::PlyValues) has them and in the same order. Each is looked up when it is
/// asked for, so the first positions come at once; a [`BookReader`](super::BookReader) reads a
/// whole ply on all threads.
///
/// ```
/// use fourbook::Book;
/// use fourbook::tools::PlyLookups;
/// let mut lookups = PlyLookups::new(Book::embedded(), 1, false)?;
/// let mut values = Vec::new();
/// while let Some(found) = lookups.read(64)? {
///     values.extend(found.into_iter().map(|(_, value)| value.number()));
/// }
/// assert_eq!(values, [0, 1, 2, -1]);
/// # Ok::<(), fourbook::BookError>(())
/// ```
#[derive(Debug)]
pub struct PlyLookups {
    book: Arc<Book>,
    ranking: Ranking,
    with_wins: bool,
    /// The next slot.
    slot: u64,
}

impl PlyLookups {
    /// Prepares to look the positions of a ply up. Positions in which the side to move wins with
    /// its next stone are left out unless `with_wins` is set.
    ///
    /// # Errors
    ///
    /// If the book ends before the ply.
    pub fn new(book: impl Into<Arc<Book>>, ply: u32, with_wins: bool) -> Result<Self, BookError> {
        let book = book.into();
        if ply > book.depth() {
            return Err(BookError::TooDeep { size: book.size(), ply });
        }
        let ranking = ranking_of_ply(book.size(), ply)?;
        Ok(PlyLookups { book, ranking, with_wins, slot: 0 })
    }

    /// Returns the positions in the next slots, at most `slots` of them; `None` at the end.
    ///
    /// # Errors
    ///
    /// If the book is damaged, or lacks a value that it should have.
    pub fn read(&mut self, slots: u64) -> Result<Option<Vec<(Position, Value)>>, BookError> {
        if self.slot == self.ranking.slots {
            return Ok(None);
        }
        with_word!(self.book.size(), B => self.read_as::<B>(slots)).map(Some)
    }

    fn read_as<B: Word>(&mut self, slots: u64) -> Result<Vec<(Position, Value)>, BookError> {
        let mut sequence = self.ranking.sequence::<B>();
        let mut found = Vec::new();
        let end = self.ranking.slots.min(self.slot.saturating_add(slots));
        for slot in self.slot..end {
            let board = sequence.position(slot);
            // Of mirror images with the same stones' cells, one has the slot.
            if board.is_over()
                || board.can_win_at_once() && !self.with_wins
                || self.ranking.rank(board) != slot
            {
                continue;
            }
            let position = board.widen();
            if is_reachable(position) {
                let value = self.book.look_up_reachable(position)?.value();
                let value = value.ok_or_else(|| self.book.missing(position))?;
                found.push((position, Value::of(self.book.kind(), value.number())));
            }
        }
        self.slot = end;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::BookReader;

    #[test]
    fn lookups_find_what_a_reader_reads() {
        let small = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book")).unwrap();
        for (book, depth) in [(Arc::new(small), 6), (Arc::new(Book::embedded()), 7)] {
            let mut reader = BookReader::new(&book, depth, &()).unwrap();
            for ply in 0..=depth {
                let read = reader.read(ply).unwrap();
                for with_wins in [false, true] {
                    let mut lookups = PlyLookups::new(Arc::clone(&book), ply, with_wins).unwrap();
                    let mut found = Vec::new();
                    while let Some(more) = lookups.read(1000).unwrap() {
                        found.extend(more);
                    }
                    let expected = if with_wins { read.ongoing() } else { read.iter() };
                    assert!(expected.eq(found), "ply {ply}");
                }
            }
            assert!(PlyLookups::new(Arc::clone(&book), book.depth() + 1, false).is_err());
        }
    }
}
