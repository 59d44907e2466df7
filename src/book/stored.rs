//! Which plies a book stores.

/// The plies that a book stores. Of two plies that follow each other, at least one is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredPlies {
    /// A bit for each ply; no board has more cells than bits.
    plies: u128,
}

impl StoredPlies {
    /// The deepest ply and every second one above: all that a book needs.
    ///
    /// # Panics
    ///
    /// If no board has `depth` cells.
    pub(crate) fn every_second(depth: u32) -> Self {
        let plies = (depth % 2..=depth).step_by(2);
        StoredPlies { plies: plies.fold(0, |plies, ply| plies | 1 << ply) }
    }

    /// Adds the plies up to `last` or the deepest, whichever comes first.
    pub(crate) fn with_all_to(self, last: u32) -> Self {
        let all = (0..=last.min(self.depth())).fold(0, |plies, ply| plies | 1 << ply);
        StoredPlies { plies: self.plies | all }
    }

    /// The plies of a book with sections for `plies`; `None` if no book has such sections.
    pub(crate) fn of_sections(sections: &[u32]) -> Option<Self> {
        let &depth = sections.last().filter(|&&depth| depth < u128::BITS)?;
        let plies =
            sections.iter().try_fold(0, |plies, &ply| Some(plies | 1_u128.checked_shl(ply)?));
        let stored = StoredPlies { plies: plies? };
        let is_one = sections.is_sorted_by(|ply, next| ply < next)
            && (0..=depth).all(|ply| stored.contains(stored.source_of(ply)));
        is_one.then_some(stored)
    }

    /// The deepest.
    fn depth(self) -> u32 {
        self.plies.ilog2()
    }

    /// Whether a ply is one of them.
    #[inline]
    pub(crate) const fn contains(self, ply: u32) -> bool {
        ply < u128::BITS && self.plies >> ply & 1 == 1
    }

    /// The stored ply that the values of a ply are read or derived from.
    #[inline]
    pub(crate) const fn source_of(self, ply: u32) -> u32 {
        if self.contains(ply) { ply } else { ply + 1 }
    }

    /// The shallowest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> {
        (0..u128::BITS).filter(move |&ply| self.contains(ply))
    }
}

#[cfg(all(test, feature = "generate"))]
mod tests {
    use super::*;

    #[test]
    fn of_a_ply_and_the_one_after_it_one_is_stored() {
        for depth in 0..=124 {
            let plies = StoredPlies::every_second(depth);
            for last in [0, 1, 7, depth, depth + 1, 200] {
                let more = plies.with_all_to(last);
                for ply in 0..=depth {
                    assert_eq!(more.contains(ply), ply <= last || plies.contains(ply));
                    assert!(more.contains(more.source_of(ply)));
                    assert!((ply..=ply + 1).contains(&more.source_of(ply)));
                }
                assert!((depth + 1..300).all(|ply| !more.contains(ply)));
                let sections: Vec<u32> = more.iter().collect();
                assert_eq!(StoredPlies::of_sections(&sections), Some(more));
            }
        }
    }

    #[test]
    fn what_no_book_stores_is_none() {
        let none: [&[u32]; 7] = [&[], &[2], &[0, 1, 4], &[0, 2, 2], &[2, 0], &[1, 0, 2], &[0, 200]];
        for sections in none {
            assert_eq!(StoredPlies::of_sections(sections), None, "{sections:?}");
        }
    }
}
