//! The board: sizes, positions, threats, scores and the notations for them.

pub mod geometry;
mod position;
mod score;
pub mod threats;

pub use geometry::{Geometry, OnSize, Size, SizeError};
pub use position::{BoardError, MoveError, MoveErrorReason, Position};
pub use score::{Outcome, Score, plies_to_end, winning_score};
