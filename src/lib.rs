//! fourbook: perfect-play Connect Four opening books.
//!
//! Connect Four is solved: with perfect play every position is a win, a draw or
//! a loss, by a number of stones that is known. fourbook finds these *scores*
//! with a fast [solver], makes *books* of the scores of all positions to some
//! ply, ships them in a format of a few bits a position, and looks positions up
//! in them without reading them first. It plays the usual board of 7 columns and
//! 6 rows and [others](board::Size::ALL).
//!
//! The program `fourbook` does all of this on the command line (`generate`,
//! `merge`, `plan`, `lookup`, `serve`, `info`, `verify`, `stats`, `pack`, `import`,
//! `export`, `compare`, `show`, `bench`); this library is what it is made of.
//!
//! # Looking positions up
//!
//! An [`Oracle`](oracle::Oracle) answers from a book what the book knows, and
//! asks the solver for the rest. A score is for the side to move: 0 is a draw, a
//! positive score a win, and the larger, the sooner; see [`board::Score`].
//!
//! ```
//! use fourbook::board::Position;
//! use fourbook::book::Book;
//! use fourbook::oracle::{BookBytes, DEFAULT_BOOK, Oracle};
//! use fourbook::solver::Limits;
//!
//! let book = Book::from_bytes(BookBytes::Embedded(DEFAULT_BOOK))?;
//! let oracle = Oracle::new(Some(book.into_view::<7, 6>()?), 64 << 20)?;
//! // Both players have put a stone into the fourth column.
//! let position = Position::from_moves("44")?;
//! let answer = oracle.score(position, &Limits::default())?;
//! assert_eq!(answer.value, 1, "the first player wins, with the last stone he has");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A book may also be part of the program that uses it, as the default one is: a
//! [`Book`](book::Book) is over any bytes, those of `include_bytes!` too. The example
//! `embed` (`examples/embed.rs`) is a whole program that does so:
//!
//! ```
//! use fourbook::board::Position;
//! use fourbook::book::{Book, BookView};
//! use std::sync::LazyLock;
//!
//! static BOOK: LazyLock<BookView<&'static [u8], 4, 4>> = LazyLock::new(|| {
//!     let bytes: &[u8] = include_bytes!("../examples/4x4-d6.book");
//!     let book = Book::from_bytes(bytes).expect("the file is a book");
//!     book.into_view().expect("it is for 4x4 boards")
//! });
//!
//! assert_eq!(BOOK.score(Position::EMPTY).score(), Some(0));
//! ```
//!
//! # Solving
//!
//! ```
//! use fourbook::board::Position;
//! use fourbook::solver::{Limits, Solver, TranspositionTable};
//! use std::sync::Arc;
//!
//! // Solvers in several threads may share a table.
//! let table = Arc::new(TranspositionTable::new(16 << 20)?);
//! let mut solver = Solver::<7, 6>::new(table)?;
//! let position = Position::from_moves("2252576253462244111563365343671351441")?;
//! let analysis = solver.analyse(position, &Limits::default())?;
//! assert_eq!(analysis.score, -1);
//! // Columns count from 0 in this library, and from 1 in every text.
//! for column in analysis.best_moves() {
//!     println!("column {} is best", column + 1);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The modules
//!
//! Data flows from left to right, and no module uses one to its right:
//!
//! ```text
//! board -> rank -> scores -> solver -> enumerate -> generate -> book -> oracle -> server
//! ```
//!
//! - [`board`]: sizes, positions as bitboards, threats, what scores mean, and
//!   the notations for positions.
//! - [`rank`]: numbers the positions of a ply; such a *slot* is the place of a
//!   score in a book, so that a book needs no keys.
//! - [`scores`]: the scores of a ply, by slot, as they go from generating to
//!   writing a book.
//! - [`solver`]: the exact score of any position, by search.
//! - [`enumerate`]: every position of a ply that a game can reach.
//! - [`generate`]: solves the deepest ply of a book with many threads, keeps a
//!   checkpoint of what is done, and derives the shallower plies; alone, or as one
//!   of several machines that solve a part each.
//! - [`book`]: the file: writing it, opening it, looking positions up in it,
//!   verifying it, and [exchange](book::exchange) with other programs' files.
//!   `books/FORMAT.md` describes it byte by byte.
//! - [`oracle`]: one answer for a position, from wherever it is to be had.
//! - `server`: the lookup daemon, with the feature `server`, which is on by default.
//! - [`mapping`]: files mapped into memory; below all of these, as is
//!   [`files`]: writing files that appear when they are whole.
//!
//! Sizes are constants of the types (`Position<7, 6>`), so that everything about
//! a board is known where its code is compiled;
//! [`Size::dispatch`](board::Size::dispatch) goes from a size known at run time to those.

pub mod board;
pub mod book;
pub mod enumerate;
pub mod files;
pub mod generate;
mod header_codec;
pub mod mapping;
pub mod oracle;
pub mod rank;
pub mod scores;
#[cfg(feature = "server")]
pub mod server;
pub mod solver;
