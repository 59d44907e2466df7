//! Opening a book and looking positions up in it.

use super::compact::Compact;
use super::error::{ChecksumError, FormatError, OpenError, WrongSize};
use super::flat::Flat;
use super::format::{Encoding, Header, Provenance, Section};
use crate::board::{Geometry, Outcome, Position, Score, Size, is_reachable, winning_score};
use crate::mapping::ReadMap;
use crate::rank::Ranking;
use crate::scores::ValueKind;
use std::path::Path;

/// A book whose header has been checked, over its bytes: a mapped file, a
/// `Vec<u8>` or a `&'static [u8]` from `include_bytes!`.
///
/// Opening reads the header only. [`verify`](super::verify::verify) reads the rest; without
/// it, damage to a section shows as wrong answers, never as a panic.
///
/// To look positions up, take the [view](BookView) for the book's board size.
///
/// ```
/// use fourbook::board::Position;
/// use fourbook::book::{Answer, Book, BookContents, Encoding, Provenance, Value, ValueKind};
/// use fourbook::scores::{PlyScores, encode};
///
/// // A book of depth 0 for 4x4 boards says that the empty board is a draw.
/// let contents = BookContents {
///     size: "4x4".parse()?,
///     kind: ValueKind::Scores,
///     encoding: Encoding::Flat,
///     plies: &[PlyScores { ply: 0, bytes: &[encode(0)] }],
///     provenance: Provenance::new(ValueKind::Scores, "an example"),
/// };
/// let book = Book::from_bytes(contents.to_bytes()?)?;
/// let view = book.view::<4, 4>()?;
/// assert_eq!(view.score(Position::EMPTY), Answer::Stored(Value::Score(0)));
/// assert_eq!(view.score(Position::from_moves("1")?), Answer::TooDeep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Book<D> {
    data: D,
    header: Header,
    identity: u32,
}

impl Book<ReadMap> {
    /// Maps the book at `path`. The file must not be changed in place as long
    /// as the book lives; see [`ReadMap`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no book as [`from_bytes`](Self::from_bytes) says.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let map = ReadMap::open(path)
            .map_err(|source| OpenError::Io { path: path.to_owned(), source })?;
        Book::from_bytes(map).map_err(|source| OpenError::Format { path: path.to_owned(), source })
    }
}

impl<D: AsRef<[u8]>> Book<D> {
    /// The book in these bytes.
    ///
    /// Checks magic, version, the header and its checksum, the exact length,
    /// and that the sections are those of the board; takes some microseconds,
    /// however long the book.
    ///
    /// # Errors
    ///
    /// If any of these is not as it should be.
    pub fn from_bytes(data: D) -> Result<Self, FormatError> {
        let (header, identity) = Header::decode(data.as_ref())?;
        Ok(Book { data, header, identity })
    }

    /// The board it is for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.header.size
    }

    /// The most stones of a position that it answers for.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.header.depth
    }

    /// Whether a ply has entries; the plies between those that have follow from
    /// the ply after them.
    #[must_use]
    pub fn stores(&self, ply: u32) -> bool {
        ply <= self.depth() && (self.depth() - ply).is_multiple_of(2)
    }

    /// What its values are.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        self.header.kind
    }

    /// Where it comes from.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.header.provenance
    }

    /// Its sections, the shallowest ply first.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.header.sections
    }

    /// The encoding it was written in: [compact](Encoding::Compact) if any
    /// section is.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        let compact = |section: &Section| section.encoding == Encoding::Compact;
        if self.sections().iter().any(compact) { Encoding::Compact } else { Encoding::Flat }
    }

    /// A number to tell books apart: the header's checksum. The header holds
    /// the checksums of all sections, so undamaged books with the same identity
    /// have the same contents (but for one chance in 2^32).
    #[must_use]
    pub fn identity(&self) -> u32 {
        self.identity
    }

    /// The same book over borrowed bytes: one type, whatever the bytes are in, so
    /// that long code is compiled once.
    #[must_use]
    pub fn borrowed(&self) -> Book<&[u8]> {
        Book { data: self.bytes(), header: self.header.clone(), identity: self.identity }
    }

    /// All its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.data.as_ref()
    }

    /// Reads all bytes of a section and compares their checksum with the one in
    /// the header.
    ///
    /// # Errors
    ///
    /// If it is another: the section is damaged.
    pub fn check_section(&self, section: &Section) -> Result<(), ChecksumError> {
        let (expected, found) = (section.crc, crc32fast::hash(self.section_bytes(section)));
        if expected == found {
            Ok(())
        } else {
            Err(ChecksumError { ply: section.ply, expected, found })
        }
    }

    /// [Checks](Self::check_section) all sections: whether the book has the bytes that
    /// were written.
    ///
    /// # Errors
    ///
    /// If one of them is damaged.
    pub fn check_sections(&self) -> Result<(), ChecksumError> {
        self.sections().iter().try_for_each(|section| self.check_section(section))
    }

    /// The bytes of a section.
    pub(crate) fn section_bytes(&self, section: &Section) -> &[u8] {
        section_bytes(&self.data, section.offset as usize, section.bytes as usize)
    }

    /// The book as one for `W` x `H` boards, to look positions up in. Makes
    /// some tables: keep it for many lookups.
    ///
    /// # Errors
    ///
    /// If the book is for boards of another size.
    pub fn view<const W: usize, const H: usize>(&self) -> Result<BookView<&D, W, H>, WrongSize> {
        let Book { data, header, identity } = self;
        Book { data, header: header.clone(), identity: *identity }.into_view()
    }

    /// As [`view`](Self::view), and owns the book.
    ///
    /// # Errors
    ///
    /// If the book is for boards of another size.
    pub fn into_view<const W: usize, const H: usize>(self) -> Result<BookView<D, W, H>, WrongSize> {
        let asked = Size::of::<W, H>();
        if asked != self.size() {
            return Err(WrongSize { asked, book: self.size() });
        }
        let plies = self.sections().iter().map(|section| StoredPly {
            ranking: Ranking::new(section.ply).expect("opening has counted the slots"),
            start: section.offset as usize,
            length: section.bytes as usize,
            values: match section.encoding {
                Encoding::Flat => Values::Flat(section.flat()),
                Encoding::Compact => {
                    let bytes = self.section_bytes(section);
                    Values::Compact(Compact::open(bytes, asked, section.bias).map(Box::new))
                }
            },
        });
        let highest_value = self.kind().highest_value(asked).unsigned_abs();
        Ok(BookView { plies: plies.collect(), highest_value, book: self })
    }
}

fn section_bytes(data: &impl AsRef<[u8]>, start: usize, length: usize) -> &[u8] {
    data.as_ref().get(start..).and_then(|bytes| bytes.get(..length)).unwrap_or(&[])
}

/// What a book says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The exact score.
    Score(Score),
    /// Win, draw or loss for the side to move, from a book without scores.
    Outcome(Outcome),
}

impl Value {
    /// The exact score; `None` if only the outcome is known.
    #[must_use]
    pub fn score(self) -> Option<Score> {
        match self {
            Value::Score(score) => Some(score),
            Value::Outcome(_) => None,
        }
    }

    /// The value as a book has it: the score, or the outcome's sign.
    #[must_use]
    pub fn number(self) -> Score {
        match self {
            Value::Score(score) => score,
            Value::Outcome(outcome) => outcome.sign(),
        }
    }

    /// Who wins, for the side to move.
    #[must_use]
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
pub enum Answer {
    /// The rules say it: the game has ended, or the side to move wins with its
    /// next stone. This is an exact score in any book.
    Rules(Score),
    /// An entry of the book.
    Stored(Value),
    /// The best of the moves from a ply between the stored ones.
    Derived(Value),
    /// The book ends before this ply.
    TooDeep,
    /// The book has no entry where it should have one: no game leads to this
    /// position (a position made by hand), or the book is damaged.
    Absent,
}

impl Answer {
    /// What is known of the position, if anything.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match self {
            Answer::Rules(score) => Some(Value::Score(score)),
            Answer::Stored(value) | Answer::Derived(value) => Some(value),
            Answer::TooDeep | Answer::Absent => None,
        }
    }

    /// The exact score, if it is known.
    #[must_use]
    pub fn score(self) -> Option<Score> {
        self.value().and_then(Value::score)
    }

    /// Who wins, for the side to move, if it is known.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        self.value().map(Value::outcome)
    }
}

/// A book for `W` x `H` boards, ready to look positions up in.
#[derive(Clone, Debug)]
pub struct BookView<D, const W: usize, const H: usize> {
    book: Book<D>,
    /// The stored plies, the shallowest first.
    plies: Vec<StoredPly<W, H>>,
    /// The highest value that the board has.
    highest_value: u8,
}

#[derive(Clone, Debug)]
struct StoredPly<const W: usize, const H: usize> {
    ranking: Ranking<W, H>,
    start: usize,
    length: usize,
    values: Values,
}

/// How a section's values are read.
#[derive(Clone, Debug)]
enum Values {
    Flat(Flat),
    /// Nothing if the section is damaged where it says how to read it.
    Compact(Option<Box<Compact>>),
}

impl<D: AsRef<[u8]>, const W: usize, const H: usize> BookView<D, W, H> {
    /// The book.
    #[must_use]
    pub fn book(&self) -> &Book<D> {
        &self.book
    }

    /// What is known of a position. Never panics, whatever the book's sections
    /// contain.
    ///
    /// For a position that no game reaches, a compact book has any value, so
    /// this looks whether one does, which takes longer than the lookup. Use
    /// [`score_of_game`](Self::score_of_game) for positions made by moves.
    #[inline]
    pub fn score(&self, position: Position<W, H>) -> Answer {
        match self.score_of_game(position) {
            Answer::Stored(_) | Answer::Derived(_)
                if self.reads_anything(position.ply()) && !is_reachable(position) =>
            {
                Answer::Absent
            }
            answer => answer,
        }
    }

    /// What is known of a position that a game reaches, such as one made by
    /// [`Position::from_moves`] or by playing on from the empty board. Allocates
    /// nothing, and never panics, whatever the book's sections contain.
    ///
    /// Of a position that no game reaches, the answer means nothing.
    #[inline]
    pub fn score_of_game(&self, position: Position<W, H>) -> Answer {
        if let Some(score) = position.score_by_rules() {
            return Answer::Rules(score);
        }
        let ply = position.ply();
        if ply > self.book.depth() {
            return Answer::TooDeep;
        }
        let stored = self.book.stores(ply);
        let value = if stored { self.stored(position, ply) } else { self.derived(position, ply) };
        let Some(value) = value else {
            return Answer::Absent;
        };
        let value = match self.book.kind() {
            ValueKind::Scores => Value::Score(value),
            ValueKind::Outcomes => Value::Outcome(Outcome::of(value)),
        };
        if stored { Answer::Stored(value) } else { Answer::Derived(value) }
    }

    /// Whether positions without an entry read as one, at a ply that is stored
    /// or derived from a stored one.
    fn reads_anything(&self, ply: u32) -> bool {
        let source = if self.book.stores(ply) { ply } else { ply + 1 };
        let ply = self.plies.get(source as usize / 2);
        ply.is_some_and(|ply| matches!(ply.values, Values::Compact(_)))
    }

    /// The entry of a position of a stored ply.
    #[inline(always)]
    pub(crate) fn stored(&self, position: Position<W, H>, ply: u32) -> Option<Score> {
        // Plies are stored two apart, from 0 or 1 on.
        let StoredPly { ranking, start, length, values } = self.plies.get(ply as usize / 2)?;
        let section = section_bytes(&self.book.data, *start, *length);
        let value = match values {
            Values::Flat(flat) => flat.value(section, ranking.rank(position)),
            Values::Compact(compact) => compact.as_ref()?.value(section, position),
        };
        // What no position has is no entry, but damage.
        value.filter(|value| value.unsigned_abs() <= self.highest_value)
    }

    /// The value of a position one ply above a stored one, which the rules do
    /// not score: the best of its moves.
    #[inline]
    pub(crate) fn derived(&self, position: Position<W, H>, ply: u32) -> Option<Score> {
        let cells = Geometry::<W, H>::CELLS;
        let mut moves = position.non_losing_moves();
        if moves == 0 {
            // Whatever is played, the opponent wins with the stone after.
            return Some(self.value_of(-winning_score(cells, ply + 2)));
        }
        let mut best = Score::MIN;
        while moves != 0 {
            let child = position.play_cell(moves & moves.wrapping_neg());
            moves &= moves - 1;
            // The opponent cannot win at once: an entry, or a full board.
            let value = if child.is_full() { 0 } else { self.stored(child, ply + 1)? };
            best = best.max(value.saturating_neg());
        }
        Some(best)
    }

    /// What a compact section says of itself; `None` if the ply is stored in
    /// another encoding or the section is damaged there.
    ///
    /// # Panics
    ///
    /// If the ply is not stored.
    pub(crate) fn compact(&self, ply: u32) -> Option<&Compact> {
        match &self.plies[ply as usize / 2].values {
            Values::Flat(_) => None,
            Values::Compact(compact) => compact.as_deref(),
        }
    }

    /// A score as this book has it.
    pub(crate) fn value_of(&self, score: Score) -> Score {
        self.book.kind().of(score)
    }
}
