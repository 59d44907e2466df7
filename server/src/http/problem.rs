//! Errors as clients see them: problem details (RFC 9457).

use super::response::{NO_STORE, json};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fourbook::board::ScoreBounds;
use fourbook::book::BookError;
use fourbook::oracle::{Analysis, OracleError};
use fourbook::text::{count, listed};
use fourbook::{Player, PositionError, Size, StopReason, with_causes};
use serde::Serialize;
use std::fmt::{Display, Write};

/// The result of a request, or of a step of it.
pub(super) type Result<T = Response, E = Problem> = std::result::Result<T, E>;

/// An error of a request, or of one position in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    /// Names the kind; never changes its meaning.
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    /// The expected and the actual input, and the next step.
    detail: String,
    /// Which move of the input cannot be played, from 1.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// Seconds after which to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
    /// The bounds of the position's score that a search has proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<ScoreBounds>,
    /// Nodes that a search had visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

/// Declares the kinds of problems: a function, the end of the type, status and title.
macro_rules! kinds {
    ($($name:ident $kind:literal $status:ident $title:literal;)*) => {
        impl Problem {
            $(
                pub(super) fn $name(detail: impl Into<String>) -> Self {
                    Problem {
                        kind: concat!("urn:fourbook:problem:", $kind),
                        title: $title,
                        status: StatusCode::$status.as_u16(),
                        detail: detail.into(),
                        ..Problem::default()
                    }
                }
            )*
        }

        /// The types of all problems.
        pub const KINDS: &[&str] = &[$(concat!("urn:fourbook:problem:", $kind)),*];
    };
}

kinds! {
    bad_query "bad-query" BAD_REQUEST "The query is not right";
    bad_position "bad-position" BAD_REQUEST "This is no position";
    bad_body "bad-body" BAD_REQUEST "The body is not right";
    media_type "media-type" UNSUPPORTED_MEDIA_TYPE "The body has to be JSON";
    too_large "too-large" PAYLOAD_TOO_LARGE "The request is too large";
    not_found "not-found" NOT_FOUND "There is nothing here";
    method_not_allowed "method-not-allowed" METHOD_NOT_ALLOWED "The method is not allowed";
    request_timeout "request-timeout" REQUEST_TIMEOUT "The request took too long";
    size_not_served "size-not-served" NOT_FOUND "Boards of this size are not served";
    not_in_book "not-in-book" NOT_FOUND "The book does not have the position";
    not_solved "not-solved" SERVICE_UNAVAILABLE "The position was not solved in time";
    too_hard "node-budget" SERVICE_UNAVAILABLE "The node limit was reached";
    busy "busy" SERVICE_UNAVAILABLE "The solver has too much to do";
    stopping "stopping" SERVICE_UNAVAILABLE "The server is stopping";
    damaged_book "damaged-book" INTERNAL_SERVER_ERROR "The book is damaged";
    internal "internal" INTERNAL_SERVER_ERROR "The server failed";
}

impl Problem {
    /// Adds when to try again: a queue may then have become shorter.
    pub(super) fn retry_soon(self) -> Self {
        Problem { retry_after: Some(2), ..self }
    }

    /// Adds the findings of a stopped search, or what is known without one.
    pub(super) fn with_findings(
        mut self,
        bounds: Option<ScoreBounds>,
        to_move: Option<Player>,
        nodes: u64,
    ) -> Self {
        let bounds = bounds.filter(|bounds| nodes > 0 || bounds.exclude_outcome());
        if let Some((bounds, player)) = bounds.zip(to_move) {
            let _ = write!(self.detail, "; proved: {}", bounds.for_player(player));
        }
        Problem { bounds, nodes: Some(nodes).filter(|&nodes| nodes > 0), ..self }
    }

    /// Boards of this size are not served, only these sizes.
    pub(super) fn unknown_size(size: Size, served: &[&Size]) -> Self {
        Problem::size_not_served(format!(
            "this server has nothing for {size} boards; it serves {}",
            listed(served, "and")
        ))
    }

    /// Too much is under way.
    pub(super) fn overload(text: impl Display) -> Self {
        Problem::busy(format!("{text}; try again in a moment")).retry_soon()
    }

    /// Too many jobs wait for the solver.
    pub(super) fn queue_full() -> Self {
        Problem::overload("the queue for the solver is full")
    }

    /// The solver takes no more jobs.
    pub(super) fn no_more_jobs() -> Self {
        let text = "the server is stopping; try again in a moment";
        Problem::stopping(text).retry_soon()
    }

    /// A position outside the book was not solved before the deadline. Waiting helps only if the
    /// request spent its time in the queue.
    pub(super) fn deadline(was_queued: bool) -> Self {
        if was_queued {
            let text = "the deadline passed while the search waited for its turn; try again in a \
                        moment";
            return Problem::not_solved(text).retry_soon();
        }
        Problem::not_solved(
            "the score was not found before the deadline; allow more with deadline if the request set \
             it and not the server, or try a position with more stones",
        )
    }

    /// Adds the known scores of the position, if it could not be solved.
    pub(super) fn about(mut self, known: &Analysis) -> Self {
        if self.is_unsolved() {
            self.detail = match known.score() {
                Some(_) => format!(
                    "the position's score is known, but not those of all its moves: {}; \
                     /v1/position gives the score at once",
                    self.detail
                ),
                None => format!("the position is not in the book: {}", self.detail),
            };
        }
        self
    }

    /// Whether a limit of the solver was reached.
    pub(super) fn is_unsolved(&self) -> bool {
        matches!(self.kind, "urn:fourbook:problem:not-solved" | "urn:fourbook:problem:node-budget")
    }
}

impl From<PositionError> for Problem {
    fn from(error: PositionError) -> Self {
        let number = error.move_number();
        Problem { number, ..Problem::bad_position(with_causes(&error)) }
    }
}

impl From<BookError> for Problem {
    fn from(error: BookError) -> Self {
        tracing::error!("{}", with_causes(&error));
        match error {
            // Clients don't see the folder.
            BookError::File { source, .. } => Problem::damaged_book(with_causes(&source)),
            error => Problem::damaged_book(with_causes(&error)),
        }
    }
}

impl From<OracleError> for Problem {
    fn from(error: OracleError) -> Self {
        match error {
            OracleError::Stopped(stopped) => {
                let problem = match stopped.reason {
                    // Waiting does not help, so this does not say when to try again.
                    StopReason::NodeBudget => Problem::too_hard(format!(
                        "the score was not found within {}; \
                         allow more with max_nodes if the request set that limit and not the \
                         server, or try a position with more stones",
                        count(stopped.nodes, "node")
                    )),
                    StopReason::Deadline => Problem::deadline(false),
                    // A search with a waiting request is cancelled only when the server stops.
                    StopReason::Cancelled => Problem::no_more_jobs(),
                    StopReason::NoThread => Problem::overload(stopped.reason),
                };
                problem.with_findings(stopped.bounds, stopped.to_move, stopped.nodes)
            }
            OracleError::Book(error) => Problem::from(error),
            OracleError::Memory(error) => Problem::overload(with_causes(&error)),
            // Each position meets the oracle of its board.
            error => Problem::internal(with_causes(&error)),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after.map(|it| [(RETRY_AFTER, HeaderValue::from(it))]);
        // Most problems end soon, but caches would keep some statuses by default.
        let headers = [(CONTENT_TYPE, "application/problem+json"), (CACHE_CONTROL, NO_STORE)];
        (status, headers, retry_after, json(&self)).into_response()
    }
}
