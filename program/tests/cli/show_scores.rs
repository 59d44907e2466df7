//! `fourbook show --scores`: from which book, and within which limits.

use crate::support::{fourbook, program, repository, text};

/// The line of scores, below the columns of a board of six rows.
fn scores(stdout: &str) -> Vec<&str> {
    stdout.lines().nth(7).expect("the line below the columns").split_whitespace().collect()
}

#[test]
fn scores_come_from_the_book_that_is_named() {
    let book = repository!("books/7x6-d8.book");
    let folder = tempfile::tempdir().expect("a folder");
    let limits = ["show", "--scores", "--max-nodes", "0"];
    let expected = ["-5", "-5", "-2", "-3", "-4", "-2", "-2"];
    for more in [&["4453"][..], &["--book", book, "4453"]] {
        let run = fourbook(&[&limits[..], more].concat());
        assert_eq!((run.code, scores(&run.stdout)), (0, expected.to_vec()), "{}", run.stderr);
    }
    // A book from the environment, too; it is for another board, whose size need not be given.
    let small = folder.path().join("4x4.book");
    let made = ["generate", "-q", "--size", "4x4", "--depth", "6", "--out", text(&small)];
    assert_eq!(fourbook(&made).code, 0);
    let run = program().env("FOURBOOK_BOOK", &small).args(limits).arg("1122").output();
    let run = run.expect("the program runs");
    assert!(run.status.success(), "{run:?}");
    assert!(String::from_utf8_lossy(&run.stdout).contains("\n1 2 3 4\n"), "{run:?}");
    assert_eq!(fourbook(&["show", "--book", "/no/such.book", "4453"]).code, 1);
    assert_eq!(fourbook(&["show", "--to", "key", "--book", "/no/such.book", "4453"]).code, 0);
}

#[test]
fn scores_that_are_not_found_within_the_limits_are_an_error() {
    for limit in [["--max-nodes", "1000"], ["--deadline", "0.01"]] {
        let run = fourbook(&[&["show", "--size", "8x8", "--scores"], &limit[..], &["44"]].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        let option = limit[0];
        let begin = format!("error: not solved within the limits; allow more with {option}");
        assert!(run.stderr.starts_with(&begin), "{}", run.stderr);
        assert!(run.stdout.contains("\n? ? ? ? ? ? ? ?\n"), "{}", run.stdout);
        assert!(run.stdout.contains("'?' were not found within the limits"), "{}", run.stdout);
    }
}

/// A search that may never end says so, wherever its output goes.
#[test]
#[cfg(unix)]
fn a_search_that_can_take_hours_says_how_to_give_it_up() {
    use crate::support::send_signal;
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let mut command = program();
    command.args(["show", "--size", "8x7", "--scores", "44"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert_eq!(
        next(),
        "hint: positions of 8x7 boards may take longer than you can wait; --deadline 10s gives \
         each up after 10 seconds"
    );
    // Not INT, which a caller in the background may ignore.
    send_signal(&child, rustix::process::Signal::TERM);
    let output = child.wait_with_output().expect("it ends");
    let board = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(130), "{board}");
    assert!(board.contains("\n? ? ? ? ? ? ? ?\n"), "{board}");
    assert_eq!(next(), "error: interrupted");
}
