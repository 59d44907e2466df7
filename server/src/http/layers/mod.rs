//! The layers around every request: ids, logs, metrics, limits, compression.

mod limits;
mod observing;

pub use limits::MAX_BODY;
pub(super) use limits::{MAX_HEAD, MAX_HEADERS, body_too_large};

use super::Daemon;
use super::problem::Problem;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};
use limits::limiting;
pub(super) use observing::Client;
use observing::{REQUEST_ID, observing};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

/// The longest request id that is taken over from a client, in bytes.
const MAX_REQUEST_ID: usize = 128;

/// Puts the layers around the routes, which have these `paths`. They are one service, since each
/// call of `Router::layer` costs every request allocations and a copy of everything inside.
pub(super) fn around(routes: Router, paths: Arc<[&'static str]>, daemon: Arc<Daemon>) -> Router {
    let (time, cors) = (daemon.options.request_timeout, cors(&daemon.options.cors));
    // The outermost layer comes first.
    let layers = ServiceBuilder::new()
        .map_request(without_long_id)
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer_fn(move |inner| observing(inner, Arc::clone(&daemon), Arc::clone(&paths)))
        .layer(CatchPanicLayer::custom(panicked))
        .option_layer(cors)
        .layer(CompressionLayer::new())
        .layer_fn(move |inner| limiting(inner, time))
        .layer(DefaultBodyLimit::max(limits::MAX_BODY));
    routes.layer(layers)
}

fn cors(origins: &[HeaderValue]) -> Option<CorsLayer> {
    use axum::http::Method;
    use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([CONTENT_TYPE, IF_NONE_MATCH])
        .expose_headers([ETAG, RETRY_AFTER, REQUEST_ID])
        .max_age(Duration::from_secs(3600));
    match origins {
        [] => None,
        origins if origins.iter().any(|origin| origin == "*") => {
            Some(layer.allow_origin(AnyOrigin))
        }
        origins => Some(layer.allow_origin(origins.to_vec())),
    }
}

/// The request without an id that is too long to take over.
fn without_long_id(mut request: Request) -> Request {
    if request.headers().get(REQUEST_ID).is_some_and(|id| id.len() > MAX_REQUEST_ID) {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    Problem::internal("the request met a fault of the server; the log says more").into_response()
}
