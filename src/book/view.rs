//! Lookups in the word that holds a book's boards.

use super::compact::Compact;
use super::flat::Flat;
use super::format::{Encoding, Header, Section};
use super::lookup::{Lookup, Value};
use super::reader::Book;
use crate::board::{Geometry, Position, Score, Word, winning_score, with_word};
use crate::rank::Ranking;
use std::sync::OnceLock;

/// What looking up in a section takes.
#[derive(Clone, Debug)]
pub(crate) struct StoredPly<B: Word> {
    start: usize,
    length: usize,
    /// Made by the first lookup in the ply, as it takes longer than all else about opening a
    /// book, which many a program does to ask for a single position.
    values: OnceLock<Values<B>>,
}

/// How a section's values are read.
#[derive(Clone, Debug)]
enum Values<B: Word> {
    Flat(Flat, Ranking<B>),
    Compact(Compact),
    /// Not at all: the section has changed since the book was opened.
    Changed,
}

/// The plies of a book, from 0 to the deepest, in the word that holds its boards; `None` are
/// those that it does not store.
#[derive(Debug)]
pub(crate) enum Plies {
    Narrow(Vec<Option<StoredPly<u64>>>),
    Wide(Vec<Option<StoredPly<u128>>>),
}

impl Plies {
    /// The plies of a book, nothing of whose sections is read yet.
    pub(super) fn new(header: &Header) -> Plies {
        with_word!(header.size, B => B::wrap(plies::<B>(header)))
    }
}

fn plies<B: Word>(header: &Header) -> Vec<Option<StoredPly<B>>> {
    let mut plies: Vec<_> = (0..=header.depth).map(|_| None).collect();
    for section in &header.sections {
        let (start, length) = (section.offset as usize, section.bytes as usize);
        plies[section.ply as usize] = Some(StoredPly { start, length, values: OnceLock::new() });
    }
    plies
}

impl<B: Word> Values<B> {
    /// Makes a section ready for lookups: reads its tables, or makes those that number its
    /// positions.
    #[cold]
    fn open(book: &Book, section: &Section) -> Self {
        match section.encoding {
            Encoding::Flat => {
                let ranking =
                    Ranking::new(book.size(), section.ply).expect("the slots have been counted");
                Values::Flat(section.flat(), ranking)
            }
            Encoding::Compact => {
                let tables = book.tables(section);
                tables.map_or(Values::Changed, |tables| Values::Compact(Compact::new(&tables)))
            }
        }
    }
}

/// A word that books can be looked up in.
pub(crate) trait BookWord: Word {
    /// Plies of this word.
    fn wrap(plies: Vec<Option<StoredPly<Self>>>) -> Plies;

    /// The plies of a book.
    ///
    /// # Panics
    ///
    /// If its boards are held by another word.
    fn plies(plies: &Plies) -> &[Option<StoredPly<Self>>];
}

impl BookWord for u64 {
    fn wrap(plies: Vec<Option<StoredPly<Self>>>) -> Plies {
        Plies::Narrow(plies)
    }

    #[inline(always)]
    fn plies(plies: &Plies) -> &[Option<StoredPly<Self>>] {
        match plies {
            Plies::Narrow(plies) => plies,
            Plies::Wide(_) => wrong_word(),
        }
    }
}

impl BookWord for u128 {
    fn wrap(plies: Vec<Option<StoredPly<Self>>>) -> Plies {
        Plies::Wide(plies)
    }

    #[inline(always)]
    fn plies(plies: &Plies) -> &[Option<StoredPly<Self>>] {
        match plies {
            Plies::Wide(plies) => plies,
            Plies::Narrow(_) => wrong_word(),
        }
    }
}

#[cold]
fn wrong_word() -> ! {
    panic!("the book's boards are held by another word")
}

/// The section of a stored ply, and how its values are read.
type Opened<'a, B> = (&'a [u8], &'a Values<B>);

/// A book as inner loops look positions up in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a, B: BookWord> {
    book: &'a Book,
    bytes: &'a [u8],
    plies: &'a [Option<StoredPly<B>>],
}

impl<'a, B: BookWord> View<'a, B> {
    #[inline(always)]
    pub(super) fn new(book: &'a Book, plies: &'a Plies) -> Self {
        View { book, bytes: book.bytes(), plies: B::plies(plies) }
    }

    /// What is known of a position that a game reaches, as [`Book::look_up_reachable`] says.
    #[inline(always)]
    pub(crate) fn look_up_reachable(&self, position: Position<B>) -> Lookup {
        let ply = position.ply();
        // Nobody has three stones before.
        if ply >= 6
            && let Some(score) = position.score_by_rules()
        {
            return Lookup::Rules(score);
        }
        self.look_up_open(position, ply)
    }

    /// What is known of the positions after the moves of one that a game reaches and that the
    /// rules do not score, by their columns.
    #[inline(always)]
    pub(super) fn look_up_moves(
        &self,
        position: Position<B>,
        tell: &mut impl FnMut(usize, Lookup),
    ) {
        let (size, ply) = (position.size(), position.ply() + 1);
        // Nobody has four in a line after any move: these are all that the rules score.
        let (wins, moves) = (position.opponent_winning_cells(), position.possible_moves());
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
                self.look_up_open(child, ply)
            };
            tell(column, lookup);
        }
    }

    /// What is known of a position of a ply that a game reaches and that the rules do not
    /// score.
    #[inline(always)]
    fn look_up_open(&self, position: Position<B>, ply: u32) -> Lookup {
        if ply > self.book.depth() {
            return Lookup::TooDeep;
        }
        let stored = self.section(ply);
        let value = match stored {
            Some(section) => self.entry(section, position),
            None => self.derived(position, ply),
        };
        let Some(value) = value else {
            return Lookup::Damaged;
        };
        let value = Value::of(self.book.kind(), value);
        if stored.is_some() { Lookup::Stored(value) } else { Lookup::Derived(value) }
    }

    /// The entry of a position in the section of its ply.
    #[inline(always)]
    fn entry(&self, (section, values): Opened<'a, B>, position: Position<B>) -> Option<Score> {
        let value = match values {
            Values::Flat(flat, ranking) => flat.value(section, ranking.rank(position)),
            Values::Compact(compact) => compact.value(section, position),
            Values::Changed => None,
        };
        // What no position has is no entry, but damage.
        value.filter(|value| value.unsigned_abs() <= self.book.highest_value())
    }

    /// The section of a ply; `None` if it is not stored.
    #[inline(always)]
    fn section(&self, ply: u32) -> Option<Opened<'a, B>> {
        let stored = self.plies.get(ply as usize)?.as_ref()?;
        let section = part(self.bytes, stored.start, stored.length);
        let open = || {
            let section = self.book.section(ply).expect("the ply is stored");
            Values::open(self.book, section)
        };
        Some((section, stored.values.get_or_init(open)))
    }

    /// The value of a position one ply above a stored one, which the rules do
    /// not score: the best of its moves.
    #[inline(always)]
    fn derived(&self, position: Position<B>, ply: u32) -> Option<Score> {
        let mut moves = position.non_losing_moves();
        if moves.is_empty() {
            // Whatever is played, the opponent wins with the stone after.
            return Some(self.value_of(-winning_score(position.size().cells(), ply + 2)));
        }
        let below = self.section(ply + 1)?;
        let mut best = Score::MIN;
        while !moves.is_empty() {
            let child = position.play_cell(moves.lowest());
            moves = moves.without_lowest();
            // The opponent cannot win at once: an entry, or a full board.
            let value = if child.is_full() { 0 } else { self.entry(below, child)? };
            best = best.max(value.saturating_neg());
        }
        Some(best)
    }

    /// A score as this book has it.
    pub(crate) fn value_of(&self, score: Score) -> Score {
        self.book.kind().of(score)
    }
}

#[cfg(feature = "generate")]
impl<'a, B: BookWord> View<'a, B> {
    /// The book.
    #[inline(always)]
    pub(crate) fn book(&self) -> &'a Book {
        self.book
    }

    /// The entries of positions of a stored ply, each with its slot, in their order: what
    /// [`stored`](Self::stored) gives, sooner.
    pub(crate) fn stored_many(
        &self,
        ply: u32,
        slots: &[u64],
        positions: &[Position<B>],
    ) -> Vec<Option<Score>> {
        let mut values = Vec::with_capacity(positions.len());
        let Some((section, how)) = self.section(ply) else { return vec![None; positions.len()] };
        match how {
            Values::Flat(flat, _) => {
                values.extend(slots.iter().map(|&slot| flat.value(section, slot)));
            }
            Values::Compact(compact) => compact.values(section, positions, &mut values),
            Values::Changed => values.resize(positions.len(), None),
        }
        let highest = self.book.highest_value();
        for value in &mut values {
            // What no position has is no entry, but damage.
            *value = value.filter(|value| value.unsigned_abs() <= highest);
        }
        values
    }

    /// What the compact section of a stored ply says of itself; `None` if it has another
    /// encoding or is damaged there.
    pub(crate) fn compact(&self, ply: u32) -> Option<&'a Compact> {
        match self.section(ply)? {
            (_, Values::Compact(compact)) => Some(compact),
            (_, Values::Flat(..) | Values::Changed) => None,
        }
    }
}

/// A position of 7x6 with a board that compilers know to be constant: looking up takes less
/// time.
#[inline(always)]
pub(super) fn standard(mover: u64, mask: u64) -> Position<u64> {
    static STANDARD: Geometry<u64> = u64::STANDARD;
    Position::from_bitboards_unchecked(&STANDARD, mover, mask)
}

/// Some of the bytes; none if there are not so many.
#[inline(always)]
pub(super) fn part(bytes: &[u8], start: usize, length: usize) -> &[u8] {
    bytes.get(start..).and_then(|bytes| bytes.get(..length)).unwrap_or(&[])
}
