//! The board and plies of another program's book, and the value of a position in it.

use crate::board::{Position, Score, Size};
use crate::scores::ValueKind;
use std::fmt::Debug;
use std::sync::Arc;

/// The facts and the values of a book.
pub(super) type Opened<'a> = (Facts, Arc<dyn Values + 'a>);

/// The values of a book.
pub(super) trait Values: Debug + Send + Sync {
    /// The value of a position that the rules do not score, of a ply that the book is for.
    fn find(&self, position: Position) -> ForeignValue;
}

/// The board, the kind of values and the plies of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) size: Size,
    pub(super) kind: ValueKind,
    /// Bit `n` is 1 if there are values of positions with `n` stones; never 0.
    pub(super) plies: u128,
    pub(super) entries: u64,
}

/// A foreign book's values of a position and its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignValue {
    /// No value.
    Nothing,
    /// This value, from one or two entries.
    Value(Score, u8),
    /// An entry for each image, with different values.
    Contradiction(Score, Score),
}
