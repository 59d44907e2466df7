//! Looking positions up in the sections of a book.

use super::blocks::BadBlock;
use super::compact::Compact;
use super::error::BookError;
use super::header::Encoding;
use super::reader::Book;
use super::stored::{SectionReader, StoredPly};
use crate::rank::Ranking;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{
    Board, Outcome, Position, Score, ScoreBounds, Size, Word, is_reachable, winning_score,
};
use fourbook_solver::with_word;

/// The answer to a lookup: a score and where it comes from, or why there is none. A book without scores
/// has the bounds that the outcome leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Lookup {
    /// The rules say it: the game has ended, or the side to move wins with its
    /// next stone. This is an exact score in any book.
    Rules(Score),
    /// An entry of the book.
    Stored(ScoreBounds),
    /// The value of the best move, for a ply that is not stored.
    Derived(ScoreBounds),
    /// The book ends before this ply.
    TooDeep,
    /// No game leads to this position, which was made by hand, so no book has it.
    Absent,
}

impl Lookup {
    /// Returns the result for a position without a book: the score by the rules, or
    /// [`TooDeep`](Self::TooDeep).
    ///
    /// ```
    /// use fourbook::{Lookup, Position};
    /// assert_eq!(Lookup::without_book(Position::from_moves("121212")?), Lookup::Rules(18));
    /// assert_eq!(Lookup::without_book(Position::from_moves("12121")?), Lookup::TooDeep);
    /// # Ok::<(), fourbook::PositionError>(())
    /// ```
    pub fn without_book(position: Position) -> Lookup {
        position.score_by_rules().map_or(Lookup::TooDeep, Lookup::Rules)
    }

    /// The value of this kind, if it is known: the score, or for [`ValueKind::WinDrawLoss`] the sign
    /// of the outcome.
    pub fn value(self, kind: ValueKind) -> Option<Score> {
        self.bounds().and_then(|bounds| kind.value(bounds))
    }

    /// The bounds of the score, if the rules or the book have any.
    #[inline]
    pub fn bounds(self) -> Option<ScoreBounds> {
        match self {
            Lookup::Rules(score) => Some(ScoreBounds::exactly(score)),
            Lookup::Stored(bounds) | Lookup::Derived(bounds) => Some(bounds),
            Lookup::TooDeep | Lookup::Absent => None,
        }
    }

    /// The exact score, if it is known.
    pub fn score(self) -> Option<Score> {
        self.bounds().and_then(ScoreBounds::score)
    }

    /// Who wins, for the side to move, if it is known.
    pub fn outcome(self) -> Option<Outcome> {
        self.bounds().and_then(ScoreBounds::outcome)
    }
}

impl Book {
    /// Looks a position up. Allocates nothing but for the first lookups, and never panics, whatever
    /// the book contains.
    ///
    /// A compact section has a value for any position, even one that no game reaches, so a lookup
    /// there checks whether a game reaches the position.
    ///
    /// # Errors
    ///
    /// If the position's board has another size than the book's; or if the book is damaged where
    /// the value is, or lacks a value that it should have.
    #[inline]
    pub fn look_up(&self, position: Position) -> Result<Lookup, BookError> {
        self.check_size(position.size())?;
        let found = if self.size() == Size::STANDARD {
            self.find(Board::standard(position.mover() as u64, position.mask() as u64))
        } else {
            with_word!(self.size(), B => self.find(Board::<B>::of(position)))
        };
        found.map_err(|error| self.no_value(position, position.ply(), error))
    }
}

/// Looks up the positions after each move of a position whose own result is `lookup`, in less time than
/// [`Book::look_up`]; without a book, by the rules. Calls `visit` with each column that can be played
/// and the result.
pub(crate) fn look_up_moves(
    book: Option<&Book>,
    position: Position,
    lookup: Lookup,
    visit: impl FnMut(usize, Lookup),
) -> Result<(), BookError> {
    // Where a game leads to the position, it leads on.
    let is_reached = matches!(lookup, Lookup::Stored(_) | Lookup::Derived(_));
    with_word!(position.size(), B => {
        let position = Board::<B>::of(position);
        find_moves(position, visit, |child: Board<B>, ply| match book {
            Some(book) => book
                .find_open(child, ply, || is_reached || is_reachable(child.widen()))
                .map_err(|error| book.no_value(child.widen(), ply, error)),
            None => Ok(Lookup::TooDeep),
        })
    })
}

/// Looks up the positions after each move: by the rules, or else with `open`.
#[inline(always)]
fn find_moves<B: Word>(
    position: Board<B>,
    mut visit: impl FnMut(usize, Lookup),
    open: impl Fn(Board<B>, u32) -> Result<Lookup, BookError>,
) -> Result<(), BookError> {
    let size = position.size();
    let ply = position.ply() + 1;
    let moves = position.legal_moves();
    let wins = position.winning_cells();
    let replies = position.opponent_winning_cells();
    for column in 0..size.width() {
        let cell = moves & position.geometry().column(column);
        if cell.is_empty() {
            continue;
        }
        let child = position.play_cell(cell);
        let lookup = if !(wins & cell).is_empty() {
            Lookup::Rules(-winning_score(size.cells(), ply))
        } else if !(replies & child.possible_moves()).is_empty() {
            Lookup::Rules(winning_score(size.cells(), ply + 1))
        } else if child.is_full() {
            Lookup::Rules(0)
        } else {
            open(child, ply)?
        };
        visit(column, lookup);
    }
    Ok(())
}

/// Why a position that should have a value has none. Short results make lookups faster.
enum NoValue {
    /// The section has no entry for it.
    Missing,
    /// A block of the section cannot be read.
    Block(BadBlock),
}

impl From<BadBlock> for NoValue {
    fn from(bad: BadBlock) -> Self {
        NoValue::Block(bad)
    }
}

impl Book {
    #[inline(always)]
    fn find<B: Word>(&self, position: Board<B>) -> Result<Lookup, NoValue> {
        let ply = position.ply();
        // Nobody has three stones before.
        if ply >= 6
            && let Some(score) = position.score_by_rules()
        {
            return Ok(Lookup::Rules(score));
        }
        self.find_open(position, ply, || is_reachable(position.widen()))
    }

    /// Looks up a position of a ply that the rules do not score. `is_reachable` says whether a game
    /// reaches it.
    #[inline(always)]
    fn find_open<B: Word>(
        &self,
        position: Board<B>,
        ply: u32,
        is_reachable: impl Fn() -> bool,
    ) -> Result<Lookup, NoValue> {
        let (source, is_stored) = match self.plies.get(ply as usize..) {
            Some([Some(source), ..]) => (source, true),
            Some([None, Some(source), ..]) => (source, false),
            _ => return Ok(Lookup::TooDeep),
        };
        let reader = match source.reader.get() {
            Some(reader) => reader,
            None => self.open_reader(source)?,
        };
        let kind = self.header.kind;
        let number = if is_stored {
            self.entry(source, reader, position)
        } else {
            position.value_of_best_move(kind, |child| self.entry(source, reader, child))
        };
        match number {
            Ok(number) if matches!(reader, SectionReader::Flat(..)) || is_reachable() => {
                let bounds = kind.bounds(number);
                Ok(if is_stored { Lookup::Stored(bounds) } else { Lookup::Derived(bounds) })
            }
            Err(NoValue::Missing) if is_reachable() => Err(NoValue::Missing),
            Ok(_) | Err(NoValue::Missing) => Ok(Lookup::Absent),
            Err(bad) => Err(bad),
        }
    }

    /// The entry of a position, if it is possible on the board.
    #[inline(always)]
    fn entry<B: Word>(
        &self,
        source: &StoredPly,
        reader: &SectionReader,
        position: Board<B>,
    ) -> Result<Score, NoValue> {
        let section = self.blocks.part(&source.section);
        let value = match reader {
            SectionReader::Flat(flat, ranking) => flat.value(section, ranking.rank(position))?,
            SectionReader::Compact(compact) => compact.value(section, position)?,
        };
        value.filter(|value| value.unsigned_abs() <= self.highest_value).ok_or(NoValue::Missing)
    }

    /// Makes a section ready for lookups: reads its tables, or makes the tables that rank its
    /// positions.
    #[cold]
    fn open_reader<'a>(&self, source: &'a StoredPly) -> Result<&'a SectionReader, BadBlock> {
        let section = &source.section;
        let reader = match section.encoding {
            Encoding::Flat => {
                let ranking = Ranking::new(self.size(), section.ply);
                let ranking = ranking.expect("the slots have been counted");
                SectionReader::Flat(section.flat(), ranking)
            }
            Encoding::Compact => match self.tables(section) {
                Ok(tables) => SectionReader::Compact(Compact::new(tables)),
                Err(BookError::Block { block, .. } | BookError::ReadBlock { block, .. }) => {
                    return Err(BadBlock(block));
                }
                // Opening the book has checked what the tables say.
                Err(_) => return Err(BadBlock(0)),
            },
        };
        Ok(source.reader.get_or_init(|| reader))
    }

    /// The value of a position that a game reaches and that the rules do not score; `None` if the
    /// book lacks it.
    #[inline]
    pub(crate) fn value<B: Word>(&self, position: Board<B>) -> Result<Option<Score>, BookError> {
        let ply = position.ply();
        match self.find_open(position, ply, || true) {
            Ok(found) => Ok(found.value(self.kind())),
            Err(NoValue::Missing) => Ok(None),
            Err(NoValue::Block(bad)) => Err(self.bad_block(ply, bad)),
        }
    }

    #[cold]
    fn no_value(&self, position: Position, ply: u32, error: NoValue) -> BookError {
        match error {
            NoValue::Missing => self.missing(position),
            NoValue::Block(bad) => self.bad_block(ply, bad),
        }
    }
}
