//! Standard input and output of all subcommands: `-`, full devices and readers that have gone.

use crate::help::subcommands;
use crate::support::{exit_code_unread, fourbook, fourbook_reading, program, repository, text};
#[cfg(unix)]
use crate::{pseudo_terminal::Terminal, support::send_signal};
use std::fs::{self, OpenOptions};
#[cfg(unix)]
use std::io::{Read, Write};
use std::process::Stdio;

const BOOK: &str = repository!("books/7x6-d8.book");

/// Calls of the subcommands that print results.
const PRINTING: [&[&str]; 13] = [
    &["plan", "--quiet", "--size", "4x4", "--sample", "0"],
    &["export", BOOK],
    &["compare", BOOK, BOOK],
    &["lookup", "4453"],
    &["lookup", "--json", "4453"],
    &["show", "4453"],
    &["play"],
    &["info", BOOK],
    &["verify", BOOK],
    &["stats", BOOK],
    &["bench", "--size", "4x4"],
    &["completions", "bash"],
    &["--help"],
];

/// Subcommands that print no result.
const SILENT: [&str; 9] =
    ["generate", "strategy", "merge", "pack", "import", "serve", "page", "health", "man"];

#[test]
fn every_subcommand_fails_where_its_output_cannot_be_written() {
    for name in subcommands() {
        let prints = PRINTING.iter().any(|arguments| arguments[0] == name);
        assert!(prints || SILENT.contains(&&*name), "{name} is in neither list");
    }
    if !cfg!(target_os = "linux") {
        return;
    }
    for arguments in PRINTING {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = program();
        command.args(arguments).stdin(Stdio::null()).stdout(full);
        let run = command.output().expect("the program ends");
        let errors = String::from_utf8(run.stderr).expect("text");
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains("cannot write to standard output: "), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_reader_that_has_gone_is_a_quiet_end_and_hides_no_later_error() {
    for arguments in PRINTING {
        assert_eq!(exit_code_unread(arguments), Some(0), "{arguments:?}");
    }
    if cfg!(target_os = "linux") {
        assert_eq!(exit_code_unread(&["verify", BOOK, "--report", "/dev/full"]), Some(1));
    }
}

#[test]
fn a_dash_is_a_book_on_standard_input() {
    let bytes = fs::read(BOOK).expect("a book");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("other");
    for arguments in [
        &["info", "-"][..],
        &["verify", "-"],
        &["stats", "-"],
        &["export", "-"],
        &["compare", "-", BOOK],
        &["pack", "-", "--depth", "2", "--out", text(&out)],
    ] {
        let run = fourbook_reading(arguments, &bytes);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        let named = arguments.iter().map(|&argument| if argument == "-" { BOOK } else { argument });
        let named: Vec<&str> = named.chain((arguments[0] == "pack").then_some("--force")).collect();
        assert_eq!(run.stdout, fourbook(&named).stdout.replace(BOOK, "-"), "{arguments:?}");
    }
    let run = fourbook_reading(&["compare", "-", "-"], &bytes);
    assert!(run.code == 2 && run.stderr.contains("one of the books only"), "{}", run.stderr);
    let run = fourbook_reading(&["verify", "-"], b"no book");
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: cannot use '-' as a book: "), "{}", run.stderr);
}

#[test]
fn a_dash_is_standard_output_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = |arguments: &[&str]| {
        let mut command = program();
        command.args(arguments).current_dir(&folder).stdin(Stdio::null());
        command.output().expect("the program ends")
    };
    let exported = here(&["export", BOOK, "--out", "-"]);
    assert_eq!(exported.status.code(), Some(0));
    assert_eq!(exported.stdout, fourbook(&["export", BOOK]).stdout.into_bytes());
    for arguments in [
        &["generate", "--size", "4x4", "--depth", "2", "--out", "-"][..],
        &["pack", BOOK, "--out", "-"],
        &["man", "--out", "-"],
        &["verify", BOOK, "--report", "-"],
        &["lookup", "--book", "-", "4"],
        &["export", BOOK, "--format", "pons", "--out", "-"],
    ] {
        let refused = here(arguments);
        assert_eq!((refused.status.code(), &*refused.stdout), (Some(2), &b""[..]), "{arguments:?}");
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "nothing is written");
}

#[test]
#[cfg(unix)]
fn a_subcommand_that_waits_for_input_ends_as_if_by_ctrl_c() {
    use rustix::process::Signal;
    let import: &[&str] = &["import", "-", "--out", "/tmp/no.book"];
    for (arguments, error) in [
        (&["info", "-"][..], ""),
        (import, ""),
        (&["lookup"], ""),
        (&["verify", "-"], "error: interrupted\n"),
        (&["stats", "-"], "error: interrupted\n"),
        (&["compare", "-", BOOK], "error: interrupted\n"),
        (&["export", "-"], ""),
    ] {
        let mut command = program();
        command.args(arguments).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        // More than a pipe holds: the rest is written when the program reads.
        pipe.write_all(&[b'\n'; 1 << 17]).expect("it reads");
        send_signal(&child, Signal::TERM);
        let mut end = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut end).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{arguments:?}");
        assert!(end.ends_with(error), "{arguments:?}: {end}");
    }
}

/// It would take an hour.
#[test]
#[cfg(unix)]
fn an_interruption_takes_the_progress_off_the_terminal() {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt;
    // A shell takes a program that ends otherwise for one that goes on after Ctrl-C.
    for (signal, end) in [(Signal::TERM, (Some(130), None)), (Signal::INT, (None, Some(2)))] {
        let Terminal { mut screen, line } = Terminal::open();
        let mut command = program();
        command.args(["verify", "--solve", "all", "built-in"]).stdout(Stdio::null()).stderr(line);
        let mut child = command.spawn().expect("it starts");
        drop(command);
        let mut shown = Vec::new();
        let mut chunk = [0; 4096];
        while let Ok(read @ 1..) = screen.read(&mut chunk) {
            let is_shown = shown.contains(&b'%');
            shown.extend(&chunk[..read]);
            if !is_shown && shown.contains(&b'%') {
                send_signal(&child, signal);
            }
        }
        let status = child.wait().expect("it ends");
        assert_eq!((status.code(), status.signal()), end);
        let shown = String::from_utf8_lossy(&shown);
        assert!(shown.ends_with("\r\x1b[2Kerror: interrupted\r\n"), "{shown:?}");
    }
}
