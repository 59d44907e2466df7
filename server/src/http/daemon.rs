//! The state that all requests share: books, solver pool, solved positions.

use super::books::{Boards, BookKey, BookSources, LoadError, Loaded};
use super::metrics::Metrics;
use super::options::ServerOptions;
use super::pool::Pool;
use super::problem::Problem;
use fourbook::oracle::Knowledge;
use fourbook::{Size, ValueKind};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The results of searches for canonical positions, by the book in use and the position's key.
pub(super) type SolvedPositions = Cache<(BookKey, u128), Arc<Knowledge>>;

/// The state that all requests share. Make the routes over it with [`router`](super::router).
pub struct Daemon {
    boards: Boards,
    pub(super) pool: Pool,
    pub(super) solved: Arc<SolvedPositions>,
    pub(super) options: ServerOptions,
    stopping: AtomicBool,
    pub(super) metrics: Arc<Metrics>,
}

/// The daemon, as handlers of requests receive it.
pub(super) type State = axum::extract::State<Arc<Daemon>>;

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes: Vec<_> = self.boards.sizes().collect();
        f.debug_struct("Daemon").field("sizes", &sizes).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Loads the books and starts the solver's threads. The served board sizes stay the same,
    /// even if a folder gets books of other sizes.
    ///
    /// # Errors
    ///
    /// If a book is bad, two are for one board, none is for the default one, or memory or
    /// threads cannot be had.
    ///
    /// # Panics
    ///
    /// If there are no sources.
    pub fn new(sources: impl Into<BookSources>, options: ServerOptions) -> Result<Self, LoadError> {
        let boards = Boards::open(&sources.into(), options.table_bytes)?;
        let metrics = Arc::new(Metrics::new());
        let searches = Arc::clone(&boards.searches);
        let pool = Pool::new(options.threads, options.queue, searches, Arc::clone(&metrics))
            .map_err(LoadError::Threads)?;
        let solved = Arc::new(Cache::new(options.cache));
        let stopping = AtomicBool::new(false);
        let daemon = Daemon { boards, pool, solved, options, stopping, metrics };
        daemon.boards.all_loaded().for_each(|loaded| warn_of_outcomes(&loaded));
        daemon.note_books();
        Ok(daemon)
    }

    /// The boards served, the smallest first.
    #[must_use]
    pub fn sizes(&self) -> Vec<Size> {
        self.boards.sizes().collect()
    }

    /// The default board of requests.
    #[must_use]
    pub fn default_size(&self) -> Size {
        self.boards.default
    }

    /// The identity of the book for boards of a size, eight hexadecimal digits, or `none`.
    #[must_use]
    pub fn identity(&self, size: Size) -> String {
        let loaded = self.boards.loaded(size);
        loaded.map_or("none".to_owned(), |loaded| loaded.identity.clone())
    }

    /// The most memory for the transposition table of boards of a size, in bytes; 0 if there are
    /// none.
    #[must_use]
    pub fn table_bytes(&self, size: Size) -> usize {
        self.boards.loaded(size).map_or(0, |loaded| loaded.oracle.table().bytes())
    }

    /// Reads all books again and answers from them from now on. Requests under way keep the old
    /// ones. Every byte is checked first. Returns the result for each board; on an error, the old
    /// book stays.
    pub fn reload(&self) -> Vec<(Size, Result<(), LoadError>)> {
        let note = |(size, loaded): (Size, Result<Arc<Loaded>, LoadError>)| {
            self.metrics.reloaded(size, loaded.is_ok());
            (size, loaded.map(|loaded| warn_of_outcomes(&loaded)))
        };
        let reloaded = self.boards.reload().into_iter().map(note).collect();
        self.note_books();
        reloaded
    }

    fn note_books(&self) {
        self.metrics.books(self.boards.all_loaded());
    }

    /// All metrics, as text.
    pub(super) fn metrics_text(&self) -> String {
        let new_nodes = self.boards.all_loaded().map(|loaded| loaded.new_nodes());
        self.metrics.nodes.inc_by(new_nodes.sum());
        self.metrics.text()
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

    /// The loaded book for boards of a size, or for the default
    /// size.
    pub(super) fn loaded(&self, size: Option<Size>) -> Result<Arc<Loaded>, Problem> {
        let size = size.unwrap_or(self.boards.default);
        self.boards.loaded(size).ok_or_else(|| Problem::unknown_size(size, &self.sizes()))
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
