//! The state that all requests share: books, solver pool, solved positions.

use super::books::{Boards, BookSource, LoadError, Loaded, load, open_strategies};
use super::metrics::Metrics;
use super::options::ServerOptions;
use super::pool::{Address, Pool};
use super::problem::Result;
use arc_swap::ArcSwap;
use fourbook::oracle::Analysis;
use fourbook::solver::Searches;
use fourbook::{Position, Size, Strategy, ValueKind};
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many solved positions are kept.
const CACHE: usize = 10_000;

/// The results of searches for canonical positions, by the identity of the board in use.
type Solved = Cache<(Arc<str>, Position), Arc<Analysis>>;

/// The state that all requests share. Make the routes over it with [`router`](super::router).
pub struct Daemon {
    sources: Vec<BookSource>,
    boards: Boards,
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
    /// threads. A file takes precedence over a folder and over the books in the program, and of these
    /// the earlier one. All other boards are solved. The boards with a book or a strategy stay the same,
    /// even if a folder gets books of other sizes.
    ///
    /// # Errors
    ///
    /// If a book or strategy is bad, two are for one board, or memory or threads cannot be had.
    pub fn new(
        sources: impl Into<Vec<BookSource>>,
        options: ServerOptions,
    ) -> Result<Self, LoadError> {
        let searches: Arc<Searches> = Arc::default();
        let sources = sources.into();
        let boards = load(&sources, &options, &searches)?;
        let metrics = Arc::new(Metrics::new());
        let pool =
            Pool::new(&options, searches, Arc::clone(&metrics)).map_err(LoadError::Threads)?;
        let daemon = Daemon {
            sources,
            boards,
            pool,
            solved: Cache::new(CACHE),
            batches: Mutex::default(),
            options,
            stopping: AtomicBool::new(false),
            metrics,
        };
        daemon.all_loaded().for_each(|loaded| warn_of_outcomes(&loaded));
        Ok(daemon)
    }

    /// The boards with a book or a strategy, and the default one; the smallest first.
    pub fn sizes(&self) -> Vec<Size> {
        self.boards.loaded.keys().copied().collect()
    }

    /// All others that the solver answers for.
    pub fn solver_sizes(&self) -> &[Size] {
        &self.boards.solver_sizes
    }

    /// Of each board of [`sizes`](Self::sizes), the default one and then the smallest first: its size, the
    /// identity of its book (eight hexadecimal digits, or `none`) and of its strategies, and the most
    /// memory for its transposition table, in bytes.
    pub fn serving(&self) -> Vec<(Size, String, usize)> {
        let mut serving: Vec<_> = self
            .all_loaded()
            .map(|loaded: Arc<Loaded>| {
                (loaded.size(), loaded.identity.to_string(), loaded.oracle.table().bytes())
            })
            .collect();
        serving.sort_by_key(|(size, ..)| *size != self.boards.default_size);
        serving
    }

    /// The strategies in use, small boards first.
    pub fn strategies(&self) -> Vec<Strategy> {
        self.all_loaded().flat_map(|loaded| loaded.oracle.strategies().to_vec()).collect()
    }

    /// Reads all books and strategies again and answers from them from now on. Requests under way keep
    /// the old ones. Every byte is checked first. Returns for each board whether its book or a strategy
    /// is another one; on an error, the old ones stay.
    pub fn reload(&self) -> Vec<(Size, Result<bool, Arc<LoadError>>)> {
        let opened = self.sources.iter().map(|source| source.open().map_err(Arc::new));
        let mut opened: Vec<_> = opened.collect();
        let strategies = open_strategies(&self.sources, &self.options).map_err(Arc::new);
        let precedence = |source: usize| (self.sources[source].has_many(), source);
        for (number, offers) in opened.iter().enumerate() {
            for size in offers.iter().flat_map(BTreeMap::keys) {
                let board = self.boards.loaded.get(size);
                let current = board.and_then(|board| board.load().source);
                if current.is_none_or(|current| precedence(number) < precedence(current)) {
                    tracing::warn!(%size, "found a new book; restart to answer from it");
                }
            }
        }
        let boards = &self.boards.loaded;
        boards
            .iter()
            .map(|(&size, board): (&Size, &ArcSwap<Loaded>)| {
                let before = board.load_full();
                let loaded = before.reload(&mut opened, &strategies);
                self.metrics.reloaded(loaded.is_ok());
                let is_other = loaded.map(|loaded| {
                    warn_of_outcomes(&loaded);
                    board.store(Arc::clone(&loaded));
                    loaded.identity != before.identity
                });
                (size, is_other)
            })
            .collect()
    }

    /// The loaded books of all boards, small boards first.
    fn all_loaded(&self) -> impl Iterator<Item = Arc<Loaded>> {
        self.boards.loaded.values().map(ArcSwap::load_full)
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
        self.boards.get(size.unwrap_or(self.boards.default_size), &self.metrics)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Warns about a book of outcomes, which saves no search for scores.
fn warn_of_outcomes(loaded: &Loaded) {
    if loaded.oracle.book().is_some_and(|book| book.kind() == ValueKind::WinDrawLoss) {
        let size = loaded.size();
        tracing::warn!(%size, "the book has no scores, so every position is solved; use another one");
    }
}
