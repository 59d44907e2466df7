//! Shared code of the tests of shards.

use crate::support::{Run, fourbook, text};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A board whose books take no time.
pub(crate) const SIZE: &str = "4x4";
pub(crate) const DEPTH: &str = "9";

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The arguments that solve a shard of the book.
pub(crate) fn shard_arguments<'a>(shard: &'a str, parts: &'a Path) -> Vec<&'a str> {
    vec![
        "generate",
        "--size",
        SIZE,
        "--depth",
        DEPTH,
        "--memory",
        "1M",
        "--shard",
        shard,
        "--out",
        text(parts),
    ]
}

pub(crate) fn solve(shard: &str, parts: &Path) -> Run {
    fourbook(&shard_arguments(shard, parts))
}

/// A folder with all parts of the book.
pub(crate) fn all_parts(of: u32) -> TempDir {
    let parts = folder();
    for index in 1..=of {
        let run = solve(&format!("{index}/{of}"), parts.path());
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    parts
}

pub(crate) fn part(parts: &Path, index: u32, of: u32) -> PathBuf {
    parts.join(format!("{SIZE}-d{DEPTH}.{index}-of-{of}.part"))
}

pub(crate) fn merge(parts: &Path, out: &Path, more: &[&str]) -> Run {
    fourbook(&[&["merge", text(parts), "--out", text(out)], more].concat())
}

/// The bytes of the book that one run makes.
pub(crate) fn whole_book(more: &[&str]) -> Vec<u8> {
    let folder = folder();
    let out = folder.path().join("whole.book");
    let fixed =
        ["generate", "-q", "--size", SIZE, "--depth", DEPTH, "--memory", "1M", "--out", text(&out)];
    let run = fourbook(&[&fixed, more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read(&out).expect("a book")
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}
