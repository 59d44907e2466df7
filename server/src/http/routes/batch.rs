//! `/v1/positions`: many positions in one request.

use super::position::{self, Only};
use crate::Daemon;
use crate::http::answer::Request;
use crate::http::books::Loaded;
use crate::http::daemon::State;
use crate::http::layers::body_too_large;
use crate::http::problem::Problem;
use crate::http::request::Board;
use crate::http::response::json;
use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::http::StatusCode;
use axum::response::Response;
use fourbook::oracle::PositionReport;
use fourbook::{Position, Size};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
use std::sync::Arc;

/// The most positions of a request.
pub(crate) const MAX_POSITIONS: usize = 1000;

/// The body: positions, each in any notation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionsBody {
    positions: Vec<String>,
    /// The board of all of them.
    size: Option<Board>,
    /// What is wanted of each, if not all.
    only: Option<Only>,
    /// Whether to wait for what the book does not have.
    wait: Option<bool>,
    /// The most nodes to search for each of them.
    max_nodes: Option<NonZeroU64>,
}

/// The answers, in the order of the positions.
#[derive(Debug, Serialize)]
pub(super) struct PositionsReply {
    answers: Vec<ItemReply>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ItemReply {
    Answer(PositionReport),
    Error { position: String, error: Problem },
}

pub(super) async fn positions(
    daemon: State,
    body: Result<Json<PositionsBody>, JsonRejection>,
) -> Result<Response, Problem> {
    let Json(PositionsBody { positions, size, only, wait, max_nodes }) = body.map_err(rejected)?;
    if positions.len() > MAX_POSITIONS {
        return Err(Problem::too_large(format!(
            "expected at most {MAX_POSITIONS} positions, found {}; send several requests",
            positions.len()
        )));
    }
    let loaded = daemon.loaded(size.map(Size::from))?;
    let request = position::request(&daemon, only, wait, max_nodes);
    // As many at a time as there are solver threads: one request does not fill the queue.
    // One that takes long does not keep the others waiting.
    let mut answers: Vec<_> = stream::iter(positions.into_iter().enumerate())
        .map(async |(place, text)| (place, item(&daemon, &loaded, text, request).await))
        .buffer_unordered(daemon.solver_threads())
        .collect()
        .await;
    answers.sort_unstable_by_key(|&(place, _)| place);
    let answers = answers.into_iter().map(|(_, answer)| answer).collect();
    Ok(json(&PositionsReply { answers }))
}

async fn item(daemon: &Daemon, loaded: &Arc<Loaded>, text: String, request: Request) -> ItemReply {
    let answer = match Position::parse(loaded.size(), &text) {
        Ok(position) => daemon.answer(loaded, position, request).await,
        Err(error) => Err(error.into()),
    };
    match answer {
        Ok(answer) => ItemReply::Answer(position::report(text, answer)),
        Err(error) => ItemReply::Error { position: text, error },
    }
}

/// What is wrong with a body that is no [`PositionsBody`].
fn rejected(rejection: JsonRejection) -> Problem {
    let expected = r#"expected {"positions": ["4453", ...]}"#;
    match rejection {
        JsonRejection::MissingJsonContentType(_) => {
            Problem::media_type("expected the header 'Content-Type: application/json'")
        }
        JsonRejection::BytesRejection(BytesRejection::FailedToBufferBody(error))
            if error.status() == StatusCode::PAYLOAD_TOO_LARGE =>
        {
            body_too_large()
        }
        other => Problem::bad_body(format!("{}; {expected}", other.body_text())),
    }
}
