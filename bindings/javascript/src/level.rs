//! Levels of play.

use crate::NONE;
use crate::errors::OrThrow;
use crate::position::{RawPosition, to_json};
use crate::search::{knowledge_of, numbers_of};
use fourbook::solver::Budget;
use fourbook::{Level, Limits};
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

/// Whether a level needs no exact scores.
#[wasm_bindgen]
pub fn is_quick(level: u8) -> bool {
    level_of(level).is_quick()
}

/// Looks some stones further ahead for a level, from the numbers of [`RawOracle::known`], and returns
/// such numbers; none if it sees no further.
#[wasm_bindgen]
pub fn look_ahead(level: u8, position: &RawPosition, numbers: &[i8]) -> Option<Vec<i8>> {
    let mut known = knowledge_of(position, numbers, 0);
    let plies = level_of(level).looks_ahead();
    if known.is_complete() || known.ahead() >= plies {
        return None;
    }
    let unlimited = Budget::new(&Limits::default());
    known.look_ahead(plies, &unlimited).expect("there is no limit");
    Some(numbers_of(&known))
}

/// The column that a player of a level chooses from known scores, [`NONE`] if the game is over;
/// whether that is proved; and the bounds of the position's score.
#[wasm_bindgen]
pub fn choose_move(level: u8, position: &RawPosition, numbers: &[i8], seed: u64) -> Vec<i32> {
    let known = knowledge_of(position, numbers, 0);
    let (column, is_proved) = level_of(level).decide(&known, seed);
    let column = column.map_or(NONE, |column| column as i32);
    let bounds = known.bounds();
    vec![column, is_proved.into(), bounds.min.into(), bounds.max.into()]
}

/// The level with a number of [`level_number`].
pub(crate) fn level_of(number: u8) -> Level {
    Level::ALL[usize::from(number) - 1]
}

/// The best move when all scores are known, as a column; none if the game is over.
#[wasm_bindgen]
pub fn best_move(position: &RawPosition, numbers: &[i8]) -> Option<u32> {
    let best = knowledge_of(position, numbers, 0).best_moves();
    best.first().map(|&column| column as u32)
}
