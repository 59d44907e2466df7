//! Playing: `/v1/game` reviews a game, `/v1/line` is the principal variation, `/v1/move` the move
//! that a level chooses.

use crate::http::daemon::State;
use crate::http::problem::Problem;
use crate::http::request::{self, Board, MaxNodes, PlayedAt, PositionText, Read, Seed};
use crate::http::response::{Validators, json, not_kept};
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::column_name;
use fourbook::board::notation::Notation;
use fourbook::level::random_seed;
use fourbook::oracle::{Game, PositionReport};
use fourbook::{Level, Position, Size};
use serde::{Deserialize, Serialize};

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
    let GameQuery { moves, size, max_nodes } = request::query(query, "/v1/game?moves=4453")?;
    let loaded = daemon.loaded(size.map(Size::from))?;
    let game = Game::parse(loaded.size(), moves.trim())?;
    let request = daemon.request(max_nodes.map(|MaxNodes(most)| most));
    Ok(json(&daemon.review(&loaded, &game, request).await?))
}

/// The query: a position in one notation, and perhaps a node limit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineQuery {
    moves: Option<String>,
    diagram: Option<String>,
    key: Option<String>,
    size: Option<Board>,
    max_nodes: Option<MaxNodes>,
}

/// The line, and what it comes to.
#[derive(Debug, Serialize)]
struct LineReply {
    /// As it was asked for.
    position: String,
    size: String,
    /// For the side to move.
    score: i32,
    /// The columns of perfect play to the end, as moves are written.
    line: String,
}

pub(super) async fn line(
    daemon: State,
    headers: HeaderMap,
    query: Read<LineQuery>,
) -> Result<Response, Problem> {
    let query = request::query(query, "/v1/line?moves=4453")?;
    let asked = PositionText::one_of(query.size, query.moves, query.diagram, query.key)?;
    let (loaded, position) = asked.parse(&daemon)?;
    let validators = Validators::new("line", loaded.info.identity(), position.key());
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let request = daemon.request(query.max_nodes.map(|MaxNodes(most)| most));
    let (score, line) = daemon.line(&loaded, position, request).await?;
    Ok(validators.json(&LineReply {
        position: asked.text,
        size: loaded.size().to_string(),
        score: score.into(),
        line: line.iter().map(|&column| column_name(column)).collect(),
    }))
}

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
    let query = request::query(query, "/v1/move?moves=4453&level=casual&seed=7")?;
    let level = query.level.map_or_else(Level::default, Level::from);
    let seed = query.seed.map_or_else(random_seed, |Seed(seed)| seed);
    let asked = PositionText::one_of(query.size, query.moves, query.diagram, query.key)?;
    let (loaded, position) = asked.parse(&daemon)?;
    let route = format!("move-{level}-{seed}");
    let validators = Validators::new(&route, loaded.info.identity(), position.key());
    if query.seed.is_some() && validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let request = daemon.request(query.max_nodes.map(|MaxNodes(most)| most));
    let column = daemon.choose(&loaded, position, level, seed, request).await?;
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
fn text_after(asked: &PositionText, column: usize, after: Position) -> String {
    match asked.notation {
        Some(Notation::Moves) => format!("{}{}", asked.text.trim(), column_name(column)),
        _ => format!("key:{}", after.key()),
    }
}
