//! `/v1/game`: what each move of a game was worth.

use super::State;
use super::parameters::{self, Board, MaxNodes, Read};
use crate::http::json::json;
use crate::http::problem::Problem;
use axum::response::Response;
use fourbook::Size;
use fourbook::oracle::Game;
use serde::Deserialize;

/// The query: the moves of a game, and perhaps the board and the most nodes to search for each
/// position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameQuery {
    moves: String,
    size: Option<Board>,
    max_nodes: Option<MaxNodes>,
}

pub(super) async fn game(daemon: State, query: Read<GameQuery>) -> Result<Response, Problem> {
    let GameQuery { moves, size, max_nodes } = parameters::query(query, "/v1/game?moves=4453")?;
    let loaded = daemon.loaded(size.map(Size::from))?;
    let game = Game::parse(loaded.size(), moves.trim())?;
    Ok(json(&daemon.review(&loaded, &game, max_nodes.map(|MaxNodes(most)| most)).await?))
}
