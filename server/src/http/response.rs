//! Responses in JSON, and letting clients keep them: `ETag`, `If-None-Match`, `Cache-Control`.

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use serde::Serialize;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The `Cache-Control` of answers that may change at any time.
pub(crate) const NO_STORE: &str = "no-store";

/// An answer in JSON, like `axum::Json`, with a buffer that fits most answers.
pub(crate) fn json(answer: &impl Serialize) -> Response {
    const USUAL_LENGTH: usize = 1024;
    let mut body = Vec::with_capacity(USUAL_LENGTH);
    serde_json::to_writer(&mut body, answer).expect("answers have names and numbers only");
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

/// Clients may keep an answer for an hour. Answers never change; only the book
/// behind them may.
const KEEP: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// An answer that calls `on_end` when its body has been taken, at least once. If the body is given up,
/// `on_end` is only dropped.
pub(super) fn followed<B, E>(mut on_end: E, response: Response<B>) -> Response
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
    E: FnMut() + Send + Unpin + 'static,
{
    response.map(|body| {
        if body.is_end_stream() {
            on_end();
        }
        Body::new(Followed { body, on_end })
    })
}

/// The body of an answer of [`followed`].
struct Followed<B, E> {
    body: B,
    on_end: E,
}

impl<B: HttpBody + Unpin, E: FnMut() + Unpin> HttpBody for Followed<B, E> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            (self.on_end)();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer in JSON that clients must not keep.
pub(crate) fn not_kept(answer: &impl Serialize) -> Response {
    ([(CACHE_CONTROL, NO_STORE)], json(answer)).into_response()
}

/// The prefix of a weak tag.
const WEAK: &str = "W/";

/// The entity tag of an answer. It is weak, since nodes and times differ from run to run.
#[derive(Clone, Debug)]
pub(crate) struct Validators {
    tag: HeaderValue,
}

impl Validators {
    /// The tag of an answer of `route`, from the book with this `identity`.
    pub(crate) fn new(route: &str, identity: &str, of: u128) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        let tag = format!("{WEAK}\"{route}-{version}-{identity}-{of:x}\"");
        Validators { tag: HeaderValue::try_from(tag).expect("the parts are plain ASCII") }
    }

    /// Whether the client has this answer.
    pub(crate) fn match_request(&self, headers: &HeaderMap) -> bool {
        let ours = &self.tag.as_bytes()[WEAK.len()..];
        headers
            .get_all(IF_NONE_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(',').map(str::trim))
            .any(|tag| tag == "*" || tag.trim_start_matches(WEAK).as_bytes() == ours)
    }

    /// The answer to a client that has it.
    pub(crate) fn not_modified(self) -> Response {
        self.on(StatusCode::NOT_MODIFIED.into_response())
    }

    /// An answer in JSON.
    pub(crate) fn json(self, answer: &impl Serialize) -> Response {
        self.on(json(answer))
    }

    /// Adds the headers to an answer.
    pub(crate) fn on(self, response: Response) -> Response {
        // The layer that compresses adds `Vary` only to answers with a body.
        let headers = [(ETAG, self.tag), (VARY, ACCEPT_ENCODING.into()), (CACHE_CONTROL, KEEP)];
        (headers, response).into_response()
    }
}
