//! The server of `fourbook serve`: answers over HTTP, from books and the solver, with a page
//! to play on.
//!
//! A [`Daemon`] holds a book for each board size that is served and a bounded pool of solver
//! threads for all of them. [`router`] makes the routes over it, which `openapi.json` (served,
//! too) describes. [`serve`] answers them on sockets, with limits on what clients may do.
//! `fourbook serve` puts signals and options around these.
//!
//! Positions of a book are answered at once, on the threads of the async runtime. Other
//! positions begin with short slices of search. Longer searches wait in a queue of limited length.
//! A search is cancelled when all its clients have left. Idle solver threads join searches under
//! way.
//!
//! ```
//! use fourbook_server::{BookSource, Daemon, ServerOptions, router};
//! use std::sync::Arc;
//! let daemon = Arc::new(Daemon::new([BookSource::Embedded], ServerOptions::default())?);
//! let routes = router(Arc::clone(&daemon));
//! # drop(routes);
//! daemon.stop();
//! # Ok::<(), fourbook_server::LoadError>(())
//! ```
//!
//! Without the feature `http` (on by default) there are only the files of the [`page`].

#[cfg(feature = "http")]
mod http;
pub mod page;

#[cfg(feature = "http")]
pub use http::{BookSource, Daemon, Listener, LoadError, ServerOptions, described, router, serve};
