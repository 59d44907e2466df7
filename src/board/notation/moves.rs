//! Moves: the columns played, from 1, one character a move: 1 to 9, then a, b, c and so on.

use crate::board::PositionError;
use crate::board::position::column_name;
use crate::board::{Position, Size, find_game};

/// Reads moves; see [`Position::play_moves`].
///
/// # Errors
///
/// At the first move that cannot be played.
pub fn parse(size: Size, text: &str) -> Result<Position, PositionError> {
    Position::empty(size).play_moves(text)
}

/// Prints the moves of some game that leads to the position. A position does
/// not remember its game, so these need not be the moves it was made from.
///
/// # Errors
///
/// If no game leads to it.
pub fn print(position: Position) -> Result<String, PositionError> {
    let game = find_game(position).ok_or(PositionError::NotReachable)?;
    Ok(game.into_iter().map(column_name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_no_game_reaches_has_no_moves() {
        // O X in column 1 and again in column 2.
        let stones = 0b10_0000010;
        let position = Position::from_bitboards(Size::STANDARD, stones, 0b11_0000011).unwrap();
        assert_eq!(print(position), Err(PositionError::NotReachable));
    }
}
