//! What the fuzz targets do, with their seeds and with random changes to them,
//! by an ordinary compiler: see `scripts/fuzz`. `FUZZ_CHANGES` is how many changes
//! are tried for each seed, for a longer run.

// A library of its own for the fuzz targets.
#[allow(unreachable_pub)]
#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use targets::{TARGETS, Target};

/// Changed inputs tried for each seed.
fn changes() -> u64 {
    let usual = if cfg!(miri) { 2 } else { 300 };
    let asked = std::env::var("FUZZ_CHANGES").ok();
    asked.map_or(usual, |number| number.parse().expect("FUZZ_CHANGES is a number"))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(name)
}

/// The names and bytes of a target's seeds.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder("seeds").join(target)).expect("a folder of seeds");
    let mut seeds: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a seed").path();
            (path.display().to_string(), fs::read(&path).expect("a seed"))
        })
        .collect();
    seeds.sort();
    // An interpreter takes minutes for a large one.
    seeds.retain(|(_, bytes)| !cfg!(miri) || bytes.len() < 1000);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds
}

/// A few random changes to `bytes`; equal numbers make equal changes.
fn change(bytes: &mut Vec<u8>, number: u64) {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below.max(1)
    };
    for _ in 0..=random(4) {
        let at = random(bytes.len());
        match (random(5), bytes.get_mut(at)) {
            (0, Some(byte)) => *byte ^= 1 << random(8),
            (1, Some(byte)) => *byte = [0, 1, 0x7f, 0x80, 0xff][random(5)],
            (2, _) => bytes.truncate(at),
            (3, _) => bytes.insert(at, random(256) as u8),
            (_, Some(byte)) => *byte = random(256) as u8,
            (_, None) => {}
        }
    }
}

fn for_each_target(check: impl Fn(&str, Target)) {
    for &(name, target) in TARGETS {
        check(name, target);
    }
}

#[test]
fn no_seed_makes_a_target_panic() {
    for_each_target(|name, target| {
        for (seed, bytes) in seeds(name) {
            println!("{seed}");
            target(&bytes);
        }
    });
}

#[test]
fn no_change_to_a_seed_makes_a_target_panic() {
    let changes = changes();
    for_each_target(|name, target| {
        for (seed, bytes) in seeds(name) {
            for number in 0..changes {
                let mut changed = bytes.clone();
                change(&mut changed, number);
                let done = std::panic::catch_unwind(|| target(&changed));
                assert!(done.is_ok(), "{seed}, change {number}");
            }
        }
    });
}

/// `cargo fuzz` knows a target by its file and by its name in the manifest.
#[test]
#[cfg(all(unix, feature = "server", not(miri)))]
fn every_target_is_one_of_cargo_fuzz() {
    let manifest = fs::read_to_string(folder("Cargo.toml")).expect("a manifest");
    let files = fs::read_dir(folder("fuzz_targets")).expect("a folder of targets");
    assert_eq!(files.count(), TARGETS.len());
    for_each_target(|name, _| {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        let target = fs::read_to_string(folder("fuzz_targets").join(format!("{name}.rs")));
        assert!(target.expect("a target").contains(&format!("fourbook_fuzz::{name}(")), "{name}");
    });
}
