//! `fourbook lookup` with limits: positions that take too long.

use crate::support::{fourbook, fourbook_reading};
#[cfg(unix)]
use crate::{
    pseudo_terminal::Terminal,
    support::{program, send_signal},
};
#[cfg(unix)]
use rustix::process::Signal;
#[cfg(unix)]
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

#[test]
fn a_position_that_exceeds_the_nodes_is_an_error_with_advice() {
    let run = fourbook_reading(&["lookup", "--no-book", "--max-nodes", "1000"], b"4\n1212121\n");
    assert_eq!((run.stdout.as_str(), run.code), ("\n1212121 -18\n", 1));
    let begin = "error: line 1: not solved within the limits; allow more with --max-nodes; proved with \
                 1,000 nodes: any outcome for";
    assert!(run.stderr.starts_with(begin) && run.stderr.lines().count() == 1, "{}", run.stderr);
}

#[test]
fn a_position_that_takes_too_long_is_named_with_what_to_do() {
    for form in ["--format=plain", "--format=wdl", "--analyze", "--format=words"] {
        let run = fourbook(&["lookup", "--size", "8x8", "--deadline", "0.01", form, ""]);
        assert_eq!((run.stdout.trim(), run.code), ("", 1), "{form}");
        let begin = "error: not solved within the limits; allow more with --deadline";
        assert!(run.stderr.starts_with(begin), "{form}: {}", run.stderr);
    }
    let run = fourbook(&["lookup", "--size", "8x8", "--deadline", "0.01", "--json", "4"]);
    let record: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, &record["position"]), (1, &"4".into()));
    assert!(record["error"].as_str().expect("a text").starts_with("not solved within"), "{record}");
}

#[test]
fn what_the_book_has_is_answered_within_every_limit() {
    let run = fourbook(&["lookup", "--max-nodes", "0", "--deadline", "0.000001", "4453", "44"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("4453 -2\n44 1\n", "", 0));
    let deep = "122631142652642";
    let run = fourbook(&["lookup", "--max-nodes", "0", deep]);
    assert_eq!((run.stdout.as_str(), run.code), ("\n", 1));
    let advice = "allow more with --max-nodes, or name a deeper book with --book";
    assert!(run.stderr.contains(advice), "{}", run.stderr);
    // The strategy knows who wins, and no board of this size has a book.
    let run = fourbook(&["lookup", "--size", "8x7", "--max-nodes", "0", "4"]);
    let known = "allow more with --max-nodes; known without a search: a loss for O (score ";
    assert!(run.stderr.contains(known), "{}", run.stderr);
    assert_eq!(fourbook(&["lookup", "--max-nodes", "100000000", deep]).code, 0);
}

#[test]
fn nodes_and_time_are_printed_where_they_are_asked_for() {
    let search = ["lookup", "--no-book", "5622736721521"];
    let quiet = fourbook(&search);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("5622736721521 -8\n", ""));
    let json = fourbook(&[&search[..], &["--json"]].concat()).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(report["nodes"].as_u64() > Some(0) && report["time_ms"].is_u64(), "{json}");
}

/// The search takes years.
#[test]
#[cfg(unix)]
fn an_interrupted_search_tells_what_it_knows() {
    for signal in [Signal::INT, Signal::TERM] {
        let Terminal { mut screen, line } = Terminal::open();
        let mut command = program();
        command.args(["lookup", "--size", "9x8", "--threads", "1", "--memory", "16M"]);
        command.args(["1212121", "415", "44"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(line);
        let child = command.spawn().expect("the program starts");
        // Only the program has the terminal now, so that reading ends when it does.
        drop(command);
        let mut shown = Vec::new();
        let mut chunk = [0; 4096];
        while !String::from_utf8_lossy(&shown).contains("solving from position 2 on") {
            let read = screen.read(&mut chunk).expect("the search is long");
            shown.extend(&chunk[..read]);
        }
        send_signal(&child, signal);
        // `timeout` sends SIGTERM to the program, and to its group.
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    send_signal(&child, Signal::TERM);
                    thread::yield_now();
                }
            });
            // The end of a terminal is an error.
            let _ = screen.read_to_end(&mut shown);
            is_over.store(true, Ordering::Relaxed);
        });
        let run = child.wait_with_output().expect("the program ends");
        let shown = String::from_utf8_lossy(&shown);
        assert_eq!((run.status.code(), &*run.stdout), (Some(130), &b"1212121 -33\n\n"[..]));
        let error = shown.split_once("error: position 2: interrupted; proved with ");
        let (_, error) = error.expect("the bounds");
        assert!(error.contains(" for O (score -"), "{shown}");
        assert!(error.contains("; the best move known is column "), "{shown}");
        assert!(!shown.contains("position 3: "), "{shown}");
    }
}

#[test]
#[cfg(unix)]
fn an_interruption_has_its_exit_code_also_where_nobody_reads_the_answer() {
    for arguments in [&["lookup", "--size", "8x8"][..], &["show", "--size", "8x8", "--scores"]] {
        let (reader, unread) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = program();
        command.args(arguments).arg("44").stdin(Stdio::null()).stdout(unread);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut hint = String::new();
        stderr.read_line(&mut hint).expect("the search is long");
        send_signal(&child, Signal::TERM);
        let code = child.wait().expect("the program ends").code();
        assert_eq!(code, Some(130), "{arguments:?}: {hint}");
    }
}

#[test]
#[cfg(unix)]
fn a_lookup_that_waits_for_a_line_ends_at_once() {
    let mut command = program();
    command.arg("lookup").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    writeln!(stdin, "4453").expect("the program reads");
    let mut answer = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    stdout.read_line(&mut answer).expect("an answer");
    assert_eq!(answer, "4453 -2\n");
    send_signal(&child, Signal::TERM);
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
}

/// Without `--memory`, the table fits into the address space that is left.
#[test]
#[cfg(target_os = "linux")]
fn the_default_table_fits_a_limit_on_the_address_space() {
    let script = r#"ulimit -v 400000; exec "$0" lookup --no-book --threads 1 -- "$1""#;
    let moves = "7422341735647741166133573473242566";
    let run = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_fourbook"), moves])
        .output()
        .expect("a shell");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{errors}");
    assert!(run.stdout.starts_with(moves.as_bytes()), "{errors}");
}
