//! Books.

use crate::board::{self, Position, size_if_given};
use crate::border;
use crate::status::{Failure, Status, call};
use library::book::Encoding;
#[cfg(feature = "generate")]
use library::tools::{
    verify::{self, verify},
    with_threads,
};
use library::{Book as Contents, Lookup, Size, ValueKind};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// A book: the values of all positions to some ply. Thread-safe.
#[derive(Debug)]
pub struct Book(pub(crate) Arc<Contents>);

/// Facts from a book's header.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BookInfo {
    /// Its length in bytes.
    pub bytes: u64,
    /// How many positions have an entry, a position and its mirror image counted once.
    pub entries: u64,
    /// The checksum of its header, which differs between books with different contents.
    pub identity: u32,
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board.
    pub height: u8,
    /// The most stones of a position that it answers for.
    pub depth: u8,
    /// Whether its values are exact scores; if not, they are 1, 0 and -1 for win, draw and loss.
    pub has_scores: bool,
    /// Whether it is compact; if not, it is flat.
    pub is_compact: bool,
    /// Zero.
    pub reserved: [u8; 7],
}

/// A callback for positions and their values. It returns 0 to go on, any other number to stop. It
/// must not throw an exception or leave by `longjmp`.
pub type Visit = Option<
    unsafe extern "C-unwind" fn(position: *const Position, value: i8, user: *mut c_void) -> i32,
>;

/// The book of exact scores that comes with the library for a board: 7x6 to ply 12, and most boards
/// of up to 49 cells to ply 8. `width` and `height` 0 are 7x6. If there is none, the status is
/// FOURBOOK_STATUS_BAD_SIZE. Free it with `fourbook_book_free`.
///
/// # Safety
///
/// `book` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_embedded(
    width: u32,
    height: u32,
    book: *mut *mut Book,
) -> Status {
    call(|| {
        let size = size_if_given(width, height)?.unwrap_or_default();
        let found = embedded(size).ok_or_else(|| {
            Failure::new(Status::BadSize, format!("the library has no book for {size}"))
        })?;
        // SAFETY: `book` is null or valid for writes.
        unsafe { border::give(book, "book", || Ok(Book(Arc::new(found)))) }
    })
}

/// Opens the file of a book, or of a folder the deepest book: for boards of 7x6 if there is
/// one, else for boards of the only size in the folder. If the file is changed in place later, lookups
/// answer as before or fail with FOURBOOK_STATUS_BAD_BOOK. Free the book with
/// `fourbook_book_free`.
///
/// # Safety
///
/// `path` is null or ends with a zero byte; `book` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_open(path: *const c_char, book: *mut *mut Book) -> Status {
    call(|| {
        // SAFETY: `path` is null or a path that ends with a zero byte.
        let path = unsafe { border::path(path, "path") }?;
        // SAFETY: `book` is null or valid for writes.
        unsafe {
            border::give(book, "book", || {
                let (_, contents) = Contents::open_deepest(path, None, &mut |_| ())?;
                Ok(Book(Arc::new(contents)))
            })
        }
    })
}

/// The book in these bytes, which are copied. Free it with `fourbook_book_free`.
///
/// # Safety
///
/// `bytes` is null or valid for reads of `length` bytes; `book` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_from_bytes(
    bytes: *const u8,
    length: usize,
    book: *mut *mut Book,
) -> Status {
    call(|| {
        // SAFETY: `bytes` is null or valid for reads of `length` values.
        let bytes = unsafe { border::list(bytes, length, "bytes") }?;
        // SAFETY: `book` is null or valid for writes.
        unsafe {
            border::give(book, "book", || {
                let mut copy = border::room(bytes.len())?;
                copy.extend_from_slice(bytes);
                Ok(Book(Arc::new(Contents::from_bytes(copy)?)))
            })
        }
    })
}

/// Frees a book; oracles that use it go on. Null is fine.
///
/// # Safety
///
/// `book` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_free(book: *mut Book) {
    // SAFETY: `book` is null or a handle that was not freed.
    unsafe { border::free(book) }
}

/// Writes facts from a book's header.
///
/// # Safety
///
/// `book` is null or a handle that was not freed; `info` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_info(book: *const Book, info: *mut BookInfo) -> Status {
    call(|| {
        // SAFETY: `book` is null or valid for reads.
        let Book(book) = unsafe { border::read(book, "book") }?;
        let found = BookInfo {
            width: book.size().width() as u8,
            height: book.size().height() as u8,
            depth: book.depth() as u8,
            has_scores: book.kind() == ValueKind::Scores,
            is_compact: book.encoding() == Encoding::Compact,
            reserved: [0; 7],
            identity: book.identity(),
            bytes: book.length(),
            entries: book.sections().iter().map(|section| section.entries).sum(),
        };
        // SAFETY: `info` is null or valid for writes.
        unsafe { border::write(info, "info", found) }
    })
}

/// The value of a position in a book, for the side to move: its score or, in a book without scores,
/// 1 for a win, 0 for a draw and -1 for a loss. FOURBOOK_STATUS_NOT_IN_BOOK if the book ends before
/// it, or no game leads to it.
///
/// # Safety
///
/// `book` is null or a handle that was not freed; `position` is null or valid for reads;
/// `value` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_look_up(
    book: *const Book,
    position: *const Position,
    value: *mut i8,
) -> Status {
    call(|| {
        // SAFETY: `book` is null or valid for reads.
        let (Book(book), board) = unsafe { (border::read(book, "book")?, board::board(position)?) };
        board.check_size(book.size())?;
        let lookup = book.look_up(board)?;
        let found = lookup.value(book.kind()).ok_or_else(|| no_value(book, lookup))?;
        // SAFETY: `value` is null or valid for writes.
        unsafe { border::write(value, "value", found) }
    })
}

fn no_value(book: &Contents, lookup: Lookup) -> Failure {
    let depth = book.depth();
    let text = match lookup {
        Lookup::Absent => "no game leads to the position".to_owned(),
        _ => format!(
            "expected a position of at most {depth} stones, the depth of the book; ask an oracle \
             for others"
        ),
    };
    Failure::new(Status::NotInBook, text)
}

/// Calls `visit` with every position of a ply and its value, stored in the book or derived from it.
/// These are the positions that a game can reach and that the rules do not score; a position and its
/// mirror image are visited once. FOURBOOK_STATUS_CANCELLED if `visit` returned a number other
/// than 0.
///
/// # Safety
///
/// `book` is null or a handle that was not freed; `visit` may be called with a position that is
/// valid during the call, and with `user`; it does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_positions(
    book: *const Book,
    ply: u32,
    visit: Visit,
    user: *mut c_void,
) -> Status {
    call(|| {
        // SAFETY: `book` is null or valid for reads.
        let Book(book) = unsafe { border::read(book, "book") }?;
        let visit = visit
            .ok_or_else(|| Failure::argument("expected a function for 'visit', found null"))?;
        let depth = book.depth();
        if ply > depth {
            let text = format!("expected a ply from 0 to {depth}, the book's depth, found {ply}");
            return Err(Failure::argument(text));
        }
        for found in Contents::positions(&**book, ply, false)? {
            let (board, value) = found?;
            // SAFETY: `visit` is a function of the caller, and the position lives as long as the call.
            if unsafe { visit(&Position::of(board), value, user) } != 0 {
                let text = "'visit' asked to stop";
                return Err(Failure::new(Status::Cancelled, text));
            }
        }
        Ok(())
    })
}

/// Checks every byte of a book, and with `deep` every entry and every value, on all
/// processors. FOURBOOK_STATUS_BAD_BOOK if something is wrong; the message then names
/// the first fault.
///
/// # Safety
///
/// `book` is null or a handle that was not freed.
#[cfg(feature = "generate")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_book_verify(book: *const Book, deep: bool) -> Status {
    call(|| {
        // SAFETY: `book` is null or valid for reads.
        let Book(book) = unsafe { border::read(book, "book") }?;
        let options = verify::VerifyOptions { deep, ..verify::VerifyOptions::default() };
        let report = with_threads(0, || verify(book, &options, &())).map_err(|error| {
            Failure::new(Status::NoMemory, format!("cannot start threads: {error}"))
        })??;
        let failed = report.checks.iter().find(|check| check.failed > 0);
        match failed {
            None => Ok(()),
            Some(check) => {
                let first = check.failures.first().map_or_else(String::new, |f| f.to_string());
                let text = format!("{}: {first}; fetch or make the book again", check.step);
                Err(Failure::new(Status::BadBook, text))
            }
        }
    })
}

/// The built-in book for a board.
#[cfg(feature = "books")]
pub(crate) fn embedded(size: Size) -> Option<Contents> {
    Contents::embedded_for(size)
}

/// Without the feature `books`, there is none.
#[cfg(not(feature = "books"))]
pub(crate) fn embedded(_: Size) -> Option<Contents> {
    None
}
