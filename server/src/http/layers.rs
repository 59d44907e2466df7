//! The layers around every request: ids, logs, metrics, limits, compression.

use super::Daemon;
use super::metrics::RequestLabels;
use super::problem::{Problem, Result};
use super::response::followed;
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::{BoxError, Router};
use std::any::Any;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tower::{Service, ServiceBuilder, service_fn};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tracing::field::display;

/// The largest head of a request, in bytes.
pub(super) const MAX_HEAD: usize = 16 << 10;
/// The most header fields of a request.
pub(super) const MAX_HEADERS: usize = 64;
/// The largest body of a request, in bytes.
pub const MAX_BODY: usize = 1 << 20;

/// What clients may ask for when all connections are in use.
const PROBE_PATHS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest request id that is taken over from a client, in bytes.
const MAX_REQUEST_ID: usize = 128;

/// The methods that become labels: clients cannot create labels without end.
const METHODS: [&str; 4] = ["GET", "HEAD", "OPTIONS", "POST"];

/// The status that proxies log when the client has disconnected.
const CLIENT_GONE: u16 = 499;

/// Puts the layers around the routes, which have these `paths`. They are one service, since each
/// call of `Router::layer` costs every request allocations and a copy of everything inside.
pub(super) fn around(routes: Router, paths: Arc<[&'static str]>, daemon: Arc<Daemon>) -> Router {
    let time = daemon.options.request_timeout;
    let cors = cors(&daemon.options.cors);
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
        .layer(DefaultBodyLimit::max(MAX_BODY));
    routes.layer(layers)
}

fn cors(origins: &[HeaderValue]) -> Option<CorsLayer> {
    use axum::http::Method;
    use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([CONTENT_ENCODING, CONTENT_TYPE, IF_NONE_MATCH])
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

/// Rejects requests that are too large, and gives up on requests that take too long. Like
/// tower-http's `TimeoutLayer`, but the answer explains the timeout. `inner` is always ready.
fn limiting<S>(
    mut inner: S,
    time: Duration,
) -> impl Service<Request, Response = Response, Error = S::Error, Future: Send> + Clone
where
    S: Service<Request, Response = Response, Error: Send, Future: Send> + Clone,
{
    service_fn(move |request: Request| {
        let answering = check(&request).map(|()| timeout(time, inner.call(request)));
        async move {
            let answer = async {
                answering?.await.map_err(|_| {
                    let text = format!("expected the request to take at most {time:?}");
                    Problem::request_timeout(text)
                })
            };
            answer.await.unwrap_or_else(|problem| Ok(problem.into_response()))
        }
    })
}

/// Rejects a request that may only be a probe and is none, or whose head announces too large a body.
fn check(request: &Request) -> Result<()> {
    let only_probes = request.extensions().get().is_some_and(|client: &Client| client.only_probes);
    if only_probes && !PROBE_PATHS.contains(&request.uri().path()) {
        return Err(Problem::overload("all connections that this client may use are in use"));
    }
    if request.body().size_hint().lower() > MAX_BODY as u64 {
        return Err(body_too_large());
    }
    Ok(())
}

/// The problem with a body above the limit.
pub(super) fn body_too_large() -> Problem {
    Problem::too_large(format!(
        "expected a body of at most {MAX_BODY} bytes, found more; send several requests"
    ))
}

/// Who sends a request.
#[derive(Clone, Copy, Default)]
pub(super) struct Client {
    pub(super) address: Option<IpAddr>,
    /// Whether the request may only be a probe, as all connections are in use.
    pub(super) only_probes: bool,
}

/// The last address of `X-Forwarded-For`: the client's, which the proxy appends.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let addresses = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    let address = addresses.rsplit(',').next()?.trim();
    // Some proxies append the port as well.
    let address: Option<IpAddr> =
        address.parse().or_else(|_| address.parse().map(|address: SocketAddr| address.ip())).ok();
    // As of connections: an address of IPv4 that is written as one of IPv6 has no network of its own.
    address.map(|address| address.to_canonical())
}

/// Counts and logs the answers of `inner`, which is always ready, to requests for `paths`, once their
/// bodies have ended.
fn observing<S, B>(
    mut inner: S,
    daemon: Arc<Daemon>,
    paths: Arc<[&'static str]>,
) -> impl Service<Request, Response = Response, Error = S::Error, Future: Send> + Clone
where
    S: Service<Request, Response = Response<B>, Future: Send> + Clone,
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
{
    service_fn(move |mut request: Request| {
        let matched = request.extensions().get().map_or("", MatchedPath::as_str);
        let route = paths.iter().find(|&&path| path == matched).unwrap_or(&"other");
        let method = METHODS.into_iter().find(|it| request.method() == it);
        let mut client: Client = request.extensions().get().copied().unwrap_or_default();
        let proxied = daemon.options.trust_proxy.then(|| forwarded(request.headers())).flatten();
        client.address = proxied.or(client.address);
        request.extensions_mut().insert(client);
        let mut observed = Observed {
            client: client.address,
            daemon: Arc::clone(&daemon),
            labels: RequestLabels { method: method.unwrap_or("other"), route, status: CLIENT_GONE },
            id: request.headers().get(REQUEST_ID).cloned(),
            uri: request.uri().clone(),
            start: Instant::now(),
        };
        let is_head = request.method() == Method::HEAD;
        let answering = inner.call(request);
        async move {
            let response = answering.await?;
            let status = response.status().as_u16();
            if is_head {
                // Nobody takes its body.
                observed.end(status);
            }
            Ok(followed(move || observed.end(status), response))
        }
    })
}

/// A request until the end of its answer. If it is dropped before that, its client has disconnected.
struct Observed {
    daemon: Arc<Daemon>,
    client: Option<IpAddr>,
    labels: RequestLabels,
    id: Option<HeaderValue>,
    uri: Uri,
    start: Instant,
}

impl Observed {
    /// Counts the request with the status of its answer, which the client has taken.
    fn end(&mut self, status: u16) {
        self.labels.status = status;
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        let took = self.start.elapsed();
        self.daemon.metrics.request(&self.labels, took);
        let id = self.id.as_ref().and_then(|id| id.to_str().ok()).unwrap_or("");
        let RequestLabels { method, status, .. } = self.labels;
        let client = self.client.map(display);
        let uri = &self.uri;
        let microseconds = took.as_micros() as u64;
        match status {
            500.. => {
                tracing::warn!(id, client, method, %uri, status, microseconds, "request failed");
            }
            _ if PROBE_PATHS.contains(&self.labels.route) => {
                tracing::debug!(id, client, method, %uri, status, microseconds, "probe");
            }
            _ => tracing::info!(id, client, method, %uri, status, microseconds, "request"),
        }
    }
}
