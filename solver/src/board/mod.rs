//! The board: sizes, positions, threats, scores and the notations for them.

mod bounds;
mod cell;
mod error;
pub mod notation;
mod packed;
mod player;
mod position;
mod reachability;
mod score;
mod size;
pub mod threats;
mod word;

pub use crate::with_word;
pub use bounds::ScoreBounds;
pub use cell::Cell;
pub use error::PositionError;
pub use packed::Board;
pub use player::Player;
pub use position::{Position, column_name};
pub use reachability::{find_game, is_reachable};
pub(crate) use score::score_of_stone;
pub use score::{Outcome, Score, best_first, plies_to_end, winning_score};
pub use size::{Size, SizeError};
pub(crate) use word::{Cells, inlined};
pub use word::{Geometry, Word};

#[cfg(test)]
mod tests;
