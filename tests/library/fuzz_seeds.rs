//! The library's part of the fuzz targets, by an ordinary compiler: see `scripts/fuzz`.

// Parts of a library of its own for the fuzz targets.
#[allow(unreachable_pub)]
#[path = "../fuzz/src/seeds.rs"]
mod seeds;
#[allow(unreachable_pub)]
#[path = "../fuzz/src/library.rs"]
mod targets;

use targets::TARGETS;

#[test]
fn no_seed_makes_a_target_panic() {
    seeds::try_seeds(TARGETS);
}

#[test]
fn no_change_to_a_seed_makes_a_target_panic() {
    seeds::try_changes(TARGETS);
}

#[test]
#[cfg(not(miri))]
fn every_target_is_one_of_cargo_fuzz() {
    seeds::look_for_files(TARGETS);
}
