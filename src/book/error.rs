//! The errors of books, one variant for each thing to do about them.

use super::header::Section;
use crate::rank::deepest_ply;
use fourbook_solver::Stopped;
use fourbook_solver::board::Size;
use fourbook_solver::text::{count, listed};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// Why a book could not be opened, read, used or written.
///
/// An error with a [source](std::error::Error::source) leaves the details to that source:
/// [`with_causes`](crate::with_causes) has the whole text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The bytes are no book, a damaged one, or one that this version cannot read; or a book, a file or an
    /// option does not fit the task.
    #[error("expected {expected}, found {found}; {advice}")]
    Format {
        /// The fact that should hold.
        expected: String,
        /// The fact that does.
        found: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// A block is damaged.
    #[error(
        "expected the checksum of block {block} (ply {ply}) to be {expected:08x}, found \
         {found:08x}; the book is damaged, or was overwritten while it was open; fetch or make \
         the book again"
    )]
    Block {
        /// Number of stones of the section in which the block was read.
        ply: u32,
        /// The block's number, from 0 where the first section begins.
        block: u32,
        /// The checksum in the book's table.
        expected: u32,
        /// The checksum of the block's bytes.
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
         is not complete: make it again, or use another"
    )]
    MissingValue {
        /// Stones of the section that should have it, or from which it should follow.
        ply: u32,
        /// The first such position, as a [diagram](fourbook_solver::board::notation::diagram).
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
    /// A strategy does not go with the board, or with another strategy.
    #[error(
        "expected strategies for {size} boards, one for each player, found another: {found}; leave it out"
    )]
    Strategy {
        /// The board.
        size: Size,
        /// The strategy, in words.
        found: String,
    },
    /// A file or folder could not be opened, read or written: check its path and permissions.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file could be read but is no book or strategy, or a bad one.
    #[error("cannot use '{}'", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: Box<BookError>,
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
    /// The board has no book of this depth: the ply is that of the full board or past it, or has
    /// more than the 2^48 slots that can be numbered.
    #[error(
        "depth {ply} is too deep for {size}: expected 0 to {} plies{}", deepest_ply(*size),
        if deepest_ply(*size) + 1 < size.cells() { ", which can be numbered" } else { "" }
    )]
    TooDeep {
        /// The board.
        size: Size,
        /// Number of stones.
        ply: u32,
    },
    /// There is not enough memory to enumerate the positions of a ply, which takes one bit a slot.
    #[error(
        "cannot reserve the {} of memory that enumerating ply {ply} of {size} takes",
        count(bytes, "byte")
    )]
    Memory {
        /// The board.
        size: Size,
        /// Number of stones.
        ply: u32,
        /// The memory it takes.
        bytes: u64,
    },
    /// An event of its progress, or another thread, cancelled work on a whole book.
    #[error(transparent)]
    Stopped(Stopped),
    /// No book can have these contents.
    #[error("expected {expected}, found {found}")]
    Contents {
        /// The contents that a book can have.
        expected: String,
        /// The contents given.
        found: String,
    },
    /// The bytes could not be written.
    #[error("cannot write the book")]
    Write(#[from] io::Error),
}

impl BookError {
    /// The error if a book is for another board than was asked for.
    #[inline]
    pub(crate) fn check_size(asked: Size, book: Size) -> Result<(), BookError> {
        if asked == book { Ok(()) } else { Err(BookError::WrongSize { asked, book }) }
    }

    /// The error of the operating system about a file or folder.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BookError {
        let path = path.to_owned();
        move |source| BookError::Io { action, path, source }
    }

    pub(crate) fn format(
        expected: impl ToString,
        found: impl ToString,
        advice: &'static str,
    ) -> BookError {
        BookError::Format { expected: expected.to_string(), found: found.to_string(), advice }
    }

    /// The error of a header or section that contradicts itself.
    pub(super) fn inconsistent(
        what: impl Display,
        expected: impl Display,
        found: impl ToString,
    ) -> BookError {
        let advice = "its checksums are right, but it contradicts itself: make the book again";
        BookError::format(format_args!("{what} to be {expected}"), found, advice)
    }

    /// The error of a section that contradicts itself or the header.
    pub(super) fn of_section(
        section: &Section,
        what: &str,
        expected: impl Display,
        found: impl ToString,
    ) -> BookError {
        let what = format_args!("{what} of the section of ply {}", section.ply);
        BookError::inconsistent(what, expected, found)
    }

    /// The error of contents that no book can have.
    pub(super) fn contents(expected: impl ToString, found: impl ToString) -> BookError {
        BookError::Contents { expected: expected.to_string(), found: found.to_string() }
    }
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
    let sizes = listed(found, "and");
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
