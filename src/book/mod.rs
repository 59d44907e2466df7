//! Opening books: the values of all positions to a depth, in a file that is
//! looked up in place.
//!
//! A book holds no keys. The positions of a ply are [numbered](crate::rank),
//! and a section holds the value of each number, a few bits wide. Stored are
//! the deepest ply and every second one above; the plies between are one move
//! away from a stored one. Positions that the rules score (the game has ended,
//! or the side to move wins at once) have no entry.
//!
//! A section is [flat](Encoding::Flat), or [compact](Encoding::Compact): smaller,
//! a little slower, and with nothing for positions that no game reaches.
//!
//! [`Book::open`] maps a file and checks its header; [`Book::view`] makes it
//! ready for lookups; [`verify()`](verify::verify) reads all of it.
//! [`BookContents`] writes one,
//! and [`pack()`](pack::pack) cuts a shallower one from a deeper one; [`exchange`]
//! reads and writes those of other programs. The format is described in `books/FORMAT.md`.

mod compact;
mod error;
pub mod exchange;
mod flat;
mod format;
pub mod pack;
mod progress;
mod reader;
mod splitmix;
pub mod stats;
pub mod verify;
mod walk;
mod writer;

pub use crate::header_codec::CodecError;
#[doc(no_inline)]
pub use crate::scores::ValueKind;
pub use error::{ChecksumError, FormatError, MissingValue, OpenError, WriteError, WrongSize};
use format::stored_plies;
pub use format::{Encoding, MAGIC, MAX_HEADER, Provenance, Section, VERSION};
pub use progress::Progress;
pub use reader::{Answer, Book, BookView, Value};
pub use walk::walk;
pub use writer::{BookContents, WriteStep};
