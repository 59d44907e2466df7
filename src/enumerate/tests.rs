//! Counts of positions against published figures, and the depth-first order.

use super::{DepthFirst, PlyCounts, Reachable};
use crate::rank::Ranking;
use fourbook_solver::board::{Position, Size, Word};
use std::collections::HashSet;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

/// Distinct positions of 7x6 by ply: OEIS A212693.
const DISTINCT: [u64; 13] =
    [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101];

/// Mirror-unique positions of 7x6 in which the game has not ended, by ply.
const ONGOING: [u64; 10] = [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295, 269531];

/// Mirror-unique positions without a win at once: (ply, count).
const STORED: [(u32, u64); 3] = [(8, 77_715), (10, 634_338), (12, 4_200_899)];

fn compare_with_published(depth: u32) {
    let reachable = Reachable::to_depth(Size::STANDARD, depth).unwrap();
    for ply in 0..=depth {
        let counts = reachable.ply(ply).counts;
        assert_eq!(counts.distinct, DISTINCT[ply as usize], "distinct positions of ply {ply}");
        if let Some(&ongoing) = ONGOING.get(ply as usize) {
            assert_eq!(counts.ongoing, ongoing, "ongoing positions of ply {ply}");
        }
        if let Some(&(_, stored)) = STORED.iter().find(|&&(known, _)| known == ply) {
            assert_eq!(counts.stored, stored, "stored positions of ply {ply}");
        }
    }
}

#[test]
fn counts_on_7x6_are_the_published_ones() {
    compare_with_published(9);
}

#[test]
#[ignore = "enumerates millions of positions; `.ci/run slow` runs it"]
fn counts_on_7x6_are_the_published_ones_down_to_ply_12() {
    compare_with_published(12);
}

/// The counts of every ply, by keys in hash sets and the rules alone.
fn counts_by_keys(size: Size, plies: usize) -> Vec<PlyCounts> {
    let mut ply = HashSet::from([Position::empty(size)]);
    let mut counts = Vec::new();
    while !ply.is_empty() && counts.len() < plies {
        let unique: HashSet<u128> = ply
            .iter()
            .filter(|position| !position.is_over())
            .map(|position| position.canonical_key())
            .collect();
        let positions = unique.iter().map(|&key| Position::from_key(size, key).unwrap());
        counts.push(PlyCounts {
            distinct: ply.len() as u64,
            ongoing: unique.len() as u64,
            stored: positions.filter(|position| position.score_by_rules().is_none()).count() as u64,
        });
        ply = ply.into_iter().flat_map(Position::children).flatten().collect();
    }
    counts
}

fn compare_with_plain<B: Word>(size: Size, plies: usize) -> u64 {
    let expected = counts_by_keys(size, plies);
    let mut reachable = Reachable::root(size);
    for _ in 1..plies {
        let next = reachable.next::<B>(&()).unwrap();
        reachable.plies.push(next);
    }
    assert_eq!(expected.len(), plies);
    for (ply, expected) in expected.iter().enumerate() {
        assert_eq!(reachable.ply(ply as u32).counts, *expected, "{size}, ply {ply}");
    }
    expected.iter().map(|counts| counts.distinct).sum()
}

#[test]
fn counts_of_all_plies_of_4x4_are_those_of_a_plain_enumeration() {
    assert_eq!(compare_with_plain::<u64>(size("4x4"), 17), 161_029);
    assert_eq!(compare_with_plain::<u128>(size("4x4"), 17), 161_029);
}

#[test]
fn counts_of_large_boards_are_those_of_a_plain_enumeration() {
    compare_with_plain::<u64>(size("9x6"), 5);
    compare_with_plain::<u128>(size("8x8"), 6);
    compare_with_plain::<u128>(size("16x7"), 5);
    compare_with_plain::<u128>(size("4x31"), 8);
}

#[test]
fn a_ply_past_the_last_stone_is_refused() {
    let error = Reachable::to_depth(size("4x4"), 17).unwrap_err();
    assert!(
        error.to_string().contains("depth 17 is too deep for 4x4: expected 0 to 15 plies"),
        "{error}"
    );
    assert!(DepthFirst::<u64>::new(size("4x4"), 17).is_err());
    // 8x7 has more positions than can be numbered in the middle of the game.
    let error = DepthFirst::<u64>::new(size("8x7"), 36).unwrap_err().to_string();
    let deepest = crate::rank::deepest_ply(size("8x7"));
    assert!(error.ends_with(&format!("0 to {deepest} plies, which can be numbered")), "{error}");
}

/// The order visits every stored position of the ply, once, and nothing else.
fn order_is_complete<B: Word>(size: Size, depth: u32) {
    let reachable = Reachable::to_depth(size, depth).unwrap();
    let ranking = Ranking::new(size, depth).unwrap();
    let deepest = reachable.deepest();
    let stored: HashSet<u64> = deepest.stored_slots(0..ranking.slots).collect();
    let mut met = HashSet::new();
    for (slot, position) in DepthFirst::<B>::new(size, depth).unwrap() {
        assert_eq!(ranking.rank(position), slot);
        assert!(stored.contains(&slot), "ply {depth}: slot {slot} is not stored");
        assert!(met.insert(slot), "ply {depth}: slot {slot} came twice");
    }
    assert_eq!(met.len() as u64, deepest.counts.stored, "ply {depth}");
    assert_eq!(met, stored, "ply {depth}");
}

#[test]
fn depth_first_order_meets_every_stored_position_once() {
    for depth in 0..=16 {
        order_is_complete::<u64>(size("4x4"), depth);
    }
    for depth in [7, 12] {
        order_is_complete::<u64>(size("5x4"), depth);
    }
    order_is_complete::<u64>(Size::STANDARD, 7);
    order_is_complete::<u128>(size("9x7"), 5);
}

#[test]
fn depth_first_order_is_the_same_in_the_word_of_larger_boards() {
    let narrow = DepthFirst::<u64>::new(size("4x4"), 7).unwrap();
    let wide = DepthFirst::<u128>::new(size("4x4"), 7).unwrap();
    assert!(
        narrow.map(|(slot, it)| (slot, it.widen())).eq(wide.map(|(slot, it)| (slot, it.widen())))
    );
}

#[test]
#[ignore = "enumerates millions of positions; `.ci/run slow` runs it"]
fn depth_first_order_meets_every_stored_position_of_ply_12_once() {
    order_is_complete::<u64>(Size::STANDARD, 12);
}

#[test]
fn depth_first_order_starts_in_the_centre_and_keeps_lines_together() {
    let first: Vec<_> = DepthFirst::<u64>::new(Size::STANDARD, 3).unwrap().take(3).collect();
    // "445" is the mirror image of "443" and left out.
    let expected = ["444", "443", "442"].map(|moves| Position::from_moves(moves).unwrap());
    assert_eq!(first.iter().map(|visit| visit.1.widen()).collect::<Vec<_>>(), expected);
}
