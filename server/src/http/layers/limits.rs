//! Limits on the size of a request and the time it may take.

use crate::http::problem::{Problem, Result};
use axum::body::HttpBody;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use std::time::Duration;
use tokio::time::timeout;
use tower::{Service, service_fn};

/// The longest path and query of a request, in bytes.
pub(crate) const MAX_URI: usize = 2048;
/// The largest head of a request, in bytes.
pub(crate) const MAX_HEAD: usize = 16 << 10;
const _: () = assert!(MAX_HEAD > MAX_URI);
/// The most header fields of a request.
pub(crate) const MAX_HEADERS: usize = 64;
/// The largest body of a request, in bytes.
pub const MAX_BODY: usize = 1 << 20;

/// Rejects requests that are too large, and gives up on requests that take too long. Like
/// tower-http's `TimeoutLayer`, but the answer explains the timeout. `inner` is always ready.
pub(super) fn limiting<S>(
    mut inner: S,
    time: Duration,
) -> impl Service<Request, Response = Response, Error = S::Error, Future: Send> + Clone
where
    S: Service<Request, Response = Response, Error: Send, Future: Send> + Clone,
{
    service_fn(move |request: Request| {
        let answering = check_size(&request).map(|()| timeout(time, inner.call(request)));
        async move {
            let answer = match answering {
                Ok(answering) => answering.await.map_err(|_| {
                    let text = format!("expected the request to take at most {time:?}");
                    Problem::request_timeout(text)
                }),
                Err(problem) => Err(problem),
            };
            answer.unwrap_or_else(|problem| Ok(problem.into_response()))
        }
    })
}

/// Rejects a request whose head announces too much, before its body is read.
fn check_size(request: &Request) -> Result<()> {
    if request.body().size_hint().lower() > MAX_BODY as u64 {
        return Err(body_too_large());
    }
    match request.uri().path_and_query().map_or(0, |uri| uri.as_str().len()) {
        length if length > MAX_URI => Err(Problem::uri_too_long(format!(
            "expected a path and query of at most {MAX_URI} bytes, found {length}; \
             send many positions as a POST to /v1/positions"
        ))),
        _ => Ok(()),
    }
}

/// The problem with a body above the limit.
pub(crate) fn body_too_large() -> Problem {
    Problem::too_large(format!(
        "expected a body of at most {MAX_BODY} bytes, found more; send several requests"
    ))
}
