//! Perfect play in Connect Four: a solver, and *books* of the scores of all positions to a ply.
//!
//! Connect Four is solved: with perfect play every position is a win, a draw or a loss, in a known
//! number of stones. This library computes these *scores*, writes them into books of a few bits a
//! position, and answers from a book within about a microsecond. It plays the usual board of 7 columns and 6
//! rows and every other [`Size`] from 4x4 up to 128 bits, such as 8x8 or 10x10.
//!
//! Scores are for the side to move: 0 is a draw, positive scores win, negative ones lose, and
//! the larger the absolute score, the sooner the game ends; see [`Score`]. Columns are
//! numbers from 0 in this library; texts and JSON have their [names](board::column_name).
//!
//! The program `fourbook` (package `fourbook-cli`) does all of this on the command line and over
//! HTTP.
//!
//! # Which type
//!
//! | you want | use |
//! |---|---|
//! | the best answer to a position, from a book or by solving | [`Oracle`] |
//! | the entries of a book, without any solving | [`Book`] |
//! | to solve on one thread, with a table of your own size and without a book | [`Solver`] |
//! | a board: moves, threats, notations | [`Position`], [`board`] |
//! | an opponent below perfect strength | [`Level`] |
//! | to make a book | [`generate::run`] with a [`generate::Plan`] |
//! | to pack, verify, count or exchange whole books | [`tools`] |
//!
//! # Best move
//!
//! An [`Oracle`] answers from a book and solves positions outside it. The crate embeds a book of
//! 7x6 to ply 12; [`Book::embedded_for`] opens the books of other boards.
//!
//! ```
//! use fourbook::{Book, Oracle, Position};
//!
//! let oracle = Oracle::new(Book::embedded())?;
//! let position = Position::from_moves("44")?; // two stones in the middle column
//! assert_eq!(oracle.score(position)?.value, 1); // the first player wins
//! assert_eq!(oracle.best_move(position)?.value, Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Oracle::analyse`] scores every move, [`Oracle::line`] plays perfectly to the end, and
//! [`Oracle::review`] marks the moves of a game.
//!
//! # Open a book and look up
//!
//! ```
//! use fourbook::{Book, Position};
//!
//! let book = Book::open("books/7x6-d8.book")?;
//! let lookup = book.look_up(Position::from_moves("4453")?)?;
//! assert_eq!(lookup.score(), Some(-2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Book::open_deepest`] chooses a book of a folder; [`Book::from_bytes`] takes bytes, for
//! example of `include_bytes!`. `examples/embed.rs` is a whole program with a book in it.
//!
//! # Solve many positions in parallel
//!
//! ```
//! use fourbook::{Oracle, Position, Size};
//!
//! let size: Size = "5x5".parse()?;
//! let mut games: Vec<_> = (0..1000).map(|_| Position::empty(size)).collect();
//! for (number, game) in games.iter_mut().enumerate() {
//!     *game = game.play(number % 5).play(number / 5 % 5).play(number / 25 % 5);
//! }
//! let scores = Oracle::without_book(size)?.with_threads(4).scores(&games)?;
//! assert_eq!(scores.len(), 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Oracle::with_limits`] limits the nodes and the time of each call, or cancels it. A [`Solver`]
//! searches on one thread, without a book.
//!
//! # Generate a book
//!
//! ```
//! use fourbook::generate::{self, Plan};
//! use fourbook::{Book, Position};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let plan = Plan { out: folder.join("4x4.book"), ..Plan::new("4x4".parse()?, 6) };
//! generate::run(&plan, &())?; // no progress, no cancelling
//! let book = Book::open(&plan.out)?;
//! assert_eq!(book.look_up(Position::empty(book.size()))?.score(), Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Debug builds
//!
//! Without optimisation a search takes about 150 times as long. These lines in your `Cargo.toml`
//! optimise all dependencies in debug builds:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! # Features
//!
//! | feature | what it adds | on by default |
//! |---|---|---|
//! | `embedded-book` | `Book::embedded`: 7x6 to ply 12 in the library, 1.5 MB | yes |
//! | `shelf` | `Book::embedded_for`: most other boards of up to 49 cells, to ply 8 or 10, 0.8 MB | yes |
//! | `generate` | making books and tools for whole books: [`generate`], [`tools`] | yes |
//!
//! Without any, the library solves and answers from books in memory. It then needs no
//! files, starts a thread only for a deep search, and compiles for `wasm32-unknown-unknown`, where
//! it starts none. There, large boards require a larger stack:
//! `RUSTFLAGS='-C link-arg=-zstack-size=4194304'`.
//!
//! `ARCHITECTURE.md` in the repository maps the code, and `docs/src/format.md` describes a book byte by
//! byte.

// Only making books uses all of the rest.
#![cfg_attr(not(feature = "generate"), allow(dead_code))]

pub mod book;
#[cfg(feature = "generate")]
mod derive;
#[cfg(feature = "generate")]
mod enumerate;
mod envelope;
#[cfg(feature = "generate")]
pub mod files;
#[cfg(feature = "generate")]
mod findings;
#[cfg(feature = "generate")]
pub mod generate;
mod kind;
pub mod level;
mod mapping;
#[cfg(feature = "generate")]
mod memory;
pub mod oracle;
#[cfg(feature = "generate")]
mod parallel;
#[cfg(feature = "generate")]
pub mod progress;
mod rank;
mod scores;
pub mod strategy;
#[cfg(feature = "generate")]
pub mod tools;

#[doc(inline)]
pub use book::{Book, Lookup};
/// All of the solver, for the other packages of the project.
#[doc(hidden)]
pub use fourbook_solver as solver;
#[doc(inline)]
pub use fourbook_solver::{
    Limits, NameError, Outcome, Player, Position, PositionError, Score, ScoreBounds,
    SearchProgress, Size, SizeError, SolveError, Solver, StopReason, Stopped, TableError,
    TranspositionTable, ValueKind, board, text, with_causes,
};
#[doc(inline)]
pub use kind::{Classify, ErrorKind};
#[doc(inline)]
pub use level::Level;
#[cfg(feature = "generate")]
#[doc(inline)]
pub use memory::Memory;
#[doc(inline)]
pub use oracle::{Answer, Oracle, Source};
#[doc(inline)]
pub use strategy::Strategy;

/// The examples in Rust of the guide and the README, which `cargo test` runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/languages.md")]
#[doc = include_str!("../README.md")]
struct Guide;
