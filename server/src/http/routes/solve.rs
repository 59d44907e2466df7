//! `/solve`: the scores of all columns, as clients of the public solver read them.

use super::parameters::{self, Board, MaxNodes, Read};
use super::{Asked, State, single};
use crate::http::answer::{Answered, Wait, Wanted};
use crate::http::problem::Problem;
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::notation::Notation;
use serde::{Deserialize, Serialize};

/// The number for a column that cannot be played.
const FULL_COLUMN: i8 = 100;

#[derive(Debug, Deserialize)]
pub(super) struct SolveQuery {
    pos: String,
    size: Option<Board>,
    max_nodes: Option<MaxNodes>,
}

#[derive(Debug, Serialize)]
struct SolveReply {
    pos: String,
    /// One number a column, from the first.
    score: Vec<i8>,
}

impl SolveReply {
    fn new(pos: String, answered: Answered) -> Self {
        let scores = answered.knowledge.move_scores().into_iter();
        SolveReply { pos, score: scores.map(|score| score.unwrap_or(FULL_COLUMN)).collect() }
    }
}

pub(super) async fn solve(
    daemon: State,
    headers: HeaderMap,
    query: Read<SolveQuery>,
) -> Result<Response, Problem> {
    let SolveQuery { pos, size, max_nodes } = parameters::query(query, "/solve?pos=4453")?;
    let asked = Asked { size, notation: Some(Notation::Moves), text: pos };
    let max_nodes = max_nodes.map(|MaxNodes(most)| most);
    let terms = daemon.terms(Wanted::All, Wait::ForAll, max_nodes).all_or_nothing();
    single::answer("solve", &daemon, &headers, asked, terms, SolveReply::new).await
}
