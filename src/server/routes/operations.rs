//! What those who run the daemon ask.

use super::State;
use crate::server::metrics::CONTENT_TYPE as METRICS_TYPE;
use crate::server::problem::Problem;
use axum::Json;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use serde_json::{Value, json};

/// The process is alive.
pub(super) async fn healthz() -> impl IntoResponse {
    ([(CACHE_CONTROL, "no-store")], Json(json!({ "status": "ok" })))
}

/// The server takes requests.
pub(super) async fn readyz(daemon: State) -> Result<Json<Value>, Problem> {
    match daemon.is_stopping() {
        true => Err(Problem::stopping("the server is stopping; ask another one")),
        false => Ok(Json(json!({ "status": "ready" }))),
    }
}

/// Everything that is counted.
pub(super) async fn metrics(daemon: State) -> impl IntoResponse {
    ([(CONTENT_TYPE, METRICS_TYPE), (CACHE_CONTROL, "no-store")], daemon.metrics.text())
}
