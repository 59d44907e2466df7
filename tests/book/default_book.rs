//! The book that comes with the program.

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
    let files = [
        include_str!("../data/begin-easy.txt"),
        include_str!("../data/begin-medium.txt"),
        include_str!("../data/begin-hard.txt"),
    ];
    let mut compared = 0;
    for line in files.into_iter().flat_map(str::lines) {
        let (moves, score) = line.split_once(' ').unwrap();
        let expected = Value::Score(score.parse().unwrap());
        let answer = view.score(Position::from_moves(moves).unwrap());
        match answer.value() {
            Some(value) => assert_eq!(value, expected, "{line}"),
            None => assert_eq!(answer, Answer::TooDeep, "{line}"),
        }
        if moves.len() <= book.depth() as usize {
            assert_ne!(answer, Answer::TooDeep, "{line}");
            compared += 1;
        }
    }
    assert!(compared > 0 || book.depth() < 4, "nothing was compared");
}
