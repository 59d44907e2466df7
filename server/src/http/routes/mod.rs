//! The routes, and what answers them.

mod batch;
mod operations;
mod page;
mod play;
mod position;

use crate::Daemon;
use crate::http::layers;
use crate::http::problem::Problem;
use axum::Router;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
pub use batch::MAX_POSITIONS;
use std::sync::Arc;
use tower_http::decompression::RequestDecompressionLayer;

/// The daemon's routes with the layers around them: request ids, logs, metrics, limits,
/// compression.
///
/// A service for any HTTP server; [`serve`](super::serve) is the one that sets the limits
/// on connections, too.
pub fn router(daemon: Arc<Daemon>) -> Router {
    // The limit on bodies counts decompressed bytes.
    let unzipping = RequestDecompressionLayer::new().pass_through_unaccepted(true);
    let routes = [
        ("/", get(page::file)),
        ("/api", get(page::file)),
        ("/script/{name}", get(page::file)),
        ("/style/{name}", get(page::file)),
        ("/app/{name}", get(page::file)),
        ("/openapi.json", get(page::file)),
        ("/solve", get(position::solve)),
        ("/v1/position", get(position::position)),
        ("/v1/position/stream", get(position::stream)),
        ("/v1/game", get(play::game)),
        ("/v1/line", get(play::line)),
        ("/v1/move", get(play::choose)),
        ("/v1/positions", post(batch::positions).layer(unzipping)),
        ("/v1/book", get(operations::book)),
        ("/healthz", get(operations::healthz)),
        ("/readyz", get(operations::readyz)),
        ("/metrics", get(operations::metrics)),
    ];
    let paths = routes.iter().map(|&(path, _)| path).collect();
    let add = |router: Router<_>, (path, method)| router.route(path, method);
    let routes = routes
        .into_iter()
        .fold(Router::new(), add)
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
        .with_state(Arc::clone(&daemon));
    layers::around(routes, paths, daemon)
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
