//! What a book answers is what the solver answers.

use crate::support::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth};
use fourbook::board::{Outcome, Position};
use fourbook::book::{Answer, Book, BookView, Value, ValueKind};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Compares a book with the truth at every ply that there is.
fn compare<const W: usize, const H: usize>(truth: &Truth<W, H>, depth: u32, kind: ValueKind) {
    let book = Book::from_bytes(truth.book(depth, kind)).unwrap();
    assert_eq!((book.depth(), book.kind()), (depth, kind));
    let view = book.view::<W, H>().unwrap();
    for (ply, positions) in truth.plies.iter().enumerate() {
        for &(position, score) in positions {
            let answer = view.score(position);
            let value = match kind {
                ValueKind::Scores => Value::Score(score),
                ValueKind::Outcomes => Value::Outcome(Outcome::of(score)),
            };
            let expected = match depth.checked_sub(ply as u32) {
                _ if position.score_by_rules().is_some() => Answer::Rules(score),
                None => Answer::TooDeep,
                Some(above) if above % 2 == 0 => Answer::Stored(value),
                Some(_) => Answer::Derived(value),
            };
            assert_eq!(answer, expected, "{position:?}");
            assert_eq!(view.score(position.mirrored()), answer, "the mirror image of {position:?}");
        }
    }
}

#[test]
fn every_position_of_a_4x4_board_at_every_depth() {
    for depth in 0..=16 {
        compare(&FOUR_BY_FOUR, depth, ValueKind::Scores);
        compare(&FOUR_BY_FOUR, depth, ValueKind::Outcomes);
    }
}

#[test]
fn every_position_of_a_5x4_board() {
    for depth in [7, 8] {
        compare(&FIVE_BY_FOUR, depth, ValueKind::Scores);
        compare(&FIVE_BY_FOUR, depth, ValueKind::Outcomes);
    }
}

#[test]
fn what_is_known_is_told_as_what_it_is() {
    let exact = Answer::Stored(Value::Score(-2));
    assert_eq!((exact.score(), exact.outcome()), (Some(-2), Some(Outcome::Loss)));
    let rough = Answer::Derived(Value::Outcome(Outcome::Win));
    assert_eq!((rough.score(), rough.outcome()), (None, Some(Outcome::Win)));
    for unknown in [Answer::TooDeep, Answer::Absent] {
        assert_eq!((unknown.value(), unknown.score(), unknown.outcome()), (None, None, None));
    }
}

#[test]
fn a_position_no_game_reaches_is_no_verdict() {
    // The second stone of the game cannot stand below the first.
    let (upper, lower) = (0b10, 0b01);
    let real = Position::<5, 4>::from_bitboards(lower, lower | upper).unwrap();
    let impossible = Position::<5, 4>::from_bitboards(upper, lower | upper).unwrap();
    assert!(matches!(FIVE_BY_FOUR_VIEW.score(real), Answer::Stored(_)));
    assert_eq!(FIVE_BY_FOUR_VIEW.score(impossible), Answer::Absent);
}

static FIVE_BY_FOUR_VIEW: LazyLock<BookView<Vec<u8>, 5, 4>> = LazyLock::new(|| {
    Book::from_bytes(FIVE_BY_FOUR.book(8, ValueKind::Scores)).unwrap().into_view().unwrap()
});

proptest! {
    /// Playing on from any position, its score is the best of its moves', as
    /// long as the book answers for them.
    #[test]
    fn a_position_is_worth_its_best_move(moves in proptest::collection::vec(0..5_usize, 0..8)) {
        let mut position = Position::<5, 4>::EMPTY;
        for column in moves {
            if position.can_play(column) && !position.is_over() {
                position = position.play(column);
            }
        }
        let score = FIVE_BY_FOUR_VIEW.score(position).score().expect("the book is deep enough");
        let moves = position.children().into_iter().flatten();
        let scores: Option<Vec<_>> =
            moves.map(|child| FIVE_BY_FOUR_VIEW.score(child).score()).collect();
        if let Some(best) = scores.and_then(|scores| scores.into_iter().map(|s| -s).max()) {
            prop_assert_eq!(score, best);
        }
    }
}
