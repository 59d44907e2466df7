//! Routes for operators: `/v1/book`, health and metrics.

use crate::http::daemon::State;
use crate::http::metrics::CONTENT_TYPE as METRICS_TYPE;
use crate::http::problem::Problem;
use crate::http::request::Parameters;
use crate::http::response::{json, not_kept};
use axum::extract::RawQuery;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fourbook::Size;
use serde_json::json;

fn status(status: &'static str) -> Response {
    not_kept(&json!({ "status": status }))
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

/// The header of a book, or without a book its board; and all boards served.
pub(super) async fn book(daemon: State, query: RawQuery) -> Result<Response, Problem> {
    let query = Parameters::query(query, &[&["size"]], "/v1/book?size=7x6")?;
    let loaded = query.board(&daemon)?;
    let size = loaded.size();
    let mut reply = match loaded.oracle.book() {
        Some(book) => json!(book.info()),
        None => json!({ "width": size.width(), "height": size.height() }),
    };
    reply["loaded"] = loaded.oracle.book().is_some().into();
    reply["file"] = loaded.file.clone().into();
    reply["program_version"] = env!("CARGO_PKG_VERSION").into();
    reply["sizes"] = daemon.sizes().iter().map(Size::to_string).collect();
    Ok(([(CACHE_CONTROL, "no-cache")], json(&reply)).into_response())
}
