//! Moves: the columns played, from 1, one digit a move.

use super::{NotReachable, NotationError};
use crate::board::position::Position;
use crate::board::reachability::find_game;

/// Reads moves; see [`Position::from_moves`].
///
/// # Errors
///
/// At the first move that cannot be played.
pub fn parse<const W: usize, const H: usize>(text: &str) -> Result<Position<W, H>, NotationError> {
    Ok(Position::from_moves(text)?)
}

/// Prints the moves of some game that leads to the position. A position does
/// not remember its game, so these need not be the moves it was made from.
///
/// # Errors
///
/// If no game leads to it.
pub fn print<const W: usize, const H: usize>(
    position: Position<W, H>,
) -> Result<String, NotReachable> {
    let game = find_game(position).ok_or(NotReachable)?;
    Ok(game.iter().map(|column| (column + 1).to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_no_game_reaches_has_no_moves() {
        // O X in column 1 and again in column 2.
        let stones = 0b10_0000010;
        let position = Position::<7, 6>::from_bitboards(stones, 0b11_0000011).unwrap();
        assert_eq!(print(position), Err(NotReachable));
    }
}
