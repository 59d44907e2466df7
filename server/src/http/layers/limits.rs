//! Limits on the size of a request and the time it may take.

use crate::http::problem::Problem;
use axum::body::HttpBody;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use std::future::ready;
use std::task::{Context, Poll};
use std::time::Duration;
use tower::Service;

/// The longest path and query of a request, in bytes.
pub(crate) const MAX_URI: usize = 2048;
/// The largest head of a request, in bytes.
pub(crate) const MAX_HEAD: usize = 16 << 10;
const _: () = assert!(MAX_HEAD > MAX_URI);
/// The most header fields of a request.
pub(crate) const MAX_HEADERS: usize = 64;
/// The largest body of a request, in bytes.
pub const MAX_BODY: usize = 1 << 20;

/// Rejects requests that are too large, and gives up on requests that take too long.
#[derive(Clone, Debug)]
pub(super) struct Limiting<S> {
    inner: S,
    time: Duration,
}

impl<S> Limiting<S> {
    pub(super) fn new(inner: S, time: Duration) -> Self {
        Limiting { inner, time }
    }
}

impl<S> Service<Request> for Limiting<S>
where
    S: Service<Request, Response = Response>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if let Some(problem) = too_large(&request) {
            return Box::pin(ready(Ok(problem.into_response())));
        }
        Box::pin(limit_time(self.time, self.inner.call(request)))
    }
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

/// Like tower-http's `TimeoutLayer`, but the answer explains the timeout.
async fn limit_time<E>(
    limit: Duration,
    answering: impl Future<Output = Result<Response, E>>,
) -> Result<Response, E> {
    match tokio::time::timeout(limit, answering).await {
        Ok(answer) => answer,
        Err(_) => {
            let detail = format!("expected the request to take at most {limit:?}");
            Ok(Problem::request_timeout(detail).into_response())
        }
    }
}
