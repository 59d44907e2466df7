//! Runs the fuzz targets on their seeds and on random changes of them, with an
//! ordinary compiler. `FUZZ_CHANGES` is how many changes are tried for each seed, for a
//! longer run.

use fourbook::solver::splitmix::SplitMix;
use std::fs;
use std::path::{Path, PathBuf};

/// A function under fuzzing, called with the bytes of an input.
pub type Target = fn(&[u8]);

/// Changed inputs tried for each seed.
fn changes() -> u64 {
    let usual = if cfg!(miri) { 2 } else { 300 };
    let asked = std::env::var("FUZZ_CHANGES").ok();
    asked.map_or(usual, |number| number.parse().expect("FUZZ_CHANGES is a number"))
}

/// The folder `tests/fuzz` of the repository, from the package that is tested.
fn folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = package.ancestors().map(|folder| folder.join("tests/fuzz"));
    folders.find(|folder| folder.is_dir()).expect("the repository has it")
}

/// The names and bytes of a target's seeds.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder().join("seeds").join(target)).expect("a folder of seeds");
    let mut seeds: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a seed").path();
            (path.display().to_string(), fs::read(&path).expect("a seed"))
        })
        .collect();
    seeds.sort();
    // Miri takes minutes for a large seed.
    seeds.retain(|(_, bytes)| !cfg!(miri) || bytes.len() < 1000);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds
}

/// Makes a few random changes to `bytes`; equal numbers make equal changes.
fn change(bytes: &mut Vec<u8>, number: u64) {
    let mut numbers = SplitMix(number);
    let mut random = |count| numbers.below(count);
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

/// Makes sure that no seed makes a target panic.
pub fn try_seeds(targets: &[(&str, Target)]) {
    for (name, target) in targets {
        for (seed, bytes) in seeds(name) {
            println!("{seed}");
            target(&bytes);
        }
    }
}

/// Makes sure that no change to a seed makes a target panic.
pub fn try_changes(targets: &[(&str, Target)]) {
    let changes = changes();
    for (name, target) in targets {
        for (seed, bytes) in seeds(name) {
            for number in 0..changes {
                let mut changed = bytes.clone();
                change(&mut changed, number);
                let done = std::panic::catch_unwind(|| target(&changed));
                assert!(done.is_ok(), "{seed}, change {number}");
            }
        }
    }
}

/// Makes sure that `cargo fuzz` knows each target by its file and by its name in the
/// manifest, and that every target there has seeds.
pub fn look_for_files(targets: &[(&str, Target)]) {
    let folder = folder();
    let read = |path: &Path| fs::read_to_string(path).expect("a file");
    let manifest = read(&folder.join("Cargo.toml"));
    let library = read(&folder.join("src/lib.rs"));
    for (name, _) in targets {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        let target = read(&folder.join("fuzz_targets").join(format!("{name}.rs")));
        assert!(target.contains(&format!("fourbook_fuzz::{name}(")), "{name}");
        assert!(library.contains(name), "{name}");
    }
    let names = |kind| {
        let entries = fs::read_dir(folder.join(kind)).expect("a folder");
        let name = |path: PathBuf| path.file_stem().expect("a name").to_owned();
        let mut names: Vec<_> =
            entries.map(|entry| name(entry.expect("an entry").path())).collect();
        names.sort();
        names
    };
    assert_eq!(names("fuzz_targets"), names("seeds"));
}
