//! `/v1/book`: what is answered from.

use super::State;
use crate::json::json;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;

pub(super) async fn book(daemon: State) -> impl IntoResponse {
    ([(CACHE_CONTROL, "no-cache")], json(&daemon.loaded().info))
}
