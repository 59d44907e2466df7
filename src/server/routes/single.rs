//! What the routes have in common that say something about one position.

use super::validators::Validators;
use crate::server::Daemon;
use crate::server::answers::Question;
use crate::server::daemon::{Answered, Loaded};
use crate::server::problem::Problem;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use std::num::NonZeroU64;

/// What `route` answers about the position of `text`: what `reply` makes of the
/// verdict, or that the client has it already.
pub(super) async fn answer<R: Serialize>(
    route: &str,
    daemon: &Daemon,
    headers: &HeaderMap,
    text: String,
    max_nodes: Option<NonZeroU64>,
    reply: impl FnOnce(String, Question, Answered, &Loaded) -> R,
) -> Result<Response, Problem> {
    let loaded = daemon.loaded();
    let question = loaded.answers.read(&text)?;
    let validators = Validators::new(route, loaded.info.identity(), question.key);
    if validators.match_request(headers) {
        return Ok(validators.not_modified());
    }
    let answered = daemon.answer(&loaded, question, daemon.allowance(max_nodes)).await?;
    Ok(validators.json(&reply(text, question, answered, &loaded)))
}
