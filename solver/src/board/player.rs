//! The two players and their letters.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two players; printed and serialised as the letter of the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Player {
    /// The first player, who moves at even plies.
    X,
    /// The second player, who moves at odd plies.
    O,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::X, Player::O];

    /// The player who moves when `ply` stones are on the board.
    pub const fn to_move_at(ply: u32) -> Player {
        if ply.is_multiple_of(2) { Player::X } else { Player::O }
    }

    /// The other player.
    pub const fn other(self) -> Player {
        match self {
            Player::X => Player::O,
            Player::O => Player::X,
        }
    }

    /// The letter of this player's stones: `X` or `O`.
    pub const fn stone(self) -> char {
        match self {
            Player::X => 'X',
            Player::O => 'O',
        }
    }

    /// The letter that marks an empty cell as a threat of this player: `x` or `o`.
    pub const fn threat_mark(self) -> char {
        self.stone().to_ascii_lowercase()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.stone())
    }
}
