//! The facts about a position that follow from the rules alone.

use fourbook::board::Cell;
use fourbook::board::notation::Notation;
use fourbook::board::threats::stacked;
use fourbook::{Player, Position, Size};
use serde::Serialize;
use std::collections::BTreeMap;

/// The facts about a position that follow from the rules alone, as `--json` prints them.
///
/// Bitboards and keys are texts, since JSON readers round large numbers.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    /// The text from which the position was read.
    input: &'a str,
    /// The board size, `7x6`.
    pub(super) size: Size,
    /// Number of stones on the board.
    pub(super) ply: u32,
    /// `running`, `won` or `drawn`.
    pub(super) state: &'static str,
    /// The player who moves next; none if the game has ended.
    pub(super) to_move: Option<Player>,
    /// The winner, if the game is won.
    pub(super) winner: Option<Player>,
    /// The empty cells that complete four of `X` and of `O`; none once the game has ended.
    pub(super) threats: BTreeMap<Player, Vec<Cell>>,
    /// Two threats of one side directly above each other; the lower cell of each pair.
    pub(super) stacked_threats: BTreeMap<Player, Vec<Cell>>,
    /// The moves of some game that leads here, if there is one.
    pub(super) moves: Option<String>,
    /// The rows, the top one first.
    pub(super) diagram: String,
    /// The stones of each player and the number of moves.
    pub(super) bitboards: String,
    /// The stones of each player, row-major.
    pub(super) rows: String,
    /// The key of the position.
    pub(super) key: String,
    /// The smaller of its key and its mirror image's: the same for both.
    pub(super) canonical_key: String,
}

impl<'a> Summary<'a> {
    /// Summarises `position`, which was read from `input`.
    pub(super) fn new(input: &'a str, position: Position) -> Self {
        let winner = position.winner();
        let state = match winner {
            Some(_) => "won",
            None if position.is_full() => "drawn",
            None => "running",
        };
        let size = position.size();
        let threats = position.open_threats();
        let by_player = |cells: [u128; 2]| {
            Player::BOTH.into_iter().zip(cells.map(|cells| Cell::of_all(size, cells))).collect()
        };
        let print = |notation: Notation, position| {
            notation.print(position).expect("every position can be printed but as moves")
        };
        Summary {
            input,
            size,
            ply: position.ply(),
            state,
            to_move: (!position.is_over()).then(|| position.to_move()),
            winner,
            threats: by_player(threats),
            stacked_threats: by_player(threats.map(stacked)),
            moves: Notation::Moves.print(position).ok(),
            diagram: print(Notation::Diagram, position),
            bitboards: print(Notation::Bitboards, position),
            rows: print(Notation::Rows, position),
            key: print(Notation::Key, position),
            canonical_key: print(Notation::Key, position.canonical()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::board::notation::diagram;

    #[test]
    fn the_end_of_a_game_is_told() {
        let won = Summary::new("", Position::from_moves("1212121").unwrap());
        assert_eq!((won.state, won.to_move, won.winner), ("won", None, Some(Player::X)));
        // O could complete four in column 2, if the game went on.
        assert!(
            won.threats[&Player::X].is_empty() && won.threats[&Player::O].is_empty(),
            "{won:?}"
        );
        assert!(!diagram::draw(Position::from_moves("1212121").unwrap()).contains(['x', 'o']));
        let open = Summary::new("", Position::from_moves("121212").unwrap());
        assert_eq!((open.state, open.to_move, open.winner), ("running", Some(Player::X), None));
    }

    #[test]
    fn a_drawn_game_has_no_winner_and_nobody_to_move() {
        let small = fourbook::Size::new(4, 4).unwrap();
        let full = Notation::Diagram.parse(small, "XOXO/XOXO/OXOX/XOXO").unwrap();
        let drawn = Summary::new("", full);
        assert_eq!((drawn.state, drawn.to_move, drawn.winner), ("drawn", None, None));
    }

    #[test]
    fn both_cells_of_stacked_threats_are_threats() {
        let summary = Summary::new("", Position::from_moves("444441221515").unwrap());
        assert_eq!(summary.stacked_threats[&Player::O], [Cell { column: 2, row: 1 }]);
        assert_eq!(summary.stacked_threats[&Player::X], []);
        for row in [1, 2] {
            assert!(summary.threats[&Player::O].contains(&Cell { column: 2, row }));
        }
    }
}
