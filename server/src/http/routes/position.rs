//! `/v1/position`: everything that is known about a position, at once or in parts; and `/solve`,
//! the scores of all columns as clients of the public solver read them.

use crate::Daemon;
use crate::http::answer::{Answer, Request};
use crate::http::daemon::State;
use crate::http::problem::Problem;
use crate::http::request::{self, Board, Flag, MaxNodes, PositionText, Read};
use crate::http::response::{Validators, not_kept};
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fourbook::board::notation::Notation;
use fourbook::oracle::PositionReport;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::num::NonZeroU64;

/// The query: a position in one notation, what is wanted of it and how long to wait.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    moves: Option<String>,
    diagram: Option<String>,
    key: Option<String>,
    size: Option<Board>,
    only: Option<Only>,
    wait: Option<Flag>,
    max_nodes: Option<MaxNodes>,
}

/// The part of a report that is wanted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Only {
    Score,
}

impl PositionQuery {
    fn request(&self, daemon: &Daemon) -> Request {
        let wait = self.wait.map(|Flag(wait)| wait);
        request(daemon, self.only, wait, self.max_nodes.map(|MaxNodes(most)| most))
    }

    fn position(self) -> Result<PositionText, Problem> {
        PositionText::one_of(self.size, self.moves, self.diagram, self.key)
    }
}

/// A request for a report with these parameters.
pub(super) fn request(
    daemon: &Daemon,
    only: Option<Only>,
    wait: Option<bool>,
    max_nodes: Option<NonZeroU64>,
) -> Request {
    let only_score = matches!(only, Some(Only::Score));
    Request { only_score, wait, takes_part: true, ..daemon.request(max_nodes) }
}

pub(super) fn report(text: String, answer: Answer) -> PositionReport {
    PositionReport::new(text, &answer.knowledge).with_time(answer.took)
}

pub(super) async fn position(
    daemon: State,
    headers: HeaderMap,
    query: Read<PositionQuery>,
) -> Result<Response, Problem> {
    let query = request::query(query, "/v1/position?moves=4453")?;
    let request = query.request(&daemon);
    respond("position", &daemon, &headers, query.position()?, request, report).await
}

/// The same in parts, as server-sent events: what is known at once, and again whenever
/// another move is solved, until all is known.
pub(super) async fn stream(daemon: State, query: Read<PositionQuery>) -> Result<Response, Problem> {
    let mut query = request::query(query, "/v1/position/stream?moves=4453")?;
    query.wait = query.wait.or(Some(Flag(true)));
    let request = query.request(&daemon);
    let asked = query.position()?;
    let (loaded, position) = asked.parse(&daemon)?;
    let followed = daemon.follow(&loaded, position, request)?;
    let events = stream::unfold(followed, move |mut followed| {
        let text = asked.text.clone();
        async move {
            let event = match followed.next().await? {
                Ok(knowledge) => event("position", &PositionReport::new(text, &knowledge)),
                Err(problem) => event("problem", &problem),
            };
            Some((Ok::<_, Infallible>(event), followed))
        }
    });
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(events)).into_response())
}

/// A server-sent event of a name, with a line of JSON.
fn event(name: &str, data: &impl Serialize) -> String {
    let data = serde_json::to_string(data).expect("answers have names and numbers only");
    format!("event: {name}\ndata: {data}\n\n")
}

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

fn solve_reply(pos: String, answer: Answer) -> SolveReply {
    let scores = answer.knowledge.move_scores().into_iter();
    SolveReply { pos, score: scores.map(|score| score.unwrap_or(FULL_COLUMN)).collect() }
}

pub(super) async fn solve(
    daemon: State,
    headers: HeaderMap,
    query: Read<SolveQuery>,
) -> Result<Response, Problem> {
    let SolveQuery { pos, size, max_nodes } = request::query(query, "/solve?pos=4453")?;
    let asked = PositionText { size, notation: Some(Notation::Moves), text: pos };
    let request = daemon.request(max_nodes.map(|MaxNodes(most)| most));
    respond("solve", &daemon, &headers, asked, request, solve_reply).await
}

/// Responds to a request about a position with what `reply` makes of the answer, or with 304 if
/// the client has it.
async fn respond<R: Serialize>(
    route: &str,
    daemon: &Daemon,
    headers: &HeaderMap,
    asked: PositionText,
    request: Request,
    reply: fn(String, Answer) -> R,
) -> Result<Response, Problem> {
    let (loaded, position) = asked.parse(daemon)?;
    let validators = Validators::new(route, loaded.info.identity(), position.key());
    if validators.match_request(headers) {
        return Ok(validators.not_modified());
    }
    let answer = daemon.answer(&loaded, position, request).await?;
    let is_complete = answer.knowledge.is_complete();
    let reply = reply(asked.text, answer);
    // An incomplete answer may be complete soon.
    Ok(if is_complete { validators.json(&reply) } else { not_kept(&reply) })
}
