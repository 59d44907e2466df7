//! `/v1/game`: what each move of a game was worth.

use super::State;
use super::parameters::Board;
use crate::json::json;
use crate::problem::Problem;
use axum::extract::{Query, rejection::QueryRejection};
use axum::response::Response;
use fourbook::Size;
use fourbook::oracle::Game;
use serde::Deserialize;
use std::num::NonZeroU64;

/// The query: the moves of a game, and perhaps the board and the most nodes to search for each
/// position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameQuery {
    moves: String,
    size: Option<Board>,
    max_nodes: Option<NonZeroU64>,
}

pub(super) async fn game(
    daemon: State,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(GameQuery { moves, size, max_nodes }) = query.map_err(|rejection| {
        let text = rejection.body_text();
        Problem::bad_query(format!("{text}; expected moves, for example /v1/game?moves=4453"))
    })?;
    let loaded = daemon.loaded(size.map(Size::from))?;
    let game = Game::parse(loaded.size(), moves.trim())?;
    Ok(json(&daemon.review(&loaded, &game, max_nodes).await?))
}
