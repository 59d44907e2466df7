//! Questions that are answered in steps, between which the caller can do other things.
//!
//! WebAssembly blocks its thread and has no clock. So `lib/questions.js` gives each step a node limit,
//! by its own clock.

use crate::NONE;
use crate::errors::{OrThrow, to_js};
use crate::level::level_of;
use crate::oracle::RawOracle;
use crate::position::{RawPosition, to_json};
use fourbook::oracle::{Analysis, Game, PositionReport, Query, Question, Step};
use fourbook::{Level, Limits, StopReason};
use std::time::Duration;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A question about a position or a game, and its answer as known now.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawQuery {
    query: Query,
}

#[wasm_bindgen]
impl RawQuery {
    /// Whether the answer is complete.
    pub fn is_done(&self) -> bool {
        self.query.is_done()
    }

    /// Searches for about `most` nodes more, and returns whether the answer is complete.
    pub fn step(&mut self, most: f64) -> Result<bool, JsValue> {
        let limits = Limits { max_nodes: Some(most as u64), ..Limits::default() };
        Ok(self.query.step(&limits).or_throw()? == Step::Done)
    }

    /// The error of a caller that has reached its node limit, or else its deadline.
    pub fn stopped(&self, nodes: bool) -> JsValue {
        let reason = if nodes { StopReason::NodeBudget } else { StopReason::Deadline };
        to_js(&self.query.stopped(reason))
    }

    /// Number of nodes visited.
    pub fn nodes(&self) -> f64 {
        self.query.known().nodes() as f64
    }

    /// The score, or [`NONE`].
    pub fn score(&self) -> i32 {
        self.query.known().score().map_or(NONE, i32::from)
    }

    /// The outcome as 1, 0 or -1.
    pub fn outcome(&self) -> Option<i8> {
        self.query.known().outcome().map(|outcome| outcome.sign())
    }

    /// The known scores of the position and its moves: see [`scores_of`].
    pub fn scores(&self) -> Vec<i8> {
        scores_of(self.query.known())
    }

    /// The report on the position, asked for as `text`, after a search of some milliseconds, as JSON.
    pub fn report(&self, text: &str, milliseconds: f64) -> String {
        let known = self.query.known();
        let took = Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0);
        let took = (known.nodes() > 0).then_some(took);
        to_json(&PositionReport::new(text, known.clone(), took))
    }

    /// The columns of perfect play.
    pub fn line(&self) -> Vec<u8> {
        self.query.known().line().iter().map(|&column| column as u8).collect()
    }

    /// The review of a game, as JSON; none before it is complete.
    pub fn review(&self) -> Option<String> {
        self.query.review().map(|review| to_json(&review))
    }

    /// The column that a level plays, [`NONE`] if the game is over; whether that is proved; and the
    /// bounds of the position's score.
    pub fn choice(&self) -> Vec<i32> {
        let (column, is_proved) = self.query.choice();
        let bounds = self.query.known().bounds();
        vec![
            column.map_or(NONE, |column| column as i32),
            is_proved.into(),
            bounds.min.into(),
            bounds.max.into(),
        ]
    }
}

#[wasm_bindgen]
impl RawOracle {
    /// The scores of a position and its moves that are known without a search, as [`scores_of`].
    pub fn known(&self, position: &RawPosition) -> Result<Vec<i8>, JsValue> {
        Ok(scores_of(&self.oracle.known(position.board).or_throw()?))
    }

    /// Begins to answer the question of this name about a position.
    pub fn query(&self, position: &RawPosition, question: &str) -> Result<RawQuery, JsValue> {
        let question: Question = question.parse().or_throw()?;
        Ok(RawQuery { query: self.oracle.query(position.board, question).or_throw()? })
    }

    /// Begins to find the move that a level plays.
    pub fn query_move(
        &self,
        position: &RawPosition,
        level: u8,
        seed: u64,
    ) -> Result<RawQuery, JsValue> {
        let question = Question::Play { level: level_of(level), seed };
        Ok(RawQuery { query: self.oracle.query(position.board, question).or_throw()? })
    }

    /// Begins to review a game.
    pub fn query_review(&self, moves: &str) -> Result<RawQuery, JsValue> {
        let game = Game::parse(self.oracle.size(), moves.trim()).or_throw()?;
        Ok(RawQuery { query: self.oracle.query(game.end(), Question::Review(game)).or_throw()? })
    }
}

/// The known scores of a position in an array, which JavaScript need not free: how many are unknown, the
/// score of the position, and the scores of all columns.
fn scores_of(known: &Analysis) -> Vec<i8> {
    let unknown = known.unknown_moves().count() + usize::from(known.score().is_none());
    let scores = [known.score()].into_iter().chain(known.move_scores());
    let scores = scores.map(|score| score.unwrap_or(NONE as i8));
    [unknown as i8].into_iter().chain(scores).collect()
}

/// The most milliseconds for the move of a level, without limits.
#[wasm_bindgen]
pub fn usual_milliseconds() -> f64 {
    Level::USUAL_TIME.as_millis() as f64
}
