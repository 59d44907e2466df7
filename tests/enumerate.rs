//! Counts of positions against published figures, and the depth-first order.

use fourbook::board::Position;
use fourbook::enumerate::{DepthFirst, PlyCounts, Reachable, Visit};
use fourbook::rank::Ranking;
use std::collections::HashSet;

/// Distinct positions of 7x6 by ply: OEIS A212693.
const DISTINCT: [u64; 13] =
    [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101];

/// Mirror-unique positions of 7x6 in which the game has not ended, by ply.
const ONGOING: [u64; 10] = [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295, 269531];

/// Those without a win at once, (ply, count).
const STORED: [(u32, u64); 3] = [(8, 77_715), (10, 634_338), (12, 4_200_899)];

fn compare_with_published(depth: u32) {
    let reachable = Reachable::<7, 6>::to_depth(depth).unwrap();
    for ply in 0..=depth {
        let counts = reachable.ply(ply).counts();
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
#[ignore = "takes seconds in a release build, minutes otherwise"]
fn counts_on_7x6_are_the_published_ones_down_to_ply_12() {
    compare_with_published(12);
}

/// The counts of every ply, by keys in hash sets and the rules alone.
fn counts_by_keys<const W: usize, const H: usize>() -> Vec<PlyCounts> {
    let mut ply = HashSet::from([Position::<W, H>::EMPTY]);
    let mut counts = Vec::new();
    while !ply.is_empty() {
        let unique: HashSet<u64> = ply
            .iter()
            .filter(|position| !position.is_over())
            .map(|position| position.canonical_key())
            .collect();
        let positions = unique.iter().map(|&key| Position::<W, H>::from_key(key).unwrap());
        counts.push(PlyCounts {
            distinct: ply.len() as u64,
            ongoing: unique.len() as u64,
            stored: positions.filter(|position| position.score_by_rules().is_none()).count() as u64,
        });
        ply = ply.into_iter().flat_map(|position| position.children()).flatten().collect();
    }
    counts
}

#[test]
fn counts_of_all_plies_of_4x4_are_those_of_a_plain_enumeration() {
    let expected = counts_by_keys::<4, 4>();
    let reachable = Reachable::<4, 4>::to_depth(16).unwrap();
    assert_eq!(expected.len(), 17);
    assert_eq!(expected.iter().map(|counts| counts.distinct).sum::<u64>(), 161_029);
    for (ply, expected) in expected.into_iter().enumerate() {
        assert_eq!(reachable.ply(ply as u32).counts(), expected, "ply {ply}");
    }
}

#[test]
fn a_ply_past_the_last_stone_is_refused() {
    let error = Reachable::<4, 4>::to_depth(17).unwrap_err();
    assert!(error.to_string().contains("ply 17 of 4x4"), "{error}");
    assert!(DepthFirst::<4, 4>::new(17).is_err());
    // 8x7 has more positions than can be numbered in the middle of the game.
    assert!(DepthFirst::<8, 7>::new(36).is_err());
}

/// The order visits every stored position of the ply, once, and nothing else.
fn order_is_complete<const W: usize, const H: usize>(depth: u32) {
    let reachable = Reachable::<W, H>::to_depth(depth).unwrap();
    let ranking = Ranking::<W, H>::new(depth).unwrap();
    let deepest = reachable.deepest();
    let mut met = HashSet::new();
    for Visit { slot, position } in DepthFirst::<W, H>::new(depth).unwrap() {
        assert_eq!(ranking.rank(position), slot);
        assert!(deepest.is_stored(slot), "ply {depth}: slot {slot} is not stored");
        assert!(met.insert(slot), "ply {depth}: slot {slot} came twice");
    }
    assert_eq!(met.len() as u64, deepest.counts().stored, "ply {depth}");
    let stored = deepest.ongoing().iter().filter(|&slot| deepest.is_stored(slot)).count();
    assert_eq!(met.len(), stored, "ply {depth}");
}

#[test]
fn depth_first_order_meets_every_stored_position_once() {
    for depth in 0..=16 {
        order_is_complete::<4, 4>(depth);
    }
    for depth in [7, 12] {
        order_is_complete::<5, 4>(depth);
    }
    order_is_complete::<7, 6>(7);
}

#[test]
#[ignore = "takes seconds in a release build, minutes otherwise"]
fn depth_first_order_meets_every_stored_position_of_ply_12_once() {
    order_is_complete::<7, 6>(12);
}

#[test]
fn depth_first_order_starts_in_the_centre_and_keeps_lines_together() {
    let first: Vec<_> = DepthFirst::<7, 6>::new(3).unwrap().take(3).collect();
    // "445" is the mirror image of "443" and left out.
    let expected = ["444", "443", "442"].map(|moves| Position::from_moves(moves).unwrap());
    assert_eq!(first.iter().map(|visit| visit.position).collect::<Vec<_>>(), expected);
}
