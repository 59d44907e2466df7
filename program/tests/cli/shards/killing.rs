//! Shards and merges that are killed, interrupted, or run twice at once.

use super::support::{folder, merge, names};
#[cfg(unix)]
use crate::support::send_signal;
use crate::support::{fourbook, program, scores_in_checkpoint, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Size and depth of a book whose shards take long enough to be interrupted, and not much longer.
const BOOK: (&str, &str) = ("5x6", "8");
/// Those of a book whose shards no machine finishes before it is stopped.
const LONG: (&str, &str) = ("6x6", "8");
const SHARDS: u32 = 2;

fn arguments<'a>(
    (size, depth): (&'a str, &'a str),
    shard: &'a str,
    parts: &'a Path,
) -> [&'a str; 13] {
    let out = text(parts);
    [
        "generate",
        "--size",
        size,
        "--depth",
        depth,
        "--threads",
        "2",
        "--memory",
        "16M",
        "--shard",
        shard,
        "--out",
        out,
    ]
}

fn start(arguments: &[&str]) -> Child {
    program().args(arguments).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn part((size, depth): (&str, &str), parts: &Path, index: u32) -> PathBuf {
    parts.join(format!("{size}-d{depth}.{index}-of-{SHARDS}.part"))
}

/// How many scores there are in the checkpoint of a file.
fn solved(of: &Path) -> usize {
    let mut name = of.as_os_str().to_owned();
    name.push(".checkpoint");
    scores_in_checkpoint(name.as_ref())
}

/// Waits until the checkpoint of a file has `more` more scores.
fn wait_for_progress(of: &Path, child: &mut Child, more: usize) {
    let enough = solved(of) + more;
    let give_up = Instant::now() + Duration::from_secs(120);
    while solved(of) < enough {
        assert!(Instant::now() < give_up, "no progress");
        assert_eq!(child.try_wait().expect("the program can be waited for"), None, "it has ended");
        sleep(Duration::from_millis(1));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap(); // SIGKILL: the program learns nothing of it
    child.wait().unwrap();
}

/// The book that one run makes.
fn whole_book() -> Vec<u8> {
    let (folder, (size, depth)) = (folder(), BOOK);
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
        let mut child = start(&arguments(BOOK, "1/2", parts.path()));
        wait_for_progress(&first, &mut child, 500);
        kill(child);
        assert!(!first.exists());
        // Nothing that was seen in the checkpoint is lost.
        assert!(solved(&first) >= before + 500);
        before = solved(&first);
    }
    for shard in ["1/2", "2/2"] {
        let run = fourbook(&arguments(BOOK, shard, parts.path()));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stderr.contains("found in the checkpoint"), shard == "1/2");
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
    for signal in ["INT", "TERM"] {
        let parts = folder();
        let first = part(LONG, parts.path(), 1);
        let mut child = start(&arguments(LONG, "1/2", parts.path()));
        wait_for_progress(&first, &mut child, 100);
        send_signal(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let command =
            format!("--threads 2 --memory 16M --shard 1/2 --out {}", parts.path().display());
        assert!(stderr.contains("start it again with: fourbook generate"), "{stderr}");
        assert!(stderr.contains(&command), "{stderr}");
        assert!(solved(&first) >= 100 && !first.exists());
    }
}

#[test]
fn two_processes_do_not_solve_the_same_shard_at_once() {
    let parts = folder();
    let [mut first, mut other] =
        ["1/2", "2/2"].map(|shard| start(&arguments(LONG, shard, parts.path())));
    wait_for_progress(&part(LONG, parts.path(), 1), &mut first, 1);
    wait_for_progress(&part(LONG, parts.path(), 2), &mut other, 1);
    let second = fourbook(&arguments(LONG, "1/2", parts.path()));
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("another run is using the checkpoint"), "{}", second.stderr);
    // Another shard may run at the same time.
    for mut child in [first, other] {
        assert_eq!(child.try_wait().unwrap(), None);
        kill(child);
    }
}
