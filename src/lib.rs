//! fourbook: perfect-play Connect Four opening books.

pub mod board;
pub mod book;
pub mod enumerate;
pub mod generate;
mod header_codec;
pub mod mapping;
pub mod rank;
pub mod scores;
pub mod solver;
