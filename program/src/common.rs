//! What the command line and the server have in common.

use indicatif::HumanCount;
use std::hash::{BuildHasher, RandomState};

/// Below this are the seeds that are chosen by chance, so that they are easy to type.
const SEEDS: u64 = 1_000_000;

/// A number and what it counts: `1 thread`, `1,200 positions`.
pub(crate) fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", HumanCount(number))
}

/// A seed for games that nobody has asked to repeat.
pub(crate) fn random_seed() -> u64 {
    RandomState::new().hash_one(0) % SEEDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        let counted = [0, 1, 2, 1200].map(|number| count(number, "node"));
        assert_eq!(counted, ["0 nodes", "1 node", "2 nodes", "1,200 nodes"]);
    }

    #[test]
    fn seeds_by_chance_differ_and_are_short() {
        let seeds: std::collections::BTreeSet<u64> = (0..20).map(|_| random_seed()).collect();
        assert!(seeds.len() > 10 && seeds.iter().all(|&seed| seed < SEEDS), "{seeds:?}");
    }
}
