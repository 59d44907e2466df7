//! The board: sizes, positions, threats, scores and the notations for them.

mod bounds;
mod error;
pub mod notation;
mod player;
mod position;
mod reachability;
mod score;
mod size;
mod summary;
pub(crate) mod threats;
mod word;

pub use bounds::ScoreBounds;
pub use error::PositionError;
pub use player::Player;
pub(crate) use position::column_named;
pub use position::{Position, column_name};
pub use reachability::{find_game, is_reachable};
pub(crate) use score::score_of_stone;
pub use score::{Outcome, Score, plies_to_end, winning_score};
pub use size::{Size, SizeError};
pub use summary::CellNumber;
#[doc(hidden)]
pub use summary::{BySide, GameState, Summary};
#[doc(hidden)]
pub use word::Word;
pub(crate) use word::{Cells, Geometry, inlined, with_word};

#[cfg(test)]
mod tests;
