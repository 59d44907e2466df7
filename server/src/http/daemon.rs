//! The state that all requests share: books, solver pool, solved positions.

use super::books::{Boards, BookSource, LoadError, Loaded, load};
use super::metrics::Metrics;
use super::options::ServerOptions;
use super::pool::{Address, Pool};
use super::problem::Result;
use arc_swap::ArcSwap;
use fourbook::oracle::Analysis;
use fourbook::solver::{Searches, started_threads};
use fourbook::{Oracle, Position, Size};
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many solved positions are kept.
const CACHE: usize = 10_000;

/// The results of searches for canonical positions, by the identity of the board in use.
type Solved = Cache<(Arc<str>, Position), Arc<Analysis>>;

/// The state that all requests share. Make the routes over it with [`router`](super::router).
pub struct Daemon {
    sources: Vec<BookSource>,
    boards: ArcSwap<Boards>,
    pub(super) pool: Arc<Pool>,
    pub(super) solved: Solved,
    /// The memory that the batches of each address hold, in bytes.
    pub(super) batches: Mutex<HashMap<Address, usize>>,
    pub(super) options: ServerOptions,
    stopping: AtomicBool,
    pub(super) metrics: Arc<Metrics>,
}

/// The daemon, as handlers of requests receive it.
pub(super) type State = axum::extract::State<Arc<Daemon>>;

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daemon").field("sizes", &self.sizes()).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Loads the books, at most one for each board size, and the strategies, and starts the solver's
    /// threads. A file takes precedence over a folder and over the built-in books, and of these
    /// the earlier one. All other boards are solved.
    ///
    /// # Errors
    ///
    /// If a book or strategy is bad, two are for one board, or memory or threads cannot be had.
    pub fn new(
        sources: impl Into<Vec<BookSource>>,
        options: ServerOptions,
    ) -> Result<Self, LoadError> {
        let options = ServerOptions { threads: started_threads(options.threads), ..options };
        let searches: Arc<Searches> = Arc::default();
        let sources = sources.into();
        let boards = load(&sources, &options, &searches, None)?;
        let metrics = Arc::new(Metrics::new());
        let pool =
            Pool::new(&options, searches, Arc::clone(&metrics)).map_err(LoadError::Threads)?;
        Ok(Daemon {
            sources,
            boards: ArcSwap::from_pointee(boards),
            pool,
            solved: Cache::new(CACHE),
            batches: Mutex::default(),
            options,
            stopping: AtomicBool::new(false),
            metrics,
        })
    }

    /// The boards with a book or a strategy, and the default one; the smallest first.
    pub fn sizes(&self) -> Vec<Size> {
        self.boards.load().loaded.keys().copied().collect()
    }

    /// The boards with a book, the smallest first.
    pub fn book_sizes(&self) -> Vec<Size> {
        self.sizes_with(|oracle| oracle.book().is_some())
    }

    /// The boards with a strategy, the smallest first.
    pub fn strategy_sizes(&self) -> Vec<Size> {
        self.sizes_with(|oracle| !oracle.strategies().is_empty())
    }

    fn sizes_with(&self, has: impl Fn(&Oracle) -> bool) -> Vec<Size> {
        let boards = self.boards.load();
        let boards = boards.loaded.iter().filter(|(_, loaded)| has(&loaded.oracle));
        boards.map(|(&size, _)| size).collect()
    }

    /// All others that the solver answers for.
    pub fn solver_sizes(&self) -> Vec<Size> {
        self.boards.load().solver_sizes.clone()
    }

    /// The board of requests without a size.
    pub fn default_size(&self) -> Size {
        self.boards.load().default_size
    }

    /// The options that it was made with.
    pub fn options(&self) -> &ServerOptions {
        &self.options
    }

    /// Reads all books and strategies again and answers from them from now on, on boards that had none
    /// as well. The default board stays. Requests under way keep the old ones. Every byte is checked
    /// first. Returns the boards for which a book or a strategy is another one.
    ///
    /// # Errors
    ///
    /// If a book or strategy is bad, two are for one board, or there is no memory. All old ones stay.
    pub fn reload(&self) -> Result<Vec<Size>, LoadError> {
        let old = self.boards.load_full();
        let new = load(&self.sources, &self.options, &old.searches, Some(&old));
        self.metrics.reloaded(new.is_ok());
        let new = new?;
        let changed = Size::all().filter(|size| {
            let boards = [&*old, &new].map(|boards| boards.loaded.get(size));
            let [before, after] = boards.map(|board| board.map(|loaded| &loaded.identity));
            before != after
        });
        let changed = changed.collect();
        self.boards.store(Arc::new(new));
        Ok(changed)
    }

    /// From now on, reports that the server is not ready, so that no new clients come.
    pub fn begin_stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the server is stopping.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Cancels all searches and waits for the solver's threads.
    pub fn stop(&self) {
        self.begin_stop();
        self.pool.stop();
    }

    /// The board of a size, or the default one.
    pub(super) fn loaded(&self, size: Option<Size>) -> Result<Arc<Loaded>> {
        let boards = self.boards.load();
        boards.get(size.unwrap_or(boards.default_size), &self.metrics)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}
