//! Random bytes as files, and damaged books in all tools.

use super::tools::{compared, exported, imported};
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR};
use fourbook::book::{BookContents, Encoding};
use fourbook::tools::ToolError;
use fourbook::tools::exchange::{
    ExportOptions, ForeignBook, Format, Other, compare, export, import,
};
use fourbook::tools::pack::{PackOptions, pack};
use fourbook::tools::stats::statistics;
use fourbook::{Book, Size, ValueKind};
use proptest::prelude::*;

/// A file of each format, small enough to change it often.
fn files() -> [Vec<u8>; 5] {
    let book = FOUR_BY_FOUR.book(4, ValueKind::Scores);
    let (csv, _) = exported(&book, &ExportOptions::new(Format::Csv));
    let small = ExportOptions { log2_size: Some(7), ..ExportOptions::new(Format::Pons) };
    let (table, _) = exported(&book, &small);
    let ply_8 = include_bytes!("../../data/bitbully/book_8ply.dat")[..300].to_vec();
    let ply_12 = [[0xff, 0, 0, 0], [0, 0, 0, 5], [0, 0, 1, 0]].concat();
    let distances = [[0xff, 0, 0, 0, 97], [0, 0, 0, 4, 0], [0, 0, 1, 0, 0x9e]].concat();
    [csv, table, ply_8, ply_12, distances]
}

/// No bytes cause a panic: there is an answer or an error.
fn use_as(bytes: &[u8], format: Format) {
    let small: Size = "4x4".parse().unwrap();
    for size in [None, Some(small)] {
        let Ok(file) = ForeignBook::open(bytes, format, size) else { continue };
        if file.size == small {
            let _ = imported(&file, None, Encoding::Flat);
            compared(&FOUR_BY_FOUR.book(4, ValueKind::WinDrawLoss), &file);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_give_an_answer_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        for format in Format::ALL {
            use_as(&bytes, format);
        }
    }

    #[test]
    fn a_changed_file_gives_an_answer_or_an_error(
        which in 0..5_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = files()[which].clone();
        for (place, byte) in changes {
            *place.get_mut(&mut bytes) = byte;
        }
        use_as(&bytes, Format::ALL[which]);
        use_as(&bytes[..cut.index(bytes.len() + 1)], Format::ALL[which]);
    }
}

#[test]
fn the_files_that_are_changed_are_right_before() {
    for (bytes, format) in files().iter().zip(Format::ALL) {
        let small = matches!(format, Format::Csv | Format::Pons);
        let size = small.then(|| "4x4".parse().unwrap());
        ForeignBook::open(bytes, format, size).unwrap();
    }
}

fn bytes_of(contents: &BookContents) -> String {
    format!("{:?}", contents.to_bytes().unwrap())
}

fn comparison(one: &Book, other: &Book) -> Result<String, ToolError> {
    let mut differences = Vec::new();
    let comparison = compare(one, Other::Book(other), &(), &mut |difference| {
        differences.push(difference.clone());
        Ok(())
    })?;
    Ok(format!("{comparison:?} {differences:?}"))
}

/// What each tool makes of a book, beside a good one with the same values.
fn results(book: &Book, good: &Book, file: &ForeignBook<'_>) -> Vec<Result<String, ToolError>> {
    let mut text = Vec::new();
    let written = export(book, &ExportOptions::new(Format::Csv), &mut text, &());
    let shallow = PackOptions { depth: 2, kind: book.kind(), encoding: Encoding::Flat };
    let deep = PackOptions { depth: book.depth(), encoding: Encoding::Compact, ..shallow };
    vec![
        written.map(|done| format!("{done:?} {text:?}")),
        pack(book, shallow, &()).map(|contents| bytes_of(&contents)),
        pack(book, deep, &()).map(|contents| bytes_of(&contents)),
        statistics(book, &()).map(|plies| format!("{plies:?}")),
        comparison(book, good),
        comparison(good, book),
        import(file, None, Encoding::Flat, Some(book), &()).map(|contents| bytes_of(&contents)),
    ]
}

/// Every byte of small books, and some of one with two blocks.
#[test]
fn no_tool_makes_anything_wrong_of_a_damaged_book() {
    // A separate pool, since the pool of all tests is busy with longer work.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut right = 0;
    let mut errors = 0;
    for (bytes, step) in [
        (FOUR_BY_FOUR.book(4, ValueKind::Scores), 1),
        (FOUR_BY_FOUR.encoded(8, ValueKind::WinDrawLoss, Encoding::Compact), 1),
        (FIVE_BY_FOUR.book(8, ValueKind::Scores), 101),
    ] {
        let good = Book::from_bytes(bytes.clone()).unwrap();
        let (csv, _) = exported(&bytes, &ExportOptions::new(Format::Csv));
        let file = ForeignBook::open(&csv, Format::Csv, None).unwrap();
        let expected = pool.install(|| results(&good, &good, &file));
        for at in (0..bytes.len()).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let Ok(book) = Book::from_bytes(damaged) else { continue };
            let found = pool.install(|| results(&book, &good, &file));
            for (found, expected) in found.into_iter().zip(&expected) {
                match found {
                    Ok(found) => {
                        assert!(found == *expected.as_ref().unwrap(), "byte {at}");
                        right += 1;
                    }
                    Err(_) => errors += 1,
                }
            }
        }
    }
    assert!(right > 0 && errors > 1000, "{right} right, {errors} errors");
}
