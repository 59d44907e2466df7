//! A search in parts, between which its caller can do other things.
//!
//! WebAssembly blocks its thread and has no clock. Each part of a search has a node budget, which
//! `lib/questions.js` chooses by its clock. The next part starts from the root again, and finds in
//! the solver's table what was proved before. The table does not keep everything, so later parts of
//! a long search are longer.

use crate::NONE;
use crate::errors::{OrThrow, to_js};
use crate::level::to_number;
use crate::oracle::RawOracle;
use crate::position::{RawPosition, to_json};
use fourbook::board::ScoreBounds;
use fourbook::oracle::{Game, Knowledge, Known, OracleError, PositionReport};
use fourbook::solver::SearchProgress;
use fourbook::{Limits, Position, Score, Source, StopReason, Stopped};
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The question that a search answers.
#[derive(Debug)]
enum Task {
    Score(Position),
    Outcome(Position),
    Analysis(Knowledge),
    Line(Position),
    Review(Game),
}

/// A search under way.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawSearch {
    task: Task,
    /// The result: the score, the outcome as 1, 0 or -1, the columns of a line, the known scores of
    /// an analysis (see [`numbers`]), or the scores of a game from its end.
    numbers: Vec<i8>,
    /// The review of a game, as JSON.
    review: String,
    nodes: u64,
    /// The bounds of the position's score that all parts have proved.
    bounds: Option<ScoreBounds>,
}

impl RawSearch {
    fn new(task: Task) -> Self {
        RawSearch { task, numbers: Vec::new(), review: String::new(), nodes: 0, bounds: None }
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
        match &mut self.task {
            Task::Score(position) => self.numbers = vec![within().score(*position)?.value],
            Task::Outcome(position) => {
                self.numbers = vec![within().outcome(*position)?.value.sign()];
            }
            Task::Analysis(knowledge) => {
                let result = within().complete(knowledge, &mut |_| ());
                self.numbers = numbers(knowledge);
                result?;
            }
            Task::Line(position) => {
                let (_, line) = within().line(*position)?.value;
                self.numbers = line.into_iter().map(|column| column as i8).collect();
            }
            Task::Review(game) => {
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
        self.nodes += oracle.oracle.nodes() - before;
        self.bounds = match (self.bounds, progress.bounds()) {
            (Some(before), Some(now)) => Some(before.and(now)),
            (before, now) => before.or(now),
        };
        match result {
            Ok(()) => Ok(true),
            Err(OracleError::Stopped(it)) if it.reason == StopReason::NodeBudget => Ok(false),
            Err(error) => Err(to_js(&error)),
        }
    }

    /// Number of nodes visited.
    pub fn nodes(&self) -> f64 {
        self.nodes as f64
    }

    /// The error of a search that has reached its node limit, or else its deadline.
    pub fn stopped(&self, nodes: bool) -> JsValue {
        let reason = if nodes { StopReason::NodeBudget } else { StopReason::Deadline };
        to_js(&Stopped { reason, bounds: self.bounds, nodes: self.nodes })
    }

    /// The numbers that were found; an analysis has some after each part.
    pub fn numbers(&self) -> Vec<i8> {
        self.numbers.clone()
    }

    /// The review that was found, as JSON.
    pub fn review(&self) -> String {
        self.review.clone()
    }
}

#[wasm_bindgen]
impl RawOracle {
    /// The scores of a position and its moves that are known without a search, as [`numbers`].
    pub fn known(&self, position: &RawPosition) -> Result<Vec<i8>, JsValue> {
        Ok(numbers(&self.oracle.known(position.board).or_throw()?))
    }

    /// A search for a score.
    pub fn search_score(&self, position: &RawPosition) -> RawSearch {
        RawSearch::new(Task::Score(position.board))
    }

    /// A search for an outcome.
    pub fn search_outcome(&self, position: &RawPosition) -> RawSearch {
        RawSearch::new(Task::Outcome(position.board))
    }

    /// A search for the scores of all moves.
    pub fn search_analysis(&self, position: &RawPosition) -> Result<RawSearch, JsValue> {
        Ok(RawSearch::new(Task::Analysis(self.oracle.known(position.board).or_throw()?)))
    }

    /// A search for the moves of perfect play.
    pub fn search_line(&self, position: &RawPosition) -> RawSearch {
        RawSearch::new(Task::Line(position.board))
    }

    /// A search for the scores of all positions of a game.
    pub fn search_review(&self, moves: &str) -> Result<RawSearch, JsValue> {
        let game = Game::parse(self.oracle.size(), moves.trim()).or_throw()?;
        Ok(RawSearch::new(Task::Review(game)))
    }
}

/// The known scores of a position as numbers, which JavaScript need not free: the count of unknown
/// scores, the score of the position, the scores of all columns, and the sources of all scores.
fn numbers(knowledge: &Knowledge) -> Vec<i8> {
    let all = || [knowledge.score()].into_iter().chain(knowledge.moves().iter().copied());
    let unknown = match knowledge.is_complete() {
        true => 0,
        false => knowledge.unknown_moves().len() + usize::from(knowledge.score().is_none()),
    };
    let scores = all().map(|known| to_number(known.map(|known| known.score)));
    let sources = all().map(|known| known.map_or(NONE as i8, |known| known.source as i8));
    [unknown as i8].into_iter().chain(scores).chain(sources).collect()
}

/// The report on a position that was asked for as `text`, from [`numbers`], after a search that
/// visited `nodes` nodes (0 if there was none) and took `milliseconds`, as JSON.
#[wasm_bindgen]
pub fn report(
    position: &RawPosition,
    text: &str,
    numbers: &[i8],
    nodes: f64,
    milliseconds: f64,
) -> String {
    let (scores, sources) = numbers[1..].split_at(numbers.len() / 2);
    let known = |(&score, &source): (&i8, &i8)| {
        Some(Known { score, source: *Source::ALL.get(usize::try_from(source).ok()?)? })
    };
    let mut known = scores.iter().zip(sources).map(known);
    let score = known.next().flatten();
    let moves: Vec<_> = known.collect();
    let knowledge = Knowledge::of_parts(position.board, score, &moves, nodes as u64);
    let took = (nodes > 0.0).then(|| Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0));
    to_json(&PositionReport::new(text, &knowledge).with_time(took))
}
