//! `/v1/position`: everything that is known about a position.

use super::{Asked, State, single};
use crate::daemon::{Answered, Loaded};
use crate::problem::Problem;
use crate::question::{Question, Verdict};
use axum::extract::{Query, rejection::QueryRejection};
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::notation::Notation;
use fourbook::board::plies_to_end;
use fourbook::oracle::Evaluation;
use fourbook::solver::best_first;
use fourbook::{Analysis, Outcome, Score, Source};
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
    /// The position's text and the notation it is in.
    fn asked(self) -> Result<Asked, Problem> {
        let (notation, text) = match (self.moves, self.diagram, self.key) {
            (Some(moves), None, None) => (Notation::Moves, moves),
            (None, Some(diagram), None) if diagram.trim().is_empty() => {
                return Err(Problem::bad_query("expected a diagram, found nothing"));
            }
            (None, Some(diagram), None) => (Notation::Diagram, diagram),
            (None, None, Some(key)) => {
                (Notation::Key, format!("key:{}", key.trim_start_matches("key:")))
            }
            _ => {
                return Err(Problem::bad_query(
                    "expected exactly one of the parameters moves, diagram and key; \
                     for example /v1/position?moves=4453",
                ));
            }
        };
        Ok(Asked { notation: Some(notation), text })
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
    evaluation: Evaluation,
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
    pub(super) fn new(text: String, question: Question, answered: Answered, _: &Loaded) -> Self {
        let Answered { verdict: Verdict { value: Analysis { score, moves }, source, nodes }, took } =
            answered;
        let position = question.position;
        let (size, ply) = (position.size(), position.ply());
        let reply_for = |column: usize| MoveReply {
            column: column + 1,
            score: moves[column],
            outcome: moves[column].map(Outcome::of),
            plies_to_end: moves[column].map(|score| plies_to_end(size.cells(), ply, score)),
        };
        PositionReply {
            position: text,
            key: position.key().to_string(),
            ply,
            over: position.is_over(),
            evaluation: Evaluation::new(size, ply, score, &moves),
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
    let asked = query.asked()?;
    single::answer("position", &daemon, &headers, asked, max_nodes, PositionReply::new).await
}
