//! How long reading and checking a book will take, step by step.

use crate::board::Size;
use crate::book::{Book, Encoding, Section, StoredPlies};
use crate::progress::Step;
use crate::rank::slots;

/// The steps of a run, with how long each takes: nanoseconds on one core, as measured for
/// the book of ply 14 on 7x6. Only what they are beside each other matters.
pub(super) struct Eta {
    size: Size,
    steps: Vec<(Step, f64)>,
    explored: u32,
    /// Plies that have been read and are kept for the next one, each with the number of its
    /// book.
    kept: Vec<(usize, u32)>,
}

impl Eta {
    pub(super) fn new(size: Size) -> Self {
        Eta { size, steps: Vec::new(), explored: 0, kept: Vec::new() }
    }

    /// Adds a step with `nanoseconds` for each slot of a ply.
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

    /// A ply of a book is read.
    pub(super) fn read(&mut self, book: &Book, ply: u32) {
        self.read_of(0, book, ply);
    }

    /// A ply of the book with this number is read, as
    /// [`BookPlies::read_of`](super::plies::BookPlies::read_of) does it.
    pub(super) fn read_of(&mut self, number: usize, book: &Book, ply: u32) {
        self.kept.retain(|&(_, kept)| kept == ply || kept == ply + 1);
        if self.kept.contains(&(number, ply)) {
            return;
        }
        let source = book.source_of(ply);
        if !self.kept.contains(&(number, source)) {
            self.read_stored(book, source);
            self.kept.push((number, source));
        }
        if source != ply {
            self.derive(ply);
            self.kept.push((number, ply));
        }
    }

    /// A ply is derived.
    pub(super) fn derive(&mut self, ply: u32) {
        self.add(Step::Derive { ply }, ply, 90.0);
    }

    fn read_stored(&mut self, book: &Book, ply: u32) {
        self.explore(ply);
        let section = book.section(ply);
        let compact = section.is_some_and(|section| section.encoding == Encoding::Compact);
        self.add(Step::Read { ply }, ply, if compact { 180.0 } else { 10.0 });
    }

    /// The plies of a new book are written.
    pub(super) fn encode(&mut self, plies: StoredPlies, encoding: Encoding, flat_to: Option<u32>) {
        for ply in plies.iter() {
            let compact = encoding == Encoding::Compact && flat_to.is_none_or(|last| ply > last);
            self.add(Step::Encode { ply }, ply, if compact { 1100.0 } else { 5.0 });
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[(Step, f64)] {
        &self.steps
    }
}
