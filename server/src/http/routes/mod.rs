//! The routes, with those for operators: `/v1/book`, health and metrics.

mod batch;
mod page;
mod parse;
mod play;
mod position;

use crate::Daemon;
use crate::http::daemon::State;
use crate::http::layers;
use crate::http::metrics::OPEN_METRICS;
use crate::http::problem::{Problem, Result};
use crate::http::request::{Parameters, Query};
use crate::http::response::{NO_STORE, json, not_kept};
use axum::Router;
use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
pub use batch::MAX_POSITIONS;
use fourbook::{Size, Strategy};
use serde_json::json;
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
        ("/texts/{name}", get(page::file)),
        ("/app/{name}", get(page::file)),
        ("/openapi.json", get(page::file)),
        ("/service-worker.js", get(page::file)),
        ("/files.js", get(page::file)),
        ("/solve", get(position::solve)),
        ("/v1/position", get(position::position)),
        ("/v1/position/stream", get(position::stream)),
        ("/v1/review", get(play::review)),
        ("/v1/line", get(play::line)),
        ("/v1/move", get(play::choose)),
        ("/v1/positions", post(batch::positions).layer(unzipping)),
        ("/v1/parse", post(parse::parse)),
        ("/v1/book", get(book)),
        ("/healthz", get(healthz)),
        ("/readyz", get(readyz)),
        ("/metrics", get(metrics)),
    ];
    let paths = routes.iter().map(|&(path, _)| path).collect();
    let routes = routes
        .into_iter()
        .fold(Router::new(), |router: Router<_>, (path, method)| router.route(path, method))
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
        page::missing(uri.path())
    }
}

async fn method_not_allowed() -> impl IntoResponse {
    Problem::method_not_allowed("this path has another method; /openapi.json says which")
}

fn status(status: &'static str) -> Response {
    not_kept(&json!({ "status": status }))
}

/// The process is alive.
async fn healthz() -> Response {
    status("ok")
}

/// The server takes requests.
async fn readyz(daemon: State) -> Result {
    if daemon.is_stopping() {
        return Err(Problem::stopping("the server is stopping; ask another one"));
    }
    Ok(status("ready"))
}

async fn metrics(daemon: State) -> impl IntoResponse {
    let text = daemon.metrics.text((daemon.options.lost_log_lines)());
    ([(CONTENT_TYPE, OPEN_METRICS), (CACHE_CONTROL, NO_STORE)], text)
}

/// The header of a book, or without a book its board; and all boards, with and without a book.
async fn book(daemon: State, query: Query) -> Result {
    let query = Parameters::query(query, &[&["size"]], "/v1/book?size=7x6")?;
    let loaded = query.board(&daemon)?;
    let size = loaded.size();
    let mut reply = match loaded.oracle.book() {
        Some(book) => json!(book.info()),
        None => json!({ "width": size.width(), "height": size.height() }),
    };
    reply["loaded"] = loaded.oracle.book().is_some().into();
    reply["file"] = loaded.file.clone().into();
    let strategies = loaded.oracle.strategies().iter();
    reply["strategies"] = strategies.map(Strategy::to_string).collect();
    reply["program_version"] = env!("CARGO_PKG_VERSION").into();
    reply["sizes"] = daemon.sizes().iter().map(Size::to_string).collect();
    reply["solver_sizes"] = daemon.solver_sizes().iter().map(Size::to_string).collect();
    Ok(([(CACHE_CONTROL, "no-cache")], json(&reply)).into_response())
}
