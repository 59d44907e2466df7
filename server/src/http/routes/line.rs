//! `/v1/line`: how a game goes on under perfect play.

use super::parameters::{self, Board, MaxNodes, Read};
use super::validators::Validators;
use super::{Asked, State};
use crate::http::problem::Problem;
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::column_name;
use serde::{Deserialize, Serialize};

/// The query: a position in one notation, and perhaps the most nodes to search for each
/// position on the way.
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
    let query = parameters::query(query, "/v1/line?moves=4453")?;
    let asked = Asked::one_of(query.size, query.moves, query.diagram, query.key)?;
    let (loaded, question) = asked.read(&daemon)?;
    let validators = Validators::new("line", loaded.info.identity(), question.position.key());
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let max_nodes = query.max_nodes.map(|MaxNodes(most)| most);
    let (score, line) = daemon.main_line(&loaded, question.position, max_nodes).await?;
    Ok(validators.json(&LineReply {
        position: asked.text,
        size: loaded.size().to_string(),
        score: score.into(),
        line: line.into_iter().map(column_name).collect(),
    }))
}
