//! The server of `fourbook serve`: answers over HTTP, from books and the solver.
//!
//! A [`Daemon`] holds a book for each board that is served and a bounded pool of solver
//! threads for all of them; [`router`] makes
//! the routes over it, which `openapi.json` (served, too) describes; [`serve`] answers
//! them on sockets, with limits on what clients may do. `fourbook serve` puts
//! signals and options around these.
//!
//! Lookups in the book are answered at once, on the threads of the async runtime.
//! What has to be solved waits in a queue of limited length, and is given up when
//! its clients have gone. Solver threads for which nothing waits help with what takes long.
//!
//! ```
//! use fourbook_server::{BookSource, Daemon, Http, SolverOptions, router};
//! use std::sync::Arc;
//! let daemon = Arc::new(Daemon::new(BookSource::Embedded, SolverOptions::default())?);
//! let routes = router(Arc::clone(&daemon), &Http::default());
//! # drop(routes);
//! daemon.stop();
//! # Ok::<(), fourbook_server::LoadError>(())
//! ```

#![cfg(feature = "server")]

mod answer;
mod boards;
mod books;
#[path = "../common.rs"]
mod common;
mod daemon;
mod helpers;
mod json;
mod layers;
mod level;
mod listen;
mod metrics;
#[path = "../page.rs"]
pub mod page;
mod pool;
mod problem;
mod question;
mod routes;
mod search;

pub use books::{BookSource, BookSources, LoadError};
pub use daemon::{Daemon, SolverOptions};
pub use layers::Http;
pub use listen::{ConnectionLimits, Listener, serve};
pub use routes::router;
