//! `/v1/parse`: the position and the moves that a text names.

use crate::http::daemon::State;
use crate::http::problem::Result;
use crate::http::request::{Parameters, Query};
use crate::http::response::not_kept;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use fourbook::board::notation::{GameRecord, size_of};

const EXAMPLE: &str = r#"{"text": "1. d1 d2 2. e1 c1"}"#;

pub(super) async fn parse(
    daemon: State,
    query: Query,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result {
    let members = query.members(&headers, body, EXAMPLE)?;
    let parameters = Parameters::json(members, query.address, &[&["text", "size"]], EXAMPLE)?;
    let text = parameters.required("text")?;
    // Reading takes no book, so it goes beyond the boards that are served.
    let size = match size_of(text).or(parameters.named("size")?) {
        Some(size) => size,
        None => daemon.loaded(None)?.size(),
    };
    Ok(not_kept(&GameRecord::parse(size, text)?))
}
