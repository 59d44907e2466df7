//! Answers in JSON.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The `Cache-Control` of what is true at this moment only.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// An answer in JSON. As `axum::Json`, but most answers fit the buffer at once.
pub(crate) fn json(answer: &impl Serialize) -> Response {
    const USUAL_LENGTH: usize = 1024;
    let mut body = Vec::with_capacity(USUAL_LENGTH);
    serde_json::to_writer(&mut body, answer).expect("answers have names and numbers only");
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}
