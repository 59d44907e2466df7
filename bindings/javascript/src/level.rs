//! Levels of play.

use crate::errors::OrThrow;
use crate::position::to_json;
use fourbook::Level;
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

/// The level with a number of [`level_number`].
pub(crate) fn level_of(number: u8) -> Level {
    Level::ALL[usize::from(number) - 1]
}
