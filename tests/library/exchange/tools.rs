//! Helpers of these tests.

use crate::book::broken::section_bytes;
use fourbook::Book;
use fourbook::book::{Encoding, Section};
use fourbook::tools::ToolError;
use fourbook::tools::exchange::{
    Comparison, Difference, ExportOptions, Exported, ForeignBook, Format, Other, compare, export,
    import,
};

/// The book in these bytes.
pub(crate) fn opened(book: &[u8]) -> Book {
    Book::from_bytes(book.to_vec()).unwrap()
}

/// A book's bytes as a file of another format.
pub(crate) fn exported(book: &[u8], options: &ExportOptions) -> (Vec<u8>, Exported) {
    let mut file = Vec::new();
    let done = export(&opened(book), options, &mut file, &()).unwrap();
    (file, done)
}

/// The bytes of the book that a file of another format gives.
pub(crate) fn imported(
    file: &ForeignBook<'_>,
    depth: Option<u32>,
    encoding: Encoding,
) -> Result<Vec<u8>, ToolError> {
    imported_as_known(file, depth, encoding, None)
}

/// The same, compared with a known book.
pub(crate) fn imported_as_known(
    file: &ForeignBook<'_>,
    depth: Option<u32>,
    encoding: Encoding,
    known: Option<&Book>,
) -> Result<Vec<u8>, ToolError> {
    Ok(import(file, depth, encoding, known, &())?.to_bytes().unwrap())
}

/// The positions at which a book and a file differ.
pub(crate) fn compared(book: &[u8], file: &ForeignBook<'_>) -> (Comparison, Vec<Difference>) {
    let book = opened(book);
    let mut differences = Vec::new();
    let comparison = compare(&book, Other::Foreign(file), &(), &mut |difference| {
        differences.push(difference.clone());
        Ok(())
    });
    (comparison.unwrap(), differences)
}

/// Checks that two books have the same sections, whatever their headers.
pub(crate) fn assert_same_values(one: &[u8], other: &[u8]) {
    let [one, other] = [one, other].map(opened);
    assert_eq!((one.size(), one.depth(), one.kind()), (other.size(), other.depth(), other.kind()));
    let sections = |book: &Book| {
        let of = |s: &Section| (s.ply, s.encoding, s.entries, section_bytes(book, s));
        book.sections().iter().map(of).collect::<Vec<_>>()
    };
    assert!(sections(&one) == sections(&other));
}

/// How many positions a book answers for that the rules do not.
pub(crate) fn positions_to_depth(book: &[u8]) -> u64 {
    let (file, _) = exported(book, &ExportOptions::new(Format::Csv));
    file.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1
}
