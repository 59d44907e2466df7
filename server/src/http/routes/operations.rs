//! Routes for operators: `/v1/book`, health and metrics.

use crate::http::books::LoadedInfo;
use crate::http::daemon::State;
use crate::http::metrics::CONTENT_TYPE as METRICS_TYPE;
use crate::http::problem::Problem;
use crate::http::request::Parameters;
use crate::http::response::{json, not_kept};
use axum::extract::RawQuery;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fourbook::Size;
use serde::Serialize;

fn status(status: &'static str) -> Response {
    #[derive(Serialize)]
    struct Status {
        status: &'static str,
    }
    not_kept(&Status { status })
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

/// All metrics.
pub(super) async fn metrics(daemon: State) -> impl IntoResponse {
    ([(CONTENT_TYPE, METRICS_TYPE), (CACHE_CONTROL, "no-store")], daemon.metrics_text())
}

/// The reply about a book, with all boards served.
#[derive(Debug, Serialize)]
struct BookReply<'a> {
    #[serde(flatten)]
    info: &'a LoadedInfo,
    /// The boards served, the smallest first.
    sizes: Vec<String>,
}

pub(super) async fn book(daemon: State, query: RawQuery) -> Result<Response, Problem> {
    let query = Parameters::query(query, &[&["size"]], "/v1/book?size=7x6")?;
    let loaded = query.board(&daemon)?;
    let sizes = daemon.sizes().iter().map(Size::to_string).collect();
    let reply = json(&BookReply { info: &loaded.info, sizes });
    Ok(([(CACHE_CONTROL, "no-cache")], reply).into_response())
}
