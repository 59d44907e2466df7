//! The tables of a search, one for each tier of a computer's memory.
//!
//! The later the ply, the more positions there are and the less work is lost with each. So late
//! plies have a small table that stays in a core's own cache, and early ones a large one in main
//! memory, where every lookup costs as much as a node. A third one between them stays in the cache
//! that the cores share.

use super::entry::TableWord;
use super::memory::{Table, TableError};
use crate::board::Size;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the table for late plies: it fits a core's own cache.
const LATE_BYTES: usize = 1 << 20;
/// Bytes of the table for middle plies, which come between: it fits the cache of all cores. With
/// more plies in it, entries that are needed again much later, as when a book is made, would be
/// overwritten by then.
const MIDDLE_BYTES: usize = 16 << 20;
/// An early table of fewer bytes serves the middle plies, too.
const LARGE_BYTES: usize = 16 * MIDDLE_BYTES;
/// All entries of a table are in use.
const ALL: u64 = 1 << 16;
/// The share of entries in use with which a table grows.
const MOST_IN_USE: u64 = ALL * 6 / 10;
/// The number of lookups that the average covers.
const REMEMBERED_LOOKS: u64 = 8;
/// Places that one look reads.
const PLACES_A_LOOK: u64 = 8;
/// Doubling this many bytes takes about as long as visiting a node.
const BYTES_A_NODE: u64 = 64;
/// Nodes of all searches between two looks.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;
/// Cells that are empty in the first late ply. Threads that search one position together could use
/// each other's results there as well, but it is faster to search again than to fetch from another
/// core.
const LATE_CELLS: u32 = 18;
/// Cells that are empty in the first middle ply.
const MIDDLE_CELLS: u32 = 20;

/// The tables that all threads share.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) early: Table,
    /// Used beside a large early table only.
    middle: Option<Table>,
    usage: Usage,
}

/// How much of the early table is in use. All threads write here, so it shares no cache line with
/// the masks of the tables, which they read at every node.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Usage {
    /// Nodes of all searches, as reported here.
    nodes: AtomicU64,
    /// The share of its entries that are in use, in [`ALL`]ths: an average over the last
    /// [`REMEMBERED_LOOKS`].
    in_use: AtomicU64,
}

impl Tables {
    pub(crate) fn new(bytes: usize) -> Result<Self, TableError> {
        let early = Table::new(bytes)?;
        let large = early.bytes >= LARGE_BYTES;
        let middle = large.then(|| Table::new(MIDDLE_BYTES)).transpose()?;
        Ok(Tables { early, middle, usage: Usage::default() })
    }

    /// A search of at most `most` nodes has visited `nodes` more. Every few thousand of them, the
    /// early table is doubled if most of it is in use and that takes no longer than `most` nodes.
    /// It starts small, since memory that is never needed costs time as well: the system zeroes
    /// it, and caches hold less of it.
    pub(crate) fn grow_after<B: TableWord>(&self, nodes: u64, most: u64) {
        let before = self.usage.nodes.fetch_add(nodes, Ordering::Relaxed);
        let look = (before + nodes) / NODES_BETWEEN_LOOKS;
        if look > before / NODES_BETWEEN_LOOKS {
            self.look::<B>(look * PLACES_A_LOOK, most);
        }
    }

    /// Looks at a few places of the early table, and doubles it if most are in use and a search of
    /// at most `most` nodes may.
    #[cold]
    fn look<B: TableWord>(&self, first: u64, most: u64) {
        let mut found = 0;
        for number in first..first + PLACES_A_LOOK {
            // Any keys do: the hashes of consecutive keys are far apart.
            let place = B::place(B::truncate(u128::from(number + 1)));
            let (used, all) = B::use_of(&self.early, place);
            found += ALL * u64::from(used) / u64::from(all);
        }
        let before = self.usage.in_use.load(Ordering::Relaxed);
        let mut in_use = before - before / REMEMBERED_LOOKS;
        in_use += found / PLACES_A_LOOK / REMEMBERED_LOOKS;
        let quick = self.early.bytes_in_use() as u64 / BYTES_A_NODE <= most;
        if in_use > MOST_IN_USE && quick {
            B::grow(&self.early);
            self.middle.as_ref().inspect(|middle| B::grow(middle));
            in_use /= 2;
        }
        self.usage.in_use.store(in_use, Ordering::Relaxed);
    }

    /// About how large the early table is once it holds `factor` times as many entries as now.
    pub(crate) fn bytes_with(&self, factor: f64) -> f64 {
        let in_use = self.usage.in_use.load(Ordering::Relaxed) as f64 / MOST_IN_USE as f64;
        let doublings = (in_use * factor).max(1.0).log2().ceil();
        self.early.bytes_in_use() as f64 * doublings.exp2()
    }
}

/// The table for late plies that each thread has for itself, for boards of one size.
pub(crate) fn late() -> Result<Table, TableError> {
    Table::new(LATE_BYTES)
}

/// The tables of one search.
#[derive(Debug)]
pub(crate) struct Tiers<'a> {
    pub(crate) shared: &'a Tables,
    early: &'a Table,
    middle: &'a Table,
    late: &'a Table,
    middle_from: u32,
    late_from: u32,
}

impl<'a> Tiers<'a> {
    pub(crate) fn new(size: Size, shared: &'a Tables, late: &'a Table) -> Self {
        Tiers {
            shared,
            early: &shared.early,
            middle: shared.middle.as_ref().unwrap_or(&shared.early),
            late,
            middle_from: size.cells().saturating_sub(MIDDLE_CELLS),
            late_from: size.cells().saturating_sub(LATE_CELLS),
        }
    }

    /// The table for positions of this ply.
    #[inline(always)]
    pub(crate) fn of_ply(&self, ply: u32) -> &'a Table {
        if ply >= self.late_from {
            self.late
        } else if ply >= self.middle_from {
            self.middle
        } else {
            self.early
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Bounds;
    use super::*;

    /// Fills the table like a search.
    #[test]
    #[cfg_attr(miri, ignore = "millions of entries")]
    fn a_table_grows_when_most_of_it_is_in_use_and_the_search_is_long() {
        let tables = Tables::new(4 * Table::MIN_BYTES).unwrap();
        let entries = (Table::MIN_BYTES / 8) as u64;
        let first_key = |number: u64| number << 3 | 1;
        let known = Bounds { lower: 1, upper: 2 };
        let fill = |numbers: std::ops::Range<u64>, most| {
            for number in numbers {
                u64::store(&tables.early, u64::place(first_key(number)), known, 16);
                tables.grow_after::<u64>(4, most);
            }
        };
        // Growing leaves half of the places empty.
        let in_use = || tables.usage.in_use.load(Ordering::Relaxed);
        fill(0..entries / 3, u64::MAX);
        let before = in_use();
        assert!(before > ALL / 5 && before < MOST_IN_USE, "{before}");
        let bytes = tables.early.bytes_in_use();
        let too_short = bytes as u64 / BYTES_A_NODE - 1;
        fill(entries / 3..2 * entries, too_short);
        assert!(in_use() > MOST_IN_USE);
        assert_eq!(tables.early.bytes_in_use(), bytes);
        fill(0..2 * entries, u64::MAX);
        let places = 10_000;
        let mut used = 0;
        for number in 0..places {
            // Lookups of keys that are not in the table.
            let place = u64::place(first_key(number + 3 * entries));
            used += u64::use_of(&tables.early, place).0;
        }
        // There may be four tables; three times the first size holds only some of them.
        let share = f64::from(used) / (2 * places) as f64;
        assert!(share > 0.2 && share < 0.7, "{share}");
        let bytes = tables.early.bytes_in_use() as f64;
        assert_eq!(
            [0.1, 1.0, 4.0].map(|factor| tables.bytes_with(factor)),
            [bytes, bytes, 4.0 * bytes]
        );
    }
}
