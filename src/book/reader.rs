//! Opening a book, and reading its sections as a whole.

use super::blocks::{BadBlock, Blocks, Storage};
use super::compact::Tables;
use super::error::BookError;
use super::format;
use super::header::{Encoding, Header, Provenance, Section, VERSION};
use super::stored::StoredPly;
use fourbook_solver::ValueKind;
use fourbook_solver::board::notation::diagram;
use fourbook_solver::board::{Position, Score, Size};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

/// A book, ready to look positions up in; shared by threads.
///
/// Opening reads the header, the checksums and the tables of compact sections, about a thousandth
/// of the book; the first lookup in a ply makes tables of its own. The rest is in
/// blocks of 4096 bytes, each of which is compared with its checksum when it is first read. So
/// damage is an error, never a wrong answer. [`check_sections`](Self::check_sections) reads all
/// blocks.
///
/// ```
/// use fourbook::{Book, Lookup, Position, ScoreBounds};
///
/// // All positions of 4x4 boards with up to six stones.
/// let book = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book"))?;
/// assert_eq!((book.size(), book.depth()), ("4x4".parse()?, 6));
/// let position = Position::empty(book.size());
/// assert_eq!(book.look_up(position)?, Lookup::Stored(ScoreBounds::exactly(0)));
/// assert_eq!(book.look_up(position.play_moves("1212334")?)?, Lookup::TooDeep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Book {
    /// The path it was opened from, for errors.
    pub(super) path: Option<std::path::PathBuf>,
    /// The bytes before the first section.
    pub(super) head: Box<[u8]>,
    /// The checksum of the header.
    pub(super) identity: u32,
    pub(super) header: Header,
    pub(super) blocks: Blocks,
    /// The highest value that the board has.
    pub(super) highest_value: u8,
    /// By ply, from 0 to the deepest; `None` where a ply is not stored.
    pub(super) plies: Vec<Option<StoredPly>>,
}

/// The header of a book, made by [`Book::info`]. `fourbook info --json` and the server's
/// `/v1/book` print these fields as JSON.
///
/// ```
/// # #[cfg(feature = "embedded-book")] {
/// let info = fourbook::Book::embedded().info();
/// assert_eq!((info.width, info.height, info.depth), (7, 6, 12));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BookInfo {
    /// All bytes of the book.
    pub bytes: u64,
    /// Version of the format that it is written in.
    pub format_version: u32,
    /// [`Book::identity`], as eight hexadecimal digits.
    pub identity: String,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// The most stones of a position that the book answers for.
    pub depth: u32,
    /// The kind of its values.
    pub values: ValueKind,
    /// How it was made, [escaped](Provenance::escaped).
    pub provenance: Provenance,
    /// The stored plies, ascending.
    pub sections: Vec<Section>,
}

impl Book {
    /// Opens the book at `path`.
    ///
    /// Lookups copy each block into memory and answer from the copy. So if the file changes while
    /// the book is open, a lookup answers from the opened book or fails. Replacing the file by
    /// rename, as this library does, or deleting it does no harm.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no book as [`from_bytes`](Self::from_bytes) says.
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Book, BookError> {
        let path = path.as_ref();
        let file = super::file::BookFile::open(path).map_err(BookError::io("open", path))?;
        let book = Book::of(Storage::File(file))
            .map_err(|error| BookError::File { path: path.to_owned(), source: Box::new(error) })?;
        Ok(Book { path: Some(path.to_owned()), ..book })
    }

    /// The book in these bytes: a `Vec<u8>`, or a `&'static [u8]` as from `include_bytes!`.
    ///
    /// Checks magic, version, the header and its checksum, the exact length, the sections against
    /// the board, and the tables at the beginning of compact sections.
    ///
    /// # Errors
    ///
    /// If any of these is not as it should be.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, BookError> {
        Book::of(Storage::Memory(bytes.into()))
    }

    fn of(source: Storage) -> Result<Book, BookError> {
        let (head, identity, header, blocks) = format::open(source)?;
        let depth = header.sections.last().map_or(0, |section| section.ply);
        let highest_value = header.kind.highest_value(header.size).unsigned_abs();
        let mut plies: Vec<_> = (0..=depth).map(|_| None).collect();
        for section in &header.sections {
            let stored = StoredPly { section: section.clone(), reader: OnceLock::new() };
            plies[section.ply as usize] = Some(stored);
        }
        Ok(Book { path: None, head, identity, header, blocks, highest_value, plies })
    }

    pub(super) fn tables(&self, section: &Section) -> Result<Tables, BookError> {
        Tables::read(section, self.blocks.part(section), self.size(), self.kind())
    }

    /// Returns the contents of the header.
    pub fn info(&self) -> BookInfo {
        BookInfo {
            bytes: self.length(),
            format_version: VERSION,
            identity: format!("{:08x}", self.identity()),
            width: self.size().width(),
            height: self.size().height(),
            depth: self.depth(),
            values: self.kind(),
            provenance: self.provenance().escaped(),
            sections: self.sections().to_vec(),
        }
    }

    /// The board it is for.
    #[inline]
    pub fn size(&self) -> Size {
        self.header.size
    }

    /// Makes sure that the book is for boards of a size.
    ///
    /// # Errors
    ///
    /// If it is for another.
    #[inline]
    pub fn check_size(&self, asked: Size) -> Result<(), BookError> {
        BookError::check_size(asked, self.size())
    }

    /// The most stones of a position that it answers for.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.plies.len() as u32 - 1
    }

    /// Whether a ply has entries: the deepest, every second one above, and others if the book
    /// was written so. The rest follow from the ply after them.
    #[inline]
    pub fn stores(&self, ply: u32) -> bool {
        matches!(self.plies.get(ply as usize), Some(Some(_)))
    }

    /// The kind of its values.
    #[inline]
    pub fn kind(&self) -> ValueKind {
        self.header.kind
    }

    /// Where it comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.header.provenance
    }

    /// Its sections, the shallowest ply first.
    pub fn sections(&self) -> &[Section] {
        &self.header.sections
    }

    /// The encoding it was written in: [compact](Encoding::Compact) if any
    /// section is.
    pub fn encoding(&self) -> Encoding {
        if self.sections().iter().any(|section| section.encoding == Encoding::Compact) {
            Encoding::Compact
        } else {
            Encoding::Flat
        }
    }

    /// Returns a number that identifies the book: the header's checksum. The header holds a checksum of the
    /// checksums of all blocks, so books with the same identity have the same contents (but for
    /// one chance in 2^32).
    pub fn identity(&self) -> u32 {
        self.identity
    }

    /// Its length in bytes.
    pub fn length(&self) -> u64 {
        (self.head.len() + self.blocks.length) as u64
    }

    /// A copy of all its bytes.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BookError> {
        let mut bytes = self.head.to_vec();
        for section in self.sections() {
            bytes.extend(self.section_bytes(section)?);
        }
        Ok(bytes)
    }

    /// A copy of the bytes of a section.
    pub(crate) fn section_bytes(&self, section: &Section) -> Result<Vec<u8>, BookError> {
        let part = self.blocks.part(section);
        part.copy(0..part.length).map_err(|error| self.named(error))
    }

    /// Reads all blocks of a section and compares their checksums.
    ///
    /// # Errors
    ///
    /// If one of them is damaged.
    pub fn check_section(&self, section: &Section) -> Result<(), BookError> {
        self.check_blocks(section).collect::<Result<(), _>>().map_err(|error| self.named(error))
    }

    /// Checks each block of a section.
    pub(crate) fn check_blocks(
        &self,
        section: &Section,
    ) -> impl Iterator<Item = Result<(), BookError>> {
        self.blocks.part(section).check_blocks()
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

    /// A block with values of a ply cannot be read, or is damaged.
    #[cold]
    pub(super) fn bad_block(&self, ply: u32, bad: BadBlock) -> BookError {
        self.named(self.blocks.error(self.source_of(ply), bad))
    }

    /// Adds the path of the file to an error.
    fn named(&self, error: BookError) -> BookError {
        if let Some(path) = &self.path {
            return BookError::File { path: path.clone(), source: Box::new(error) };
        }
        error
    }

    /// The stored ply that the values of a ply are read or derived from.
    #[inline]
    pub(crate) fn source_of(&self, ply: u32) -> u32 {
        if self.stores(ply) { ply } else { ply + 1 }
    }

    /// The section of a ply, if it is stored.
    pub(crate) fn section(&self, ply: u32) -> Option<&Section> {
        self.sections().iter().find(|section| section.ply == ply)
    }

    /// The error for a position that should have a value and has none.
    pub(crate) fn missing(&self, position: Position) -> BookError {
        let ply = self.source_of(position.ply());
        self.named(BookError::MissingValue { ply, diagram: diagram::print(position) })
    }

    /// The code of a slot of a flat section, whether or not a position can have it; `None`
    /// without an entry.
    pub(crate) fn flat_value(
        &self,
        section: &Section,
        slot: u64,
    ) -> Result<Option<Score>, BookError> {
        let value = section.flat().value(self.blocks.part(section), slot);
        value.map_err(|bad| self.bad_block(section.ply, bad))
    }

    /// Whether nothing but zeros is after the last code of a section.
    pub(crate) fn padding_is_zero(&self, section: &Section) -> Result<bool, BookError> {
        let part = self.blocks.part(section);
        let flat = section.flat();
        let (start, bits) = match section.encoding {
            Encoding::Flat => {
                let bits = section.slots * u64::from(flat.bits);
                ((bits / 8) as usize, bits % 8)
            }
            Encoding::Compact => (self.tables(section)?.padding(), 0),
        };
        let padding = part.copy(start..part.length).map_err(|error| self.named(error))?;
        let (first, others) = padding.split_first().expect("every section ends with zeros");
        Ok(first >> bits == 0 && others.iter().all(|&byte| byte == 0))
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book")
            .field("size", &self.size())
            .field("depth", &self.depth())
            .field("kind", &self.kind())
            .field("identity", &format_args!("{:08x}", self.identity))
            .field("length", &self.length())
            .finish_non_exhaustive()
    }
}
