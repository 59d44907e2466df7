//! How the positions of a ply end, counted from a book.

use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth};
use fourbook::book::BookError;
use fourbook::book::Encoding;
use fourbook::tools::ToolError;
use fourbook::tools::stats::{Endings, statistics};
use fourbook::{Book, Outcome, Position, Score, ValueKind};

/// Counts positions one by one.
fn count(positions: impl Iterator<Item = (Position, Score)>) -> Endings {
    let mut endings = Endings::default();
    for (position, score) in positions {
        let first_moves = position.ply() % 2 == 0;
        let first = if first_moves { Outcome::of(score) } else { Outcome::of(-score) };
        *match (first, position.is_over()) {
            (Outcome::Win, false) => &mut endings.first_wins,
            (Outcome::Draw, false) => &mut endings.draws,
            (Outcome::Loss, false) => &mut endings.second_wins,
            (Outcome::Win, true) => &mut endings.first_has_won,
            (Outcome::Draw, true) => &mut endings.drawn,
            (Outcome::Loss, true) => &mut endings.second_has_won,
        } += 1;
    }
    endings
}

fn compare(truth: &Truth, book: Vec<u8>) {
    let book = Book::from_bytes(book).unwrap();
    let found = statistics(&book, &()).unwrap();
    assert_eq!(found.len() as u32, book.depth() + 1);
    for (found, positions) in found.iter().zip(&truth.plies) {
        let all = || positions.iter().copied();
        assert_eq!(found.distinct, count(all()), "ply {}", found.ply);
        let unique = all().filter(|(position, _)| position.canonical() == *position);
        assert_eq!(found.mirror_unique, count(unique), "ply {}", found.ply);
    }
}

#[test]
#[ignore = "counts all positions of a board by keys; `.ci/run slow` runs it"]
fn every_position_of_a_small_board_is_counted_where_it_belongs() {
    for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
        for depth in [0, 1, 11, 16] {
            compare(&FOUR_BY_FOUR, FOUR_BY_FOUR.book(depth, kind));
        }
        compare(&FOUR_BY_FOUR, FOUR_BY_FOUR.encoded(12, kind, Encoding::Compact));
    }
    compare(&FIVE_BY_FOUR, FIVE_BY_FOUR.book(8, ValueKind::Scores));
}

/// The numbers of distinct positions are sequence A212693 of the On-Line
/// Encyclopedia of Integer Sequences.
#[test]
fn the_totals_of_the_standard_board_are_the_known_ones() {
    let book = Book::from_bytes(include_bytes!("../../../books/7x6-d8.book")).unwrap();
    let plies = statistics(&book, &()).unwrap();
    let totals: Vec<u64> = plies.iter().map(|ply| ply.distinct.total()).collect();
    assert_eq!(totals, [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275]);
    // One first move wins, two draw and four lose.
    let Endings { first_wins, draws, second_wins, .. } = plies[1].distinct;
    assert_eq!((first_wins, draws, second_wins), (1, 2, 4));
    assert_eq!(plies[0].distinct.first_wins, 1);
}

#[test]
fn a_damaged_book_is_not_counted() {
    let mut bytes = FOUR_BY_FOUR.book(6, ValueKind::Scores);
    *bytes.last_mut().unwrap() ^= 1;
    let error = statistics(&Book::from_bytes(bytes).unwrap(), &()).unwrap_err();
    assert!(matches!(error, ToolError::Book(BookError::Block { block: 0, .. })), "{error}");
}
