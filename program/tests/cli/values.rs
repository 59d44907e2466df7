//! Values that options reject, on the real program. The parser's own tests go through all
//! options; these tests include checks after parsing.

use crate::support::{fourbook, repository};

const BOOK: &str = repository!("books/7x6-d8.book");

/// Messages of libraries that do not name the expected values.
const OTHERS_TEXTS: [&str; 8] = [
    "invalid digit",
    "number too",
    "cannot parse",
    "invalid float",
    "is not in",
    "invalid socket",
    "invalid port",
    "failed to",
];

#[test]
fn what_was_expected_and_what_came_is_said() {
    for (arguments, expected) in [
        (&["lookup", "--threads", "many", "4"][..], "expected a whole number from 0 to 65,535"),
        (&["lookup", "--threads", "-1", "4"], "expected a whole number from 0 to 65,535"),
        (&["lookup", "--memory", "1.5GG", "4"], "expected a number of bytes such as 512M"),
        (&["lookup", "--deadline", "soon", "4"], "expected a time above 0"),
        (&["lookup", "--max-nodes", "-1", "4"], "expected a whole number from 0 to"),
        (&["lookup", "--deadline", "-1", "4"], "expected a time above 0"),
        (&["lookup", "--size", "7", "4"], "expected WIDTHxHEIGHT"),
        (&["generate", "--depth", "deep"], "expected max or a whole number from 0 to 124"),
        (&["generate", "--depth", "99"], "expected 0 to"),
        (&["generate", "--shard", "5/4"], "expected I/N, such as 2/4, with I from 1 to N"),
        (&["generate", "--memory", "lots"], "expected a number of bytes"),
        (&["merge", "parts", "--out", "x", "--threads", "x"], "expected a whole number"),
        (&["plan", "--shards", "x"], "expected a whole number from 1 to 65,536"),
        (&["plan", "--sample", "1e6"], "expected a time, such as 0, 10 (seconds)"),
        (
            &["pack", BOOK, "--out", "x", "--depth", "1.5"],
            "expected max or a whole number from 0 to 124",
        ),
        (&["import", "x.csv", "--out", "x", "--depth", "x"], "expected max or a whole number"),
        (
            &["export", BOOK, "--log2-size", "8", "--out", "x"],
            "expected a whole number from 21 to 27",
        ),
        (&["compare", BOOK, BOOK, "--threads", "x"], "expected a whole number"),
        (&["verify", BOOK, "--solve", "most"], "expected a whole number from 0 on, or all"),
        (&["verify", BOOK, "--seed", "0x1"], "expected a whole number from 0 to"),
        (&["verify", BOOK, "--seed", "2"], "--solve <N|all>"),
        (&["stats", BOOK, "--threads=-2"], "expected a whole number"),
        (&["info", BOOK, "--size", "7x"], "expected WIDTHxHEIGHT"),
        (&["show", "--size", "x", "4"], "expected WIDTHxHEIGHT"),
        (&["bench", "--size", "99x99"], "expected WIDTHxHEIGHT"),
        #[cfg(feature = "server")]
        (&["serve", "--bind", "localhost"], "expected ADDRESS:PORT"),
        #[cfg(feature = "server")]
        (&["serve", "--bind", "127.0.0.1:http"], "expected ADDRESS:PORT"),
        #[cfg(feature = "server")]
        (&["serve", "--queue", "0"], "expected a whole number from 1 to"),
        #[cfg(feature = "server")]
        (&["serve", "--grace", "inf"], "expected a time above 0"),
    ] {
        let run = fourbook(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?} {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?} {}", run.stderr);
        let other = OTHERS_TEXTS.iter().find(|other| run.stderr.contains(**other));
        assert_eq!(other, None, "{arguments:?} {}", run.stderr);
    }
}

#[test]
fn what_looks_like_no_position_is_answered_with_what_does() {
    for arguments in [&["show", "z"][..], &["lookup", "XO."]] {
        let run = fourbook(arguments);
        assert_eq!(run.code, 1, "{arguments:?}");
        assert!(run.stderr.contains("expected moves like 4453, a diagram"), "{}", run.stderr);
    }
}

/// People write times, sizes and large numbers in the ways that other programs take.
#[test]
fn values_have_units_and_exponents() {
    for arguments in [
        &["lookup", "--deadline", "10s", "--memory", "1.5M", "--max-nodes", "1e6", "4453"][..],
        &["lookup", "--deadline", "500ms", "--memory", "2MB", "--max-nodes", "1.5e6", "4453"],
    ] {
        let run = fourbook(arguments);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("4453 -2\n", "", 0));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("max.book");
    let out = out.to_str().expect("text");
    let run = fourbook(&["generate", "-q", "--size", "4x4", "--depth", "max", "--out", out]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(fourbook(&["info", out]).stdout.contains("\nplies      0 to 15; "));
    let less = folder.path().join("less.book");
    let pack = ["pack", "-q", out, "--depth", "max", "--out", less.to_str().expect("text")];
    assert_eq!(fourbook(&pack).code, 0);
    assert_eq!(std::fs::read(out).expect("a book"), std::fs::read(less).expect("a book"));
}

#[test]
fn one_thing_is_not_many() {
    let run = fourbook(&["plan", "-q", "--size", "4x4", "--depth", "4", "--threads", "1"]);
    assert!(run.stdout.contains("with 1 thread\n"), "{}", run.stdout);
    let run = fourbook(&["verify", "--solve", "1", BOOK]);
    assert!(run.stdout.contains("solved again (1 position)\n"), "{}", run.stdout);
    let run = fourbook(&["show", "4"]);
    assert!(run.stdout.contains(", 1 stone on the board\n"), "{}", run.stdout);
    let run = fourbook(&["lookup", "[1, 0, 2]"]);
    assert!(run.stderr.contains("2 moves, but the board has 1 stone\n"), "{}", run.stderr);
}

/// An error of the system names the action that failed.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_the_system_are_not_alone() {
    use crate::support::program;
    use std::fs::File;
    let full = File::options().write(true).open("/dev/full").expect("a full disk");
    let run = program().args(["show", "4"]).stdout(full).output().expect("the program ends");
    let error = String::from_utf8(run.stderr).expect("text");
    assert_eq!(run.status.code(), Some(1));
    assert!(error.starts_with("error: cannot write to standard output: "), "{error}");
    for arguments in [
        &["--help"][..],
        &["help"],
        &["--version"],
        &["lookup", "--help"],
        &["completions", "bash"],
        &["info", BOOK],
        &["lookup", "4453"],
    ] {
        let full = File::options().write(true).open("/dev/full").expect("a full disk");
        let run = program().args(arguments).stdout(full).output().expect("the program ends");
        let error = String::from_utf8(run.stderr).expect("text");
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.starts_with("error: cannot write to standard output: "), "{error}");
    }
    let folder = File::open("/").expect("a folder");
    let run = program().args(["lookup", "-"]).stdin(folder).output().expect("the program ends");
    let error = String::from_utf8(run.stderr).expect("text");
    assert!(error.starts_with("error: cannot read standard input: "), "{error}");
}
