//! The server, by concern.

mod answer;
mod books;
mod daemon;
mod explain;
mod layers;
mod listen;
mod metrics;
#[cfg(test)]
mod openapi;
mod pool;
mod problem;
#[cfg(target_os = "linux")]
mod process;
mod request;
mod response;
mod routes;

pub use books::{BookSource, BookSources, LoadError};
pub use daemon::{Daemon, SolverOptions};
pub use layers::Http;
pub use listen::{ConnectionLimits, Listener, serve};
pub use routes::router;
