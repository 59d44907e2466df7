//! Limits on the size of a request and the time it may take.

use crate::http::problem::Problem;
use axum::body::HttpBody;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use std::time::Duration;
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
        let answering = too_large(&request).map_or_else(|| Ok(inner.call(request)), Err);
        async move {
            let problem = match answering {
                Ok(answering) => match tokio::time::timeout(time, answering).await {
                    Ok(answer) => return answer,
                    Err(_) => Problem::request_timeout(format!(
                        "expected the request to take at most {time:?}"
                    )),
                },
                Err(problem) => problem,
            };
            Ok(problem.into_response())
        }
    })
}

/// The problem with a request whose head announces too much, before its body is read.
fn too_large(request: &Request) -> Option<Problem> {
    if request.body().size_hint().lower() > MAX_BODY as u64 {
        return Some(body_too_large());
    }
    let length = request.uri().path_and_query().map_or(0, |uri| uri.as_str().len());
    (length > MAX_URI).then(|| {
        Problem::uri_too_long(format!(
            "expected a path and query of at most {MAX_URI} bytes, found {length}; \
             send many positions as a POST to /v1/positions"
        ))
    })
}

/// The problem with a body above the limit.
pub(crate) fn body_too_large() -> Problem {
    Problem::too_large(format!(
        "expected a body of at most {MAX_BODY} bytes, found more; send several requests"
    ))
}
