//! Positions.

use crate::errors::OrThrow;
use fourbook::board::notation::{self, GameRecord, Notation};
use fourbook::oracle::Explanation;
use fourbook::{Player, Position, Size};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The place where JavaScript puts the position of its next call.
///
/// JavaScript keeps positions as numbers, which need no freeing: the board and the two halves
/// of the key. One place serves all calls.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct RawPosition {
    pub(crate) board: Position,
}

#[wasm_bindgen]
impl RawPosition {
    /// Makes the place, with the empty 7x6 board in it.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)] // JavaScript has no such trait
    pub fn new() -> RawPosition {
        RawPosition { board: Position::empty(Size::STANDARD) }
    }

    /// Puts the position with a key here.
    pub fn set(&mut self, board: u32, low: u64, high: u64) {
        let key = u128::from(high) << 64 | u128::from(low);
        self.board = Position::from_key(size_of(board), key).expect("a key that was read here");
    }

    /// Puts the position here that a text describes, in some notation or, if empty, in any.
    pub fn parse(&mut self, board: u32, text: &str, notation: &str) -> Result<(), JsValue> {
        let size = size_of(board);
        self.board = if notation.is_empty() {
            Position::parse(size, text).or_throw()?
        } else {
            notation.parse::<Notation>().or_throw()?.parse(size, text).or_throw()?
        };
        Ok(())
    }

    /// Why a line of moves, columns from 0, that ends the game ends as it does, as JSON.
    pub fn explain(&self, line: &[i8]) -> String {
        let line: Vec<usize> = line.iter().map(|&column| column as usize).collect();
        to_json(&Explanation::new(self.board, &line))
    }

    /// The lower half of the key.
    pub fn key_low(&self) -> u64 {
        self.board.key() as u64
    }

    /// The upper half of the key.
    pub fn key_high(&self) -> u64 {
        (self.board.key() >> 64) as u64
    }

    /// Number of stones.
    pub fn ply(&self) -> u32 {
        self.board.ply()
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.board.is_over()
    }

    /// The cells of all lines of four, as bits; 0 if the game is not won.
    pub fn winning_cells(&self) -> u128 {
        self.board.winning_stones()
    }

    /// The empty cells that complete four stones of the first or the second player, as bits.
    pub fn threats(&self, second: bool) -> u128 {
        self.board.threats(Player::BOTH[usize::from(second)])
    }

    /// The moves of some game that leads here.
    pub fn moves(&self) -> Option<String> {
        Notation::Moves.print(self.board).ok()
    }

    /// Moves or a diagram, from which the position can be made again.
    pub fn short_text(&self) -> String {
        Notation::print_short(self.board)
    }

    /// The position in some notation.
    pub fn text(&self, notation: &str) -> Result<String, JsValue> {
        notation.parse::<Notation>().or_throw()?.print(self.board).or_throw()
    }

    /// Whether a column of the board can be played.
    pub fn can_play(&self, column: usize) -> bool {
        self.board.can_play(column)
    }

    /// Plays a stone in a column of the board.
    pub fn play_column(&mut self, column: usize) -> Result<(), JsValue> {
        self.board = self.board.try_play(column).or_throw()?;
        Ok(())
    }

    /// Plays moves: columns from 1.
    pub fn play_moves(&mut self, moves: &str) -> Result<(), JsValue> {
        self.board = self.board.play_moves(moves.trim()).or_throw()?;
        Ok(())
    }

    /// Replaces the position by its mirror image.
    pub fn mirror(&mut self) {
        self.board = self.board.mirrored();
    }

    /// Replaces the position by its mirror image if that has the smaller key.
    pub fn make_canonical(&mut self) {
        self.board = self.board.canonical();
    }
}

/// The number of a board: its columns and rows, a byte each.
pub(crate) fn board_of(size: Size) -> u32 {
    (size.width() << 8 | size.height()) as u32
}

/// The size of the board with a number.
pub(crate) fn size_of(board: u32) -> Size {
    Size::new((board >> 8) as usize, (board & 0xff) as usize).expect("a number of board_of")
}

/// The number of the board with a size such as `7x6`.
#[wasm_bindgen]
pub fn parse_board(size: &str) -> Result<u32, JsValue> {
    size.parse().map(board_of).or_throw()
}

/// The game that a text names, as JSON: of this board unless the text names another.
#[wasm_bindgen]
pub fn parse_game(board: u32, text: &str) -> Result<String, JsValue> {
    let size = notation::size_of(text).unwrap_or(size_of(board));
    Ok(to_json(&GameRecord::parse(size, text).or_throw()?))
}

/// A value as JSON.
pub(crate) fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what the library tells has texts as keys")
}
