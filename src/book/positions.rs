//! The positions of a ply, looked up one after the other.

use super::error::BookError;
use super::reader::Book;
use crate::rank::Ranking;
use fourbook_solver::board::{Position, Score, Word, is_reachable};
use fourbook_solver::with_word;
use std::borrow::Borrow;
use std::ops::Range;

/// Slots that are looked up at a time: about a millisecond.
const BATCH: u64 = 1 << 10;

impl Book {
    /// Looks up all positions of a ply in which the game goes on, one after the other, in the order of
    /// their slots: of a position and its mirror image, one. Values are of the book's
    /// [kind](Self::kind). Positions in which the side to move wins with its next stone are left out
    /// unless `with_wins` is set. With the feature `generate`, `tools::BookReader` reads a whole ply in
    /// less time.
    ///
    /// ```
    /// use fourbook::Book;
    /// let mut values = Vec::new();
    /// for found in Book::positions(Book::embedded(), 1, false)? {
    ///     let (_, value) = found?;
    ///     values.push(value);
    /// }
    /// assert_eq!(values, [0, 1, 2, -1]);
    /// # Ok::<(), fourbook::book::BookError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the board has no such ply. An item is an error if the book ends before the ply, is damaged,
    /// or lacks a value that it should have.
    pub fn positions<T: Borrow<Book>>(
        book: T,
        ply: u32,
        with_wins: bool,
    ) -> Result<impl Iterator<Item = Result<(Position, Score), BookError>>, BookError> {
        let size = book.borrow().size();
        let ranking = Ranking::new(size, ply).ok_or(BookError::TooDeep { size, ply })?;
        let batches = (0..ranking.slots).step_by(BATCH as usize);
        Ok(batches.flat_map(move |start| {
            let slots = start..ranking.slots.min(start + BATCH);
            with_word!(size, B => batch::<B>(book.borrow(), &ranking, slots, with_wins))
        }))
    }
}

fn batch<B: Word>(
    book: &Book,
    ranking: &Ranking,
    slots: Range<u64>,
    with_wins: bool,
) -> Vec<Result<(Position, Score), BookError>> {
    let mut sequence = ranking.sequence::<B>();
    let boards = slots.map(|slot| (slot, sequence.position(slot)));
    // Of a position and its mirror image on the same cells, one has its slot.
    let positions = boards.filter(|&(slot, board)| {
        !board.is_over()
            && (with_wins || !board.can_win_at_once())
            && ranking.rank(board) == slot
            && is_reachable(board.widen())
    });
    positions
        .map(|(_, board)| {
            let position = board.widen();
            let value = book.look_up(position)?.value(book.kind());
            Ok((position, value.ok_or_else(|| book.missing(position))?))
        })
        .collect()
}

#[cfg(all(test, feature = "generate"))]
mod tests {
    use super::*;
    use crate::tools::BookReader;

    #[test]
    fn lookups_find_what_a_reader_reads() {
        let small = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book")).unwrap();
        for (book, depth) in [(small, 6), (Book::embedded(), 7)] {
            let mut reader = BookReader::new(&book, depth, &()).unwrap();
            for ply in 0..=depth {
                let read = reader.read(ply).unwrap();
                for with_wins in [false, true] {
                    let found = Book::positions(&book, ply, with_wins).unwrap();
                    let expected = if with_wins { read.ongoing() } else { read.iter() };
                    assert!(expected.eq(found.map(Result::unwrap)), "ply {ply}");
                }
            }
            assert!(Book::positions(&book, book.depth() + 1, false).unwrap().all(|it| it.is_err()));
        }
    }
}
