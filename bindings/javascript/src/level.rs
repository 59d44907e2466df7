//! Levels of play, and which of several best moves is played.

use crate::NONE;
use crate::errors::{OrThrow, range_error};
use crate::position::RawPosition;
use fourbook::level::{Tie, scores_within};
use fourbook::{Analysis, Level, Score};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A level of play.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct RawLevel(Level);

#[wasm_bindgen]
impl RawLevel {
    /// The level with this number or name.
    pub fn parse(text: &str) -> Result<RawLevel, JsValue> {
        text.parse().map(RawLevel).or_throw()
    }

    /// Its number, from 1.
    pub fn number(&self) -> u8 {
        self.0.number()
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.0.name().to_owned()
    }

    /// How many stones it sees ahead; none if to the end.
    pub fn horizon(&self) -> Option<u32> {
        self.0.horizon()
    }

    /// In how many of 100 positions it plays any move.
    pub fn chance(&self) -> u32 {
        self.0.chance()
    }

    /// Whether it needs no exact scores.
    pub fn is_quick(&self) -> bool {
        self.0.is_quick()
    }

    /// The scores of all moves as far as a level that is quick sees.
    pub fn scores(&self, position: &RawPosition) -> Vec<i8> {
        let scores = scores_within(position.board, self.0.horizon().unwrap_or(u32::MAX));
        scores.into_iter().map(to_number).collect()
    }

    /// The column that it plays, from the scores of all moves; none if the game is over.
    pub fn choose(&self, position: &RawPosition, scores: &[i8], seed: u64) -> Option<u32> {
        let column = self.0.choose(position.board, &to_scores(scores), seed)?;
        Some(column as u32)
    }
}

/// The column, of those that reach the best score, which a rule chooses; none if the game is
/// over.
#[wasm_bindgen]
pub fn choose_best(
    position: &RawPosition,
    scores: &[i8],
    rule: &str,
    seed: u64,
) -> Result<Option<u32>, JsValue> {
    let tie = match rule {
        "centre" => Tie::Centre,
        "first" => Tie::First,
        "random" => Tie::Random { seed },
        _ => {
            let text = format!("expected the rule 'centre', 'first' or 'random', found '{rule}'");
            return Err(range_error(&text));
        }
    };
    let moves = to_scores(scores);
    let Some(score) = moves.iter().copied().flatten().max() else { return Ok(None) };
    Ok(tie.choose(position.board, &Analysis { score, moves }).map(|column| column as u32))
}

fn to_scores(scores: &[i8]) -> Vec<Option<Score>> {
    scores.iter().map(|&score| Some(score).filter(|&score| i32::from(score) != NONE)).collect()
}

/// A score, or the number that stands for none.
pub(crate) fn to_number(score: Option<Score>) -> i8 {
    score.unwrap_or(NONE as Score)
}
