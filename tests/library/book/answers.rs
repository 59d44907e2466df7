//! Books give the same answers as the solver.

use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth};
use fourbook::{Book, Lookup, Position, ValueKind};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Compares a book with the true scores at every ply.
fn compare(truth: &Truth, depth: u32, kind: ValueKind) {
    let book = Book::from_bytes(truth.book(depth, kind)).unwrap();
    assert_eq!((book.size(), book.depth(), book.kind()), (truth.size, depth, kind));
    for (ply, positions) in truth.plies.iter().enumerate() {
        for &(position, score) in positions {
            let answer = book.look_up(position).unwrap();
            let bounds = kind.bounds(score);
            let expected = match depth.checked_sub(ply as u32) {
                _ if position.score_by_rules().is_some() => Lookup::Rules(score),
                None => Lookup::TooDeep,
                Some(above) if above % 2 == 0 => Lookup::Stored(bounds),
                Some(_) => Lookup::Derived(bounds),
            };
            assert_eq!(answer, expected, "{position:?}");
            assert_eq!(
                book.look_up(position.mirrored()).unwrap(),
                answer,
                "mirror image of {position:?}"
            );
        }
    }
}

#[test]
fn every_position_of_a_4x4_board_at_every_depth() {
    for depth in 0..=16 {
        compare(&FOUR_BY_FOUR, depth, ValueKind::Scores);
        compare(&FOUR_BY_FOUR, depth, ValueKind::WinDrawLoss);
    }
}

#[test]
fn every_position_of_a_5x4_board() {
    for depth in [7, 8] {
        compare(&FIVE_BY_FOUR, depth, ValueKind::Scores);
        compare(&FIVE_BY_FOUR, depth, ValueKind::WinDrawLoss);
    }
}

#[test]
fn a_position_no_game_reaches_is_no_verdict() {
    // The second stone of the game cannot stand below the first.
    let upper = 0b10;
    let lower = 0b01;
    let size = FIVE_BY_FOUR.size;
    let real = Position::from_bitboards(size, lower, lower | upper).unwrap();
    let impossible = Position::from_bitboards(size, upper, lower | upper).unwrap();
    assert!(matches!(FIVE_BY_FOUR_BOOK.look_up(real).unwrap(), Lookup::Stored(_)));
    assert_eq!(FIVE_BY_FOUR_BOOK.look_up(impossible).unwrap(), Lookup::Absent);
}

static FIVE_BY_FOUR_BOOK: LazyLock<Book> =
    LazyLock::new(|| Book::from_bytes(FIVE_BY_FOUR.book(8, ValueKind::Scores)).unwrap());

proptest! {
    /// From any position in the book, its score is the best of its moves' scores.
    #[test]
    fn a_position_is_worth_its_best_move(moves in proptest::collection::vec(0..5_usize, 0..8)) {
        let book = &*FIVE_BY_FOUR_BOOK;
        let mut position = Position::empty(book.size());
        for column in moves {
            position = position.try_play(column).unwrap_or(position);
        }
        let score = book.look_up(position).unwrap().score().expect("the book is deep enough");
        let moves = position.children().flatten();
        let scores: Option<Vec<_>> = moves.map(|child| book.look_up(child).unwrap().score()).collect();
        if let Some(best) = scores.and_then(|scores| scores.into_iter().map(|s| -s).max()) {
            prop_assert_eq!(score, best);
        }
    }
}
