//! The positions of a ply, looked up one after the other.

use crate::book::{Book, BookError, Value};
use crate::enumerate::ranking_of_ply;
use fourbook_solver::board::{Position, Word, is_reachable};
use fourbook_solver::with_word;
use std::ops::Range;

/// Looks up the positions in some slots of a ply, with their values. Together, the slots from 0 on
/// have the positions that [`PlyValues`](super::PlyValues) has, in the same order; a
/// [`BookReader`](super::BookReader) reads a whole ply in less time. Positions in which the side to
/// move wins with its next stone are left out unless `with_wins` is set. Returns `None` if the ply
/// has none of these slots.
///
/// ```
/// use fourbook::{Book, tools::look_up_slots};
/// let found = look_up_slots(&Book::embedded(), 1, 0..64, false)?.unwrap();
/// let values: Vec<_> = found.into_iter().map(|(_, value)| value.number()).collect();
/// assert_eq!(values, [0, 1, 2, -1]);
/// # Ok::<(), fourbook::book::BookError>(())
/// ```
///
/// # Errors
///
/// If the book ends before the ply, is damaged, or lacks a value that it should have.
pub fn look_up_slots(
    book: &Book,
    ply: u32,
    slots: Range<u64>,
    with_wins: bool,
) -> Result<Option<Vec<(Position, Value)>>, BookError> {
    with_word!(book.size(), B => look_up::<B>(book, ply, slots, with_wins))
}

fn look_up<B: Word>(
    book: &Book,
    ply: u32,
    slots: Range<u64>,
    with_wins: bool,
) -> Result<Option<Vec<(Position, Value)>>, BookError> {
    let ranking = ranking_of_ply(book.size(), ply)?;
    if slots.start >= ranking.slots {
        return Ok(None);
    }
    let mut sequence = ranking.sequence::<B>();
    let mut found = Vec::new();
    for slot in slots.start..slots.end.min(ranking.slots) {
        let board = sequence.position(slot);
        let position = board.widen();
        // Of a position and its mirror image on the same cells, one has its slot.
        if board.is_over()
            || board.can_win_at_once() && !with_wins
            || ranking.rank(board) != slot
            || !is_reachable(position)
        {
            continue;
        }
        let number = book.look_up(position)?.number(book.kind());
        let number = number.ok_or_else(|| book.missing(position))?;
        found.push((position, Value::of(book.kind(), number)));
    }
    Ok(Some(found))
}

#[cfg(test)]
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
                    let parts = (0..).step_by(1000).map_while(|start| {
                        look_up_slots(&book, ply, start..start + 1000, with_wins).unwrap()
                    });
                    let expected = if with_wins { read.ongoing() } else { read.iter() };
                    assert!(expected.eq(parts.flatten()), "ply {ply}");
                }
            }
            assert!(look_up_slots(&book, book.depth() + 1, 0..1000, false).is_err());
        }
    }
}
