//! fourbook: perfect-play Connect Four opening books.

pub mod board;
