//! Tools for whole books: packing, verifying, counting, and exchanging books with other programs.
//!
//! - [`pack`](pack::pack()) makes a shallower book, or the same one in another encoding.
//! - [`verify`](verify::verify()) reads a whole book and checks it.
//! - [`statistics`](stats::statistics) counts the outcomes of every ply.
//! - [`exchange`] reads and writes books of other programs, and compares them.
//! - [`BookReader`] reads the positions and values of whole plies, in less time than
//!   [`Book::positions`](crate::Book::positions).
//!
//! The tools run on the threads of the calling rayon pool and keep to the memory limit in
//! [`Resources`]. They read whole plies, each value once, into one byte a slot.

mod error;
pub mod exchange;
pub mod pack;
mod plies;
mod reader;
mod resources;
pub mod stats;
pub mod verify;

pub use crate::parallel::with_threads;
pub use error::ToolError;
pub use plies::PlyValues;
pub use reader::BookReader;
pub use resources::Resources;

#[cfg(test)]
mod tests {
    use super::exchange::bitbully::Variant;
    use super::exchange::{ExportOptions, ForeignBook, Format, Other, compare, export, import};
    use super::pack::pack;
    use super::stats::statistics;
    use super::{BookReader, verify};
    use crate::book::{Book, BookContents, Encoding, ValueKind};
    use fourbook_solver::board::{Size, column_name};

    fn book_of(contents: &BookContents) -> Book {
        Book::from_bytes(contents.to_bytes().unwrap()).unwrap()
    }

    fn imported(bytes: &[u8], format: Format, size: Size) -> Book {
        let file = ForeignBook::open(bytes, format, Some(size)).unwrap();
        book_of(&import(&file, None, Encoding::Flat, None, &()).unwrap())
    }

    /// Every tool works on a board of more than 64 bits; the scores are made up.
    #[test]
    fn a_large_board_is_a_board() {
        let size = Size::new(10, 10).unwrap();
        let mut text = "position,score\n".to_owned();
        for (first, second) in (0..5).flat_map(|first| (0..10).map(move |second| (first, second))) {
            let value = (first * 10 + second) as i32 % 7 - 3;
            // Some positions as their mirror images.
            let [first, second] = [first, second].map(|c| if value > 0 { 9 - c } else { c });
            text += &format!("{}{},{value}\n", column_name(first), column_name(second));
        }
        assert!(text.contains("\na"), "columns from 10 on are letters");
        let book = imported(text.as_bytes(), Format::Csv, size);
        assert_eq!((book.size(), book.depth()), (size, 2));

        let report = verify::verify(&book, &verify::VerifyOptions::default(), &()).unwrap();
        assert!(report.passed(), "{report:?}");
        let totals = statistics(&book, &()).unwrap();
        let totals = totals.iter().map(|ply| ply.distinct.total()).collect::<Vec<_>>();
        assert_eq!(totals, [1, 10, 100]);
        let mut reader = BookReader::new(&book, 9, &()).unwrap();
        for (position, found) in reader.read(2).unwrap().iter() {
            assert_eq!(Some(found), book.look_up(position).unwrap().score());
        }
        let kind = ValueKind::Scores;
        let encoding = Encoding::Flat;
        let options = super::pack::PackOptions { depth: 1, kind, encoding };
        let shallow = pack(&book, options, &()).unwrap();
        for other in [Other::Book(&book), Other::Book(&book_of(&shallow))] {
            assert!(compare(&book, other, &(), &mut |_| Ok(())).unwrap().agree());
        }
        for format in [Format::Csv, Format::Pons] {
            let mut file = Vec::new();
            let exported = export(&book, &ExportOptions::new(format), &mut file, &()).unwrap();
            assert_eq!((exported.positions, exported.replaced), (56, 0));
            let other = ForeignBook::open(&file, format, Some(size)).unwrap();
            let compared = compare(&book, Other::Foreign(&other), &(), &mut |_| Ok(())).unwrap();
            assert!(compared.agree() && compared.compared == 56);
            let back = imported(&file, format, size);
            let last = |book: &Book| book.section_bytes(book.sections().last().unwrap()).unwrap();
            assert!(last(&back) == last(&book));
        }
        let options = ExportOptions::new(Format::Bitbully(Variant::Ply8));
        let refused = export(&book, &options, &mut Vec::new(), &()).unwrap_err();
        assert!(refused.to_string().contains("expected a book for 7x6 boards"), "{refused}");
    }
}
