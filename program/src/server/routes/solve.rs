//! `/solve`: the scores of all columns, as clients of the public solver read them.

use super::parameters::Board;
use super::{Asked, State, single};
use crate::answer::{Answered, Wait, Wanted};
use crate::problem::Problem;
use axum::extract::{Query, rejection::QueryRejection};
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::notation::Notation;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// The number for a column that cannot be played.
const FULL_COLUMN: i8 = 100;

#[derive(Debug, Deserialize)]
pub(super) struct SolveQuery {
    pos: String,
    size: Option<Board>,
    max_nodes: Option<NonZeroU64>,
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
    query: Result<Query<SolveQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(SolveQuery { pos, size, max_nodes }) = query.map_err(|rejection| {
        Problem::bad_query(format!(
            "{}; expected moves, for example /solve?pos=4453",
            rejection.body_text()
        ))
    })?;
    let asked = Asked { size, notation: Some(Notation::Moves), text: pos };
    let terms = daemon.terms(Wanted::All, Wait::ForAll, max_nodes).all_or_nothing();
    single::answer("solve", &daemon, &headers, asked, terms, SolveReply::new).await
}
