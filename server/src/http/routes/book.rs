//! `/v1/book`: what is answered from.

use super::State;
use super::parameters::{self, Board, Read};
use crate::http::books::LoadedInfo;
use crate::http::json::json;
use crate::http::problem::Problem;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use fourbook::Size;
use serde::{Deserialize, Serialize};

/// The query: perhaps the board that the book is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookQuery {
    size: Option<Board>,
}

/// What is said of a book, and which boards there are besides.
#[derive(Debug, Serialize)]
struct BookReply<'a> {
    #[serde(flatten)]
    info: &'a LoadedInfo,
    /// The boards served, the smallest first.
    sizes: Vec<String>,
}

pub(super) async fn book(daemon: State, query: Read<BookQuery>) -> Result<Response, Problem> {
    let BookQuery { size } = parameters::query(query, "/v1/book?size=7x6")?;
    let loaded = daemon.loaded(size.map(Size::from))?;
    let sizes = daemon.sizes().iter().map(Size::to_string).collect();
    let reply = json(&BookReply { info: &loaded.info, sizes });
    Ok(([(CACHE_CONTROL, "no-cache")], reply).into_response())
}
