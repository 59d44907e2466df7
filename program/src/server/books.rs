//! Where books come from, reading them, and what is said of the one in use.

use fourbook::book::{ChecksumError, FolderError, FormatError, Provenance, Section, VERSION};
use fourbook::solver::TableError;
use fourbook::{Book, Size, ValueKind, with_causes};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// Where the book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// The book in the program.
    Embedded,
    /// A file, read into memory; read again on a reload.
    File(PathBuf),
    /// The deepest book of a folder for boards of this size, or of one that
    /// [`Book::open_deepest`] chooses; read into memory, and chosen again on a reload.
    Folder(PathBuf, Option<Size>),
    /// No book: everything is solved, on boards of this size.
    Solver(Size),
}

/// A book that has been read.
pub(super) struct ReadBook {
    pub(super) book: Book,
    /// The name of its file, if it comes from one. Clients are not told the folder.
    file: Option<String>,
}

impl BookSource {
    /// Reads the book, if there is one, into memory, where nobody can cut it short as
    /// they could a mapped file, and checks every byte of it. Of a folder, it is one for
    /// boards of the size that is served, if one is.
    pub(super) fn read(&self, served: Option<Size>) -> Result<Option<ReadBook>, LoadError> {
        match self {
            BookSource::Solver(_) => Ok(None),
            BookSource::Embedded => Ok(Some(ReadBook { book: Book::embedded(), file: None })),
            BookSource::File(path) => read(path).map(Some),
            BookSource::Folder(folder, size) => {
                let (path, _) = Book::open_deepest(folder, served.or(*size), &mut |error| {
                    tracing::warn!("passed over: {}", with_causes(&error));
                })?;
                read(&path).map(Some)
            }
        }
    }
}

/// Reads a file into memory and checks every byte of it.
fn read(path: &Path) -> Result<ReadBook, LoadError> {
    let owned = || path.to_owned();
    let bytes = std::fs::read(path).map_err(|source| LoadError::Read { path: owned(), source })?;
    let book =
        Book::from_bytes(bytes).map_err(|source| LoadError::Format { path: owned(), source })?;
    book.check_sections().map_err(|source| LoadError::Checksum { path: owned(), source })?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(ReadBook { book, file })
}

/// Why the server cannot start, or has no new book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read the book '{}'", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is no book.
    #[error("cannot use '{}' as a book", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is not right.
        source: FormatError,
    },
    /// A section of the book is damaged.
    #[error("cannot use '{}' as a book", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Which section is damaged.
        source: ChecksumError,
    },
    /// There is no book for the board in the folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The book is for another board than the daemon serves.
    #[error(
        "expected a book for {expected} boards, found one for {found}; start another server for it"
    )]
    Size {
        /// The board served.
        expected: Size,
        /// The board of the book.
        found: Size,
    },
    /// There was no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The system gave no thread.
    #[error("cannot start the solver threads; choose fewer")]
    Threads(#[source] io::Error),
}

/// What `/v1/book` says.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BookInfo {
    /// Whether there is a book at all.
    loaded: bool,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Version of this program.
    program_version: &'static str,
    #[serde(flatten)]
    header: Option<BookHeader>,
}

/// What the header of the loaded book says.
#[derive(Clone, Debug, Serialize)]
struct BookHeader {
    file: Option<String>,
    bytes: usize,
    format_version: u32,
    identity: String,
    depth: u32,
    values: ValueKind,
    provenance: Provenance,
    sections: Vec<Section>,
}

impl BookInfo {
    pub(super) fn of(size: Size, read: Option<&ReadBook>) -> Self {
        let header = read.map(|ReadBook { book, file }| BookHeader {
            file: file.clone(),
            bytes: book.bytes().len(),
            format_version: VERSION,
            identity: format!("{:08x}", book.identity()),
            depth: book.depth(),
            values: book.kind(),
            provenance: book.provenance().clone(),
            sections: book.sections().to_vec(),
        });
        BookInfo {
            loaded: header.is_some(),
            width: size.width(),
            height: size.height(),
            program_version: env!("CARGO_PKG_VERSION"),
            header,
        }
    }

    /// What the loaded book says of positions.
    pub(super) fn values(&self) -> Option<ValueKind> {
        self.header.as_ref().map(|header| header.values)
    }

    /// The identity of the book, or that there is none.
    pub(super) fn identity(&self) -> &str {
        self.header.as_ref().map_or("none", |header| &header.identity)
    }

    /// Its depth, or that there is none.
    pub(super) fn depth(&self) -> String {
        self.header.as_ref().map_or("none".to_owned(), |header| header.depth.to_string())
    }
}
