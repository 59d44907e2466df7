//! Compares two books.

use super::foreign::{ForeignBook, ForeignValue};
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
        Other::Foreign(file) => (file.size, file.kind, file.plies),
    };
    book.check_size(size)?;
    book.check_sections()?;
    let mut books = vec![book];
    if let Other::Book(other) = other {
        other.check_sections()?;
        books.push(other);
    }
    let kind = if kind == ValueKind::Scores { book.kind() } else { kind };
    let depth = book.depth().min(u128::ilog2(plies));
    let plies: Vec<u32> = (0..=depth).filter(|&ply| plies >> ply & 1 == 1).collect();
    if plies.is_empty() {
        let found = format_args!("none to ply {depth}");
        return Err(ToolError::unfit("a ply that both books have", found, "choose a deeper book"));
    }
    let mut reader = BookPlies::new(&books, depth, resources)?;
    let (mut found, mut used) = (Comparison::default(), 0);
    for &ply in &plies {
        for book in 0..books.len() {
            reader.read(book, ply)?;
        }
        let ours = reader.kept(0, ply).expect("it has been read");
        let compare = Compare { ours, theirs: reader.kept(1, ply), other, kind };
        resources.progress.begin(Step::Compare(ply), ours.slots());
        for_each_block_in_order(ours.slots(), &|slots| compare.slots(slots), &mut |some| {
            found.compared += some.positions;
            found.missing += some.missing;
            found.different += some.differences.len() as u64;
            used += some.used;
            resources.progress.advance(some.slots);
            some.differences.iter().try_for_each(&mut *visit)
        })?;
    }
    if let Other::Foreign(file) = other
        && file.format.is_complete()
    {
        found.extra = file.entries.saturating_sub(used);
    }
    found.plies = plies;
    Ok(found)
}

/// A ply in both books.
struct Compare<'a> {
    ours: Ply<'a>,
    /// The other book's, unless it is of another program.
    theirs: Option<Ply<'a>>,
    other: Other<'a>,
    /// The kind of the compared values.
    kind: ValueKind,
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

impl Compare<'_> {
    /// The value that the other book has in a slot, which is that of the position.
    fn find(&self, slot: u64, position: Position) -> ForeignValue {
        let Other::Foreign(book) = self.other else {
            let value = self.theirs.and_then(|ply| decode(ply.bytes[slot as usize]));
            return value.map_or(ForeignValue::Nothing, |value| ForeignValue::Value(value, 0));
        };
        book.values.find(position)
    }

    /// Compares the values in both books of the positions of some slots.
    fn slots(&self, slots: Range<u64>) -> Compared {
        let lacks_positions =
            matches!(self.other, Other::Foreign(book) if !book.format.is_complete());
        let mut compared = Compared { slots: slots.end - slots.start, ..Compared::default() };
        for (slot, position) in self.ours.positions.stored_in(slots) {
            let (own, mirrored, entries) = match self.find(slot, position) {
                ForeignValue::Nothing if lacks_positions => {
                    compared.missing += 1;
                    continue;
                }
                ForeignValue::Nothing => (None, None, 0),
                ForeignValue::Value(value, entries) => (Some(value), Some(value), entries),
                ForeignValue::Contradiction(value, mirrored) => (Some(value), Some(mirrored), 2),
            };
            compared.used += u64::from(entries);
            let [ours, own, mirrored] = [decode(self.ours.bytes[slot as usize]), own, mirrored]
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
