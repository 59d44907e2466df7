//! `/v1/position`: everything that is known about a position, at once or in parts; and `/solve`,
//! the scores of all columns as clients of the public solver read them.

use crate::http::answer::{Answer, Request};
use crate::http::daemon::State;
use crate::http::problem::Result;
use crate::http::request::{LIMITS, POSITION, Parameters, Query};
use crate::http::response::{NO_STORE, not_kept};
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use fourbook::board::notation::Notation;
use fourbook::oracle::{PositionReport, Source};
use fourbook::{Outcome, Score, Size};
use futures_util::StreamExt;
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;

/// The parameters for the wanted part of a report and the wait.
pub(super) const WANTED: &[&str] = &["only", "wait"];

/// Returns the request with what these parameters want.
pub(super) fn wanted(parameters: &Parameters, request: Request) -> Result<Request> {
    let only = parameters.value("only", "score", |only: &String| only == "score")?;
    Ok(Request {
        only_score: only.is_some(),
        wait: parameters.value("wait", "true or false", |_| true)?,
        takes_part: true,
        ..request
    })
}

/// A position in an answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Report {
    Position(PositionReport),
    Score(ScoreReport),
}

/// The members of a [`PositionReport`] about the position's own score.
#[derive(Debug, Serialize)]
pub(super) struct ScoreReport {
    position: String,
    size: Size,
    score: Option<Score>,
    outcome: Option<Outcome>,
    plies_to_end: Option<u32>,
    source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
}

impl Report {
    pub(super) fn new(text: String, answer: Answer, only_score: bool) -> Self {
        let report = PositionReport::new(text, answer.known, answer.took);
        if !only_score {
            return Report::Position(report);
        }
        let PositionReport { position, analysis, time_ms } = report;
        let score = analysis.score();
        Report::Score(ScoreReport {
            position,
            size: analysis.position().size(),
            score,
            outcome: analysis.outcome(),
            plies_to_end: analysis.plies_to_end(),
            source: analysis.source(),
            nodes: Some(analysis.nodes()).filter(|&nodes| nodes > 0),
            time_ms,
        })
    }
}

pub(super) async fn position(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let query = Parameters::query(query, &[POSITION, WANTED, LIMITS], "/v1/position?moves=4453")?;
    let (request, text) = query.position(&daemon)?;
    let request = wanted(&query, request)?;
    let route = if request.only_score { "score" } else { "position" };
    respond(route, &headers, &request, text, Report::new).await
}

/// A report in parts, as server-sent events: the scores known at once, and again whenever another
/// move is solved, until all moves are known.
pub(super) async fn stream(daemon: State, query: Query) -> Result {
    let example = "/v1/position/stream?moves=4453";
    let query = Parameters::query(query, &[POSITION, WANTED, LIMITS], example)?;
    let (request, text) = query.position(&daemon)?;
    let mut request = wanted(&query, request)?;
    request.wait = request.wait.or(Some(true));
    let only_score = request.only_score;
    let events = request.follow()?.map(move |part| {
        Ok::<_, Infallible>(match part {
            Ok(known) => {
                let answer = Answer { known, took: None };
                event("position", &Report::new(text.clone(), answer, only_score))
            }
            Err(problem) => event("problem", &problem),
        })
    });
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, NO_STORE)];
    Ok((headers, Body::from_stream(events)).into_response())
}

/// A server-sent event of a name, with a line of JSON.
fn event(name: &str, data: &impl Serialize) -> String {
    let data = serde_json::to_string(data).expect("answers have names and numbers only");
    format!("event: {name}\ndata: {data}\n\n")
}

/// The number for a column that cannot be played.
const FULL_COLUMN: Score = 100;

pub(super) async fn solve(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let query = Parameters::query(query, &[&["pos", "size"], LIMITS], "/solve?pos=4453")?;
    let pos = query.required("pos")?.to_owned();
    let (request, text) = query.position_in(&daemon, Notation::Moves, pos)?;
    respond("solve", &headers, &request, text, |pos: String, answer: Answer, _| {
        let scores = answer.known.move_scores().into_iter();
        let scores: Vec<Score> = scores.map(|score| score.unwrap_or(FULL_COLUMN)).collect();
        json!({ "pos": pos, "score": scores })
    })
    .await
}

/// Responds to a request about a position with what `reply` makes of the answer, or with 304 if
/// the client has it.
async fn respond<R: Serialize>(
    route: &str,
    headers: &HeaderMap,
    request: &Request,
    text: String,
    reply: fn(String, Answer, bool) -> R,
) -> Result {
    let validators = request.validators(route);
    if validators.match_request(headers) {
        return Ok(validators.not_modified());
    }
    let answer = request.answer().await?;
    let is_final = request.only_score || answer.known.is_complete();
    let reply = reply(text, answer, request.only_score);
    // An incomplete answer may be complete soon.
    Ok(if is_final { validators.json(&reply) } else { not_kept(&reply) })
}
