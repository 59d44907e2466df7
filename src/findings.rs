//! The faults found among many items: how many, and the first few.

use std::collections::BTreeMap;
use std::ops::Add;

/// The number of faults that are kept; all are counted.
pub(crate) const SHOWN: usize = 10;

/// Numbers of items, and the first faults by their places: slots, or lines of a table. Their sum
/// does not depend on the order of addition.
#[derive(Default)]
pub(crate) struct Findings<T> {
    pub(crate) checked: u64,
    pub(crate) wrong: u64,
    pub(crate) first: BTreeMap<u64, T>,
}

impl<T> Findings<T> {
    /// Adds the fault of a place.
    pub(crate) fn note(&mut self, place: u64, fault: impl FnOnce() -> T) {
        self.wrong += 1;
        if self.first.len() < SHOWN || self.first.keys().next_back().is_some_and(|&it| place < it) {
            self.first.insert(place, fault());
        }
        self.keep_first();
    }

    fn keep_first(&mut self) {
        while self.first.len() > SHOWN {
            self.first.pop_last();
        }
    }
}

impl<T> Add for Findings<T> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.checked += other.checked;
        self.wrong += other.wrong;
        self.first.extend(other.first);
        self.keep_first();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_faults_are_kept_in_whatever_order_they_are_added() {
        let found = |slots: std::ops::Range<u64>| {
            let mut findings = Findings::default();
            for slot in slots {
                findings.checked += 1;
                findings.note(slot, || slot.to_string());
            }
            findings
        };
        let result =
            |findings: Findings<String>| (findings.checked, findings.wrong, findings.first);
        let expected = result(found(0..40));
        assert_eq!((expected.0, expected.1, expected.2.len()), (40, 40, SHOWN));
        for blocks in [[0..7, 7..14, 14..40], [14..40, 0..7, 7..14], [7..14, 14..40, 0..7]] {
            let sum = blocks.map(found).into_iter().fold(Findings::default(), Findings::add);
            assert_eq!(result(sum), expected);
        }
    }
}
