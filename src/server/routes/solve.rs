//! `/solve`: the scores of all columns, as clients of the public solver read them.

use super::State;
use super::position::digits;
use super::validators::Validators;
use crate::server::problem::Problem;
use axum::extract::{Query, rejection::QueryRejection};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};

/// What stands for a column that cannot be played.
const FULL_COLUMN: i8 = 100;

#[derive(Debug, Deserialize)]
pub(super) struct SolveQuery {
    pos: String,
}

#[derive(Debug, Serialize)]
struct SolveReply {
    pos: String,
    /// One number a column, from the first.
    score: Vec<i8>,
}

pub(super) async fn solve(
    daemon: State,
    headers: HeaderMap,
    query: Result<Query<SolveQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(SolveQuery { pos }) = query.map_err(|rejection| {
        Problem::bad_query(format!(
            "{}; expected moves, for example /solve?pos=4453",
            rejection.body_text()
        ))
    })?;
    let pos = digits(pos)?;
    let loaded = daemon.loaded();
    let question = loaded.answers.read(&pos)?;
    let validators = Validators::new("solve", loaded.info.identity(), question.key);
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let answered = daemon.answer(&loaded, question, daemon.deadline()).await?;
    let score = answered.verdict.moves.iter().map(|score| score.unwrap_or(FULL_COLUMN)).collect();
    Ok(validators.json(&SolveReply { pos, score }))
}
