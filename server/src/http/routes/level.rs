//! `/v1/move`: the move that a level of play chooses.

use super::parameters::{self, Board, MaxNodes, PlayedAt, Read, Seed};
use super::validators::{Validators, not_kept};
use super::{Asked, State};
use crate::http::problem::Problem;
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::column_name;
use fourbook::board::notation::Notation;
use fourbook::level::random_seed;
use fourbook::oracle::PositionReport;
use fourbook::{Level, Position};
use serde::{Deserialize, Serialize};

/// The query: a position in one notation, and how it is played.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveQuery {
    moves: Option<String>,
    diagram: Option<String>,
    key: Option<String>,
    size: Option<Board>,
    level: Option<PlayedAt>,
    seed: Option<Seed>,
    max_nodes: Option<MaxNodes>,
}

/// What is played, and what comes of it.
#[derive(Debug, Serialize)]
struct MoveReply {
    /// As it was asked for.
    position: String,
    size: String,
    /// The level's name.
    level: &'static str,
    seed: u64,
    /// The column, from 1; none if the game is over.
    column: Option<usize>,
    /// The position after the move, and what the book and the rules say about it.
    after: Option<PositionReport>,
}

pub(super) async fn choose(
    daemon: State,
    headers: HeaderMap,
    query: Read<MoveQuery>,
) -> Result<Response, Problem> {
    let query = parameters::query(query, "/v1/move?moves=4453&level=casual&seed=7")?;
    let level = query.level.map_or_else(Level::default, Level::from);
    let seed = query.seed.map_or_else(random_seed, |Seed(seed)| seed);
    let asked = Asked::one_of(query.size, query.moves, query.diagram, query.key)?;
    let (loaded, question) = asked.read(&daemon)?;
    let position = question.position;
    let route = format!("move-{level}-{seed}");
    let validators = Validators::new(&route, loaded.info.identity(), position.key());
    if query.seed.is_some() && validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let max_nodes = query.max_nodes.map(|MaxNodes(most)| most);
    let column = daemon.choose(&loaded, question, level, seed, max_nodes).await?;
    let after = column.map(|column| {
        let after = position.play(column);
        PositionReport::new(text_after(&asked, column, after), &loaded.oracle.known(after))
    });
    let reply = MoveReply {
        position: asked.text,
        size: loaded.size().to_string(),
        level: level.name(),
        seed,
        column: column.map(|column| column + 1),
        after,
    };
    // Who names no seed wants a game that is new.
    Ok(if query.seed.is_some() { validators.json(&reply) } else { not_kept(&reply) })
}

/// The position after a move, as a client can ask for it again.
fn text_after(asked: &Asked, column: usize, after: Position) -> String {
    match asked.notation {
        Some(Notation::Moves) => format!("{}{}", asked.text.trim(), column_name(column)),
        _ => format!("key:{}", after.key()),
    }
}
