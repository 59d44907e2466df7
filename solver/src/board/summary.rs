//! The facts that follow from the rules alone, in a form to print or serialise.

use super::notation::{KEY, Notation};
use super::threats::stacked;
use super::{Player, Position, Size, Word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The facts about a position that follow from the rules alone, without search or book.
///
/// Columns and rows count from 1 here, rows from the bottom, as in all text.
/// Bitboards and keys are texts, since JSON readers round large numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The board size, `7x6`.
    pub size: String,
    /// Number of stones on the board.
    pub ply: u32,
    /// Whether the game goes on or how it has ended.
    pub state: GameState,
    /// The player who moves next; none if the game has ended.
    pub to_move: Option<Player>,
    /// The winner, if the game is won.
    pub winner: Option<Player>,
    /// The empty cells that complete four of `X` and of `O`; none once the game has ended.
    pub threats: BTreeMap<Player, Vec<CellNumber>>,
    /// Two threats of one side directly above each other; the lower cell of each pair.
    pub stacked_threats: BTreeMap<Player, Vec<CellNumber>>,
    /// The moves of some game that leads here, if there is one.
    pub moves: Option<String>,
    /// The rows, the top one first.
    pub diagram: String,
    /// The stones of each player and the number of moves.
    pub bitboards: String,
    /// The stones of each player, row-major.
    pub rows: String,
    /// The key of the position.
    pub key: String,
    /// The smaller of its key and its mirror image's: the same for both.
    pub canonical_key: String,
}

/// Whether a game goes on or how it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameState {
    /// The game goes on.
    Running,
    /// One player has four in a line.
    Won,
    /// The board is full and neither player has four in a line.
    Drawn,
}

/// A cell by its numbers in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellNumber {
    /// The column, from 1.
    pub column: usize,
    /// The row, from 1 at the bottom.
    pub row: usize,
}

impl Summary {
    /// Summarises `position`.
    ///
    /// ```
    /// use fourbook_solver::board::{CellNumber, Player, Position, Summary};
    /// let summary = Summary::of(Position::from_moves("121212")?);
    /// assert_eq!(summary.threats[&Player::X], [CellNumber { column: 1, row: 4 }]);
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    #[must_use]
    pub fn of(position: Position) -> Self {
        let winner = position.winner();
        let state = match winner {
            Some(_) => GameState::Won,
            None if position.is_full() => GameState::Drawn,
            None => GameState::Running,
        };
        let size = position.size();
        let threats = position.open_threats();
        let numbers = |cells| CellNumber::of_all(size, cells);
        let by_player =
            |cells: [u128; 2]| Player::BOTH.into_iter().zip(cells.map(numbers)).collect();
        let printed = |notation: Notation| {
            notation.print(position).expect("every position can be printed but as moves")
        };
        Summary {
            size: size.to_string(),
            ply: position.ply(),
            state,
            to_move: (state == GameState::Running).then(|| position.to_move()),
            winner,
            threats: by_player(threats),
            stacked_threats: by_player(threats.map(stacked)),
            moves: Notation::Moves.print(position).ok(),
            diagram: printed(Notation::Diagram),
            bitboards: printed(Notation::Bitboards),
            rows: printed(Notation::Rows),
            key: printed(Notation::Key),
            canonical_key: format!("{KEY}{}", position.canonical_key()),
        }
    }
}

impl fmt::Display for CellNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, row {}", self.column, self.row)
    }
}

impl CellNumber {
    /// The cells of a bitboard, column by column, from the bottom.
    pub fn of_all(size: Size, cells: u128) -> Vec<CellNumber> {
        let places = cells.cells().map(|cell| u128::geometry(size).place_of(cell));
        places.map(|(column, row)| CellNumber { column: column + 1, row: row + 1 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::diagram;

    #[test]
    fn the_end_of_a_game_is_told() {
        let won = Summary::of(Position::from_moves("1212121").unwrap());
        assert_eq!((won.state, won.to_move, won.winner), (GameState::Won, None, Some(Player::X)));
        // O could complete four in column 2, if the game went on.
        assert!(
            won.threats[&Player::X].is_empty() && won.threats[&Player::O].is_empty(),
            "{won:?}"
        );
        assert!(!diagram::draw(Position::from_moves("1212121").unwrap()).contains(['x', 'o']));
        let open = Summary::of(Position::from_moves("121212").unwrap());
        assert_eq!(
            (open.state, open.to_move, open.winner),
            (GameState::Running, Some(Player::X), None)
        );
    }

    #[test]
    fn a_drawn_game_has_no_winner_and_nobody_to_move() {
        let small = Size::new(4, 4).unwrap();
        let full = Notation::Diagram.parse(small, "XOXO/XOXO/OXOX/XOXO").unwrap();
        let drawn = Summary::of(full);
        assert_eq!((drawn.state, drawn.to_move, drawn.winner), (GameState::Drawn, None, None));
    }

    #[test]
    fn both_cells_of_stacked_threats_are_threats() {
        let summary = Summary::of(Position::from_moves("444441221515").unwrap());
        assert_eq!(summary.stacked_threats[&Player::O], [CellNumber { column: 3, row: 2 }]);
        assert_eq!(summary.stacked_threats[&Player::X], []);
        for row in [2, 3] {
            assert!(summary.threats[&Player::O].contains(&CellNumber { column: 3, row }));
        }
    }
}
