//! All parts together are the book; too few, too many and wrong ones are refused.

use super::support::{all_parts, folder, merge, names, part, shard_arguments, solve, whole_book};
use crate::support::{fourbook, text};
use std::fs;
use std::path::Path;

fn assert_merges(parts: &Path, more: &[&str], expected: &[u8]) {
    let folder = folder();
    let out = folder.path().join("merged.book");
    let run = merge(parts, &out, more);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(fs::read(&out).expect("a book") == expected, "not the book that one run makes");
    assert_eq!(names(folder.path()), ["merged.book", "merged.book.json"]);
}

/// Runs a merge that reports the faults, and writes nothing.
fn assert_refuses(parts: &Path, expected: &[&str]) {
    let folder = folder();
    let run = merge(parts, &folder.path().join("merged.book"), &[]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for expected in expected {
        assert!(run.stderr.contains(expected), "no '{expected}' in: {}", run.stderr);
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn merged_parts_are_the_book_that_one_run_makes() {
    let whole = whole_book(&[]);
    for of in [1, 2, 3, 7] {
        let parts = all_parts(of);
        assert_eq!(names(parts.path()).len() as u32, of);
        assert_merges(parts.path(), &[], &whole);
    }
}

#[test]
fn merged_parts_can_be_compact() {
    let compact = ["--encoding", "compact"];
    assert_merges(all_parts(2).path(), &compact, &whole_book(&compact));
}

#[test]
fn there_may_be_more_shards_than_positions() {
    let parts = folder();
    let folder = folder();
    let arguments = |shard: &str| {
        let fixed = ["--size", "4x4", "--depth", "1", "--out", text(parts.path())];
        fourbook(&[&["generate", "--memory", "1M", "--shard", shard], &fixed[..]].concat())
    };
    for index in 1..=5 {
        assert_eq!(arguments(&format!("{index}/5")).code, 0);
    }
    let merged = folder.path().join("merged.book");
    let whole = folder.path().join("whole.book");
    assert_eq!(merge(parts.path(), &merged, &[]).code, 0);
    let fixed = ["generate", "--size", "4x4", "--depth", "1", "--memory", "1M", "--out"];
    assert_eq!(fourbook(&[&fixed[..], &[text(&whole)]].concat()).code, 0);
    assert_eq!(fs::read(merged).unwrap(), fs::read(whole).unwrap());
}

#[test]
fn outcomes_are_merged_too() {
    let parts = folder();
    for shard in ["1/2", "2/2"] {
        let arguments = shard_arguments(shard, parts.path());
        assert_eq!(fourbook(&[&arguments[..], &["--wdl"]].concat()).code, 0);
    }
    assert_eq!(names(parts.path()), ["4x4-d9-wdl.1-of-2.part", "4x4-d9-wdl.2-of-2.part"]);
    assert_merges(parts.path(), &[], &whole_book(&["--wdl"]));
}

#[test]
fn the_report_counts_the_work_of_all_shards() {
    let parts = all_parts(3);
    let folder = folder();
    let out = folder.path().join("merged.book");
    assert_eq!(merge(parts.path(), &out, &[]).code, 0);
    let json = fs::read_to_string(folder.path().join("merged.book.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["shards"], 3);
    assert_eq!(report["solving"]["positions"], report["plies"][0]["stored"]);
    assert!(report["solving"]["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn a_part_that_is_there_is_left_as_it_is() {
    let parts = all_parts(2);
    let path = part(parts.path(), 1, 2);
    let state = || (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    // A file that was written again would have another time.
    let past = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1 << 30);
    fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
    let before = state();
    // A finished merge needs no resources.
    let mut arguments = shard_arguments("1/2", parts.path());
    let memory = arguments.iter().position(|&argument| argument == "1M").unwrap();
    arguments[memory] = "1000000T";
    for run in [solve("1/2", parts.path()), fourbook(&arguments)] {
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("solved already"), "{}", run.stderr);
    }
    assert_eq!(before, state());
}

#[test]
fn other_files_in_the_folder_do_not_matter() {
    let parts = all_parts(2);
    fs::write(parts.path().join("slurm-17.out"), "notes").unwrap();
    fs::create_dir(parts.path().join("notes")).unwrap();
    assert_merges(parts.path(), &[], &whole_book(&[]));
}

#[test]
fn missing_parts_are_named_with_what_to_do() {
    let parts = all_parts(4);
    for index in [2, 4] {
        fs::remove_file(part(parts.path(), index, 4)).unwrap();
    }
    let what = "solve each, such as --shard 2/4 (4x4, depth 9, ";
    assert_refuses(parts.path(), &["expected 4 parts in", "missing shards 2,4 of 4", what]);
    let spaced = parts.path().join("my parts");
    fs::create_dir(&spaced).unwrap();
    fs::copy(part(parts.path(), 1, 4), part(&spaced, 1, 4)).unwrap();
    assert_refuses(&spaced, &["missing shards 2-4 of 4", &format!("in '{}'", spaced.display())]);
    assert_refuses(folder().path(), &["there are no parts in"]);
    assert_refuses(Path::new("/nowhere"), &["cannot read the folder '/nowhere'"]);
}

#[test]
fn foreign_parts_are_named() {
    let parts = all_parts(3);
    let run = solve("1/2", parts.path());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let out = ["--out", text(parts.path())];
    let fixed = ["generate", "--size", "4x4", "--depth", "8", "--memory", "1M", "--shard", "1/3"];
    assert_eq!(fourbook(&[&fixed[..], &out].concat()).code, 0);
    assert_refuses(
        parts.path(),
        &[
            "4x4-d9.1-of-2.part' does not belong to the others: expected a shard of 3 of 4x4, depth 9",
            "4x4-d8.1-of-3.part' does not belong to the others",
            "found shard 1/3 of 4x4, depth 8, exact scores; move it to another folder",
        ],
    );
}

#[test]
fn doubled_parts_are_named() {
    let parts = all_parts(2);
    let copy = parts.path().join("copy.part");
    fs::copy(part(parts.path(), 1, 2), &copy).unwrap();
    assert_refuses(
        parts.path(),
        &["4x4-d9.1-of-2.part'", "copy.part'", "both are shard 1/2; move one of them"],
    );
}

#[test]
fn damaged_parts_are_named_and_solved_again() {
    let parts = all_parts(3);
    let path = |index| part(parts.path(), index, 3);
    let cut = fs::read(path(1)).unwrap();
    let changed = fs::read(path(3)).unwrap();
    fs::write(path(1), &cut[..cut.len() - 1]).unwrap();
    let mut bytes = changed.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path(3), bytes).unwrap();
    assert_refuses(
        parts.path(),
        &["1-of-3.part' is damaged: expected", "3-of-3.part' is damaged", "solve its shard again"],
    );
    for shard in ["1/3", "3/3"] {
        let run = solve(shard, parts.path());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stderr.matches("is damaged").count(), 1, "{}", run.stderr);
    }
    assert_merges(parts.path(), &[], &whole_book(&[]));
}

/// Two damaged parts of a book and a whole one of another.
#[test]
fn damaged_parts_say_which_book_is_meant() {
    let parts = all_parts(2);
    for index in [1, 2] {
        let mut bytes = fs::read(part(parts.path(), index, 2)).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(part(parts.path(), index, 2), bytes).unwrap();
    }
    assert_eq!(solve("1/3", parts.path()).code, 0);
    let expected = "1-of-3.part' does not belong to the others: expected a shard of 2 of 4x4";
    assert_refuses(parts.path(), &["1-of-2.part' is damaged", "2-of-2.part' is damaged", expected]);
}

#[test]
fn a_file_that_is_no_part_is_kept() {
    let parts = folder();
    let path = part(parts.path(), 1, 2);
    fs::write(&path, "my own notes").unwrap();
    let run = solve("1/2", parts.path());
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("is no part that this program can read"), "{}", run.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"my own notes");
    // A part under another part's name is not overwritten.
    let whole = all_parts(2);
    fs::rename(part(whole.path(), 2, 2), &path).unwrap();
    let run = solve("1/2", parts.path());
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("not the part that its name says"), "{}", run.stderr);
}

#[test]
fn a_book_that_is_there_is_not_replaced() {
    let parts = all_parts(1);
    let folder = folder();
    let out = folder.path().join("x.book");
    fs::write(&out, "mine").unwrap();
    let run = merge(parts.path(), &out, &[]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("exists already"), "{}", run.stderr);
    assert!(run.stderr.contains("or replace it with --force"), "{}", run.stderr);
    assert_eq!(fs::read(&out).unwrap(), b"mine");
    assert_eq!(merge(parts.path(), &out, &["--force"]).code, 0);
    assert!(fs::read(&out).unwrap() == whole_book(&[]), "not the book that one run makes");
    let run = merge(parts.path(), &folder.path().join("y.book"), &["--size", "5x4"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}
