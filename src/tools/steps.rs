//! Which steps reading and checking a book takes, and how long each.

use crate::board::Size;
use crate::book::{Book, Encoding, Section, stored_plies};
use crate::progress::Step;
use crate::rank::slots;

/// The steps of a run, with how long each takes: nanoseconds on one core, as measured for
/// the book of ply 14 on 7x6. Only what they are beside each other matters.
pub(super) struct Steps {
    size: Size,
    steps: Vec<(Step, f64)>,
    explored: u32,
}

impl Steps {
    pub(super) fn new(size: Size) -> Self {
        Steps { size, steps: Vec::new(), explored: 0 }
    }

    /// A step that takes so long for each slot of a ply.
    pub(super) fn add(&mut self, step: Step, ply: u32, nanoseconds: f64) {
        let slots = slots(self.size, ply).unwrap_or(0);
        self.steps.push((step, slots as f64 * nanoseconds));
    }

    /// A section is read from end to end.
    pub(super) fn section(&mut self, section: &Section) {
        let step = Step::Section { ply: section.ply };
        self.steps.push((step, section.bytes as f64));
    }

    /// All plies to `depth` are explored.
    pub(super) fn explore(&mut self, depth: u32) {
        for ply in self.explored + 1..=depth {
            self.add(Step::Enumerate { ply }, ply - 1, 420.0);
        }
        self.explored = self.explored.max(depth);
    }

    /// A ply of a book is read; whether the one below has been is in `is_next_kept`.
    pub(super) fn read(&mut self, book: &Book, ply: u32, is_next_kept: bool) {
        if book.stores(ply) {
            self.read_stored(book, ply);
            return;
        }
        if !is_next_kept {
            self.read_stored(book, ply + 1);
        }
        self.derive(ply);
    }

    /// A ply is derived.
    pub(super) fn derive(&mut self, ply: u32) {
        self.add(Step::Derive { ply }, ply, 90.0);
    }

    fn read_stored(&mut self, book: &Book, ply: u32) {
        self.explore(ply);
        let section = book.sections().iter().find(|section| section.ply == ply);
        let compact = section.is_some_and(|section| section.encoding == Encoding::Compact);
        self.add(Step::Read { ply }, ply, if compact { 180.0 } else { 10.0 });
    }

    /// The stored plies of a new book are written.
    pub(super) fn encode(&mut self, depth: u32, encoding: Encoding, flat_to: Option<u32>) {
        for ply in stored_plies(depth) {
            let compact = encoding == Encoding::Compact && flat_to.is_none_or(|last| ply > last);
            self.add(Step::Encode { ply }, ply, if compact { 1100.0 } else { 5.0 });
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[(Step, f64)] {
        &self.steps
    }
}
