//! Looking positions up in the sections of a book.

use super::compact::{Compact, Tables};
use super::flat::Flat;
use super::header::{Encoding, Header, Section};
use super::lookup::{Lookup, Value};
use crate::board::{Position, Score, Size, Word, winning_score};
use crate::rank::Ranking;
use crate::scores::ValueKind;
use std::sync::OnceLock;

/// The sections of a book, in the word that holds its boards; they are read from the book's
/// bytes, which every method gets.
#[derive(Debug)]
pub(super) struct Sections<B: Word> {
    size: Size,
    depth: u32,
    kind: ValueKind,
    /// The highest value that the board has.
    highest_value: u8,
    /// By ply, from 0 to the deepest; `None` where a ply is not stored.
    plies: Vec<Option<StoredPly<B>>>,
}

#[derive(Debug)]
struct StoredPly<B: Word> {
    section: Section,
    /// Made by the first lookup in the ply, as it takes longer than all else about opening a
    /// book, which many a program does to ask for a single position.
    values: OnceLock<Values<B>>,
}

/// How a section's values are read.
#[derive(Debug)]
enum Values<B: Word> {
    Flat(Flat, Ranking<B>),
    Compact(Compact),
    /// Not at all: the section has changed since the book was opened.
    Changed,
}

/// The sections of a book of any board.
#[derive(Debug)]
pub(super) enum AnySections {
    Narrow(Sections<u64>),
    Wide(Sections<u128>),
}

impl AnySections {
    /// The sections of a book, none of which is read yet.
    pub(super) fn new(header: &Header) -> AnySections {
        if header.size.is_narrow() {
            AnySections::Narrow(Sections::new(header))
        } else {
            AnySections::Wide(Sections::new(header))
        }
    }
}

/// The bytes of a section, and how its values are read.
type Opened<'a, B> = (&'a [u8], &'a Values<B>);

impl<B: Word> Sections<B> {
    fn new(header: &Header) -> Self {
        let &Header { size, depth, kind, .. } = header;
        let highest_value = kind.highest_value(size).unsigned_abs();
        let mut plies: Vec<_> = (0..=depth).map(|_| None).collect();
        for section in &header.sections {
            let (section, ply) = (section.clone(), section.ply);
            plies[ply as usize] = Some(StoredPly { section, values: OnceLock::new() });
        }
        Sections { size, depth, kind, highest_value, plies }
    }

    /// Looks a position up that a game reaches, as
    /// [`Book::look_up_reachable`](super::Book::look_up_reachable) does.
    #[inline(always)]
    pub(super) fn look_up(&self, bytes: &[u8], position: Position<B>) -> Lookup {
        let ply = position.ply();
        // Nobody has three stones before.
        if ply >= 6
            && let Some(score) = position.score_by_rules()
        {
            return Lookup::Rules(score);
        }
        self.look_up_open(bytes, position, ply)
    }

    /// Looks up the positions after the moves of one that a game reaches and that the rules do
    /// not score, by their columns.
    #[inline(always)]
    pub(super) fn look_up_moves(
        &self,
        bytes: &[u8],
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
                self.look_up_open(bytes, child, ply)
            };
            tell(column, lookup);
        }
    }

    /// Looks a position of a ply up that a game reaches and that the rules do not score.
    #[inline(always)]
    fn look_up_open(&self, bytes: &[u8], position: Position<B>, ply: u32) -> Lookup {
        if ply > self.depth {
            return Lookup::TooDeep;
        }
        let stored = self.open(bytes, ply);
        let value = match stored {
            Some(section) => self.entry(section, position),
            None => self.derived(bytes, position, ply),
        };
        let Some(value) = value else {
            return Lookup::Damaged;
        };
        let value = Value::of(self.kind, value);
        if stored.is_some() { Lookup::Stored(value) } else { Lookup::Derived(value) }
    }

    /// The entry of a position in the section of its ply.
    #[inline(always)]
    fn entry(&self, (bytes, values): Opened<'_, B>, position: Position<B>) -> Option<Score> {
        let value = match values {
            Values::Flat(flat, ranking) => flat.value(bytes, ranking.rank(position)),
            Values::Compact(compact) => compact.value(bytes, position),
            Values::Changed => None,
        };
        // What no position has is no entry, but damage.
        value.filter(|value| value.unsigned_abs() <= self.highest_value)
    }

    /// The section of a ply, ready to be read; `None` if it is not stored.
    #[inline(always)]
    fn open<'a>(&'a self, bytes: &'a [u8], ply: u32) -> Option<Opened<'a, B>> {
        let StoredPly { section, values } = self.plies.get(ply as usize)?.as_ref()?;
        let bytes = section.part_of(bytes);
        Some((bytes, values.get_or_init(|| Values::open(bytes, section, self.size, self.kind))))
    }

    /// The value of a position one ply above a stored one, which the rules do
    /// not score: the best of its moves.
    #[inline(always)]
    fn derived(&self, bytes: &[u8], position: Position<B>, ply: u32) -> Option<Score> {
        let mut moves = position.non_losing_moves();
        if moves.is_empty() {
            // Whatever is played, the opponent wins with the stone after.
            return Some(self.kind.of(-winning_score(position.size().cells(), ply + 2)));
        }
        let below = self.open(bytes, ply + 1)?;
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
}

#[cfg(feature = "generate")]
impl<B: Word> Sections<B> {
    /// The entries of positions of a stored ply, each with its slot, in their order: what
    /// lookups give, sooner.
    pub(super) fn stored_many<W: Word>(
        &self,
        bytes: &[u8],
        ply: u32,
        slots: &[u64],
        positions: &[Position<W>],
    ) -> Vec<Option<Score>> {
        let mut values = Vec::with_capacity(positions.len());
        let Some((bytes, how)) = self.open(bytes, ply) else { return vec![None; positions.len()] };
        match how {
            Values::Flat(flat, _) => {
                values.extend(slots.iter().map(|&slot| flat.value(bytes, slot)));
            }
            Values::Compact(compact) => {
                let positions: Vec<Position<B>> =
                    positions.iter().map(|position| position.widen().narrow()).collect();
                compact.values(bytes, &positions, &mut values);
            }
            Values::Changed => values.resize(positions.len(), None),
        }
        for value in &mut values {
            // What no position has is no entry, but damage.
            *value = value.filter(|value| value.unsigned_abs() <= self.highest_value);
        }
        values
    }
}

impl<B: Word> Values<B> {
    /// Makes a section ready for lookups: reads its tables, or makes those that number its
    /// positions.
    #[cold]
    fn open(bytes: &[u8], section: &Section, size: Size, kind: ValueKind) -> Self {
        match section.encoding {
            Encoding::Flat => {
                let ranking = Ranking::new(size, section.ply).expect("the slots have been counted");
                Values::Flat(section.flat(), ranking)
            }
            Encoding::Compact => {
                let tables = Tables::read(bytes, size, section.bias, kind);
                tables.map_or(Values::Changed, |tables| Values::Compact(Compact::new(&tables)))
            }
        }
    }
}
