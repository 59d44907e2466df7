//! `/v1/position`: everything there is to say about a position.

use super::{State, single};
use crate::board::{Outcome, Score, plies_to_end};
use crate::oracle::{Outlook, Source};
use crate::server::answers::{Question, Verdict};
use crate::server::daemon::{Answered, Loaded};
use crate::server::problem::Problem;
use crate::solver::best_first;
use axum::extract::{Query, rejection::QueryRejection};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// The query: a position in one notation, and perhaps the most nodes to search for it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    moves: Option<String>,
    diagram: Option<String>,
    key: Option<String>,
    max_nodes: Option<NonZeroU64>,
}

impl PositionQuery {
    /// The position's text, as [`parse_position`](crate::board::notation::parse_position) reads it.
    fn text(self) -> Result<String, Problem> {
        match (self.moves, self.diagram, self.key) {
            (Some(moves), None, None) => digits(moves),
            (None, Some(diagram), None) if diagram.trim().is_empty() => {
                Err(Problem::bad_query("expected a diagram, found nothing"))
            }
            (None, Some(diagram), None) => Ok(diagram),
            (None, None, Some(key)) => Ok(format!("key:{}", key.trim_start_matches("key:"))),
            _ => Err(Problem::bad_query(
                "expected exactly one of the parameters moves, diagram and key; \
                 for example /v1/position?moves=4453",
            )),
        }
    }
}

/// Moves, told from the other notations by their first letter: where that is no digit,
/// it is the first move that is wrong.
pub(super) fn digits(moves: String) -> Result<String, Problem> {
    match moves.trim().chars().next() {
        Some(first) if !first.is_ascii_digit() => Err(Problem::first_move(first)),
        _ => Ok(moves),
    }
}

/// What is said of a position. Columns count from 1.
#[derive(Debug, Serialize)]
pub(super) struct PositionReply {
    /// The position as it was asked for.
    position: String,
    /// Its key, decimal; a text because JSON numbers may lose its last digits.
    key: String,
    /// Number of stones.
    ply: u32,
    /// Whether the game has ended.
    over: bool,
    #[serde(flatten)]
    outlook: Outlook,
    /// All columns, the best first, those that cannot be played last.
    moves: Vec<MoveReply>,
    source: Source,
    /// Nodes visited, where the position or one of its moves was solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// Milliseconds that solving took, where that was done for this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
}

#[derive(Debug, Serialize)]
struct MoveReply {
    column: usize,
    /// For the side that moves; `null` if the column cannot be played.
    score: Option<Score>,
    outcome: Option<Outcome>,
    /// Stones until the game ends, this move counted.
    plies_to_end: Option<u32>,
}

impl PositionReply {
    pub(super) fn new(
        text: String,
        question: Question,
        answered: Answered,
        loaded: &Loaded,
    ) -> PositionReply {
        let Answered { verdict: Verdict { score, moves, source, nodes }, took } = answered;
        let cells = (moves.len() * loaded.info.height) as u32;
        let reply_for = |column: usize| MoveReply {
            column: column + 1,
            score: moves[column],
            outcome: moves[column].map(Outcome::of),
            plies_to_end: moves[column].map(|score| plies_to_end(cells, question.ply, score)),
        };
        PositionReply {
            position: text,
            key: question.key.to_string(),
            ply: question.ply,
            over: question.over,
            outlook: Outlook::new(cells, question.ply, score, &moves),
            moves: best_first(&moves).into_iter().map(reply_for).collect(),
            source,
            nodes: (nodes > 0).then_some(nodes),
            time_ms: took.map(|took| took.as_millis() as u64),
        }
    }
}

pub(super) async fn position(
    daemon: State,
    headers: HeaderMap,
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(query) = query.map_err(|rejection| Problem::bad_query(rejection.body_text()))?;
    let max_nodes = query.max_nodes;
    let text = query.text()?;
    single::answer("position", &daemon, &headers, text, max_nodes, PositionReply::new).await
}
