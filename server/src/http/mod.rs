//! The server, by concern.

mod answer;
mod books;
mod daemon;
mod layers;
mod listen;
mod metrics;
mod options;
mod pool;
mod problem;
#[cfg(target_os = "linux")]
mod process;
mod request;
mod response;
mod routes;

/// The limits and kinds of errors that the description of the API names.
#[doc(hidden)]
pub mod described {
    pub use super::layers::MAX_BODY;
    pub use super::problem::KINDS;
    pub use super::routes::MAX_POSITIONS;
}

pub use books::{BookSource, LoadError};
pub use daemon::Daemon;
pub use listen::{Listener, serve};
pub use options::ServerOptions;
pub use routes::router;
