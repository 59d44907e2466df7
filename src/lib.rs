//! fourbook: perfect-play Connect Four opening books.
//!
//! Connect Four is solved: with perfect play every position is a win, a draw or
//! a loss, by a number of stones that is known. fourbook finds these *scores*
//! with a fast solver, makes *books* of the scores of all positions to some
//! ply, ships them in a format of a few bits a position, and looks positions up
//! in them without reading them first. It plays the usual board of 7 columns and
//! 6 rows and every other [`Size`] from 4x4 up to 128 bits, such as 8x8 or 10x10.
//!
//! The program `fourbook` (package `fourbook-cli`) does all of this on the command line
//! and over HTTP; this library is what it is made of.
//!
//! # Looking positions up
//!
//! An [`Oracle`] answers from a book what the book knows, and asks the solver for the
//! rest. A score is for the side to move: 0 is a draw, a positive score a win, and the
//! larger, the sooner; see [`Score`].
//!
//! ```
//! use fourbook::{Book, Oracle, Position};
//!
//! let oracle = Oracle::new(Book::embedded())?;
//! // Both players have put a stone into the fourth column.
//! let position = Position::from_moves("44")?;
//! let answer = oracle.score(position)?;
//! assert_eq!(answer.value, 1, "the first player wins, with the last stone he has");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Book::open`] maps a file, [`Book::open_deepest`] one of a folder; [`Book::from_bytes`]
//! takes bytes, those of `include_bytes!` too. `examples/embed.rs` is a whole program with a
//! book in it.
//!
//! # Solving
//!
//! ```
//! use fourbook::{Limits, Position, Solver};
//!
//! let mut solver = Solver::new(16 << 20)?; // bytes for the transposition table
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
//! Other boards are named once, at run time:
//!
//! ```
//! use fourbook::{Limits, Position, Size, Solver};
//!
//! let size: Size = "8x8".parse()?;
//! let mut solver = Solver::for_size(size, 16 << 20)?;
//! let position =
//!     Position::parse(size, "634727216256773846446444368174338368683232171718711")?;
//! assert_eq!(solver.score(position, &Limits::default())?, 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds | on by default |
//! |---|---|---|
//! | `embedded-book` | `Book::embedded`: 7x6 to ply 12 in the library, 1.5 MB | yes |
//! | `generate` | making books and tools for whole books: [`generate`], [`tools`] | yes |
//! | `mmap` | `Book::open` by mapping files; large pages for the table (part of `generate`) | yes |
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
//! | [`level`] | which move a player chooses, from a beginner to a perfect one |
//! | [`generate`] | solves the deepest ply of a book with many threads, keeps a checkpoint, and derives the shallower plies; alone, or as one of several machines that solve a shard each and leave its part in a folder, or in whatever else is a [`PartStore`](generate::PartStore) |
//! | [`tools`] | what is done with whole books: pack, verify, count, and exchange with other programs' files |
//!
//! Below all of these: `envelope` (how files begin), `files` (files that appear when they
//! are whole), `mapping` (mapped files), `parallel` (the one parallel loop), [`progress`]
//! (how long work tells what it does) and errors as texts ([`with_causes`]).
//!
//! **Sizes are data.** A [`Size`] is a value. What follows from it, the masks of the board,
//! is a constant table entry that every position points to. Code that handles boards is
//! generic over the word that holds one, [`u64` or `u128`](board::Word), and over nothing
//! else; public types hide even that ([`Position`] is always of the larger word), and one
//! macro, `with_word!`, goes from a size to the smaller word at the top of each public
//! function with an inner loop.
//!
//! **In the solver**, `windows` says what is asked of a position, one null window after the
//! other, and `search` is the tree of one window. In a node, `children` are all moves at
//! once, `bounds` proves scores without search, `order` and `weights` say which move comes
//! first, and `keys` where it is in the table. `builds` compiles the search for each set of
//! instructions, word and number of lanes, and once more for 7x6 alone, where constants save
//! a few percent.
//! `table` remembers what was proved, and `shared` is what all solvers with one table have in
//! common: it and the searches that take long, which `joint` lets several threads do together.
//!
//! **`unsafe`** is in `simd::x86`, `simd::dispatch`, `solver::table::memory`, `solver::builds`,
//! `book::compact::builds` and `mapping` only, and denied elsewhere.
//!
//! **Outside the library**: `program/` is the command line, one file a command; `server/` is the
//! HTTP server and its page; `bindings/` has fourbook for other languages; `training/` fits
//! the model of compact books and tunes the order of moves; `fuzz/` has the fuzz targets;
//! `scripts/` what measures, tests and runs on clusters.

pub mod board;
pub mod book;
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
#[cfg(feature = "mmap")]
mod mapping;
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
#[cfg(feature = "generate")]
pub mod tools;

#[doc(inline)]
pub use board::{Outcome, Player, Position, PositionError, Score, Size, SizeError};
#[doc(inline)]
pub use book::{Book, Lookup, Value, ValueKind};
pub use errors::{NameError, count, with_causes};
#[doc(inline)]
pub use level::Level;
#[doc(inline)]
pub use oracle::{Answer, Oracle, Source};
#[doc(inline)]
pub use solver::{Analysis, Limits, Solver, Stopped};
