//! All positions of a book, one after the other.

use crate::board::{Position, Word, with_word};
use crate::book::{Book, BookWord, Lookup, View};
use crate::enumerate::{PlyError, Reachable, ReachablePly};
use crate::parallel::BLOCK;
use crate::progress::{Progress, Step};
use std::ops::ControlFlow;

/// Calls `visit` with the positions of every ply from 0 to `depth`, or to the depth of the
/// book if that is less, and with what the book knows of each: those that a game can reach
/// and the rules do not score, a position and its mirror image once. Ends when `visit`
/// [breaks](ControlFlow::Break).
///
/// Always in the same order. Positions are enumerated on the threads of the
/// current rayon pool and visited on the calling one.
///
/// ```
/// use fourbook::{Book, tools::walk};
/// use std::ops::ControlFlow;
///
/// let mut positions = 0;
/// walk(&Book::embedded(), 2, &mut |position, known| {
///     assert!(position.ply() <= 2 && known.score().is_some());
///     positions += 1;
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(positions, 1 + 4 + 25);
/// # Ok::<(), fourbook::tools::PlyError>(())
/// ```
///
/// # Errors
///
/// If a ply cannot be enumerated.
pub fn walk(
    book: &Book,
    depth: u32,
    visit: &mut dyn FnMut(Position, Lookup) -> ControlFlow<()>,
) -> Result<(), PlyError> {
    with_word!(book.size(), B => walk_in::<B>(book, depth, visit))
}

fn walk_in<B: BookWord>(
    book: &Book,
    depth: u32,
    visit: &mut dyn FnMut(Position, Lookup) -> ControlFlow<()>,
) -> Result<(), PlyError> {
    let mut reachable = Reachable::<B>::root(book.size());
    for ply in 0..=depth.min(book.depth()) {
        explore_to(&mut reachable, ply, &())?;
        if visit_ply(&book.view(), reachable.deepest(), visit).is_break() {
            break;
        }
    }
    Ok(())
}

/// As [`walk()`], of one ply alone; none if the book is not as deep.
///
/// ```
/// use fourbook::{Book, tools::walk_ply};
/// use std::ops::ControlFlow;
///
/// let mut scores = Vec::new();
/// walk_ply(&Book::embedded(), 1, &mut |_, known| {
///     scores.extend(known.score());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(scores.len(), 4); // and their mirror images
/// # Ok::<(), fourbook::tools::PlyError>(())
/// ```
///
/// # Errors
///
/// If a ply cannot be enumerated.
pub fn walk_ply(
    book: &Book,
    ply: u32,
    visit: &mut dyn FnMut(Position, Lookup) -> ControlFlow<()>,
) -> Result<(), PlyError> {
    if ply > book.depth() {
        return Ok(());
    }
    with_word!(book.size(), B => walk_ply_in::<B>(book, ply, visit))
}

fn walk_ply_in<B: BookWord>(
    book: &Book,
    ply: u32,
    visit: &mut dyn FnMut(Position, Lookup) -> ControlFlow<()>,
) -> Result<(), PlyError> {
    let mut reachable = Reachable::<B>::root(book.size());
    explore_to(&mut reachable, ply, &())?;
    let _ = visit_ply(&book.view(), reachable.deepest(), visit);
    Ok(())
}

/// Calls `visit` with every stored position of a ply and what the book knows of it, until it
/// breaks.
fn visit_ply<B: BookWord>(
    view: &View<'_, B>,
    positions: &ReachablePly<B>,
    visit: &mut dyn FnMut(Position, Lookup) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let visited = visit_stored(positions, &(), &mut |position| match visit(
        position.widen(),
        view.look_up_reachable(position),
    ) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(()),
    });
    if visited.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Calls `visit` with every stored position of a ply, in the order of the slots.
///
/// # Errors
///
/// If `visit` fails.
pub(super) fn visit_stored<B: Word, E>(
    positions: &ReachablePly<B>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Position<B>) -> Result<(), E>,
) -> Result<(), E> {
    let (ranking, slots) = (positions.ranking(), positions.ranking().slots());
    progress.begin(Step::Read { ply: ranking.ply() }, slots);
    for start in (0..slots).step_by(BLOCK as usize) {
        let block = start..slots.min(start + BLOCK);
        let units = block.end - block.start;
        for slot in block.filter(|&slot| positions.is_stored(slot)) {
            visit(ranking.unrank(slot))?;
        }
        progress.advance(units);
    }
    Ok(())
}

/// Explores all plies down to `ply`.
///
/// # Errors
///
/// If a ply cannot be enumerated.
pub(super) fn explore_to<B: Word>(
    reachable: &mut Reachable<B>,
    ply: u32,
    progress: &dyn Progress,
) -> Result<(), PlyError> {
    while reachable.depth() < ply {
        let slots = reachable.deepest().ranking().slots();
        progress.begin(Step::Enumerate { ply: reachable.depth() + 1 }, slots);
        reachable.explore_next()?;
        progress.advance(slots);
    }
    Ok(())
}
