//! The value of a position in a book of another program.

use crate::board::Score;

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
