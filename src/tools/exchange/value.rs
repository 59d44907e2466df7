//! The value of a position in a book of another program.

use crate::board::Score;

/// What a foreign book has for a position and its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignValue {
    /// No value.
    Nothing,
    /// This value, from so many entries.
    Value(Score, u8),
    /// An entry for each image, and different values.
    Contradiction(Score, Score),
}
