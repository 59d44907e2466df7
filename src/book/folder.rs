//! Choosing a book of a folder.

use super::{Book, BookError, Encoding};
use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

impl Book {
    /// Opens the deepest book of a folder for boards of a size, and says where it is. A file is
    /// opened as it is, whatever its size.
    ///
    /// Without a size, it is the deepest one for the usual board of 7x6, if there is any;
    /// else all books there have to be for boards of one size. Books are the files whose
    /// names end with `.book`. Files that cannot be opened are skipped: `skipped` is called with
    /// the error. A book of exact scores takes precedence over one of outcomes of any depth. Of
    /// equally deep books, a flat one takes precedence over a compact one, and then the first by
    /// name.
    ///
    /// ```
    /// use fourbook::Book;
    ///
    /// // One book lies among this library's examples.
    /// let (path, book) = Book::open_deepest("examples", None, &mut |error| panic!("{error}"))?;
    /// assert!(path.ends_with("4x4-d6.book") && book.depth() == 6);
    /// # Ok::<(), fourbook::book::BookError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or there is no such book in it.
    pub fn open_deepest(
        folder: impl AsRef<Path>,
        size: Option<Size>,
        skipped: &mut dyn FnMut(BookError),
    ) -> Result<(PathBuf, Book), BookError> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Ok((folder.to_owned(), Book::open(folder)?));
        }
        let mut deepest = deepest_of_each_size(folder, skipped)?;
        let found: Vec<Size> = deepest.keys().copied().collect();
        let chosen = match (size, &found[..]) {
            (Some(size), _) => size,
            (None, &[only]) => only,
            (None, _) => Size::STANDARD,
        };
        deepest.remove(&chosen).ok_or_else(|| BookError::NoBook {
            folder: folder.to_owned(),
            asked: size,
            found,
        })
    }

    /// Opens the deepest book of a folder for each board size that there are books for, those of
    /// small boards first, and says where they are. Books are chosen and skipped as by
    /// [`open_deepest`](Self::open_deepest), and a file is opened as it is.
    ///
    /// ```
    /// use fourbook::Book;
    ///
    /// let books = Book::open_deepest_of_each_size("examples", &mut |error| panic!("{error}"))?;
    /// let sizes: Vec<String> = books.iter().map(|(_, book)| book.size().to_string()).collect();
    /// assert_eq!(sizes, ["4x4"]);
    /// # Ok::<(), fourbook::book::BookError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or there is no book in it.
    pub fn open_deepest_of_each_size(
        folder: impl AsRef<Path>,
        skipped: &mut dyn FnMut(BookError),
    ) -> Result<Vec<(PathBuf, Book)>, BookError> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Ok(vec![(folder.to_owned(), Book::open(folder)?)]);
        }
        let deepest = deepest_of_each_size(folder, skipped)?;
        if deepest.is_empty() {
            let folder = folder.to_owned();
            return Err(BookError::NoBook { folder, asked: None, found: Vec::new() });
        }
        Ok(deepest.into_values().collect())
    }
}

/// The deepest book of a folder for each board size that there are books for.
fn deepest_of_each_size(
    folder: &Path,
    skipped: &mut dyn FnMut(BookError),
) -> Result<BTreeMap<Size, (PathBuf, Book)>, BookError> {
    let files = book_files(folder).map_err(BookError::io("read the folder", folder))?;
    let mut deepest: BTreeMap<Size, (PathBuf, Book)> = BTreeMap::new();
    let precedence = |book: &Book| {
        (book.kind() == ValueKind::Scores, book.depth(), book.encoding() == Encoding::Flat)
    };
    for path in files {
        match Book::open(&path) {
            Ok(book) => {
                if deepest.get(&book.size()).is_none_or(|(_, other): &(PathBuf, Book)| {
                    precedence(&book) > precedence(other)
                }) {
                    deepest.insert(book.size(), (path, book));
                }
            }
            Err(error) => skipped(error),
        }
    }
    Ok(deepest)
}

/// The files in a folder whose names end with `.book`, by name. A broken link counts, since it may
/// be meant as a book.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn book_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_named_so = path.extension().is_some_and(|extension| extension == "book");
        if is_named_so && path.metadata().map_or(true, |found| found.is_file()) {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
