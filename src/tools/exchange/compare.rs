//! Compares two books.

use super::foreign::{ForeignBook, ForeignValue, name};
use crate::book::{Book, BookError};
use crate::parallel::{Counts, for_each_block_in_order};
use crate::progress::Step;
use crate::scores::decode;
use crate::tools::error::ToolError;
use crate::tools::plies::PlyValues;
use crate::tools::reader::BookReader;
use crate::tools::resources::Resources;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Position, Score};
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
    /// The position, as moves; the empty board as a [diagram](fourbook_solver::board::notation::diagram).
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
    /// Whether positions were compared, and nothing was found that differs.
    pub fn agree(&self) -> bool {
        self.compared > 0 && self.different == 0 && self.extra == 0
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
/// If the books have nothing in common or one is damaged, `visit` fails, or the work is cancelled.
pub fn compare<'a>(
    book: &'a Book,
    other: Other<'a>,
    resources: impl Into<Resources<'a>>,
    visit: &mut dyn FnMut(&Difference) -> io::Result<()>,
) -> Result<Comparison, ToolError> {
    let resources = resources.into();
    let (size, kind, plies, is_complete) = match other {
        Other::Book(book) => (book.size(), book.kind(), (2 << book.depth()) - 1, true),
        Other::Foreign(file) => (file.size, file.kind, file.plies, file.format.is_complete()),
    };
    BookError::check_size(book.size(), size)?;
    book.check_sections()?;
    if let Other::Book(other) = other {
        other.check_sections()?;
    }
    let kind = if kind == ValueKind::Scores { book.kind() } else { kind };
    let depth = book.depth().min(u128::ilog2(plies));
    let plies: Vec<u32> = (0..=depth).filter(|&ply| plies >> ply & 1 == 1).collect();
    if plies.is_empty() {
        let found = format_args!("none to ply {depth}");
        return Err(ToolError::unfit("a ply that both books have", found, "choose a deeper book"));
    }
    let mut reader = BookReader::new(book, depth, resources)?;
    let mut different = 0;
    let mut totals = Counts::default();
    let find = |position| match other {
        Other::Book(other) => Ok(other
            .look_up(position)?
            .value(kind)
            .map_or(ForeignValue::Nothing, |value| ForeignValue::Value(value, 0))),
        Other::Foreign(file) => Ok(file.values.find(position)),
    };
    for &ply in &plies {
        let ours = reader.load(ply)?;
        let step = (Step::Compare(ply), resources.progress);
        let compare = |slots| compare_slots(ours, slots, kind, is_complete, &find);
        for_each_block_in_order(step, ours.slots(), &compare, &mut |block| {
            let (counts, differences) = block?;
            totals = totals + counts;
            different += differences.len() as u64;
            Ok::<_, ToolError>(differences.iter().try_for_each(&mut *visit)?)
        })?;
    }
    let Counts([compared, missing, used]) = totals;
    let extra = match other {
        Other::Foreign(file) if is_complete => file.entries.saturating_sub(used),
        _ => 0,
    };
    Ok(Comparison { plies, compared, different, missing, extra })
}

/// Compares the values of some slots with the results of `find`. Counts the positions compared,
/// those that a book that is not complete lacks, and the entries of the other book used.
fn compare_slots(
    ours: PlyValues<'_>,
    slots: Range<u64>,
    kind: ValueKind,
    is_complete: bool,
    find: &impl Fn(Position) -> Result<ForeignValue, BookError>,
) -> Result<(Counts<3>, Vec<Difference>), BookError> {
    let mut counts = Counts::default();
    let mut differences = Vec::new();
    let Counts([compared, missing, used]) = &mut counts;
    for (slot, position) in ours.positions.stored_in::<u128>(slots) {
        let position = position.widen();
        let (own, mirrored, entries) = match find(position)? {
            ForeignValue::Nothing if !is_complete => {
                *missing += 1;
                continue;
            }
            ForeignValue::Nothing => (None, None, 0),
            ForeignValue::Value(value, entries) => (Some(value), Some(value), entries),
            ForeignValue::Contradiction(value, mirrored) => (Some(value), Some(mirrored), 2),
        };
        *used += u64::from(entries);
        let [ours, own, mirrored] = [decode(ours.bytes[slot as usize]), own, mirrored]
            .map(|value| value.map(|value| kind.of(value)));
        let theirs = if own == ours { mirrored } else { own };
        *compared += 1;
        if theirs != ours || ours.is_none() {
            differences.push(Difference { position: name(position), ours, theirs });
        }
    }
    Ok((counts, differences))
}
