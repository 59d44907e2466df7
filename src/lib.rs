//! fourbook: perfect-play Connect Four opening books.

pub mod board;
pub mod book;
mod header_codec;
pub mod mapping;
pub mod rank;
pub mod scores;
pub mod solver;
