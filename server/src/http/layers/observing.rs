//! Counting and logging requests, and how long they take.

use crate::Daemon;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tower::{Service, service_fn};
use tracing::field::display;

/// The address that a request comes from.
#[derive(Clone, Copy)]
pub(crate) struct Client(pub(crate) Option<IpAddr>);

/// The last address of `X-Forwarded-For`: the client's, which the proxy appends.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let addresses = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    addresses.rsplit(',').next()?.trim().parse().ok()
}

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The methods that become labels: clients cannot create labels without end.
const METHODS: [&str; 4] = ["GET", "HEAD", "OPTIONS", "POST"];

/// Counts and logs the answers of `inner`, which is always ready, to requests for `paths`.
pub(super) fn observing<S, B>(
    mut inner: S,
    daemon: Arc<Daemon>,
    paths: Arc<[&'static str]>,
) -> impl Service<Request, Response = Response<B>, Error = S::Error, Future: Send> + Clone
where
    S: Service<Request, Response = Response<B>, Future: Send> + Clone,
{
    service_fn(move |mut request: Request| {
        let matched = request.extensions().get().map_or("", MatchedPath::as_str);
        let route = paths.iter().find(|&&path| path == matched).unwrap_or(&"other");
        let connected = request.extensions().get().and_then(|&Client(address)| address);
        let proxied = daemon.options.trust_proxy.then(|| forwarded(request.headers())).flatten();
        if proxied.is_some() {
            request.extensions_mut().insert(Client(proxied));
        }
        let mut observed = Observed {
            client: proxied.or(connected),
            daemon: Arc::clone(&daemon),
            method: METHODS.into_iter().find(|it| request.method() == it).unwrap_or("other"),
            route,
            id: request.headers().get(REQUEST_ID).cloned(),
            uri: request.uri().clone(),
            start: Instant::now(),
            status: None,
        };
        let answering = inner.call(request);
        async move { answering.await.inspect(|it| observed.answered(it.status())) }
    })
}

/// A request that is being answered. If it is dropped before the answer, its client has
/// disconnected.
struct Observed {
    daemon: Arc<Daemon>,
    client: Option<IpAddr>,
    method: &'static str,
    route: &'static str,
    id: Option<HeaderValue>,
    uri: Uri,
    start: Instant,
    status: Option<StatusCode>,
}

impl Observed {
    /// A method, so that the future owns the whole value and not a copy of its status.
    fn answered(&mut self, status: StatusCode) {
        self.status = Some(status);
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        /// The status that proxies log when the client has disconnected.
        const CLIENT_GONE: u16 = 499;
        let status = self.status.map_or(CLIENT_GONE, |status| status.as_u16());
        let took = self.start.elapsed();
        self.daemon.metrics.request(self.method, self.route, status, took);
        let id = self.id.as_ref().and_then(|id| id.to_str().ok()).unwrap_or("");
        let (method, uri, seconds) = (self.method, &self.uri, took.as_secs_f64());
        let client = self.client.map(display);
        match self.status.is_some_and(|status| status.is_server_error()) {
            true => tracing::warn!(id, client, method, %uri, status, seconds, "request failed"),
            false => tracing::info!(id, client, method, %uri, status, seconds, "request"),
        }
    }
}
