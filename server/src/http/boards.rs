//! The boards that are served, each with the book and the table that belong to it.

use super::books::{BookSource, BookSources, LoadError, LoadedInfo, PassedOver, ReadBook};
use arc_swap::ArcSwap;
use fourbook::solver::{Searches, TranspositionTable};
use fourbook::{Oracle, Size};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A book as the daemon uses it.
pub(super) struct Loaded {
    pub(super) oracle: Oracle,
    pub(super) info: LoadedInfo,
    /// Tells this book's work from another's, be it for another board.
    pub(super) generation: u64,
    /// Nodes of the oracle that have been counted.
    counted_nodes: AtomicU64,
}

impl Loaded {
    /// The board that it answers for.
    pub(super) fn size(&self) -> Size {
        self.oracle.size()
    }

    /// Nodes of searches that have ended since the last call.
    pub(super) fn new_nodes(&self) -> u64 {
        let nodes = self.oracle.nodes();
        nodes.saturating_sub(self.counted_nodes.fetch_max(nodes, Ordering::Relaxed))
    }
}

/// The boards of one size.
struct Board {
    source: BookSource,
    table: Arc<TranspositionTable>,
    loaded: ArcSwap<Loaded>,
}

/// All boards that are served, by their sizes.
pub(super) struct Boards {
    by_size: BTreeMap<Size, Board>,
    /// The one that is meant where a request names none.
    default: Size,
    /// The last number that was given to a loaded book.
    generation: AtomicU64,
    searches: Arc<Searches>,
}

impl Boards {
    /// Reads the books. Each board has an even part of `table_bytes` bytes for its table, which
    /// uses no more memory than it fills.
    ///
    /// # Errors
    ///
    /// If a book is bad, two are for one board, none is for the one that is meant where a
    /// request names none, or memory cannot be had.
    pub(super) fn open(sources: &BookSources, table_bytes: usize) -> Result<Self, LoadError> {
        let (found, default) = sources.read()?;
        let table_bytes = table_bytes / found.len();
        let mut by_size = BTreeMap::new();
        let searches: Arc<Searches> = Arc::default();
        for (generation, (size, (source, read))) in (0..).zip(found) {
            let searches = Arc::clone(&searches);
            let table = TranspositionTable::with_searches(size, table_bytes, searches)?;
            let table = Arc::new(table);
            let loaded = ArcSwap::from_pointee(Loaded::new(read, &table, generation));
            by_size.insert(size, Board { source, table, loaded });
        }
        let generation = AtomicU64::new(by_size.len() as u64 - 1);
        Ok(Boards { by_size, default, generation, searches })
    }

    /// The sizes, the smallest first.
    pub(super) fn sizes(&self) -> impl Iterator<Item = Size> {
        self.by_size.keys().copied()
    }

    /// The size that is meant where a request names none.
    pub(super) fn default_size(&self) -> Size {
        self.default
    }

    /// The searches of all boards that idle threads can help.
    pub(super) fn searches(&self) -> &Arc<Searches> {
        &self.searches
    }

    /// The book of a board and what belongs to it, as it is now; `None` if no boards of that
    /// size are served.
    pub(super) fn loaded(&self, size: Size) -> Option<Arc<Loaded>> {
        Some(self.by_size.get(&size)?.loaded.load_full())
    }

    /// The books of all boards, those of small boards first.
    pub(super) fn all_loaded(&self) -> impl Iterator<Item = Arc<Loaded>> {
        self.by_size.values().map(|board| board.loaded.load_full())
    }

    /// Reads the books again, each for itself: where that fails, the old one stays.
    pub(super) fn reload(&self) -> Vec<(Size, Result<Arc<Loaded>, LoadError>)> {
        let mut passed_over = PassedOver::default();
        let boards = self.by_size.iter();
        boards
            .map(|(&size, board)| {
                let read = board.source.read_again(size, &mut passed_over);
                let loaded = read.map(|read| {
                    let generation = self.generation.fetch_add(1, Ordering::Relaxed) + 1;
                    let loaded = Loaded::new(read, &board.table, generation);
                    let loaded = Arc::new(loaded);
                    board.loaded.store(Arc::clone(&loaded));
                    loaded
                });
                (size, loaded)
            })
            .collect()
    }
}

impl Loaded {
    fn new(read: Option<ReadBook>, table: &Arc<TranspositionTable>, generation: u64) -> Self {
        let info = LoadedInfo::of(table.size(), read.as_ref());
        let oracle = Oracle::sharing(read.map(|read| Arc::new(read.book)), Arc::clone(table));
        Loaded { oracle, info, generation, counted_nodes: AtomicU64::new(0) }
    }
}
