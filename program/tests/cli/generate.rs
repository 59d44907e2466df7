//! `fourbook generate` as its users run it: killed, interrupted, resumed.

#[cfg(unix)]
use crate::support::send_signal;
use crate::support::{
    BOOK, LONG_BOOK, beside, fourbook, generate, kill, repository, solved, start, wait_for_progress,
};
#[cfg(unix)]
use rustix::process::Signal;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn a_run_killed_again_and_again_gives_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.book");
    let run = fourbook(&generate(BOOK, &[], &whole));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let killed = folder.path().join("killed.book");
    let mut before = 0;
    for _ in 0..3 {
        let mut child = start(&generate(BOOK, &[], &killed));
        wait_for_progress(&killed, &mut child, 1000);
        kill(child);
        assert!(!killed.exists());
        // Nothing that was seen in the checkpoint is lost.
        assert!(solved(&killed) >= before + 1000);
        before = solved(&killed);
    }
    // A byte of the first record.
    let checkpoint = beside(&killed, ".checkpoint");
    let mut bytes = fs::read(&checkpoint).unwrap();
    bytes[128] ^= 1;
    fs::write(&checkpoint, bytes).unwrap();
    let run = fourbook(&generate(BOOK, &[], &killed));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("found in the checkpoint"), "{}", run.stderr);
    let damage = "records damaged; their positions are solved again";
    assert!(run.stderr.contains(damage), "{}", run.stderr);
    assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
    assert!(!checkpoint.exists() && beside(&killed, ".json").exists());
}

#[test]
#[cfg(unix)]
fn a_run_that_is_asked_to_end_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    for (name, signal) in [("INT", Signal::INT), ("TERM", Signal::TERM)] {
        let out = folder.path().join(name);
        let mut child = start(&generate(LONG_BOOK, &[], &out));
        wait_for_progress(&out, &mut child, 100);
        send_signal(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("hint: start it again with the same command"), "{stderr}");
        assert!(stderr.contains("solved and kept in"), "{stderr}");
        assert!(solved(&out) >= 100);
    }
}

#[test]
fn a_second_run_on_the_same_checkpoint_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.book");
    let mut first = start(&generate(LONG_BOOK, &[], &out));
    wait_for_progress(&out, &mut first, 1);
    let second = fourbook(&generate(LONG_BOOK, &[], &out));
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("another run is using the checkpoint"), "{}", second.stderr);
    kill(first);
}

#[test]
fn what_cannot_be_done_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.book");
    let out = out.to_str().unwrap();
    let refused = |arguments: &[&str], code: i32, part: &str| {
        let run = fourbook(&[&["generate", "--size", "4x4", "--out", out], arguments].concat());
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    };
    refused(&["--depth", "16"], 2, "depth 16 is too deep for 4x4: expected 0 to 15 plies");
    refused(&["--memory", "1000000T"], 1, "of memory are available");
    refused(&["--memory", "1000000T"], 1, "hint: choose the size of the transposition");
    refused(&["--threads", "70000"], 2, "expected a whole number from 0 to 65,535");
    refused(&["--memory", "much"], 2, "such as 512M");
    refused(&["--frobnicate"], 2, "--frobnicate");
    let other = if cfg!(windows) { "NUL" } else { "/dev/null" };
    for (other, name) in [(folder.path().to_str().unwrap(), "the folder"), (other, "the device")] {
        let run = fourbook(&["generate", "--size", "4x4", "--depth", "3", "-f", "--out", other]);
        let expected =
            format!("error: expected the name of a file to write, found {name} '{other}'");
        assert!(run.stderr.starts_with(&expected), "nothing is solved before: {}", run.stderr);
        assert_eq!((run.code, fs::read_dir(folder.path()).unwrap().count()), (2, 0));
    }
    for end in ["/", "/."] {
        let out = format!("{out}{end}");
        let run = fourbook(&["generate", "--size", "4x4", "--depth", "4", "--out", &out]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("expected the name of a file to write"), "{}", run.stderr);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

/// As `nohup` starts it, where the system says which signals are ignored.
#[test]
#[cfg(target_os = "linux")]
fn a_hangup_that_is_ignored_at_the_start_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("kept.book");
    let (size, depth) = LONG_BOOK;
    let command = format!(
        "trap '' HUP; exec \"$0\" generate --quiet --size {size} --depth {depth} -t 2 -m 16M -o \"$1\""
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &command, env!("CARGO_BIN_EXE_fourbook")]).arg(&out);
    let mut child = shell.stderr(Stdio::piped()).spawn().unwrap();
    wait_for_progress(&out, &mut child, 50);
    send_signal(&child, Signal::HUP);
    wait_for_progress(&out, &mut child, 50);
    send_signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
#[cfg(unix)]
fn a_limit_on_files_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let command = "ulimit -f 1; exec \"$0\" export \"$1\" --out x.csv";
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        command,
        env!("CARGO_BIN_EXE_fourbook"),
        repository!("examples/4x4-d6.book"),
    ]);
    let output = shell.current_dir(&folder).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && stderr.contains("File too large"), "{stderr}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// As a disk that fills up.
#[test]
#[cfg(unix)]
fn a_checkpoint_that_cannot_grow_is_an_error_and_keeps_its_scores() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.book");
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_fourbook")]);
    let output = shell.args(generate(LONG_BOOK, &[], &out)).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && stderr.contains("cannot write"), "{stderr}");
    assert!(stderr.contains("x.book.checkpoint': File too large"), "{stderr}");
    assert!(solved(&out) > 0);
}

/// The book is written to the place that a link names, and the link stays, whatever writes.
#[test]
#[cfg(unix)]
fn a_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let link = path("link.book");
    let csv = path("link.csv");
    for (link, target) in [(&link, "disk.book"), (&csv, "disk.csv")] {
        std::os::unix::fs::symlink(target, link).unwrap();
    }
    let disk = path("disk.book");
    let other = path("other.book");
    let run = |arguments: &[&str]| {
        let run = fourbook(&[arguments, &["--quiet"]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
        for link in [&link, &csv] {
            assert!(fs::symlink_metadata(link).unwrap().is_symlink(), "{arguments:?}");
        }
    };
    let board = ["--size", "4x4"];
    let generate = ["generate", "--depth", "3", "--force", "--out"];
    run(&[&generate[..], &[&link], &board].concat());
    let made = fs::read(&disk).unwrap();
    run(&["pack", &link, "--out", &other]);
    assert_eq!(fs::read(&other).unwrap(), made);
    run(&["export", &other, "--force", "--out", &csv]);
    assert!(fs::read_to_string(path("disk.csv")).unwrap().starts_with("position,score"));
    for again in [
        &["pack", &other, "--force", "--out", &link][..],
        &["import", &csv, "--size", "4x4", "--force", "--out", &link],
        &["verify", &other, "--report", &csv],
    ] {
        run(again);
    }
    let parts = path("parts");
    let shard = ["generate", "--depth", "3", "--shard", "1/1", "--out", &parts];
    run(&[&shard[..], &board].concat());
    run(&["merge", &parts, "--force", "--out", &link]);
    assert_eq!(fs::read(&disk).unwrap(), made);
}

#[test]
fn a_finished_command_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let book = path("x.book");
    let parts = path("parts");
    let merged = path("merged.book");
    let generate = ["generate", "--size", "4x4", "--depth", "3", "--out"];
    for arguments in [
        [&generate[..], &[&book]].concat(),
        [&generate[..], &[&parts, "--shard", "1/1"]].concat(),
        vec!["merge", &parts, "--out", &merged],
    ] {
        let [first, again] = [(); 2].map(|()| fourbook(&arguments));
        assert_eq!((first.code, again.code), (0, 0), "{}{}", first.stderr, again.stderr);
        assert!(!first.stderr.contains("nothing to do"), "{}", first.stderr);
        assert!(again.stderr.contains("already") && again.stderr.contains("nothing to do"));
    }
    // Another book, one of another program or a damaged one is not the same.
    let table = path("x.csv");
    let imported = path("imported.book");
    assert_eq!(fourbook(&["export", &book, "--out", &table]).code, 0);
    let import = ["import", &table, "--size", "4x4", "--out", &imported];
    assert_eq!(fourbook(&import).code, 0);
    let refused = fourbook(&[&generate[..], &[&imported]].concat());
    assert!(refused.code == 1 && refused.stderr.contains("exists already"), "{}", refused.stderr);
    for more in [&["--wdl"][..], &["--encoding", "compact"]] {
        assert_eq!(fourbook(&[&generate[..], &[&book], more].concat()).code, 1, "{more:?}");
    }
    let mut bytes = fs::read(&book).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&book, bytes).unwrap();
    let refused = fourbook(&[&generate[..], &[&book]].concat());
    assert!(refused.code == 1 && refused.stderr.contains("exists already"), "{}", refused.stderr);
}

/// A part that was written just before its run was killed has a checkpoint beside it.
#[test]
fn a_finished_shard_removes_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["generate", "--size", "4x4", "--depth", "3", "--shard", "1/1", "--out"];
    let arguments = [&arguments[..], &[folder.path().to_str().unwrap()]].concat();
    assert_eq!(fourbook(&arguments).code, 0);
    let checkpoint = folder.path().join("4x4-d3.1-of-1.part.checkpoint");
    fs::write(&checkpoint, "").unwrap();
    let again = fourbook(&arguments);
    assert!(again.code == 0 && again.stderr.contains("nothing to do"), "{}", again.stderr);
    assert!(!checkpoint.exists());
}

/// It takes years, and prints nothing for minutes.
#[test]
fn a_book_of_a_large_board_names_plan_first() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.book");
    let mut child = start(&generate(("16x7", "2"), &[], &out));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("'fourbook plan' estimates the time")));
    kill(child);
}

#[test]
fn a_quiet_run_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.book");
    let out = out.to_str().unwrap();
    let run = fourbook(&["generate", "--size", "4x4", "--depth", "3", "--quiet", "--out", out]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let again = fourbook(&["generate", "--size", "4x4", "--depth", "4", "--quiet", "--out", out]);
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("exists already; remove it"), "{}", again.stderr);
    assert!(again.stderr.contains("hint: choose the file with --out"), "{}", again.stderr);
}
