//! The server's part of the fuzz targets, by an ordinary compiler: see `scripts/fuzz`.

// Modules of the library of the fuzz targets, compiled here as well.
#[allow(unreachable_pub)]
#[path = "../../../tests/fuzz/src/seeds.rs"]
mod seeds;
#[allow(unreachable_pub)]
#[path = "../../../tests/fuzz/src/server.rs"]
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
fn every_target_is_one_of_cargo_fuzz() {
    seeds::look_for_files(TARGETS);
}
