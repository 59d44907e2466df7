//! Sets of slots.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of slots, one bit each, that many threads can add to.
#[derive(Debug)]
pub(crate) struct SlotSet {
    words: Box<[AtomicU64]>,
}

impl SlotSet {
    /// The empty set of slots below `slots`; `None` if there is no memory for it.
    pub(crate) fn new(slots: u64) -> Option<Self> {
        let words = usize::try_from(slots.div_ceil(64)).ok()?;
        let mut empty = Vec::new();
        empty.try_reserve_exact(words).ok()?;
        empty.resize_with(words, AtomicU64::default);
        Some(SlotSet { words: empty.into_boxed_slice() })
    }

    /// How many bytes a set of `slots` slots takes.
    pub(crate) const fn bytes_for(slots: u64) -> u64 {
        slots.div_ceil(64) * 8
    }

    /// Adds a slot; returns whether it is new. If several threads add the same slot, one gets
    /// `true`.
    ///
    /// # Panics
    ///
    /// If the slot is not below the number the set was made for, rounded up to 64.
    #[inline]
    pub(crate) fn insert(&self, slot: u64) -> bool {
        let word = &self.words[(slot / 64) as usize];
        let bit = 1 << (slot % 64);
        // Most slots are met several times: a plain load is the cheaper test.
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// The slots of the set in a range, ascending. It begins with a multiple of 64 and ends
    /// with one, or after the last slot of the set.
    ///
    /// # Panics
    ///
    /// If it begins elsewhere or ends behind the set.
    pub(crate) fn in_range(&self, slots: Range<u64>) -> impl Iterator<Item = u64> + '_ {
        assert!(slots.start.is_multiple_of(64), "a range begins with a word");
        (slots.start / 64..slots.end.div_ceil(64)).flat_map(|word| {
            let mut bits = self.words[word as usize].load(Ordering::Relaxed);
            std::iter::from_fn(move || {
                let slot = word * 64 + u64::from(bits.trailing_zeros());
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    slot
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn a_set_has_the_slots_that_were_inserted() {
        let set = SlotSet::new(130).unwrap();
        for slot in [129, 0, 63, 64] {
            assert!(set.insert(slot));
            assert!(!set.insert(slot));
        }
        assert_eq!(set.in_range(0..130).collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!(set.in_range(64..128).collect::<Vec<_>>(), [64]);
    }

    #[test]
    fn a_set_that_no_memory_holds_is_none() {
        // As in `filled`: an allocation that nothing uses may be left out.
        assert!(black_box(SlotSet::new(u64::MAX)).is_none());
    }
}
