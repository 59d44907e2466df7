//! What belongs to every request: ids, logs, metrics, limits, compression.

use super::Daemon;
use super::problem::Problem;
use axum::Router;
use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::{DefaultOnFailure, DefaultOnRequest, DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

/// The longest path and query of a request, in bytes.
pub(super) const MAX_URI: usize = 2048;
/// The largest body of a request, in bytes.
const MAX_BODY: usize = 256 << 10;
/// The longest request id that is taken over from a client, in bytes.
const MAX_REQUEST_ID: usize = 128;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a router does with requests.
#[derive(Clone, Debug)]
pub struct Http {
    /// How long a request may take, reading its body included; should be longer than
    /// the solver's deadline.
    pub timeout: Duration,
    /// The origins whose pages may ask; `*` is all of them.
    pub cors: Vec<HeaderValue>,
}

impl Default for Http {
    /// 30 seconds, no foreign origins.
    fn default() -> Self {
        Http { timeout: Duration::from_secs(30), cors: Vec::new() }
    }
}

/// Puts the layers around the routes; the last one is the outermost.
pub(super) fn around(routes: Router, daemon: Arc<Daemon>, http: &Http) -> Router {
    let timeout = http.timeout;
    let mut routes = routes
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn(move |request, next| limit_time(timeout, request, next)))
        .layer(from_fn(limit_size))
        .layer(CompressionLayer::new());
    if let Some(cors) = cors(&http.cors) {
        routes = routes.layer(cors);
    }
    routes
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(daemon, count))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_request(DefaultOnRequest::new().level(Level::TRACE))
                .on_response(DefaultOnResponse::new().level(Level::DEBUG))
                .on_failure(DefaultOnFailure::new().level(Level::WARN)),
        )
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(from_fn(drop_long_request_id))
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

fn span(request: &Request) -> Span {
    let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or("");
    let (method, uri) = (request.method(), request.uri());
    tracing::info_span!("request", id, %method, %uri)
}

async fn drop_long_request_id(mut request: Request, next: Next) -> Response {
    if request.headers().get(REQUEST_ID).is_some_and(|id| id.len() > MAX_REQUEST_ID) {
        request.headers_mut().remove(REQUEST_ID);
    }
    next.run(request).await
}

/// A body that is longer than it may be.
pub(super) fn body_too_large() -> Problem {
    Problem::too_large(format!(
        "expected a body of at most {MAX_BODY} bytes, found more; send several requests"
    ))
}

/// Refuses before reading what its head says is too large.
async fn limit_size(request: Request, next: Next) -> Response {
    let length = request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
    if request.body().size_hint().lower() > MAX_BODY as u64 {
        return body_too_large().into_response();
    }
    if length <= MAX_URI {
        return next.run(request).await;
    }
    let detail = format!(
        "expected a path and query of at most {MAX_URI} bytes, found {length}; \
         send many positions as a POST to /v1/positions"
    );
    Problem::uri_too_long(detail).into_response()
}

/// As tower-http's `TimeoutLayer`, but with an answer that says what happened.
async fn limit_time(limit: Duration, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let seconds = limit.as_secs_f64();
            let detail = format!("expected the request to take at most {seconds} seconds");
            Problem::request_timeout(detail).into_response()
        }
    }
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    Problem::internal("the request met a fault of the server; the log says more").into_response()
}

/// A request that is being answered. One that is dropped before has lost its client.
struct Counted {
    daemon: Arc<Daemon>,
    method: String,
    route: String,
    start: Instant,
    status: Option<StatusCode>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        /// What proxies note where the client has gone.
        const CLIENT_GONE: u16 = 499;
        let status = self.status.map_or(CLIENT_GONE, |status| status.as_u16());
        self.daemon.metrics.request(&self.method, &self.route, status, self.start.elapsed());
    }
}

async fn count(State(daemon): State<Arc<Daemon>>, request: Request, next: Next) -> Response {
    use axum::http::Method;
    // Only names from here, so that clients cannot make new ones without end.
    let method = match *request.method() {
        Method::GET | Method::POST | Method::HEAD | Method::OPTIONS => request.method().to_string(),
        _ => "other".to_owned(),
    };
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("other", MatchedPath::as_str).to_owned();
    let mut counted = Counted { daemon, method, route, start: Instant::now(), status: None };
    let response = next.run(request).await;
    counted.status = Some(response.status());
    response
}
