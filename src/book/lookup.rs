//! Looking positions up in the sections of a book.

use super::blocks::{BadBlock, Blocks, SectionBytes};
use super::compact::Compact;
use super::error::BookError;
use super::flat::Flat;
use super::header::{Encoding, Header, Section};
use super::reader::Book;
use crate::rank::Ranking;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{
    Board, Outcome, Position, Score, Size, Word, is_reachable, winning_score,
};
use fourbook_solver::with_word;
use std::sync::OnceLock;

/// The value of a position in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The exact score.
    Score(Score),
    /// Win, draw or loss for the side to move, from a book without scores.
    Outcome(Outcome),
}

impl Value {
    /// Makes a value from the number that a book of this kind stores.
    #[inline(always)]
    pub(crate) fn of(kind: ValueKind, number: Score) -> Value {
        match kind {
            ValueKind::Scores => Value::Score(number),
            ValueKind::WinDrawLoss => Value::Outcome(Outcome::of(number)),
        }
    }

    /// The exact score; `None` if only the outcome is known.
    pub fn score(self) -> Option<Score> {
        match self {
            Value::Score(score) => Some(score),
            Value::Outcome(_) => None,
        }
    }

    /// The number that a book stores: the score, or the outcome's sign.
    pub fn number(self) -> Score {
        match self {
            Value::Score(score) => score,
            Value::Outcome(outcome) => outcome.sign(),
        }
    }

    /// The number of this kind; `None` if it is a score and only the outcome is known.
    pub(crate) fn number_of(self, kind: ValueKind) -> Option<Score> {
        match kind {
            ValueKind::Scores => self.score(),
            ValueKind::WinDrawLoss => Some(self.outcome().sign()),
        }
    }

    /// The outcome for the side to move.
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Score(score) => Outcome::of(score),
            Value::Outcome(outcome) => outcome,
        }
    }
}

/// The answer to a lookup: a value and where it comes from, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Lookup {
    /// The rules say it: the game has ended, or the side to move wins with its
    /// next stone. This is an exact score in any book.
    Rules(Score),
    /// An entry of the book.
    Stored(Value),
    /// The value of the best move, for a ply that is not stored.
    Derived(Value),
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
        let score = with_word!(position.size(), B => Board::<B>::of(position).score_by_rules());
        score.map_or(Lookup::TooDeep, Lookup::Rules)
    }

    /// Returns the number of this kind, if it is known.
    pub(crate) fn number_of(self, kind: ValueKind) -> Option<Score> {
        self.value().and_then(|value| value.number_of(kind))
    }

    /// Returns the value, if it is known.
    pub fn value(self) -> Option<Value> {
        match self {
            Lookup::Rules(score) => Some(Value::Score(score)),
            Lookup::Stored(value) | Lookup::Derived(value) => Some(value),
            Lookup::TooDeep | Lookup::Absent => None,
        }
    }

    /// The exact score, if it is known.
    pub fn score(self) -> Option<Score> {
        self.value().and_then(Value::score)
    }

    /// Who wins, for the side to move, if it is known.
    pub fn outcome(self) -> Option<Outcome> {
        self.value().map(Value::outcome)
    }
}

impl Book {
    /// Looks a position up. Never panics, whatever the book contains.
    ///
    /// A compact book has a value for any position, even one that no game reaches. So this checks
    /// whether a game reaches the position. [`look_up_reachable`](Self::look_up_reachable) saves
    /// that for positions made by moves.
    ///
    /// # Errors
    ///
    /// If the position's board has another size than the book's; or if the book is damaged where
    /// the value is, or lacks a value that it should have.
    #[inline]
    pub fn look_up(&self, position: Position) -> Result<Lookup, BookError> {
        match self.find(position) {
            Ok(lookup @ (Lookup::Rules(_) | Lookup::TooDeep | Lookup::Absent)) => Ok(lookup),
            Ok(lookup) if !self.is_compact(position.ply()) => Ok(lookup),
            Err(error @ (NoValue::Block(_) | NoValue::Size)) => {
                Err(self.no_value(position, position.ply(), error))
            }
            found => {
                if is_reachable(position) {
                    found.map_err(|_| self.missing(position))
                } else {
                    Ok(Lookup::Absent)
                }
            }
        }
    }

    /// Looks up a position that a game reaches, such as one made by [`Position::from_moves`] or by
    /// playing on from the empty board. Allocates nothing,
    /// but for the first lookups, and never panics for whatever the book contains.
    ///
    /// For a position that no game reaches, the result means nothing.
    ///
    /// # Errors
    ///
    /// As [`look_up`](Self::look_up).
    #[inline]
    pub fn look_up_reachable(&self, position: Position) -> Result<Lookup, BookError> {
        self.find(position).map_err(|error| self.no_value(position, position.ply(), error))
    }

    /// [`look_up_reachable`](Self::look_up_reachable) with a short error.
    fn find(&self, position: Position) -> Result<Lookup, NoValue> {
        if position.size() != self.size() {
            return Err(NoValue::Size);
        }
        if self.size() == Size::STANDARD {
            let mover = position.mover() as u64;
            let mask = position.mask() as u64;
            return self.find_board(Board::standard(mover, mask));
        }
        with_word!(self.size(), B => self.find_board(Board::<B>::of(position)))
    }

    /// Looks up the positions after each move of a position that a game reaches and that the rules
    /// do not score. Calls `visit` with each column that is not full and the result of
    /// [`look_up_reachable`](Self::look_up_reachable), in less time.
    #[inline]
    pub(crate) fn look_up_moves(
        &self,
        position: Position,
        visit: &mut impl FnMut(usize, Lookup),
    ) -> Result<(), BookError> {
        self.check_size(position.size())?;
        let found = with_word!(self.size(), B => self.find_moves(Board::<B>::of(position), visit));
        // Of the positions after the moves, the one without a value is not known here.
        found.map_err(|error| self.no_value(position, position.ply() + 1, error))
    }

    #[cold]
    fn no_value(&self, position: Position, ply: u32, error: NoValue) -> BookError {
        match error {
            NoValue::Missing => self.missing(position),
            NoValue::Block(bad) => self.bad_block(ply, bad),
            NoValue::Size => BookError::WrongSize { asked: position.size(), book: self.size() },
        }
    }
}

/// A section, and what its first lookup makes to read it.
pub(super) struct StoredPly {
    section: Section,
    /// Made by the first lookup in the ply. It takes longer than the rest of opening a book, and
    /// many programs ask for a single position.
    values: OnceLock<SectionReader>,
}

/// How a section's values are read.
enum SectionReader {
    Flat(Flat, Ranking),
    Compact(Compact),
}

/// Why a position that should have a value has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoValue {
    /// The section has no entry for it.
    Missing,
    /// A block of the section cannot be read.
    Block(BadBlock),
    /// The board has another size than the book's.
    Size,
}

impl From<BadBlock> for NoValue {
    fn from(bad: BadBlock) -> Self {
        NoValue::Block(bad)
    }
}

/// A section, and how its values are read.
type Opened<'a> = (SectionBytes<'a>, &'a SectionReader);

impl Book {
    /// A book with this header, whose sections are not read yet.
    pub(super) fn new(head: Box<[u8]>, identity: u32, header: Header, blocks: Blocks) -> Self {
        let depth = header.sections.last().map_or(0, |section| section.ply);
        let highest_value = header.kind.highest_value(header.size).unsigned_abs();
        let mut plies: Vec<_> = (0..=depth).map(|_| None).collect();
        for section in &header.sections {
            let (section, ply, values) = (section.clone(), section.ply, OnceLock::new());
            plies[ply as usize] = Some(StoredPly { section, values });
        }
        Book { path: None, head, identity, header, blocks, depth, highest_value, plies }
    }

    /// Whether the values of a ply are read or derived from a compact section, where positions
    /// without an entry read as any value.
    fn is_compact(&self, ply: u32) -> bool {
        let source = self.plies.get(self.source_of(ply) as usize);
        matches!(source, Some(Some(source)) if source.section.encoding == Encoding::Compact)
    }

    /// Looks up a position that a game reaches, as
    /// [`look_up_reachable`](Self::look_up_reachable) does.
    #[inline(always)]
    fn find_board<B: Word>(&self, position: Board<B>) -> Result<Lookup, NoValue> {
        let ply = position.ply();
        // Nobody has three stones before.
        if ply >= 6
            && let Some(score) = position.score_by_rules()
        {
            return Ok(Lookup::Rules(score));
        }
        self.find_open(position, ply)
    }

    /// Looks up the positions after the moves of one that a game reaches and that the rules do
    /// not score, by their columns.
    #[inline(always)]
    fn find_moves<B: Word>(
        &self,
        position: Board<B>,
        tell: &mut impl FnMut(usize, Lookup),
    ) -> Result<(), NoValue> {
        let size = position.size();
        let ply = position.ply() + 1;
        // Nobody has four in a line after any move: these are all that the rules score.
        let wins = position.opponent_winning_cells();
        let moves = position.possible_moves();
        for column in 0..size.width() {
            let cell = moves & position.geometry().column(column);
            if cell.is_empty() {
                continue;
            }
            let child = position.play_cell(cell);
            let lookup = if !(wins & child.possible_moves()).is_empty() {
                Lookup::Rules(winning_score(size.cells(), ply + 1))
            } else if child.is_full() {
                Lookup::Rules(0)
            } else {
                self.find_open(child, ply)?
            };
            tell(column, lookup);
        }
        Ok(())
    }

    /// Looks a position of a ply up that a game reaches and that the rules do not score.
    #[inline(always)]
    fn find_open<B: Word>(&self, position: Board<B>, ply: u32) -> Result<Lookup, NoValue> {
        if ply > self.depth {
            return Ok(Lookup::TooDeep);
        }
        match self.open_section(ply)? {
            Some(section) => {
                let value = self.entry(section, position)?.ok_or(NoValue::Missing)?;
                Ok(Lookup::Stored(Value::of(self.header.kind, value)))
            }
            None => {
                let value = self.derived(position, ply)?;
                Ok(Lookup::Derived(Value::of(self.header.kind, value)))
            }
        }
    }

    /// The entry of a position in the section of its ply.
    #[inline(always)]
    fn entry<B: Word>(
        &self,
        (section, values): Opened<'_>,
        position: Board<B>,
    ) -> Result<Option<Score>, BadBlock> {
        let value = match values {
            SectionReader::Flat(flat, ranking) => flat.value(section, ranking.rank(position))?,
            SectionReader::Compact(compact) => compact.value(section, position)?,
        };
        Ok(self.possible(value))
    }

    /// The section of a ply, ready to be read; `None` if it is not stored.
    #[inline(always)]
    fn open_section(&self, ply: u32) -> Result<Option<Opened<'_>>, BadBlock> {
        let Some(Some(stored)) = self.plies.get(ply as usize) else { return Ok(None) };
        let StoredPly { section, values } = stored;
        let part = self.blocks.part(section);
        let values = match values.get() {
            Some(values) => values,
            None => {
                let reader = self.reader(section)?;
                values.get_or_init(|| reader)
            }
        };
        Ok(Some((part, values)))
    }

    /// Makes a section ready for lookups: reads its tables, or makes the tables that rank its
    /// positions.
    #[cold]
    fn reader(&self, section: &Section) -> Result<SectionReader, BadBlock> {
        match section.encoding {
            Encoding::Flat => {
                let ranking = Ranking::new(self.size(), section.ply);
                let ranking = ranking.expect("the slots have been counted");
                Ok(SectionReader::Flat(section.flat(), ranking))
            }
            Encoding::Compact => match self.tables(section) {
                Ok(tables) => Ok(SectionReader::Compact(Compact::new(tables))),
                Err(BookError::Block { block, .. } | BookError::ReadBlock { block, .. }) => {
                    Err(BadBlock(block))
                }
                // Opening the book has checked what the tables say.
                Err(_) => Err(BadBlock(0)),
            },
        }
    }

    /// The value of a position one ply above a stored one, which the rules do not score.
    #[inline(always)]
    fn derived<B: Word>(&self, position: Board<B>, ply: u32) -> Result<Score, NoValue> {
        let below = self.open_section(ply + 1)?.ok_or(NoValue::Missing)?;
        let kind = self.header.kind;
        position.value_of_best_move(kind, |child| self.entry(below, child)?.ok_or(NoValue::Missing))
    }

    /// The value of a position of a stored ply, whose slot is known, as a lookup returns it.
    pub(crate) fn stored<B: Word>(
        &self,
        ply: u32,
        slot: u64,
        position: Board<B>,
    ) -> Result<Option<Score>, BookError> {
        let value = self.open_section(ply).and_then(|section| match section {
            Some((part, SectionReader::Flat(flat, _))) => {
                Ok(self.possible(flat.value(part, slot)?))
            }
            Some(compact) => self.entry(compact, position),
            None => Ok(None),
        });
        value.map_err(|bad| self.bad_block(ply, bad))
    }

    /// `None` for a value that no position has.
    #[inline(always)]
    fn possible(&self, value: Option<Score>) -> Option<Score> {
        value.filter(|value| value.unsigned_abs() <= self.highest_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told_as_what_it_is() {
        let exact = Lookup::Stored(Value::Score(-2));
        assert_eq!((exact.score(), exact.outcome()), (Some(-2), Some(Outcome::Loss)));
        let rough = Lookup::Derived(Value::Outcome(Outcome::Win));
        assert_eq!((rough.score(), rough.outcome()), (None, Some(Outcome::Win)));
        for unknown in [Lookup::TooDeep, Lookup::Absent] {
            assert_eq!((unknown.value(), unknown.score(), unknown.outcome()), (None, None, None));
        }
    }
}
