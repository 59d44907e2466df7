//! The two players and their letters.

use super::position::Position;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two players; printed and serialised as the letter of the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    #[must_use]
    pub const fn to_move_at(ply: u32) -> Player {
        if ply.is_multiple_of(2) { Player::X } else { Player::O }
    }

    /// The other player.
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::X => Player::O,
            Player::O => Player::X,
        }
    }

    /// The letter of this player's stones: `X` or `O`.
    #[must_use]
    pub const fn stone(self) -> char {
        match self {
            Player::X => 'X',
            Player::O => 'O',
        }
    }

    /// The letter that marks an empty cell as a threat of this player: `x` or `o`.
    #[must_use]
    pub const fn threat_mark(self) -> char {
        self.stone().to_ascii_lowercase()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.stone())
    }
}

impl<const W: usize, const H: usize> Position<W, H> {
    /// The player who moves next; meaningless in a finished game.
    #[must_use]
    pub const fn to_move(self) -> Player {
        Player::to_move_at(self.ply())
    }

    /// The stones of `player`.
    #[must_use]
    pub const fn stones(self, player: Player) -> u64 {
        match player {
            Player::X => self.first_player(),
            Player::O => self.second_player(),
        }
    }

    /// The empty cells that complete four of `player`, playable now or not.
    #[must_use]
    pub fn threats(self, player: Player) -> u64 {
        super::threats::winning_cells::<W, H>(self.stones(player), self.mask())
    }

    /// The player who has won, if the game is won.
    #[must_use]
    pub fn winner(self) -> Option<Player> {
        if self.is_won() { Some(self.to_move().other()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_players_take_turns_and_the_last_to_move_wins() {
        let before = Position::<7, 6>::from_moves("121212").unwrap();
        assert_eq!((before.to_move(), before.winner()), (Player::X, None));
        assert_eq!(before.threats(Player::X), 1 << 3);
        assert_eq!(before.threats(Player::O), 1 << 10);
        assert_eq!(before.play(0).winner(), Some(Player::X));
    }
}
