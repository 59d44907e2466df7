//! The numbering of positions, on slots and random positions of all boards.

use super::*;
use fourbook_solver::board::Position;
use fourbook_solver::with_word;
use proptest::prelude::*;
use std::collections::HashSet;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

/// Every slot of every ply that a small board has: a slot is the rank
/// of its own position exactly if that position is canonical.
#[test]
fn ranks_of_small_boards_are_unique_and_undone() {
    for (board, plies) in [("4x4", 16), ("5x4", 10), ("9x6", 5), ("8x8", 5), ("11x10", 4)] {
        let size = size(board);
        for ply in 0..=plies {
            with_word!(size, B => check_ply::<B>(&Ranking::new(size, ply).unwrap()));
        }
    }
}

fn check_ply<B: Word>(ranking: &Ranking) {
    for slot in 0..ranking.slots {
        let position = ranking.unrank::<B>(slot);
        assert_eq!(position.ply(), ranking.ply);
        let back = ranking.rank(position);
        assert_eq!(ranking.rank(position.mirrored()), back);
        if back != slot {
            let twin = ranking.unrank(back);
            assert_eq!(twin, position.mirrored());
            assert_eq!(position.mask(), twin.mask());
        }
    }
}

/// The first, the last and some slots between of every ply of every board.
#[test]
fn slots_of_every_board_are_ranks_of_their_positions() {
    for size in Size::all() {
        let deepest = deepest_ply(size);
        assert!(deepest >= 9, "{size}: {deepest}");
        for ply in [deepest / 3, deepest / 2, deepest] {
            let undone = with_word!(size, B => {
                let ranking = Ranking::new(size, ply).unwrap();
                let slots = ranking.slots;
                let steps = 50;
                (0..=steps).filter(|step| {
                    let slot = ((slots - 1) as u128 * step / steps) as u64;
                    ranking.rank(ranking.unrank::<B>(slot)) == slot
                }).count()
            });
            // Some slots of masks that are their own mirror image belong to no position.
            assert!(undone > 25, "{size}, ply {ply}: {undone}");
        }
    }
}

/// Worked out by hand (and by another program) from the description.
#[test]
fn slots_are_those_that_the_format_shows() {
    let document = include_str!("../../docs/src/format.md");
    let (_, table) = document.split_once("| Moves | Slot |\n|---|---|\n").expect("a table");
    let rows: Vec<_> = table.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let [_, moves, shown, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("expected two cells: {row}");
        };
        let moves = moves.trim().trim_matches('`').replace("(none)", "");
        let position = Position::from_moves(&moves).unwrap();
        let ranking = Ranking::new(Size::STANDARD, position.ply()).unwrap();
        assert_eq!(ranking.rank(Board::<u128>::of(position)).to_string(), shown.trim(), "{row}");
    }
}

#[test]
fn slots_at_ply_12_are_as_many_as_the_format_says() {
    assert_eq!(slots(Size::STANDARD, 12), Some(7_116_648));
    assert_eq!(slots(Size::STANDARD, 43), None);
}

#[test]
fn too_many_stones_or_slots_are_refused() {
    assert!(Ranking::new(size("4x4"), 17).is_none());
    assert!(Ranking::new(size("8x7"), 36).is_none());
    assert!(Ranking::new(size("16x7"), 100).is_none());
    assert_eq!(deepest_ply(size("4x4")), 15);
    let deepest = deepest_ply(size("8x7"));
    assert!(slots(size("8x7"), deepest + 1).is_none());
}

/// The position after at most `ply` of these moves, skipping full
/// columns; whether a game ended on the way does not matter to a ranking.
fn play<B: Word>(size: Size, choices: &[u8], ply: u32) -> Board<B> {
    let mut position = Board::<B>::start(size);
    for &choice in choices {
        let column = usize::from(choice) % size.width();
        let cell = position.possible_moves() & position.geometry().column(column);
        if position.ply() < ply && !cell.is_empty() {
            position = position.play_cell(cell);
        }
    }
    position
}

/// Checks every position of a line of play, on any board.
fn positions_are_found_again<B: Word>(size: Size, choices: &[u8], deepest: u32) {
    for ply in 0..=deepest {
        let position = play::<B>(size, choices, ply);
        let ranking = Ranking::new(size, position.ply()).expect("few stones have few slots");
        let slot = ranking.rank(position);
        assert!(slot < ranking.slots);
        assert_eq!(ranking.rank(position.mirrored()), slot, "mirror images share a slot");
        let back = ranking.unrank(slot);
        assert!(back == position || back == position.mirrored());
    }
}

/// Checks one slot of each ply, on any board.
fn slots_are_found_again<B: Word>(size: Size, deepest: u32, choice: u64) {
    for ply in 0..=deepest {
        let ranking = Ranking::new(size, ply).expect("few stones have few slots");
        let slot = choice % ranking.slots;
        let position = ranking.unrank::<B>(slot);
        assert_eq!(position.ply(), ply);
        let back = ranking.rank(position);
        if back != slot {
            let mirrored = position.mirrored().mask();
            assert_eq!(position.mask(), mirrored, "only symmetric masks leave slots unused");
            assert_eq!(ranking.rank(ranking.unrank::<B>(back)), back);
        }
    }
}

fn any_size() -> impl Strategy<Value = Size> {
    proptest::sample::select(Size::all().collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn positions_of_every_ply_to_9_are_found_again(
        size in any_size(),
        choices in proptest::collection::vec(any::<u8>(), 40),
    ) {
        with_word!(size, B => positions_are_found_again::<B>(size, &choices, 9));
    }

    #[test]
    fn positions_of_every_ply_to_16_of_the_standard_board_are_found_again(
        choices in proptest::collection::vec(any::<u8>(), 40),
    ) {
        positions_are_found_again::<u64>(Size::STANDARD, &choices, 16);
    }

    #[test]
    fn slots_of_every_ply_to_9_are_found_again(size in any_size(), choice in any::<u64>()) {
        with_word!(size, B => slots_are_found_again::<B>(size, 9, choice));
    }
}

/// Different positions have different slots: every position of the first plies
/// of the standard board, found by playing.
#[test]
fn positions_do_not_share_slots() {
    let mut positions = HashSet::from([Position::empty(Size::STANDARD).canonical_key()]);
    for ply in 0..=7 {
        let ranking = Ranking::new(Size::STANDARD, ply).unwrap();
        let position = |key: &u128| Position::from_key(Size::STANDARD, *key).unwrap();
        let slots: HashSet<u64> =
            positions.iter().map(|key| ranking.rank(Board::<u128>::of(position(key)))).collect();
        assert_eq!(slots.len(), positions.len(), "ply {ply}");
        let children = positions.iter().flat_map(|key| position(key).children());
        positions = children.flatten().map(Position::canonical_key).collect();
    }
}
