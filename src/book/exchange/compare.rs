//! Whether two books say the same.

use super::{ForeignBook, Found, Step};
use crate::board::notation::diagram;
use crate::board::{OnSize, Position, Score, Size};
use crate::book::error::ChecksumError;
use crate::book::walk::{explore_to, visit_stored};
use crate::book::{Answer, Book, BookView, Progress};
use crate::enumerate::{PlyError, Reachable};
use crate::scores::ValueKind;
use std::io;

/// What a book is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Other<'a> {
    /// Another of our books.
    Book(&'a Book<&'a [u8]>),
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

/// Why two books could not be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// They are for different boards.
    #[error("expected two books for the same board, found one for {book} and one for {other}")]
    Size {
        /// That of the one.
        book: Size,
        /// That of the other.
        other: Size,
    },
    /// One of them is damaged.
    #[error("the {} book cannot be compared", if *.is_first { "first" } else { "other" })]
    Damaged {
        /// Whether it is the first one.
        is_first: bool,
        /// What is wrong with it.
        source: ChecksumError,
    },
    /// They have no ply in common.
    #[error("expected a ply that both books have, found none to ply {depth}; choose a deeper book")]
    NoPly {
        /// The depth of the shallower book.
        depth: u32,
    },
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// A difference could not be told.
    #[error("cannot write a difference")]
    Io(#[from] io::Error),
}

/// A position for which two books have different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position, as a [diagram].
    pub position: String,
    /// The value in the book.
    pub ours: Option<Score>,
    /// The value in the other.
    pub theirs: Option<Score>,
}

/// What came of comparing two books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The plies compared.
    pub plies: Vec<u32>,
    /// How many positions were compared.
    pub compared: u64,
    /// For how many of them the values differ.
    pub different: u64,
    /// How many positions the other book has not, though that is no mistake: some
    /// [formats](super::Format::is_complete) need not have all.
    pub missing: u64,
    /// How many entries of the other book are of none of the positions though all
    /// [should](super::Format::is_complete) be.
    pub extra: u64,
}

impl Comparison {
    /// Whether nothing was found that differs.
    #[must_use]
    pub fn agree(&self) -> bool {
        self.different == 0 && self.extra == 0
    }
}

/// Looks every position up in both books, to the depth of the shallower one: all
/// that the rules do not score, a position and its mirror image once, of plies that
/// both have. If one of them has only outcomes, outcomes are compared. Positions
/// are enumerated on the threads of the current rayon pool; `visit` is called on
/// this one with every difference.
///
/// # Errors
///
/// If the books have nothing in common or one is damaged, or `visit` fails.
pub fn compare<D: AsRef<[u8]>>(
    book: &Book<D>,
    other: Other<'_>,
    progress: &dyn Progress<Step>,
    visit: &mut dyn FnMut(&Difference) -> io::Result<()>,
) -> Result<Comparison, CompareError> {
    let book = &book.borrowed();
    if book.size() != other.size() {
        return Err(CompareError::Size { book: book.size(), other: other.size() });
    }
    let damaged = |is_first| move |source| CompareError::Damaged { is_first, source };
    book.check_sections().map_err(damaged(true))?;
    if let Other::Book(other) = other {
        other.check_sections().map_err(damaged(false))?;
    }
    let exact = [book.kind(), other.kind()].iter().all(|&kind| kind == ValueKind::Scores);
    let kind = if exact { ValueKind::Scores } else { ValueKind::Outcomes };
    book.size().dispatch(Compare { book, other, kind, progress, visit })
}

struct Compare<'a> {
    book: &'a Book<&'a [u8]>,
    other: Other<'a>,
    /// What is compared.
    kind: ValueKind,
    progress: &'a dyn Progress<Step>,
    visit: &'a mut dyn FnMut(&Difference) -> io::Result<()>,
}

/// What the other book says of a position.
enum Theirs {
    Values(Option<Score>, Option<Score>),
    /// Nothing, which is no mistake.
    Missing,
}

impl OnSize for Compare<'_> {
    type Output = Result<Comparison, CompareError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let Compare { book, other, kind, progress, visit } = self;
        let view = book.view::<W, H>().expect("the size is the book's");
        let lookup = Lookup::<W, H>::new(other);
        let depth = book.depth().min(other.depth());
        let plies: Vec<u32> = (0..=depth).filter(|&ply| other.has_ply(ply)).collect();
        if plies.is_empty() {
            return Err(CompareError::NoPly { depth });
        }
        let known = |answer: Answer| answer.value().map(|value| kind.of(value.number()));
        let mut comparison = Comparison::default();
        let mut reachable = Reachable::root();
        let mut used = 0;
        for &ply in &plies {
            explore_to(&mut reachable, ply, |ply| Step::Enumerate { ply }, progress)?;
            let step = |ply| Step::Values { ply };
            visit_stored(reachable.deepest(), step, progress, |position| {
                let ours = known(view.score_of_game(position));
                let (theirs, entries) = lookup.find(position);
                used += entries;
                let Theirs::Values(own, mirrored) = theirs else {
                    comparison.missing += 1;
                    return Ok(());
                };
                let own = own.map(|value| kind.of(value));
                let mirrored = mirrored.map(|value| kind.of(value));
                let theirs = if own == ours { mirrored } else { own };
                comparison.compared += 1;
                if theirs != ours || ours.is_none() {
                    comparison.different += 1;
                    visit(&Difference { position: diagram::print(position), ours, theirs })?;
                }
                Ok::<_, CompareError>(())
            })?;
        }
        if let Other::Foreign(file) = other
            && file.format().is_complete()
        {
            comparison.extra = file.entries().saturating_sub(used);
        }
        comparison.plies = plies;
        Ok(comparison)
    }
}

/// The other book, ready to look positions up in.
enum Lookup<'a, const W: usize, const H: usize> {
    Book(Box<BookView<&'a &'a [u8], W, H>>),
    Foreign(&'a ForeignBook<'a>, bool),
}

impl<'a, const W: usize, const H: usize> Lookup<'a, W, H> {
    fn new(other: Other<'a>) -> Self {
        match other {
            Other::Book(book) => {
                Lookup::Book(Box::new(book.view().expect("both books have the same size")))
            }
            Other::Foreign(book) => Lookup::Foreign(book, other.may_lack_positions()),
        }
    }

    /// What it says of a position, and how many of its entries say it.
    fn find(&self, position: Position<W, H>) -> (Theirs, u64) {
        let both = |value| Theirs::Values(value, value);
        match self {
            Lookup::Book(view) => {
                let value = view.score_of_game(position).value();
                (both(value.map(|value| value.number())), 0)
            }
            Lookup::Foreign(book, may_lack) => match book.find(position) {
                Found::Nothing if *may_lack => (Theirs::Missing, 0),
                Found::Nothing => (both(None), 0),
                Found::Value(value, entries) => (both(Some(value)), entries.into()),
                Found::Contradiction(value, mirrored) => {
                    (Theirs::Values(Some(value), Some(mirrored)), 2)
                }
            },
        }
    }
}
