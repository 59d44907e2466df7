//! The books of the folder `books/shelf`, which come with the library.

use crate::common::root;
use fourbook::board::plies_to_end;
use fourbook::book::Encoding;
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Lookup, Oracle, Position, Size, Source, ValueKind};
use std::collections::BTreeMap;

/// The sizes of all books in the library but that of 7x6.
fn sizes() -> impl Iterator<Item = Size> {
    Book::embedded_sizes().filter(|&size| size != Size::STANDARD)
}

#[test]
fn all_of_the_folder_are_in_the_library() {
    let folder = root().join("books/shelf");
    let found = Book::open_deepest_of_each_size(folder, &mut |error| panic!("{error}")).unwrap();
    assert!(found.iter().map(|(_, book)| book.size()).eq(sizes()));
    for (path, book) in found {
        let size = book.size();
        let name = format!("{size}-d{}.book", book.depth());
        assert!(path.ends_with(name), "{}", path.display());
        let embedded = Book::embedded_for(size).unwrap();
        assert!(embedded.to_bytes().unwrap() == book.to_bytes().unwrap(), "{size}");
    }
    assert!(Book::embedded_for("16x7".parse().unwrap()).is_none());
}

/// Every value follows from the ply below it; the deepest ply was solved.
#[test]
fn they_are_whole_books_of_exact_scores_to_ply_8_at_least() {
    for size in sizes() {
        let book = Book::embedded_for(size).unwrap();
        // Positions of nine stones take longest on the highest boards.
        let depth = if ["4x12", "5x9", "6x8"].contains(&&*size.to_string()) { 10 } else { 8 };
        assert_eq!((book.size(), book.depth()), (size, depth));
        assert_eq!((book.kind(), book.encoding()), (ValueKind::Scores, Encoding::Compact));
        let report = verify(&book, &VerifyOptions::default(), &()).unwrap();
        assert!(report.passed(), "{size}: {report:?}");
    }
}

/// By John Tromp and Christophe Steininger: who wins, and with which stone.
#[test]
fn empty_boards_have_the_published_results() {
    let published = include_str!("../../data/outcomes.csv").lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let size: Size = format!("{}x{}", fields[0], fields[1]).parse().unwrap();
        (size, (fields[3].parse::<u32>().unwrap(), fields[4].parse::<i8>().unwrap()))
    });
    let published: BTreeMap<_, _> = published.collect();
    for size in sizes() {
        let book = Book::embedded_for(size).unwrap();
        let score = book.look_up(Position::empty(size)).unwrap().score().unwrap();
        assert_eq!((plies_to_end(size.cells(), 0, score), score), published[&size], "{size}");
    }
}

#[test]
fn an_oracle_answers_from_them_and_solves_what_is_deeper() {
    for size in sizes().filter(|size| size.cells() <= 25) {
        let oracle = Oracle::new(Book::embedded_for(size).unwrap()).unwrap();
        let first = oracle.analyse(Position::empty(size)).unwrap();
        assert_ne!(first.source(), Some(Source::Solver), "{size}");
        let deep = Position::empty(size).play_moves("112211223").unwrap();
        assert_eq!(oracle.book().unwrap().look_up(deep).unwrap(), Lookup::TooDeep, "{size}");
        assert_eq!(oracle.score(deep).unwrap().source, Source::Solver, "{size}");
    }
}
