//! An answer and where it comes from.

use crate::book::Lookup;
use fourbook_solver::named;
use serde::Serialize;

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// An entry of the book.
    Book,
    /// Worked out from the rules (the game is over, or won with the next
    /// stone) or from book entries one ply on.
    Derived,
    /// A search.
    Solver,
}

named!(Source, "source", 3: Book = "book", Derived = "derived", Solver = "solver");

impl Source {
    /// The source of a lookup's result; the solver if there is none.
    pub(super) fn of(lookup: Lookup) -> Source {
        match lookup {
            Lookup::Stored(_) => Source::Book,
            Lookup::Derived(_) | Lookup::Rules(_) => Source::Derived,
            Lookup::TooDeep | Lookup::Absent => Source::Solver,
        }
    }
}

/// A value, its source and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
    /// Nodes that searches for it visited; 0 if nothing was searched.
    pub nodes: u64,
}
