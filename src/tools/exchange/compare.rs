//! Whether two books say the same.

use super::{ForeignBook, Found};
use crate::board::notation::diagram;
use crate::board::{Position, Score, Size, with_word};
use crate::book::{Book, BookWord, ChecksumError, Lookup, Value, View};
use crate::enumerate::{PlyError, Reachable};
use crate::progress::Progress;
use crate::scores::ValueKind;
use crate::tools::walk::{explore_to, visit_stored};
use std::io;

/// What a book is compared with.
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
/// the books has outcomes only, outcomes are compared. Positions
/// are enumerated on the threads of the current rayon pool; `visit` is called on
/// this one with every difference.
///
/// # Errors
///
/// If the books have nothing in common or one is damaged, or `visit` fails.
pub fn compare(
    book: &Book,
    other: Other<'_>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(&Difference) -> io::Result<()>,
) -> Result<Comparison, CompareError> {
    if book.size() != other.size() {
        return Err(CompareError::Size { book: book.size(), other: other.size() });
    }
    let damaged = |is_first| move |source| CompareError::Damaged { is_first, source };
    book.check_sections().map_err(damaged(true))?;
    if let Other::Book(other) = other {
        other.check_sections().map_err(damaged(false))?;
    }
    let exact = [book.kind(), other.kind()].iter().all(|&kind| kind == ValueKind::Scores);
    let kind = if exact { ValueKind::Scores } else { ValueKind::WinDrawLoss };
    let depth = book.depth().min(other.depth());
    let plies: Vec<u32> = (0..=depth).filter(|&ply| other.has_ply(ply)).collect();
    if plies.is_empty() {
        return Err(CompareError::NoPly { depth });
    }
    let mut compare = Compare { book, other, kind, visit, used: 0, found: Comparison::default() };
    with_word!(book.size(), B => compare.plies::<B>(&plies, progress))?;
    let Compare { mut found, used, .. } = compare;
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
    /// What is compared.
    kind: ValueKind,
    visit: &'a mut dyn FnMut(&Difference) -> io::Result<()>,
    /// Entries of the other book that are of a position.
    used: u64,
    found: Comparison,
}

/// What the other book says of a position.
enum Theirs {
    /// A value of the position and one of its mirror image.
    Values(Option<Score>, Option<Score>),
    /// Nothing, which is no mistake.
    Missing,
}

impl Compare<'_> {
    fn plies<B: BookWord>(
        &mut self,
        plies: &[u32],
        progress: &dyn Progress,
    ) -> Result<(), CompareError> {
        let ours = self.book.view::<B>();
        let theirs = match self.other {
            Other::Book(book) => OtherView::Book(book.view()),
            Other::Foreign(book) => OtherView::Foreign(book, self.other.may_lack_positions()),
        };
        let mut reachable = Reachable::<B>::root(self.book.size());
        for &ply in plies {
            explore_to(&mut reachable, ply, progress)?;
            visit_stored(reachable.deepest(), progress, &mut |position| {
                let ours = number(ours.look_up_reachable(position));
                let (theirs, entries) = theirs.find(position);
                self.used += entries;
                self.compare(position, ours, theirs)
            })?;
        }
        Ok(())
    }

    /// Compares what both books say of a position.
    fn compare<B: BookWord>(
        &mut self,
        position: Position<B>,
        ours: Option<Score>,
        theirs: Theirs,
    ) -> Result<(), CompareError> {
        let Theirs::Values(own, mirrored) = theirs else {
            self.found.missing += 1;
            return Ok(());
        };
        let [ours, own, mirrored] =
            [ours, own, mirrored].map(|value| value.map(|value| self.kind.of(value)));
        let theirs = if own == ours { mirrored } else { own };
        self.found.compared += 1;
        if theirs != ours || ours.is_none() {
            self.found.different += 1;
            let position = diagram::print(position.widen());
            (self.visit)(&Difference { position, ours, theirs })?;
        }
        Ok(())
    }
}

/// The value of a lookup as a book has it.
fn number(answer: Lookup) -> Option<Score> {
    answer.value().map(Value::number)
}

/// The other book, ready to look positions up in.
enum OtherView<'a, B: BookWord> {
    Book(View<'a, B>),
    /// A book of another program, and whether it may lack positions.
    Foreign(&'a ForeignBook<'a>, bool),
}

impl<B: BookWord> OtherView<'_, B> {
    /// What it says of a position, and how many of its entries say it.
    fn find(&self, position: Position<B>) -> (Theirs, u64) {
        let both = |value| Theirs::Values(value, value);
        match self {
            OtherView::Book(view) => (both(number(view.look_up_reachable(position))), 0),
            OtherView::Foreign(book, may_lack) => match book.find(position) {
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
