//! fourbook: perfect-play Connect Four opening books.
//!
//! Connect Four is solved: with perfect play every position is a win, a draw or
//! a loss, by a known number of stones. fourbook finds these *scores*
//! with a fast solver and makes *books* of the scores of all positions to some
//! ply. A book takes a few bits a position, and looking up a position needs no
//! loading. fourbook plays the usual board of 7 columns and
//! 6 rows and every other [`Size`] from 4x4 up to 128 bits, such as 8x8 or 10x10.
//!
//! The program `fourbook` (package `fourbook-cli`) does all of this on the command line
//! and over HTTP; this library is what it is made of.
//!
//! Scores are for the side to move: 0 is a draw, positive scores win, negative ones lose, and
//! the larger the absolute score, the sooner the game ends; see [`Score`]. Columns count from 0
//! in this library, and from 1 in every text.
//!
//! # Best move
//!
//! An [`Oracle`] answers from a book and solves positions outside it. The crate embeds a book of
//! 7x6 to ply 12.
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
//! let book = Book::open("books/7x6-d8.book")?; // maps the file
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
//! [`Oracle::with_limits`] sets a node budget, a deadline or a flag that cancels. A [`Solver`]
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
//! generate::run(&plan, &(), &Default::default())?; // no progress, no cancelling
//! let book = Book::open(&plan.out)?;
//! assert_eq!(book.look_up(Position::empty(book.size()))?.score(), Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds | on by default |
//! |---|---|---|
//! | `embedded-book` | `Book::embedded`: 7x6 to ply 12 in the library, 1.5 MB | yes |
//! | `generate` | making books and tools for whole books: [`generate`], [`tools`] | yes |
//! | `mmap` | large pages for the table (part of `generate`) | yes |
//!
//! Without any, the library looks books up in bytes and solves, needs neither threads nor
//! files, and compiles for `wasm32-unknown-unknown`.
//!
//! # Architecture
//!
//! Data flows down this list; no module uses one below it.
//!
//! | module | what is there |
//! |---|---|
//! | [`board`] | sizes, positions as bitboards, threats, what scores mean, and the [notations](board::notation) for positions |
//! | `simd` | vectors of boards, as arrays or in registers of AVX2, AVX-512 or WebAssembly, and the one dispatcher that detects the instructions of the processor, for searches and compact books |
//! | `rank` | numbers the positions of a ply; such a *slot* is the place of a score in a book, so that a book needs no keys |
//! | `scores` | the scores of a ply, by slot, as they go from generating to a book |
//! | [`solver`] | the exact score of any position, by search |
//! | `enumerate` | every position of a ply that a game can reach, and the order in which they are solved |
//! | [`book`] | the file format: opening it, looking positions up in it, writing it; `books/FORMAT.md` describes it byte by byte |
//! | [`oracle`] | one answer for a position, from the book or the solver |
//! | [`level`] | how a player picks a move, from a beginner to a perfect one |
//! | `derive` | computes the scores of a ply from the next one |
//! | [`generate`] | solves the deepest ply of a book with many threads, keeps a checkpoint, and derives the shallower plies. Several machines can share the work: each solves a shard and leaves its part in a folder |
//! | [`tools`] | what is done with whole books: pack, verify, count, and exchange with other programs' files |
//!
//! Below all of these: `envelope` (how files begin), `files` (files that appear when they
//! are whole), `mapping` (mapped files), `memory` (how much the machine has), `parallel` (the
//! one parallel loop), [`progress`] (callbacks of long work), `splitmix` (hashes and random
//! numbers) and `errors` (errors as texts, see [`with_causes`]).
//!
//! **Sizes are data.** A [`Size`] is a value. The masks of its board are a constant
//! table entry that every position points to. Code that handles boards is
//! generic over the word that holds one, [`u64` or `u128`](board::Word), and over nothing
//! else. Public types hide even that: [`Position`] is always of the larger word. The macro
//! `with_word!` goes from a size to the smaller word at the top of each public
//! function with an inner loop.
//!
//! **In the solver**, `driver` takes a position from null window to null window, and `search`
//! searches the tree of one window. In a node, `search::children` are all moves at
//! once, `bounds` proves scores without search, `order` and `weights` order the moves,
//! and `keys` finds their places in the table. `builds` compiles the search for each set of
//! instructions, word and number of lanes, and once more for 7x6 alone, where constants save
//! a few percent. `table` is the transposition table, `table::entry` a position's entry in it.
//!
//! **All searching by several threads is in `solver::parallel`.** Module `queue` runs tasks on
//! threads and lets idle ones help (`helper`). `searches` lists the searches that can use help,
//! `abdada` is one search by several threads, and `jobs` solves lists of positions. Generating,
//! estimating, verifying, the oracle, `fourbook lookup` and the server's pool submit jobs and
//! have no loops of their own.
//!
//! **`unsafe`** is in `simd::x86`, `simd::dispatch`, `solver::table::memory` and `mapping` only,
//! and denied elsewhere.
//!
//! **Outside the library**: `program/` is the command line, one file a command. `server/` is the
//! HTTP server and its page. `bindings/` has fourbook for other languages. `training/` fits
//! the model of compact books and tunes the order of moves. `fuzz/` has the fuzz targets,
//! `scripts/` the measurements and the tests on clusters.

pub mod board;
pub mod book;
#[cfg(feature = "generate")]
mod derive;
#[cfg(feature = "generate")]
mod enumerate;
// Only making books uses all of it.
#[cfg_attr(not(feature = "generate"), allow(dead_code))]
mod envelope;
mod errors;
#[cfg(feature = "generate")]
pub mod files;
#[cfg(feature = "generate")]
pub mod generate;
pub mod level;
mod mapping;
#[cfg(feature = "generate")]
mod memory;
pub mod oracle;
#[cfg(feature = "generate")]
mod parallel;
#[cfg(feature = "generate")]
pub mod progress;
#[cfg_attr(not(feature = "generate"), allow(dead_code))]
mod rank;
#[cfg_attr(not(feature = "generate"), allow(dead_code))]
mod scores;
mod simd;
pub mod solver;
mod splitmix;
#[cfg(feature = "generate")]
pub mod tools;

#[doc(inline)]
pub use board::{Outcome, Player, Position, PositionError, Score, Size, SizeError};
#[doc(inline)]
pub use book::{Book, Lookup, Value, ValueKind};
pub use errors::{NameError, count, with_causes};
#[doc(inline)]
pub use level::Level;
#[cfg(feature = "generate")]
#[doc(inline)]
pub use memory::Memory;
#[doc(inline)]
pub use oracle::{Answer, Oracle, Source};
#[doc(inline)]
pub use solver::{Analysis, Limits, Solver, StopReason, Stopped};

/// The guide's example in Rust, which `cargo test` runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/languages.md")]
struct Guide;
