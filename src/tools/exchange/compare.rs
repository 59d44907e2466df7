//! Compares two books.

use super::ForeignBook;
use super::value::{Facts, ForeignValue};
use crate::board::{Position, Score};
use crate::book::Book;
use crate::parallel::for_each_block_in_order;
use crate::progress::Step;
use crate::scores::{ValueKind, decode};
use crate::tools::error::ToolError;
use crate::tools::plies::{BookPlies, Ply};
use crate::tools::resources::Resources;
use std::io;
use std::ops::Range;

/// The other book of a comparison.
#[derive(Clone, Copy, Debug)]
pub enum Other<'a> {
    /// Another of our books.
    Book(&'a Book),
    /// A book of another program.
    Foreign(&'a ForeignBook<'a>),
}

/// A position for which two books have different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position, as moves; the empty board as a [diagram](crate::board::notation::diagram).
    pub position: String,
    /// The value in the book.
    pub ours: Option<Score>,
    /// The value in the other.
    pub theirs: Option<Score>,
}

/// The result of comparing two books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The plies compared.
    pub plies: Vec<u32>,
    /// How many positions were compared.
    pub compared: u64,
    /// For how many of them the values differ.
    pub different: u64,
    /// How many positions the other book lacks without a mistake, as its
    /// [format](super::Format::is_complete) need not have all.
    pub missing: u64,
    /// How many entries of the other book belong to none of the positions, in a
    /// [format](super::Format::is_complete) where each should.
    pub extra: u64,
}

impl Comparison {
    /// Whether nothing was found that differs.
    #[must_use]
    pub fn agree(&self) -> bool {
        self.different == 0 && self.extra == 0
    }
}

/// Compares the values of every position in both books, on the plies that both have: all
/// positions that the rules do not score, a position and its mirror image once. If one of
/// the books has outcomes only, outcomes are compared. Works
/// on the threads of the current rayon pool; `visit` is called on
/// this one with every difference, in the order of plies and slots.
///
/// # Errors
///
/// If the books have nothing in common or one is damaged, or `visit` fails.
pub fn compare<'a>(
    book: &'a Book,
    other: Other<'a>,
    resources: impl Into<Resources<'a>>,
    visit: &mut dyn FnMut(&Difference) -> io::Result<()>,
) -> Result<Comparison, ToolError> {
    let resources = resources.into();
    let (size, kind, plies) = match other {
        Other::Book(book) => (book.size(), book.kind(), (2 << book.depth()) - 1),
        Other::Foreign(&ForeignBook { facts: Facts { size, kind, plies, .. }, .. }) => {
            (size, kind, plies)
        }
    };
    book.check_size(size)?;
    book.check_sections()?;
    if let Other::Book(other) = other {
        other.check_sections()?;
    }
    let kind = if kind == ValueKind::Scores { book.kind() } else { kind };
    let depth = book.depth().min(u128::ilog2(plies));
    let plies: Vec<u32> = (0..=depth).filter(|&ply| plies >> ply & 1 == 1).collect();
    if plies.is_empty() {
        return Err(ToolError::NoPly { depth });
    }
    let compare = Compare { book, other, kind, resources };
    let (mut found, used) = compare.plies(&plies, visit)?;
    if let Other::Foreign(file) = other
        && file.format().is_complete()
    {
        found.extra = file.entries().saturating_sub(used);
    }
    found.plies = plies;
    Ok(found)
}

struct Compare<'a> {
    book: &'a Book,
    other: Other<'a>,
    /// The kind of the compared values.
    kind: ValueKind,
    resources: Resources<'a>,
}

/// The result of comparing some positions.
#[derive(Default)]
struct Compared {
    /// Slots gone through.
    slots: u64,
    positions: u64,
    /// Positions that the other book lacks without a mistake.
    missing: u64,
    /// Entries of the other book that belong to a position.
    used: u64,
    differences: Vec<Difference>,
}

/// Returns the value that the other book has in a slot, which is that of the position.
type Find<'a> = dyn Fn(u64, Position) -> ForeignValue + Sync + 'a;

impl<'a> Compare<'a> {
    /// Compares plies; returns the result and the number of the other book's entries that have a
    /// position.
    fn plies(
        &self,
        plies: &[u32],
        visit: &mut dyn FnMut(&Difference) -> io::Result<()>,
    ) -> Result<(Comparison, u64), ToolError> {
        let books: Vec<&'a Book> = match self.other {
            Other::Book(other) => vec![self.book, other],
            Other::Foreign(_) => vec![self.book],
        };
        let progress = self.resources.progress;
        let depth = plies.last().copied().unwrap_or(0);
        let mut reader = BookPlies::new(&books, depth, self.resources)?;
        let (mut found, mut used) = (Comparison::default(), 0);
        for &ply in plies {
            for book in 0..books.len() {
                reader.read(book, ply)?;
            }
            let ours = reader.kept(0, ply).expect("it has been read");
            let find: Box<Find<'_>> = match self.other {
                Other::Book(_) => {
                    let bytes = reader.kept(1, ply).expect("it has been read").bytes;
                    Box::new(|slot, _| {
                        let value = decode(bytes[slot as usize]);
                        value.map_or(ForeignValue::Nothing, |value| ForeignValue::Value(value, 0))
                    })
                }
                Other::Foreign(book) => Box::new(|_, position| book.find(position)),
            };
            progress.begin(Step::Compare(ply), ours.slots());
            let compare = |slots: Range<u64>| self.compare(ours, &*find, slots);
            for_each_block_in_order(ours.slots(), &compare, &mut |some| {
                found.compared += some.positions;
                found.missing += some.missing;
                found.different += some.differences.len() as u64;
                used += some.used;
                progress.advance(some.slots);
                some.differences.iter().try_for_each(&mut *visit)
            })?;
        }
        Ok((found, used))
    }

    /// Compares the values in both books of the positions of some slots.
    fn compare(&self, ours: Ply<'_>, find: &Find<'_>, slots: Range<u64>) -> Compared {
        let lacks_positions =
            matches!(self.other, Other::Foreign(book) if !book.format.is_complete());
        let mut compared = Compared { slots: slots.end - slots.start, ..Compared::default() };
        for (slot, position) in ours.positions.stored_in(slots) {
            let (own, mirrored, entries) = match find(slot, position) {
                ForeignValue::Nothing if lacks_positions => {
                    compared.missing += 1;
                    continue;
                }
                ForeignValue::Nothing => (None, None, 0),
                ForeignValue::Value(value, entries) => (Some(value), Some(value), entries),
                ForeignValue::Contradiction(value, mirrored) => (Some(value), Some(mirrored), 2),
            };
            compared.used += u64::from(entries);
            let [ours, own, mirrored] = [decode(ours.bytes[slot as usize]), own, mirrored]
                .map(|value| value.map(|value| self.kind.of(value)));
            let theirs = if own == ours { mirrored } else { own };
            compared.positions += 1;
            if theirs != ours || ours.is_none() {
                let position = super::name(position);
                compared.differences.push(Difference { position, ours, theirs });
            }
        }
        compared
    }
}
