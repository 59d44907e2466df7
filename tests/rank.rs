//! The numbering of positions, on random positions and slots of many boards.

use fourbook::board::{OnSize, Position, Size};
use fourbook::rank::{Ranking, slots};
use proptest::prelude::*;
use std::collections::HashSet;

/// The position after at most `ply` of these moves, skipping those that cannot
/// be played; whether a game ended on the way does not matter to a ranking.
fn play<const W: usize, const H: usize>(choices: &[u8], ply: u32) -> Position<W, H> {
    let mut position = Position::EMPTY;
    for &choice in choices {
        let column = usize::from(choice) % W;
        if position.ply() < ply && position.can_play(column) {
            position = position.play(column);
        }
    }
    position
}

/// What holds for every position of a line of play, on any board.
struct PositionsAreFoundAgain<'a> {
    choices: &'a [u8],
    deepest: u32,
}

impl OnSize for PositionsAreFoundAgain<'_> {
    type Output = ();

    fn on_size<const W: usize, const H: usize>(self) {
        for ply in 0..=self.deepest {
            let position = play::<W, H>(self.choices, ply);
            let ranking = Ranking::new(position.ply()).expect("few stones have few slots");
            let slot = ranking.rank(position);
            assert!(slot < ranking.slots());
            assert_eq!(ranking.rank(position.mirrored()), slot, "mirror images share a slot");
            let back = ranking.unrank(slot);
            assert!(back == position || back == position.mirrored());
        }
    }
}

/// What holds for every slot, on any board: one of each ply.
struct SlotsAreFoundAgain {
    deepest: u32,
    choice: u64,
}

impl OnSize for SlotsAreFoundAgain {
    type Output = ();

    fn on_size<const W: usize, const H: usize>(self) {
        for ply in 0..=self.deepest {
            let ranking = Ranking::<W, H>::new(ply).expect("few stones have few slots");
            let slot = self.choice % ranking.slots();
            let position = ranking.unrank(slot);
            assert_eq!(position.ply(), ply);
            let back = ranking.rank(position);
            if back != slot {
                let mirrored = position.mirrored().mask();
                assert_eq!(position.mask(), mirrored, "only symmetric masks leave slots unused");
                assert_eq!(ranking.rank(ranking.unrank(back)), back);
            }
        }
    }
}

struct SlotsAreCounted;

impl OnSize for SlotsAreCounted {
    type Output = ();

    fn on_size<const W: usize, const H: usize>(self) {
        for ply in 0..=W * H + 1 {
            let ply = ply as u32;
            let counted = slots(Size::of::<W, H>(), ply);
            assert_eq!(counted, Ranking::<W, H>::new(ply).map(|ranking| ranking.slots()), "{ply}");
        }
    }
}

fn any_size() -> impl Strategy<Value = Size> {
    proptest::sample::select(Size::ALL)
}

proptest! {
    #[test]
    fn positions_of_every_ply_to_16_are_found_again(
        size in any_size(),
        choices in proptest::collection::vec(any::<u8>(), 40),
    ) {
        size.dispatch(PositionsAreFoundAgain { choices: &choices, deepest: 16 });
    }

    #[test]
    fn positions_of_every_ply_to_12_of_the_standard_board_are_found_again(
        choices in proptest::collection::vec(any::<u8>(), 40),
    ) {
        Size::STANDARD.dispatch(PositionsAreFoundAgain { choices: &choices, deepest: 12 });
    }

    #[test]
    fn slots_of_every_ply_to_12_are_found_again(size in any_size(), choice in any::<u64>()) {
        size.dispatch(SlotsAreFoundAgain { deepest: 12, choice });
    }
}

#[test]
fn slots_are_counted_without_tables() {
    for size in Size::ALL {
        size.dispatch(SlotsAreCounted);
    }
}

/// Different positions have different slots: every position of the first plies
/// of the standard board, found by playing.
#[test]
fn positions_do_not_share_slots() {
    let mut positions = HashSet::from([Position::<7, 6>::EMPTY.canonical_key()]);
    for ply in 0..=7 {
        let ranking = Ranking::<7, 6>::new(ply).unwrap();
        let position = |key: &u64| Position::<7, 6>::from_key(*key).unwrap();
        let slots: HashSet<u64> = positions.iter().map(|key| ranking.rank(position(key))).collect();
        assert_eq!(slots.len(), positions.len(), "ply {ply}");
        let children = positions.iter().flat_map(|key| position(key).children());
        positions = children.flatten().map(Position::canonical_key).collect();
    }
}
