//! `/v1/position`: everything that is known about a position, at once or in parts.

use super::parameters::{self, Board, Flag, MaxNodes, Read};
use super::{Asked, State, single};
use crate::Daemon;
use crate::http::answer::{Answered, Terms, Wait, Wanted};
use crate::http::problem::Problem;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
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

/// The terms that the parameters of a request stand for.
pub(super) fn terms(
    daemon: &Daemon,
    only: Option<Only>,
    wait: Option<bool>,
    max_nodes: Option<NonZeroU64>,
) -> Terms {
    let wanted = match only {
        Some(Only::Score) => Wanted::Score,
        None => Wanted::All,
    };
    let wait = match wait {
        Some(true) => Wait::ForAll,
        Some(false) => Wait::Never,
        None => Wait::ForScore,
    };
    daemon.terms(wanted, wait, max_nodes)
}

impl PositionQuery {
    fn terms(&self, daemon: &Daemon) -> Terms {
        let wait = self.wait.map(|Flag(wait)| wait);
        terms(daemon, self.only, wait, self.max_nodes.map(|MaxNodes(most)| most))
    }

    fn asked(self) -> Result<Asked, Problem> {
        Asked::one_of(self.size, self.moves, self.diagram, self.key)
    }
}

/// The report on an answer.
pub(super) fn report(text: String, answered: Answered) -> PositionReport {
    PositionReport::new(text, &answered.knowledge).with_time(answered.took)
}

pub(super) async fn position(
    daemon: State,
    headers: HeaderMap,
    query: Read<PositionQuery>,
) -> Result<Response, Problem> {
    let query = parameters::query(query, "/v1/position?moves=4453")?;
    let terms = query.terms(&daemon);
    single::answer("position", &daemon, &headers, query.asked()?, terms, report).await
}

/// The same in parts, as server-sent events: what is known at once, and again whenever
/// another move is solved, until all is known.
pub(super) async fn stream(daemon: State, query: Read<PositionQuery>) -> Result<Response, Problem> {
    let mut query = parameters::query(query, "/v1/position/stream?moves=4453")?;
    query.wait = query.wait.or(Some(Flag(true)));
    let terms = query.terms(&daemon);
    let asked = query.asked()?;
    let (loaded, question) = asked.read(&daemon)?;
    let followed = daemon.follow(&loaded, question, terms)?;
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
