//! Responses in JSON, and letting clients keep them: `ETag`, `If-None-Match`, `Cache-Control`.

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use serde::Serialize;

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

/// An answer that keeps `guard` until its body has been sent, or given up.
pub(super) fn keeping<B>(guard: impl Send + 'static, response: Response<B>) -> Response
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    response.map(|body| {
        Body::new(body.map_err(move |error| {
            let _kept = &guard;
            error
        }))
    })
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
