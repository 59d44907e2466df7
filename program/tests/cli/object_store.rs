//! Addresses in object stores without requests to a store; scripts/test-object-store has
//! the rest.

use crate::support::fourbook;

/// The subcommands that take an address.
fn commands(address: &str) -> [Vec<&str>; 4] {
    let shard = ["generate", "--size", "4x4", "--depth", "3", "--shard", "1/2", "--out", address];
    let merge = ["merge", address, "--out", "no.book"];
    let lookup = ["lookup", "--book", address, "44"];
    let play = ["play", "--book", address];
    [shard.to_vec(), merge.to_vec(), lookup.to_vec(), play.to_vec()]
}

#[test]
fn an_address_that_is_none_is_answered_with_what_was_expected() {
    for address in ["ftp://games/parts", "s3://", "gs://games/../parts"] {
        for command in commands(address) {
            let run = fourbook(&command);
            assert_eq!(run.code, 2, "{command:?}: {}", run.stderr);
            let expected = "expected s3://BUCKET/PATH, gs://BUCKET/PATH or az://CONTAINER/PATH";
            assert!(run.stderr.contains(expected), "{command:?}: {}", run.stderr);
        }
    }
}

#[cfg(not(feature = "object-store"))]
#[test]
fn a_program_without_object_stores_says_how_to_have_them() {
    for command in commands("s3://games/parts") {
        let run = fourbook(&command);
        assert_eq!(run.code, 2, "{command:?}: {}", run.stderr);
        for expected in ["'s3://games/parts' is in an object store", "--features object-store"] {
            assert!(run.stderr.contains(expected), "{command:?}: {}", run.stderr);
        }
    }
}

#[test]
fn in_a_folder_the_checkpoint_goes_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = folder.path().join("parts");
    let parts = parts.to_str().expect("UTF-8");
    let arguments = ["--shard", "1/2", "--checkpoint-every", "9", "--out", parts];
    let run = fourbook(&[&["generate", "--size", "4x4", "--depth", "3"], &arguments[..]].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("--checkpoint-every is for an --out in an object store"));
    assert!(!folder.path().join("parts").exists());
}

#[test]
fn a_whole_book_is_made_in_a_file() {
    let run = fourbook(&["generate", "--size", "4x4", "--depth", "3", "--out", "s3://games/x"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("solve its shards there with --shard"), "{}", run.stderr);
}
