//! Queries, and parameters that several routes take, as clients write them. What was expected
//! is said in words that are not the parser's.

use crate::http::problem::Problem;
use axum::extract::{Query, rejection::QueryRejection};
use fourbook::NameError;
use fourbook::{Level, Size, SizeError};
use serde::Deserialize;
use std::num::NonZeroU64;

/// A request's query.
pub(super) type Read<T> = Result<Query<T>, QueryRejection>;

/// The query of a request for which there is an example.
///
/// # Errors
///
/// If it is not right.
pub(super) fn query<T>(read: Read<T>, example: &str) -> Result<T, Problem> {
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
        pub(super) struct $name(pub(super) $value);

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
pub(super) struct Board(Size);

impl TryFrom<String> for Board {
    type Error = SizeError;

    fn try_from(text: String) -> Result<Self, SizeError> {
        text.parse().map(Board)
    }
}

/// A level of play, by its name or number.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PlayedAt(Level);

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
