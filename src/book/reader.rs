//! Opening a book and looking positions up in it.

use super::bytes::BookBytes;
use super::compact::{Broken, Tables};
use super::error::BookError;
use super::format::{self, Decoded};
use super::header::{Encoding, Header, Provenance, Section};
use super::lookup::Lookup;
use super::sections::AnySections;
use super::stored::StoredPlies;
use crate::board::notation::diagram;
use crate::board::{Position, Size, is_reachable, with_word};
#[cfg(feature = "generate")]
use crate::board::{Score, Word};
use crate::scores::ValueKind;
use std::fmt;

/// A book, ready to look positions up in; shared by threads.
///
/// Opening reads the header and the tables of compact sections, which takes microseconds,
/// however long the book; the first lookup in a ply makes tables of its own. [`check_sections`](Self::check_sections) reads the
/// rest. Without it, damage to a section shows as wrong answers, never as a panic.
///
/// ```
/// use fourbook::{Book, Lookup, Position, Value};
///
/// // All positions of 4x4 boards with up to six stones.
/// let book = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book"))?;
/// assert_eq!((book.size(), book.depth()), ("4x4".parse()?, 6));
/// let position = Position::empty(book.size());
/// assert_eq!(book.look_up(position), Lookup::Stored(Value::Score(0)));
/// assert_eq!(book.look_up(position.play_moves("1212334")?), Lookup::TooDeep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Book {
    bytes: BookBytes,
    header: Header,
    stored: StoredPlies,
    version: u32,
    identity: u32,
    encoding: Encoding,
    /// By ply: whether positions without an entry read as one, as the section that the ply's
    /// values are read or derived from is compact.
    reads_anything: Box<[bool]>,
    read: AnySections,
}

/// The book of 7x6 to ply 12.
#[cfg(feature = "embedded-book")]
static EMBEDDED: &[u8] = include_bytes!("../../books/7x6-d12-compact.book");

impl Book {
    /// Maps the book at `path`. The file must not be changed in place as long
    /// as the book lives; see [`ReadMap`](super::ReadMap).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no book as [`from_bytes`](Self::from_bytes) says.
    #[cfg(feature = "mmap")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Book, BookError> {
        let path = path.as_ref();
        let map = crate::mapping::ReadMap::open(path)
            .map_err(|source| BookError::Open { path: path.to_owned(), source })?;
        Book::from_bytes(map)
            .map_err(|error| BookError::File { path: path.to_owned(), source: Box::new(error) })
    }

    /// The book that comes with the library: the usual board of 7x6 to ply 12, exact scores.
    /// It is compact from ply 9 on, and takes microseconds to open.
    ///
    /// ```
    /// use fourbook::{Book, Position};
    /// let book = Book::embedded();
    /// assert_eq!(book.look_up(Position::from_moves("44")?).score(), Some(1));
    /// assert_eq!(book.depth(), 12);
    /// # Ok::<(), fourbook::PositionError>(())
    /// ```
    #[cfg(feature = "embedded-book")]
    #[must_use]
    pub fn embedded() -> Book {
        Book::from_bytes(EMBEDDED).expect("the book in the library is one")
    }

    /// The book in these bytes: a `Vec<u8>`, or a `&'static [u8]` as from `include_bytes!`.
    ///
    /// Checks magic, version, the header and its checksum, the exact length, that the
    /// sections are those of the board, and the tables at the beginning of compact ones.
    ///
    /// # Errors
    ///
    /// If any of these is not as it should be.
    pub fn from_bytes(bytes: impl Into<BookBytes>) -> Result<Book, BookError> {
        Self::checked(bytes.into())
    }

    fn checked(bytes: BookBytes) -> Result<Book, BookError> {
        let Decoded { header, stored, version, checksum: identity } =
            Header::decode(bytes.as_ref())?;
        let read = AnySections::new(&header);
        let compact = |section: &&Section| section.encoding == Encoding::Compact;
        let compact: Vec<u32> = header.sections.iter().filter(compact).map(|it| it.ply).collect();
        let encoding = if compact.is_empty() { Encoding::Flat } else { Encoding::Compact };
        let reads_anything = |ply| compact.contains(&stored.source_of(ply));
        let book = Book {
            reads_anything: (0..=header.depth).map(reads_anything).collect(),
            bytes,
            header,
            stored,
            version,
            identity,
            encoding,
            read,
        };
        book.check_tables()?;
        Ok(book)
    }

    /// Looks whether compact sections can be looked up in.
    fn check_tables(&self) -> Result<(), BookError> {
        let compact = |section: &&Section| section.encoding == Encoding::Compact;
        for section in self.sections().iter().filter(compact) {
            if let Err(broken) = self.tables(section) {
                // If the bytes have changed, that is why.
                self.check_section(section)?;
                return Err(format::inconsistent_section(section, broken));
            }
        }
        Ok(())
    }

    pub(super) fn tables(&self, section: &Section) -> Result<Tables<'_>, Broken> {
        Tables::read(self.section_bytes(section), self.size(), section.bias, self.kind())
    }

    /// The board it is for.
    #[must_use]
    #[inline]
    pub fn size(&self) -> Size {
        self.header.size
    }

    /// Makes sure that the book is for boards of a size.
    ///
    /// # Errors
    ///
    /// If it is for another.
    pub fn check_size(&self, asked: Size) -> Result<(), BookError> {
        let book = self.size();
        if asked == book { Ok(()) } else { Err(BookError::WrongSize { asked, book }) }
    }

    /// The most stones of a position that it answers for.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> u32 {
        self.header.depth
    }

    /// Whether a ply has entries: the deepest, every second one above, and others if the book
    /// was written so. The rest follow from the ply after them.
    #[must_use]
    #[inline]
    pub fn stores(&self, ply: u32) -> bool {
        self.stored.contains(ply)
    }

    /// The version of the format that it is written in; at most
    /// [`VERSION`](super::VERSION).
    #[must_use]
    pub fn format_version(&self) -> u32 {
        self.version
    }

    /// What its values are.
    #[must_use]
    #[inline]
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
        self.encoding
    }

    /// A number to tell books apart: the header's checksum. The header holds
    /// the checksums of all sections, so undamaged books with the same identity
    /// have the same contents (but for one chance in 2^32).
    #[must_use]
    pub fn identity(&self) -> u32 {
        self.identity
    }

    /// All its bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Reads all bytes of a section and compares their checksum with the one in
    /// the header.
    ///
    /// # Errors
    ///
    /// If it is another: the section is damaged.
    pub fn check_section(&self, section: &Section) -> Result<(), BookError> {
        let (expected, found) = (section.crc, crc32fast::hash(self.section_bytes(section)));
        if expected == found {
            Ok(())
        } else {
            Err(BookError::Checksum { ply: section.ply, expected, found })
        }
    }

    /// [Checks](Self::check_section) all sections: whether the book has the bytes that
    /// were written.
    ///
    /// # Errors
    ///
    /// If one of them is damaged.
    pub fn check_sections(&self) -> Result<(), BookError> {
        self.sections().iter().try_for_each(|section| self.check_section(section))
    }

    /// The bytes of a section.
    pub(crate) fn section_bytes(&self, section: &Section) -> &[u8] {
        section.part_of(self.bytes())
    }

    /// What is known of a position. Never panics for whatever the book's sections contain.
    ///
    /// For a position that no game reaches, a compact book has any value, so
    /// this looks whether one does, which takes longer than the lookup. Use
    /// [`look_up_reachable`](Self::look_up_reachable) for positions made by moves.
    ///
    /// # Panics
    ///
    /// If the position's board has another size than the book's.
    pub fn look_up(&self, position: Position) -> Lookup {
        let lookup = self.look_up_reachable(position);
        let is_sure = match lookup {
            Lookup::Stored(_) | Lookup::Derived(_) => !self.reads_anything[position.ply() as usize],
            Lookup::Rules(_) | Lookup::TooDeep | Lookup::Absent => true,
            Lookup::Damaged => false,
        };
        match is_sure || with_word!(self.size(), B => is_reachable(position.narrow::<B>())) {
            true => lookup,
            false => Lookup::Absent,
        }
    }

    /// What is known of a position that a game reaches, such as one made by
    /// [`Position::from_moves`] or by playing on from the empty board. Allocates nothing,
    /// but for the first lookup in a ply, and never panics for whatever the book's sections
    /// contain.
    ///
    /// Of a position that no game reaches, the answer means nothing, be it a value or
    /// [`Damaged`](Lookup::Damaged).
    ///
    /// # Panics
    ///
    /// If the position's board has another size than the book's.
    pub fn look_up_reachable(&self, position: Position) -> Lookup {
        self.assert_size(position);
        let bytes = self.bytes();
        match &self.read {
            AnySections::Narrow(sections) if self.size() == Size::STANDARD => {
                let (mover, mask) = (position.mover() as u64, position.mask() as u64);
                sections.look_up(bytes, Position::standard(mover, mask))
            }
            AnySections::Narrow(sections) => sections.look_up(bytes, position.narrow()),
            AnySections::Wide(sections) => sections.look_up(bytes, position),
        }
    }

    /// What is known of the positions after the moves of one that a game reaches and that the
    /// rules do not score: of each column from 0 that is not full, as
    /// [`look_up_reachable`](Self::look_up_reachable) says, in less time.
    #[inline]
    pub(crate) fn look_up_moves(&self, position: Position, tell: &mut impl FnMut(usize, Lookup)) {
        self.assert_size(position);
        let bytes = self.bytes();
        match &self.read {
            AnySections::Narrow(sections) => {
                sections.look_up_moves(bytes, position.narrow(), tell);
            }
            AnySections::Wide(sections) => sections.look_up_moves(bytes, position, tell),
        }
    }

    /// The stored ply that the values of a ply are read or derived from.
    pub(crate) fn source_of(&self, ply: u32) -> u32 {
        self.stored.source_of(ply)
    }

    /// The section of a ply, if it is stored.
    #[cfg(feature = "generate")]
    pub(crate) fn section(&self, ply: u32) -> Option<&Section> {
        self.sections().iter().find(|section| section.ply == ply)
    }

    /// The error to give for a position whose lookup was [`Damaged`](Lookup::Damaged).
    #[must_use]
    pub fn missing(&self, position: Position) -> BookError {
        let ply = self.source_of(position.ply());
        BookError::MissingValue { ply, diagram: diagram::print(position) }
    }

    #[inline(always)]
    fn assert_size(&self, position: Position) {
        assert!(position.size() == self.size(), "a book is for boards of one size");
    }
}

#[cfg(feature = "generate")]
impl Book {
    /// The entries of positions of a stored ply, each with its slot, in their order: what
    /// lookups give, sooner.
    pub(crate) fn stored_many<B: Word>(
        &self,
        ply: u32,
        slots: &[u64],
        positions: &[Position<B>],
    ) -> Vec<Option<Score>> {
        let bytes = self.bytes();
        match &self.read {
            AnySections::Narrow(sections) => sections.stored_many(bytes, ply, slots, positions),
            AnySections::Wide(sections) => sections.stored_many(bytes, ply, slots, positions),
        }
    }

    /// Whether nothing but zeros is after the last code of a section; `None` if it is damaged
    /// where it says how to read it.
    pub(crate) fn padding_is_zero(&self, section: &Section) -> Option<bool> {
        let bytes = self.section_bytes(section);
        match section.encoding {
            Encoding::Flat => Some(section.flat().padding_is_zero(bytes, section.slots)),
            Encoding::Compact => Some(self.tables(section).ok()?.padding_is_zero(bytes)),
        }
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book")
            .field("size", &self.size())
            .field("depth", &self.depth())
            .field("kind", &self.kind())
            .field("identity", &format_args!("{:08x}", self.identity))
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
