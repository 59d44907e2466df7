//! The routes, and what answers them.

mod batch;
mod operations;
mod page;
mod play;
mod position;

use crate::Daemon;
use crate::http::layers::{self, Http};
use crate::http::problem::Problem;
use axum::Router;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
pub use batch::MAX_POSITIONS;
use std::sync::Arc;

/// The daemon's routes with the layers around them: request ids, logs, metrics, limits,
/// compression.
///
/// A service for any HTTP server; [`serve`](super::serve) is the one that sets the limits
/// on connections, too.
pub fn router(daemon: Arc<Daemon>, http: &Http) -> Router {
    let routes = Router::new()
        .route("/", get(page::file))
        .route("/api", get(page::file))
        .route("/script/{name}", get(page::file))
        .route("/style/{name}", get(page::file))
        .route("/app/{name}", get(page::file))
        .route("/openapi.json", get(page::file))
        .route("/solve", get(position::solve))
        .route("/v1/position", get(position::position))
        .route("/v1/position/stream", get(position::stream))
        .route("/v1/game", get(play::game))
        .route("/v1/line", get(play::line))
        .route("/v1/move", get(play::choose))
        .route("/v1/positions", post(batch::positions))
        .route("/v1/book", get(operations::book))
        .route("/healthz", get(operations::healthz))
        .route("/readyz", get(operations::readyz))
        .route("/metrics", get(operations::metrics))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
        .with_state(Arc::clone(&daemon));
    layers::around(routes, daemon, http)
}

/// Answers unknown paths: programs get a problem below `/v1/`, and people a page elsewhere.
async fn not_found(uri: Uri) -> Response {
    if uri.path().starts_with("/v1/") {
        Problem::not_found("no such path; /openapi.json lists those there are").into_response()
    } else {
        page::missing()
    }
}

async fn method_not_allowed() -> impl IntoResponse {
    Problem::method_not_allowed("this path has another method; /openapi.json says which")
}
