//! Parsing requests: queries, and the parameters that several routes have. Errors say what was
//! expected in words of this server, not of the parser.

use super::Daemon;
use super::books::Loaded;
use super::problem::Problem;
use axum::extract::{Query, rejection::QueryRejection};
use fourbook::board::notation::Notation;
use fourbook::{Level, NameError, Position, Size, SizeError};
use serde::Deserialize;
use std::num::NonZeroU64;
use std::sync::Arc;

/// A request's query.
pub(crate) type Read<T> = Result<Query<T>, QueryRejection>;

/// Returns the query of a request; `example` is for the error if it is invalid.
pub(crate) fn query<T>(read: Read<T>, example: &str) -> Result<T, Problem> {
    read.map(|Query(query)| query).map_err(|rejection| {
        let text = rejection.body_text();
        let text = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
        Problem::bad_query(format!("{text}; for example {example}"))
    })
}

/// Declares a parameter: its type, that of its value, and what is expected of it.
macro_rules! parameter {
    ($(#[$meta:meta])* $name:ident($value:ty) $expected:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(try_from = "String")]
        pub(crate) struct $name(pub(crate) $value);

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                // Some numbers could begin with a plus sign as well.
                let value = text.parse().ok().filter(|_| !text.starts_with('+'));
                value.map($name).ok_or_else(|| format!("expected {}, found '{text}'", $expected))
            }
        }
    };
}

parameter! {
    /// A limit on nodes.
    MaxNodes(NonZeroU64) "a whole number from 1 to 18446744073709551615"
}

parameter! {
    /// What chance depends on.
    Seed(u64) "a whole number from 0 to 18446744073709551615"
}

parameter! {
    /// Whether something is wanted.
    Flag(bool) "true or false"
}

/// The board that a request is about, such as `7x6`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Board(Size);

impl TryFrom<String> for Board {
    type Error = SizeError;

    fn try_from(text: String) -> Result<Self, SizeError> {
        text.parse().map(Board)
    }
}

/// A level of play, by its name or number.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct PlayedAt(Level);

impl TryFrom<String> for PlayedAt {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse().map(PlayedAt)
    }
}

impl From<PlayedAt> for Level {
    fn from(played: PlayedAt) -> Level {
        played.0
    }
}

impl From<Board> for Size {
    fn from(board: Board) -> Size {
        board.0
    }
}

/// A position as the client has written it.
pub(crate) struct PositionText {
    /// `None` for the default board.
    pub(crate) size: Option<Board>,
    /// `None` if the notation is to be recognised.
    pub(crate) notation: Option<Notation>,
    pub(crate) text: String,
}

impl PositionText {
    /// Takes the one parameter of three that a request has.
    pub(crate) fn one_of(
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
        Ok(PositionText { size, notation: Some(notation), text })
    }

    /// Parses the position; returns the book for its board as well.
    pub(crate) fn parse(&self, daemon: &Daemon) -> Result<(Arc<Loaded>, Position), Problem> {
        let loaded = daemon.loaded(self.size.map(Size::from))?;
        let position = match self.notation {
            Some(notation) => notation.parse(loaded.size(), &self.text)?,
            None => Position::parse(loaded.size(), &self.text)?,
        };
        Ok((loaded, position))
    }
}
