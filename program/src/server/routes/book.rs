//! `/v1/book`: what is answered from.

use super::State;
use super::parameters::Board;
use crate::books::BookInfo;
use crate::json::json;
use crate::problem::Problem;
use axum::extract::{Query, rejection::QueryRejection};
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
    info: &'a BookInfo,
    /// The boards served, the smallest first.
    sizes: Vec<String>,
}

pub(super) async fn book(
    daemon: State,
    query: Result<Query<BookQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(BookQuery { size }) =
        query.map_err(|rejection| Problem::bad_query(rejection.body_text()))?;
    let loaded = daemon.loaded(size.map(Size::from))?;
    let sizes = daemon.sizes().iter().map(Size::to_string).collect();
    let reply = json(&BookReply { info: &loaded.info, sizes });
    Ok(([(CACHE_CONTROL, "no-cache")], reply).into_response())
}
