//! The options of a server.

use axum::http::HeaderValue;
use fourbook::Size;
use std::path::PathBuf;
use std::time::Duration;

/// How a [`Daemon`](super::Daemon) solves positions outside the book, and what clients may do.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The most long searches at a time, which take turns; at most four for each processor, and 0 is one
    /// for each. As many threads again solve easy positions, which never wait for long searches.
    pub threads: usize,
    /// The most long searches that wait for a thread.
    pub queue: usize,
    /// How long a request waits for the solver.
    pub deadline: Duration,
    /// The most nodes for a position, its moves included.
    pub max_nodes: Option<u64>,
    /// Size of all transposition tables together in bytes: half for the default board, the rest in
    /// equal parts for the others. Up to four boards without a book have a table at a time.
    pub table_bytes: usize,
    /// The default board of requests. If `None`, it is the board of the first source of books; for
    /// a folder with several sizes, 7x6, or else the smallest.
    pub default_size: Option<Size>,
    /// The boards served besides the default one; all if there are none.
    pub sizes: Vec<Size>,
    /// The files of strategies, at most one for each board and player. They are read again on a reload.
    /// Boards without any have the built-in strategies, if [`BookSource::Embedded`] is a source.
    ///
    /// [`BookSource::Embedded`]: super::BookSource::Embedded
    pub strategies: Vec<PathBuf>,
    /// How long a request may take, reading its body included; should be longer than `deadline`.
    pub request_timeout: Duration,
    /// The origins whose pages may send requests; `*` is all origins.
    pub cors: Vec<HeaderValue>,
    /// The most connections in use at a time, half of them by one address: those with a request under
    /// way. Beyond that, a request that is no probe of health or metrics is refused. If more than 32
    /// connections besides are open, the longest idle one is closed.
    pub connections: usize,
    /// Whether clients connect by a proxy, which adds their address to `X-Forwarded-For`. Its own
    /// address then has no limit.
    pub trust_proxy: bool,
    /// How long a connection may wait for the head of a request, or for its client to read more of
    /// an answer; should be longer than proxies keep theirs.
    pub idle_timeout: Duration,
    /// How long requests under way may take when the server stops.
    pub grace: Duration,
    /// The number of lines that the log has lost, for the metrics.
    pub lost_log_lines: fn() -> u64,
}

impl Default for ServerOptions {
    /// Two threads, 64 waiting searches, 512 connections and no foreign origins. A
    /// search takes at most 30 seconds, a request 50, an idle connection 75, all else 10. (A system's
    /// usual limit on open files is 1024.)
    fn default() -> Self {
        ServerOptions {
            threads: 2,
            queue: 64,
            deadline: Duration::from_secs(30),
            max_nodes: None,
            table_bytes: 128 << 20,
            default_size: None,
            sizes: Vec::new(),
            strategies: Vec::new(),
            request_timeout: Duration::from_secs(50),
            cors: Vec::new(),
            connections: 512,
            trust_proxy: false,
            // Longer than the 60 seconds of most proxies.
            idle_timeout: Duration::from_secs(75),
            grace: Duration::from_secs(10),
            lost_log_lines: || 0,
        }
    }
}
