//! Random bytes as files.

use super::tools::{compared, exported, imported};
use crate::truth::FOUR_BY_FOUR;
use fourbook::book::Encoding;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format};
use fourbook::{Size, ValueKind};
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
