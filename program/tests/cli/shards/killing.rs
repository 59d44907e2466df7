//! Shards and merges that are killed, interrupted, or run twice at once.

use super::support::{folder, merge, names};
use crate::support::{BOOK, fourbook, generate, kill, solved, start, text, wait_for_progress};
#[cfg(unix)]
use crate::support::{LONG_BOOK, send_signal};
#[cfg(unix)]
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SHARDS: u32 = 2;

fn shard<'a>(book: (&'a str, &'a str), shard: &'a str, parts: &'a Path) -> Vec<&'a str> {
    generate(book, &["--shard", shard], parts)
}

fn part((size, depth): (&str, &str), parts: &Path, index: u32) -> PathBuf {
    parts.join(format!("{size}-d{depth}.{index}-of-{SHARDS}.part"))
}

/// The book that one run makes.
fn whole_book() -> Vec<u8> {
    let folder = folder();
    let (size, depth) = BOOK;
    let out = folder.path().join("whole.book");
    let run = fourbook(&["generate", "--size", size, "--depth", depth, "--out", text(&out)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read(&out).unwrap()
}

/// Begins a merge and kills it when it begins to write. Returns the path of the book; `None` if the
/// merge finished.
fn kill_merge(parts: &Path) -> Option<(TempDir, PathBuf)> {
    let folder = folder();
    let out = folder.path().join("merged.book");
    let mut child = start(&["merge", text(parts), "--out", text(&out)]);
    while names(folder.path()).is_empty() && child.try_wait().unwrap().is_none() {}
    kill(child);
    (!out.exists()).then_some((folder, out))
}

#[test]
fn killed_shards_and_merges_give_the_same_book() {
    let parts = folder();
    let first = part(BOOK, parts.path(), 1);
    let mut before = 0;
    for _ in 0..3 {
        let mut child = start(&shard(BOOK, "1/2", parts.path()));
        wait_for_progress(&first, &mut child, 500);
        kill(child);
        assert!(!first.exists());
        // Nothing that was seen in the checkpoint is lost.
        assert!(solved(&first) >= before + 500);
        before = solved(&first);
    }
    for which in ["1/2", "2/2"] {
        let run = fourbook(&shard(BOOK, which, parts.path()));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stderr.contains("found in the checkpoint"), which == "1/2");
    }
    assert_eq!(names(parts.path()).len(), 2);

    // If the merge finishes before it is killed, try again.
    let killed = (0..500).find_map(|_| kill_merge(parts.path()));
    let (folder, out) = killed.expect("a merge that does not come to its end");
    let run = merge(parts.path(), &out, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(fs::read(&out).unwrap() == whole_book(), "not the book that one run makes");
    let mut names = names(folder.path());
    names.retain(|name| !name.ends_with(".tmp"));
    assert_eq!(names, ["merged.book", "merged.book.json"]);
}

#[test]
#[cfg(unix)]
fn a_shard_that_is_asked_to_end_says_how_to_go_on() {
    for signal in [Signal::INT, Signal::TERM] {
        let parts = folder();
        let first = part(LONG_BOOK, parts.path(), 1);
        let mut child = start(&shard(LONG_BOOK, "1/2", parts.path()));
        wait_for_progress(&first, &mut child, 100);
        send_signal(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("hint: start it again with the same command"), "{stderr}");
        assert!(solved(&first) >= 100 && !first.exists());
    }
}

#[test]
#[cfg(unix)]
fn two_processes_do_not_solve_the_same_shard_at_once() {
    let parts = folder();
    let first = part(BOOK, parts.path(), 1);
    let mut child = start(&shard(BOOK, "1/2", parts.path()));
    wait_for_progress(&first, &mut child, 1);
    // So that it does not end before the others begin.
    send_signal(&child, Signal::STOP);
    let second = fourbook(&shard(BOOK, "1/2", parts.path()));
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("another run is using the checkpoint"), "{}", second.stderr);
    // Another shard may run at the same time.
    let other = fourbook(&shard(BOOK, "2/2", parts.path()));
    assert_eq!(other.code, 0, "{}", other.stderr);
    send_signal(&child, Signal::CONT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(names(parts.path()).len(), 2);
}
