//! Opening books: the values of all positions to a depth, in a file that is
//! looked up in place.
//!
//! A book holds no keys. The positions of a ply are numbered, and a section holds the value of
//! each number, a few bits wide. A book stores the deepest ply and at least every second one
//! above it; a value on a ply between follows from the next ply. Positions that the rules score
//! (the game has ended, or the side to move wins at once) have no entry.
//!
//! A section is [flat](Encoding::Flat), or [compact](Encoding::Compact): smaller,
//! a little slower, and with nothing for positions that no game reaches.
//!
//! [`Book::open`] opens a file, [`Book::open_deepest`] one of a folder, and
//! [`Book::from_bytes`] what is in memory: they check the header and make a book ready for
//! [lookups](Book::look_up). Each block of 4096 bytes is checked when it is first read. With the
//! feature `generate`, `BookContents` writes a book. The format is described in
//! `docs/src/format.md`.

mod blocks;
mod compact;
#[cfg(feature = "embedded-book")]
mod embedded;
mod error;
mod file;
mod flat;
mod folder;
mod format;
mod header;
mod lookup;
mod other_file;
mod positions;
mod reader;
mod stored;
#[cfg(all(test, feature = "generate"))]
mod tests;
#[cfg(feature = "generate")]
mod writer;

/// The features of positions in the model of compact books, for the program that fits it.
#[doc(hidden)]
pub mod context_model {
    pub use super::compact::{
        CONTEXTS, DEEP_UNITS, DISTANCES, EXCLUDED, FEATURES, LANES, LEVELS, Quiet, SCORES, Tactics,
        UNITS, tactics,
    };
}

pub use crate::scores::{ABSENT, PlyScores, decode, encode};
pub use error::BookError;
pub(crate) use file::open_file;
pub use folder::book_files;
#[cfg(feature = "generate")]
pub(crate) use format::most_bytes;
pub use fourbook_solver::ValueKind;
pub use header::{Encoding, MAGIC, Provenance, Section};
pub use lookup::Lookup;
pub(crate) use lookup::look_up_moves;
pub(crate) use other_file::described;
pub use other_file::other_file;
pub use reader::{Book, BookInfo};
#[cfg(feature = "generate")]
pub(crate) use stored::every_second_ply;
#[cfg(feature = "generate")]
pub use writer::BookContents;
