//! The book that comes with the program.

use crate::support::known_scores;
use fourbook::board::{Position, Size};
use fourbook::book::verify::{Options, verify};
use fourbook::book::{Answer, Book, Value, ValueKind};
use fourbook::oracle::{BookBytes, DEFAULT_BOOK, Oracle, Source};
use fourbook::solver::Limits;

fn default_book() -> Book<BookBytes> {
    Book::from_bytes(BookBytes::Embedded(DEFAULT_BOOK)).unwrap()
}

#[test]
fn it_is_a_right_book_of_exact_scores_for_7x6() {
    let book = default_book();
    assert_eq!((book.size(), book.kind()), (Size::STANDARD, ValueKind::Scores));
    let report = verify(&book, &Options::default(), &()).unwrap();
    assert!(report.passed(), "{report:?}");
}

#[test]
fn it_knows_the_scores_of_the_first_moves() {
    let view = default_book().into_view::<7, 6>().unwrap();
    let oracle = Oracle::new(Some(view), 0).unwrap();
    let first = oracle.analyse(Position::EMPTY, &Limits::default()).unwrap();
    assert_eq!(first.value.moves, [-2, -1, 0, 1, 0, -1, -2].map(Some));
    assert_eq!(first.value.score, 1);
    assert_eq!(first.value.best_moves().collect::<Vec<_>>(), [3]);
    assert_ne!(first.source, Source::Solver);
}

/// As far as the book reaches, it says what other solvers say.
#[test]
fn it_agrees_with_the_test_data() {
    let book = default_book();
    let view = book.view::<7, 6>().unwrap();
    let mut compared = 0;
    for (position, expected) in known_scores() {
        let answer = view.score(position);
        match answer.value() {
            Some(value) => assert_eq!(value, Value::Score(expected), "{position:?}"),
            None => assert_eq!(answer, Answer::TooDeep, "{position:?}"),
        }
        if position.ply() <= book.depth() {
            assert_ne!(answer, Answer::TooDeep, "{position:?}");
            compared += 1;
        }
    }
    assert!(compared > 0 || book.depth() < 4, "nothing was compared");
}
