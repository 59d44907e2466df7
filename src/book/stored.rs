//! The plies that a book stores.

use super::compact::Compact;
use super::flat::Flat;
use super::header::Section;
use crate::rank::Ranking;
use std::sync::OnceLock;

/// The deepest ply and every second one above, the shallowest first: all that a book needs.
pub(crate) fn every_second_ply(depth: u32) -> Vec<u32> {
    (depth % 2..=depth).step_by(2).collect()
}

/// Whether a book can store these plies: they ascend, and of two plies that follow each other, at
/// least one is stored.
pub(super) fn can_be_stored(plies: &[u32]) -> bool {
    plies.first().is_some_and(|&first| first <= 1)
        && plies.is_sorted_by(|&ply, &next| next == ply + 1 || next == ply + 2)
}

/// A section, and what its first lookup makes to read it.
pub(super) struct StoredPly {
    pub(super) section: Section,
    /// Made by the first lookup in the ply. It takes longer than the rest of opening a book, and
    /// many programs ask for a single position.
    pub(super) reader: OnceLock<SectionReader>,
}

/// How a section's values are read.
pub(super) enum SectionReader {
    Flat(Flat, Ranking),
    Compact(Compact),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_ply_to_the_deepest_can_be_stored() {
        for depth in 0..=124 {
            let plies = every_second_ply(depth);
            assert!(can_be_stored(&plies) && plies.last() == Some(&depth), "{plies:?}");
            assert!(plies.windows(2).all(|pair| pair[1] - pair[0] == 2), "{plies:?}");
        }
    }

    #[test]
    fn of_a_ply_and_the_one_after_it_one_is_stored() {
        let good: [&[u32]; 4] = [&[1, 2], &[0, 1, 2], &[0, 1, 3, 5], &[1, 3, 4, 5, 7]];
        assert!(good.into_iter().all(can_be_stored));
        let bad: [&[u32]; 7] = [&[], &[2], &[0, 1, 4], &[0, 2, 2], &[2, 0], &[1, 0, 2], &[0, 200]];
        for plies in bad {
            assert!(!can_be_stored(plies), "{plies:?}");
        }
    }
}
