//! What the routes have in common that say something about one position.

use super::parameters::Board;
use super::validators::{Validators, not_kept};
use crate::Daemon;
use crate::http::answer::{Answered, Terms};
use crate::http::boards::Loaded;
use crate::http::problem::Problem;
use crate::http::question::Question;
use axum::http::HeaderMap;
use axum::response::Response;
use fourbook::Size;
use fourbook::board::notation::Notation;
use serde::Serialize;
use std::sync::Arc;

/// A position as a client has written it.
pub(super) struct Asked {
    /// The board; `None` for the one that is meant where a request names none.
    pub(super) size: Option<Board>,
    /// The notation; `None` for whatever it is.
    pub(super) notation: Option<Notation>,
    pub(super) text: String,
}

impl Asked {
    /// The position in the notation that is given.
    ///
    /// # Errors
    ///
    /// If it is not exactly one.
    pub(super) fn one_of(
        size: Option<Board>,
        moves: Option<String>,
        diagram: Option<String>,
        key: Option<String>,
    ) -> Result<Self, Problem> {
        let (notation, text) = match (moves, diagram, key) {
            (Some(moves), None, None) => (Notation::Moves, moves),
            (None, Some(diagram), None) if diagram.trim().is_empty() => {
                return Err(Problem::bad_query("expected a diagram, found nothing"));
            }
            (None, Some(diagram), None) => (Notation::Diagram, diagram),
            (None, None, Some(key)) => {
                (Notation::Key, format!("key:{}", key.trim_start_matches("key:")))
            }
            _ => {
                return Err(Problem::bad_query(
                    "expected exactly one of the parameters moves, diagram and key; \
                     for example moves=4453",
                ));
            }
        };
        Ok(Asked { size, notation: Some(notation), text })
    }

    /// The position, and the book that knows about it.
    pub(super) fn read(&self, daemon: &Daemon) -> Result<(Arc<Loaded>, Question), Problem> {
        let loaded = daemon.loaded(self.size.map(Size::from))?;
        let question = Question::read(loaded.size(), self.notation, &self.text)?;
        Ok((loaded, question))
    }
}

/// What `route` answers about a position: what `reply` makes of the verdict, or that the
/// client has it already.
pub(super) async fn answer<R: Serialize>(
    route: &str,
    daemon: &Daemon,
    headers: &HeaderMap,
    asked: Asked,
    terms: Terms,
    reply: fn(String, Answered) -> R,
) -> Result<Response, Problem> {
    let (loaded, question) = asked.read(daemon)?;
    let validators = Validators::new(route, loaded.info.identity(), question.position.key());
    if validators.match_request(headers) {
        return Ok(validators.not_modified());
    }
    let answered = daemon.answer(&loaded, question, terms).await?;
    let is_complete = answered.knowledge.is_complete();
    let reply = reply(asked.text, answered);
    // What is not complete may be so soon.
    Ok(if is_complete { validators.json(&reply) } else { not_kept(&reply) })
}
