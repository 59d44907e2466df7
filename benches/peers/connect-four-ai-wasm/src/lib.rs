//! The solver of connect-four-ai for JavaScript, with the names that its own package
//! connect-four-ai-wasm has, for the functions that benches/compare-javascript calls.

use connect_four_ai::{Position as Board, Solver as Search};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A position.
#[wasm_bindgen]
pub struct Position(Board);

#[wasm_bindgen]
impl Position {
    /// The position after moves, columns from 1.
    #[wasm_bindgen(js_name = fromMoves)]
    pub fn from_moves(moves: &str) -> Result<Position, JsValue> {
        Board::from_moves(moves).map(Position).map_err(|error| JsValue::from_str(&error.to_string()))
    }
}

/// A solver.
#[wasm_bindgen]
pub struct Solver(Search);

#[wasm_bindgen]
impl Solver {
    /// A solver with the book of the package.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Solver {
        Solver(Search::new())
    }

    /// A solver without a book.
    pub fn empty() -> Solver {
        Solver(Search::empty())
    }

    /// Clears its table.
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// The score of a position.
    pub fn solve(&mut self, position: &Position) -> i8 {
        self.0.solve(&position.0)
    }

    /// The score of each column; null if it cannot be played.
    #[wasm_bindgen(js_name = getAllMoveScores)]
    pub fn get_all_move_scores(&mut self, position: &Position) -> Vec<JsValue> {
        let scores = self.0.get_all_move_scores(&position.0);
        scores.iter().map(|score| score.map_or(JsValue::NULL, JsValue::from)).collect()
    }
}
