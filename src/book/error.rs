//! The errors of books, one variant for each thing to do about them.

use super::header::VERSION;
use crate::board::Size;
use crate::envelope::EnvelopeError;
use crate::errors::count;
use std::io;
use std::path::{Path, PathBuf};

/// Why a book could not be opened, read, used or written.
///
/// An error with a [source](std::error::Error::source) leaves the details to it:
/// [`with_causes`](crate::with_causes) has the whole text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// There are no bytes.
    #[error("expected a fourbook book, found an empty file; make or fetch the book again")]
    Empty,
    /// The bytes begin like no book.
    #[error(
        "expected a fourbook book, which begins with the bytes 89 34 42 4f 4f 4b 0d 0a, found {found}; \
         check that this is the file you mean (other programs' books have to be imported first)"
    )]
    NotABook {
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// The format has a version this program does not know.
    #[error(
        "expected a book of format version {VERSION}, found version {found}; \
         use a version of fourbook that reads it, or make the book again with this one"
    )]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The file ends before its sections do, or goes on after them.
    #[error(
        "expected {expected} bytes, found {found}; the file was cut short or added to: \
         fetch or make the book again"
    )]
    Length {
        /// The length that the header gives; where the file ends inside the
        /// header, the least that it can be.
        expected: u64,
        /// The length there is.
        found: u64,
    },
    /// The header has been damaged.
    #[error(
        "expected the header's checksum to be {expected:08x}, found {found:08x}; the file is damaged: \
         fetch or make the book again"
    )]
    HeaderChecksum {
        /// The checksum in the file.
        expected: u32,
        /// That of the bytes in the file.
        found: u32,
    },
    /// The header has its checksum but is none.
    #[error(
        "expected a header of format version {VERSION}, found other data; the book was not \
         written by fourbook, or by a version with a fault: make it again"
    )]
    Header(#[source] EnvelopeError),
    /// The header or a section contradicts itself or the rules of its board.
    #[error(
        "expected {what} to be {expected}, found {found}; it was not written by fourbook, \
         or by a version with a fault: make the book again"
    )]
    Inconsistent {
        /// The contradictory field.
        what: String,
        /// The values that it may have.
        expected: String,
        /// The value that it has.
        found: String,
    },
    /// The table of block checksums is damaged.
    #[error(
        "expected the checksum of the table of blocks to be {expected:08x}, found {found:08x}; the \
         file is damaged: fetch or make the book again"
    )]
    TableChecksum {
        /// The checksum in the header.
        expected: u32,
        /// That of the table.
        found: u32,
    },
    /// A block is damaged.
    #[error(
        "expected the checksum of block {block} (ply {ply}) to be {expected:08x}, found \
         {found:08x}; the book is damaged, or was overwritten while it was open: 'fourbook verify' \
         says how much is damaged; fetch or make the book again"
    )]
    Block {
        /// Number of stones of the section in which the block was read.
        ply: u32,
        /// The block's number, from 0 where the first section begins.
        block: u32,
        /// The checksum in the book's table.
        expected: u32,
        /// That of the block's bytes.
        found: u32,
    },
    /// A block of an open book could not be read: the file was cut short, say, or the disk fails.
    #[error(
        "cannot read block {block} (ply {ply}) of the book; it was cut short since it was opened, \
         or cannot be read any more: fetch or make it again"
    )]
    ReadBlock {
        /// Number of stones of the section in which the block was read.
        ply: u32,
        /// The block's number, from 0 where the first section begins.
        block: u32,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The beginning of the book could not be read.
    #[error("cannot read the book")]
    Read(#[source] io::Error),
    /// A position has no value that should have one.
    #[error(
        "expected a value for the position {diagram}, found none in the section of ply {ply}; the book \
         was written by a program with a fault: make it again, or use another"
    )]
    MissingValue {
        /// Stones of the section that should have it, or from which it should follow.
        ply: u32,
        /// The first such position, as a [diagram](crate::board::notation::diagram).
        diagram: String,
    },
    /// The book is for boards of another size than the one asked for.
    #[error(
        "expected a book for {asked} boards, found one for {book} boards; choose another book or board"
    )]
    WrongSize {
        /// The size asked for.
        asked: Size,
        /// The size the book is for.
        book: Size,
    },
    /// A file could not be read: see to the path, or the rights.
    #[error("cannot open '{}'", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file could be read but is no book.
    #[error("cannot use '{}' as a book", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: Box<BookError>,
    },
    /// A folder could not be read: see to the path, or the rights.
    #[error("cannot read the folder '{}'", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// No book of a folder fits, or the board size is ambiguous.
    #[error("{}", no_book(folder, *asked, found))]
    NoBook {
        /// The folder.
        folder: PathBuf,
        /// The board that was asked for, if any.
        asked: Option<Size>,
        /// The boards that there are books for.
        found: Vec<Size>,
    },
    /// A board that this program cannot play.
    #[error(
        "expected a board of at least 4x4 and at most 16 columns, with width * (height + 1) at \
         most 128, such as 7x6, found {width}x{height}; use a version of fourbook that plays it"
    )]
    BoardSize {
        /// Columns.
        width: u8,
        /// Rows.
        height: u8,
    },
    /// A kind of values this program does not know.
    #[error(
        "expected values of kind 0 (scores) or 1 (outcomes), found kind {found}; \
         use a newer version of fourbook"
    )]
    Kind {
        /// The kind's number in the file.
        found: u8,
    },
    /// The plies given are not such as a book stores.
    #[error(
        "expected the scores of at least every second ply to the deepest, such as {expected:?}, each \
         once, found plies {found:?}"
    )]
    Plies {
        /// The fewest plies that a book this deep stores.
        expected: Vec<u32>,
        /// The plies given.
        found: Vec<u32>,
    },
    /// A ply's scores do not belong to this board.
    #[error("expected the scores of {} at ply {ply}, found {found}", count(expected, "slot"))]
    Slots {
        /// Number of stones.
        ply: u32,
        /// Slots that the ply has.
        expected: u64,
        /// Slots given.
        found: u64,
    },
    /// The ply does not exist or has too many slots for any file.
    #[error(
        "expected a depth that a book of {size} boards can have, at most {deepest}, found {ply}"
    )]
    TooDeep {
        /// The board.
        size: Size,
        /// Number of stones.
        ply: u32,
        /// The deepest ply up to which all plies can be stored.
        deepest: u32,
    },
    /// A score that no position of this board has.
    #[error(
        "expected scores from -{most} to {most}, found {found} in slot {slot} of ply {ply}; \
         the scores are damaged or of another board"
    )]
    Score {
        /// Number of stones.
        ply: u32,
        /// The slot.
        slot: u64,
        /// The score.
        found: i8,
        /// The highest score of the board.
        most: i8,
    },
    /// Two slots stand for one position and its mirror image, only one of which has a score, and
    /// both have different scores.
    #[error(
        "expected scores in the slots that positions of ply {ply} have, found two different ones of \
         the same position; the scores are damaged"
    )]
    Contradiction {
        /// Number of stones.
        ply: u32,
    },
    /// The provenance has a character that terminals do not print as one.
    #[error(
        "expected a provenance without control characters and characters that change the direction \
         of text, found {found}; leave it out"
    )]
    Text {
        /// The character, such as `\u{1b}`.
        found: String,
    },
    /// The provenance is too long for a header.
    #[error("the header is too long; shorten the arguments it records")]
    HeaderTooLong(#[source] EnvelopeError),
    /// The bytes could not be written.
    #[error("cannot write the book")]
    Write(#[from] io::Error),
    /// The file could not be written.
    #[error("cannot write '{}'", path.display())]
    WriteFile {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

fn no_book(folder: &Path, asked: Option<Size>, found: &[Size]) -> String {
    let folder = folder.display();
    let boards = asked.map_or(String::new(), |size| format!(" for {size} boards"));
    if found.is_empty() {
        return format!(
            "expected a book{boards} in the folder '{folder}', a file whose name ends with .book, \
             found none; choose another folder"
        );
    }
    let sizes: Vec<String> = found.iter().map(Size::to_string).collect();
    let sizes = sizes.join(" and ");
    match asked {
        Some(_) => format!(
            "expected a book{boards} in the folder '{folder}', found books for {sizes}; choose \
             another folder or size"
        ),
        None => format!(
            "expected a book for {} boards in the folder '{folder}', or books for one other size, \
             found books for {sizes}; choose a size",
            Size::STANDARD
        ),
    }
}
