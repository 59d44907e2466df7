//! Compares two books.

use super::ForeignBook;
use super::error::ExchangeError;
use super::value::ForeignValue;
use crate::board::{Position, Score, Size, Word, with_word};
use crate::book::Book;
use crate::parallel::for_each_block_in_order;
use crate::progress::Step;
use crate::scores::{ValueKind, decode};
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

impl Other<'_> {
    fn size(&self) -> Size {
        match self {
            Other::Book(book) => book.size(),
            Other::Foreign(book) => book.size(),
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Other::Book(book) => book.depth(),
            Other::Foreign(book) => book.depth(),
        }
    }

    fn kind(&self) -> ValueKind {
        match self {
            Other::Book(book) => book.kind(),
            Other::Foreign(book) => book.kind(),
        }
    }

    fn has_ply(&self, ply: u32) -> bool {
        match self {
            Other::Book(book) => ply <= book.depth(),
            Other::Foreign(book) => book.has_ply(ply),
        }
    }

    /// Whether it may lack positions without a mistake.
    fn may_lack_positions(&self) -> bool {
        matches!(self, Other::Foreign(book) if !book.format().is_complete())
    }
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
) -> Result<Comparison, ExchangeError> {
    let resources = resources.into();
    if book.size() != other.size() {
        return Err(ExchangeError::Boards { book: book.size(), other: other.size() });
    }
    let damaged = |is_first| move |source| ExchangeError::Damaged { is_first, source };
    book.check_sections().map_err(damaged(true))?;
    if let Other::Book(other) = other {
        other.check_sections().map_err(damaged(false))?;
    }
    let exact = [book.kind(), other.kind()].iter().all(|&kind| kind == ValueKind::Scores);
    let kind = if exact { ValueKind::Scores } else { ValueKind::WinDrawLoss };
    let depth = book.depth().min(other.depth());
    let plies: Vec<u32> = (0..=depth).filter(|&ply| other.has_ply(ply)).collect();
    if plies.is_empty() {
        return Err(ExchangeError::NoPly { depth });
    }
    let compare = Compare { book, other, kind, resources };
    let (mut found, used) = with_word!(book.size(), B => compare.plies::<B>(&plies, visit))?;
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

impl<'a> Compare<'a> {
    /// Compares plies; returns the result and the number of the other book's entries that have a
    /// position.
    fn plies<B: Word>(
        &self,
        plies: &[u32],
        visit: &mut dyn FnMut(&Difference) -> io::Result<()>,
    ) -> Result<(Comparison, u64), ExchangeError> {
        let books: Vec<&'a Book> = match self.other {
            Other::Book(other) => vec![self.book, other],
            Other::Foreign(_) => vec![self.book],
        };
        let progress = self.resources.progress();
        let depth = plies.last().copied().unwrap_or(0);
        let mut reader = BookPlies::<B>::of_books(&books, depth, self.resources)?;
        let (mut found, mut used) = (Comparison::default(), 0);
        for &ply in plies {
            for book in 0..books.len() {
                reader.read_of(book, ply)?;
            }
            let ours = reader.kept(ply).expect("it has been read");
            let theirs = match self.other {
                Other::Book(_) => Theirs::Book(reader.kept_of(1, ply).expect("it has been read")),
                Other::Foreign(book) => Theirs::Foreign(book),
            };
            progress.begin(Step::Compare { ply }, ours.slots());
            let compare = |slots: Range<u64>| self.compare(ours, &theirs, slots);
            for_each_block_in_order(ours.slots(), &compare, &mut |some| {
                found.compared += some.positions;
                found.missing += some.missing;
                found.different += some.differences.len() as u64;
                used += some.used;
                progress.advance(some.slots);
                some.differences.iter().try_for_each(&mut *visit)
            })
            .map_err(ExchangeError::Difference)?;
        }
        Ok((found, used))
    }

    /// Compares the values in both books of the positions of some slots.
    fn compare<B: Word>(
        &self,
        ours: Ply<'_, B>,
        theirs: &Theirs<'_, B>,
        slots: Range<u64>,
    ) -> Compared {
        let mut compared = Compared { slots: slots.end - slots.start, ..Compared::default() };
        for (slot, position) in ours.positions.stored_in(slots) {
            let (found, entries) = theirs.find(slot, position);
            compared.used += entries;
            let (own, mirrored) = match found {
                ForeignValue::Nothing if self.other.may_lack_positions() => {
                    compared.missing += 1;
                    continue;
                }
                ForeignValue::Nothing => (None, None),
                ForeignValue::Value(value, _) => (Some(value), Some(value)),
                ForeignValue::Contradiction(value, mirrored) => (Some(value), Some(mirrored)),
            };
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

/// The values of a ply in the other book.
enum Theirs<'a, B: Word> {
    Book(Ply<'a, B>),
    Foreign(&'a ForeignBook<'a>),
}

impl<B: Word> Theirs<'_, B> {
    /// The value of a position with its slot, and the number of entries for it.
    fn find(&self, slot: u64, position: Position<B>) -> (ForeignValue, u64) {
        let found = match self {
            Theirs::Book(ply) => {
                let value = decode(ply.bytes[slot as usize]);
                value.map_or(ForeignValue::Nothing, |value| ForeignValue::Value(value, 0))
            }
            Theirs::Foreign(book) => book.find(position),
        };
        let entries = match found {
            ForeignValue::Nothing => 0,
            ForeignValue::Value(_, entries) => entries.into(),
            ForeignValue::Contradiction(..) => 2,
        };
        (found, entries)
    }
}
