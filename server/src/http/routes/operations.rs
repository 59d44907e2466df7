//! What those who run the server ask: `/v1/book`, health and metrics.

use crate::http::books::LoadedInfo;
use crate::http::daemon::State;
use crate::http::metrics::CONTENT_TYPE as METRICS_TYPE;
use crate::http::problem::Problem;
use crate::http::request::{self, Board, Read};
use crate::http::response::{NO_STORE, json};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fourbook::Size;
use serde::{Deserialize, Serialize};

/// What is so now; a cache that kept it would hide that it has changed.
fn status(status: &'static str) -> Response {
    #[derive(Serialize)]
    struct Status {
        status: &'static str,
    }
    ([(CACHE_CONTROL, NO_STORE)], json(&Status { status })).into_response()
}

/// The process is alive.
pub(super) async fn healthz() -> Response {
    status("ok")
}

/// The server takes requests.
pub(super) async fn readyz(daemon: State) -> Result<Response, Problem> {
    match daemon.is_stopping() {
        true => Err(Problem::stopping("the server is stopping; ask another one")),
        false => Ok(status("ready")),
    }
}

/// Everything that is counted.
pub(super) async fn metrics(daemon: State) -> impl IntoResponse {
    let content_type = HeaderValue::from_static(METRICS_TYPE);
    ([(CONTENT_TYPE, content_type), (CACHE_CONTROL, NO_STORE)], daemon.metrics.text())
}

/// The query: perhaps the board that the book is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookQuery {
    size: Option<Board>,
}

/// What is said of a book, and which boards there are besides.
#[derive(Debug, Serialize)]
struct BookReply<'a> {
    #[serde(flatten)]
    info: &'a LoadedInfo,
    /// The boards served, the smallest first.
    sizes: Vec<String>,
}

pub(super) async fn book(daemon: State, query: Read<BookQuery>) -> Result<Response, Problem> {
    let BookQuery { size } = request::query(query, "/v1/book?size=7x6")?;
    let loaded = daemon.loaded(size.map(Size::from))?;
    let sizes = daemon.sizes().iter().map(Size::to_string).collect();
    let reply = json(&BookReply { info: &loaded.info, sizes });
    Ok(([(CACHE_CONTROL, "no-cache")], reply).into_response())
}
