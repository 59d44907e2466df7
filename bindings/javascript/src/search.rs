//! A search in parts, between which its caller can do other things.
//!
//! WebAssembly blocks its thread and has no clock. Each part of a search has a node budget, which
//! `lib/questions.js` chooses by its clock: a tenth of a second at most. The next part starts from the
//! root again, and finds in the solver's table what was proved before.

use crate::errors::{OrThrow, to_js};
use crate::oracle::RawOracle;
use crate::position::{RawPosition, to_json};
use fourbook::board::ScoreBounds;
use fourbook::oracle::{Game, Knowledge, OracleError, PositionReport};
use fourbook::solver::SearchProgress;
use fourbook::{Limits, Oracle, Position, Score, StopReason, Stopped};
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The question that a search answers.
#[derive(Debug)]
enum Question {
    /// A question about a position.
    Ask(Position, fn(&Oracle, Position) -> Result<Vec<i8>, OracleError>),
    Analysis(Knowledge),
    Review(Game),
}

/// A search under way.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct RawSearch {
    question: Question,
    /// The result: the score, the outcome as 1, 0 or -1, the columns of a line, the known scores of
    /// an analysis (see [`numbers_of`]; each part adds some), or the scores of a game from its end.
    pub numbers: Vec<i8>,
    /// The review of a game, as JSON.
    pub review: String,
    /// Number of nodes visited.
    pub nodes: f64,
    /// The bounds of the position's score that all parts have proved; none for a game.
    bounds: Option<ScoreBounds>,
}

impl RawSearch {
    fn new(question: Question) -> Self {
        RawSearch { question, numbers: Vec::new(), review: String::new(), nodes: 0.0, bounds: None }
    }

    /// The position that it is about, if it is not about a game.
    fn position(&self) -> Option<Position> {
        match &self.question {
            Question::Ask(position, _) => Some(*position),
            Question::Analysis(knowledge) => Some(knowledge.position()),
            Question::Review(_) => None,
        }
    }

    fn run(
        &mut self,
        oracle: &RawOracle,
        max_nodes: u64,
        progress: &Arc<SearchProgress>,
    ) -> Result<(), OracleError> {
        // The nodes of one part are for all its searches together.
        let before = oracle.oracle.nodes();
        let within = || {
            let max_nodes = Some(max_nodes.saturating_sub(oracle.oracle.nodes() - before));
            let progress = Some(Arc::clone(progress));
            oracle.oracle.with_limits(Limits { max_nodes, progress, ..Limits::default() })
        };
        match &mut self.question {
            Question::Ask(position, ask) => self.numbers = ask(&within(), *position)?,
            Question::Analysis(knowledge) => {
                let result = within().complete(knowledge, &mut |_| ());
                self.numbers = numbers_of(knowledge);
                result?;
            }
            Question::Review(game) => {
                let positions = game.positions();
                while self.numbers.len() < positions.len() {
                    let position = positions[positions.len() - 1 - self.numbers.len()];
                    self.numbers.push(within().score(position)?.value);
                }
                let (_, line) = within().line(game.end())?.value;
                let scores: Vec<Score> = self.numbers.iter().rev().copied().collect();
                self.review = to_json(&game.review(&scores, &line));
            }
        }
        Ok(())
    }
}

#[wasm_bindgen]
impl RawSearch {
    /// Searches for at most `most` nodes more, and returns whether the search has ended.
    pub fn step(&mut self, oracle: &RawOracle, most: f64) -> Result<bool, JsValue> {
        let before = oracle.oracle.nodes();
        let progress = Arc::default();
        let result = self.run(oracle, most as u64, &progress);
        self.nodes += (oracle.oracle.nodes() - before) as f64;
        let found = progress.bounds().filter(|_| self.position().is_some());
        self.bounds = match (self.bounds, found) {
            (Some(before), Some(now)) => Some(before.and(now)),
            (before, now) => before.or(now),
        };
        match result {
            Ok(()) => Ok(true),
            Err(OracleError::Stopped(it)) if it.reason == StopReason::NodeBudget => Ok(false),
            Err(error) => Err(to_js(&error)),
        }
    }

    /// The error of a search that has reached its node limit, or else its deadline.
    pub fn stopped(&self, nodes: bool) -> JsValue {
        let reason = if nodes { StopReason::NodeBudget } else { StopReason::Deadline };
        let to_move = self.position().map(|position| position.to_move());
        to_js(&Stopped { reason, bounds: self.bounds, to_move, nodes: self.nodes as u64 })
    }
}

#[wasm_bindgen]
impl RawOracle {
    /// The scores of a position and its moves that are known without a search, as [`numbers_of`].
    pub fn known(&self, position: &RawPosition) -> Result<Vec<i8>, JsValue> {
        Ok(numbers_of(&self.oracle.known(position.board).or_throw()?))
    }

    /// A search for a score.
    pub fn search_score(&self, position: &RawPosition) -> RawSearch {
        RawSearch::new(Question::Ask(position.board, |oracle, it| {
            Ok(vec![oracle.score(it)?.value])
        }))
    }

    /// A search for an outcome.
    pub fn search_outcome(&self, position: &RawPosition) -> RawSearch {
        RawSearch::new(Question::Ask(position.board, |oracle, it| {
            Ok(vec![oracle.outcome(it)?.value.sign()])
        }))
    }

    /// A search for the scores of all moves.
    pub fn search_analysis(&self, position: &RawPosition) -> Result<RawSearch, JsValue> {
        Ok(RawSearch::new(Question::Analysis(self.oracle.known(position.board).or_throw()?)))
    }

    /// A search for the moves of perfect play.
    pub fn search_line(&self, position: &RawPosition) -> RawSearch {
        RawSearch::new(Question::Ask(position.board, |oracle, it| {
            let (_, line) = oracle.line(it)?.value;
            Ok(line.into_iter().map(|column| column as i8).collect())
        }))
    }

    /// A search for the scores of all positions of a game.
    pub fn search_review(&self, moves: &str) -> Result<RawSearch, JsValue> {
        let game = Game::parse(self.oracle.size(), moves.trim()).or_throw()?;
        Ok(RawSearch::new(Question::Review(game)))
    }
}

/// The known scores of a position as numbers, which JavaScript need not free: the count of unknown
/// scores, the score of the position, the scores of all columns, the sources of all scores, and three
/// numbers more.
pub(crate) fn numbers_of(knowledge: &Knowledge) -> Vec<i8> {
    let unknown = knowledge.unknown_moves().len() + usize::from(knowledge.score().is_none());
    [unknown as i8].into_iter().chain(knowledge.numbers()).collect()
}

/// The knowledge with these [`numbers`](numbers_of).
pub(crate) fn knowledge_of(position: &RawPosition, numbers: &[i8], nodes: u64) -> Knowledge {
    let knowledge = Knowledge::of_numbers(position.board, &numbers[1..], nodes);
    knowledge.expect("numbers that were found here")
}

/// The report on a position that was asked for as `text`, from [`numbers_of`], after a search that
/// visited `nodes` nodes (0 if there was none) and took `milliseconds`, as JSON.
#[wasm_bindgen]
pub fn report(
    position: &RawPosition,
    text: &str,
    numbers: &[i8],
    nodes: f64,
    milliseconds: f64,
) -> String {
    let knowledge = knowledge_of(position, numbers, nodes as u64);
    let took = (nodes > 0.0).then(|| Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0));
    to_json(&PositionReport::new(text, &knowledge).with_time(took))
}
