//! What those who run the daemon ask.

use super::State;
use crate::http::json::{NO_STORE, json};
use crate::http::metrics::CONTENT_TYPE as METRICS_TYPE;
use crate::http::problem::Problem;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

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
