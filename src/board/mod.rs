//! The board: sizes, positions, threats, scores and the notations for them.

pub mod geometry;
pub mod notation;
mod player;
mod position;
mod reachability;
mod score;
mod summary;
pub mod threats;

pub use geometry::{Geometry, OnSize, Size, SizeError};
pub use player::Player;
pub use position::{BoardError, MoveError, MoveErrorReason, Position};
pub use reachability::{find_game, is_reachable};
pub use score::{Outcome, Score, plies_to_end, winning_score};
pub use summary::{BySide, CellNumber, GameState, Summary};
