//! Levels of play, and which of several best moves is played.

use crate::NONE;
use crate::errors::OrThrow;
use crate::position::{RawPosition, to_json};
use fourbook::level::Tie;
use fourbook::{Analysis, Level, Score};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// All levels, the weakest first, as JSON.
#[wasm_bindgen]
pub fn levels() -> String {
    to_json(&Level::ALL)
}

/// The number, from 1, of the level with a number or name.
#[wasm_bindgen]
pub fn level_number(text: &str) -> Result<u8, JsValue> {
    text.parse().map(|level: Level| level.number).or_throw()
}

/// The column that a player of a level chooses, from the scores of all moves; none if the game
/// is over.
#[wasm_bindgen]
pub fn choose_move(level: u8, position: &RawPosition, scores: &[i8], seed: u64) -> Option<u32> {
    level_of(level).choose(position.board, &to_scores(scores), seed).map(|column| column as u32)
}

/// The level with a number of [`level_number`].
pub(crate) fn level_of(number: u8) -> Level {
    Level::ALL[usize::from(number) - 1]
}

/// The best move that a rule chooses, as a column; none if the game is over.
#[wasm_bindgen]
pub fn choose_best(
    position: &RawPosition,
    scores: &[i8],
    rule: &str,
    seed: u64,
) -> Result<Option<u32>, JsValue> {
    let tie = Tie::named(rule, seed).or_throw()?;
    let moves = to_scores(scores);
    let Some(score) = moves.iter().copied().flatten().max() else { return Ok(None) };
    Ok(tie.choose(position.board, &Analysis { score, moves }).map(|column| column as u32))
}

fn to_scores(scores: &[i8]) -> Vec<Option<Score>> {
    scores.iter().map(|&score| Some(score).filter(|&score| i32::from(score) != NONE)).collect()
}
