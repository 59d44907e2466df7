//! Connect Four positions and their exact scores.
//!
//! [`Solver`] gives the exact score of any position by search: a null-window negamax over bitboards,
//! with a transposition table keyed by mover + mask + bottom. It plays every [`Size`] from 4x4 up to
//! 128 bits. The package `fourbook` re-exports what its users need and adds books, which answer
//! at once.
//!
//! ```
//! use fourbook_solver::{Position, Solver};
//! let mut solver = Solver::new(16 << 20)?;
//! let position = Position::from_moves("7422341735647741166133573473242566")?;
//! assert_eq!(solver.score(position)?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What else the other packages of the project use is public but not documented, and may change with
//! every version. `ARCHITECTURE.md` in the repository maps the files.

mod bench;
pub mod board;
mod driver;
mod limits;
mod parallel;
mod search;
#[doc(hidden)]
pub mod simd;
mod solver;
#[doc(hidden)]
pub mod splitmix;
mod stack;
mod sync;
mod table;
pub mod text;
mod transposition_table;
mod value_kind;

#[doc(hidden)]
pub use bench::{Bench, bench};
#[doc(inline)]
pub use board::{
    Outcome, Player, Position, PositionError, Score, ScoreBounds, Size, SizeError, best_first,
};
#[doc(hidden)]
pub use limits::{Budget, HAS_CLOCK};
pub use limits::{Limits, SearchProgress, SolveError, StopReason, Stopped};
#[doc(hidden)]
pub use parallel::helper::Helper;
#[doc(hidden)]
pub use parallel::jobs::Solvers;
#[doc(hidden)]
pub use parallel::searches::Searches;
#[doc(hidden)]
pub use parallel::threads::{on_threads, started_threads, thread_count};
#[doc(hidden)]
pub use search::{MoveOrder, Weights};
pub use solver::Solver;
#[doc(hidden)]
pub use stack::on_large_stack;
pub use table::TableError;
#[doc(inline)]
pub use text::{NameError, with_causes};
pub use transposition_table::TranspositionTable;
pub use value_kind::ValueKind;
