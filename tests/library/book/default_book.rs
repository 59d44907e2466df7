//! The built-in book.

use crate::truth::known_scores;
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Lookup, Oracle, Position, Size, Source, ValueKind};

/// The contents are tested with the same book in the flat encoding; see `shipped`.
#[test]
fn it_is_a_whole_book_of_exact_scores_for_7x6() {
    let book = Book::embedded();
    assert_eq!((book.size(), book.kind()), (Size::STANDARD, ValueKind::Scores));
    assert_eq!(book.depth(), 12);
    let report =
        verify(&book, &VerifyOptions { deep: false, ..VerifyOptions::default() }, &()).unwrap();
    assert!(report.passed(), "{report:?}");
}

#[test]
fn it_knows_the_scores_of_the_first_moves() {
    let oracle = Oracle::new(Book::embedded()).unwrap();
    let first = oracle.analyse(Position::empty(Size::STANDARD)).unwrap();
    assert_eq!(first.move_scores(), [-2, -1, 0, 1, 0, -1, -2].map(Some));
    assert_eq!(first.score(), Some(1));
    assert_eq!(first.best_moves(), [3]);
    assert_ne!(first.source(), Some(Source::Solver));
}

/// To its depth, the book has the scores of other solvers.
#[test]
fn it_agrees_with_the_test_data() {
    let book = Book::embedded();
    let mut compared = 0;
    for (position, expected) in known_scores() {
        let answer = book.look_up(position).unwrap();
        match answer.score() {
            Some(score) => assert_eq!(score, expected, "{position:?}"),
            None => assert_eq!(answer, Lookup::TooDeep, "{position:?}"),
        }
        if position.ply() <= book.depth() {
            assert_ne!(answer, Lookup::TooDeep, "{position:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 353);
}
