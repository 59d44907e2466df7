//! Visits the positions of a book one by one.

use super::error::ToolError;
use super::plies::{BookPlies, Ply};
use super::reader::complete;
use super::resources::Resources;
use crate::board::{Position, Word, with_word};
use crate::book::{Book, Value};
use std::ops::ControlFlow;

/// Calls `visit` with every position from ply 0 to `depth` and its value, in a fixed order.
///
/// Visits reachable positions that the rules do not score, and only one of a position and its
/// mirror image. Stops at the depth of the book, or when `visit` [breaks](ControlFlow::Break).
/// Reads each ply on the threads of the current rayon pool; `visit` runs on the calling thread.
///
/// ```
/// use fourbook::{Book, tools::walk};
/// use std::ops::ControlFlow;
///
/// let mut positions = 0;
/// walk(&Book::embedded(), 2, &mut |position, value| {
///     assert!(position.ply() <= 2 && value.score().is_some());
///     positions += 1;
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(positions, 1 + 4 + 25);
/// # Ok::<(), fourbook::tools::ToolError>(())
/// ```
///
/// # Errors
///
/// If a ply cannot be read.
pub fn walk(
    book: &Book,
    depth: u32,
    visit: &mut dyn FnMut(Position, Value) -> ControlFlow<()>,
) -> Result<(), ToolError> {
    with_word!(book.size(), B => walk_in::<B>(book, depth, visit))
}

fn walk_in<B: Word>(
    book: &Book,
    depth: u32,
    visit: &mut dyn FnMut(Position, Value) -> ControlFlow<()>,
) -> Result<(), ToolError> {
    let depth = depth.min(book.depth());
    let mut plies = BookPlies::<B>::new(book, depth, Resources::new(&()))?;
    for ply in 0..=depth {
        if visit_ply(complete(&mut plies, ply)?, visit).is_break() {
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
/// walk_ply(&Book::embedded(), 1, &mut |_, value| {
///     scores.extend(value.score());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(scores.len(), 4); // and their mirror images
/// # Ok::<(), fourbook::tools::ToolError>(())
/// ```
///
/// # Errors
///
/// If the ply cannot be read.
pub fn walk_ply(
    book: &Book,
    ply: u32,
    visit: &mut dyn FnMut(Position, Value) -> ControlFlow<()>,
) -> Result<(), ToolError> {
    if ply > book.depth() {
        return Ok(());
    }
    with_word!(book.size(), B => {
        let mut plies = BookPlies::<B>::new(book, ply, Resources::new(&()))?;
        // A callback that has enough has it.
        let _ = visit_ply(complete(&mut plies, ply)?, visit);
        Ok(())
    })
}

/// Calls `visit` with every position of a ply and the book's value, until it breaks.
fn visit_ply<B: Word>(
    read: Ply<'_, B>,
    visit: &mut dyn FnMut(Position, Value) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for (position, value) in read.values_in(0..read.slots()) {
        let value = value.expect("no value is missing");
        visit(position.widen(), Value::of(read.book.kind(), value))?;
    }
    ControlFlow::Continue(())
}
