//! What the routes have in common that say something about one position.

use super::validators::Validators;
use crate::Daemon;
use crate::daemon::{Answered, Loaded};
use crate::problem::Problem;
use crate::question::Question;
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::board::notation::Notation;
use serde::Serialize;
use std::num::NonZeroU64;

/// A position as a client has written it.
pub(super) struct Asked {
    /// The notation; `None` for whatever it is.
    pub(super) notation: Option<Notation>,
    pub(super) text: String,
}

/// What `route` answers about a position: what `reply` makes of the verdict, or that the
/// client has it already.
pub(super) async fn answer<R: Serialize>(
    route: &str,
    daemon: &Daemon,
    headers: &HeaderMap,
    asked: Asked,
    max_nodes: Option<NonZeroU64>,
    reply: fn(String, Question, Answered, &Loaded) -> R,
) -> Result<Response, Problem> {
    let loaded = daemon.loaded();
    let question = Question::read(daemon.size(), asked.notation, &asked.text)?;
    let validators = Validators::new(route, loaded.info.identity(), question.position.key());
    if validators.match_request(headers) {
        return Ok(validators.not_modified());
    }
    let answered = daemon.answer(&loaded, question, daemon.allowance(max_nodes)).await?;
    Ok(validators.json(&reply(asked.text, question, answered, &loaded)))
}
