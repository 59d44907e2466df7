//! What those who run the daemon ask.

use super::State;
use crate::json::json;
use crate::metrics::CONTENT_TYPE as METRICS_TYPE;
use crate::problem::Problem;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

fn status(status: &'static str) -> Response {
    #[derive(Serialize)]
    struct Status {
        status: &'static str,
    }
    json(&Status { status })
}

/// The process is alive.
pub(super) async fn healthz() -> impl IntoResponse {
    ([(CACHE_CONTROL, "no-store")], status("ok"))
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
    ([(CONTENT_TYPE, METRICS_TYPE), (CACHE_CONTROL, "no-store")], daemon.metrics.text())
}
