//! Boards of all sizes, with every subcommand.

use crate::support::{fourbook, kill, program, text};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// A position of a 10x7 board with few cells left.
const LATE: &str = "4391831274437a9a1992721122519749577648166a766622689484a";

#[test]
fn columns_from_the_tenth_on_are_letters() {
    let run = fourbook(&["show", "--size", "12x9", "1acb"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("\nX . . . . . . . . O O X\n1 2 3 4 5 6 7 8 9 a b c\n"), "{run:?}");
    let moves = fourbook(&["show", "--size", "12x9", "--to", "moves", "1acb"]).stdout;
    let again = fourbook(&["show", "--size", "12x9", "--from", "moves", moves.trim()]);
    assert_eq!(again.stdout, run.stdout);
    let back = fourbook(&["show", "--size", "12x9", "--to", "key", "1acb"]).stdout;
    let again = fourbook(&["show", "--size", "12x9", "--from", "key", "--to", "key", back.trim()]);
    assert_eq!(again.stdout, back);
    let threats = fourbook(&["show", "--size", "10x7", "a1a1a1"]);
    assert!(threats.stdout.contains("threats of X: column a, row 4\n"), "{}", threats.stdout);
    assert_eq!(fourbook(&["show", "--size", "10x7", "10, 1,"]).code, 0);
    let wrong = fourbook(&["show", "--size", "10x7", "1b"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("move 2 ('b') is not a column; expected a column from 1 to a"));
}

#[test]
fn positions_of_large_boards_are_solved() {
    let run = fourbook(&["lookup", "--size", "10x7", "--json", LATE]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let record: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let scores = record["moves"].as_array().expect("a list");
    assert_eq!(scores.len(), 10);
    let best = scores.iter().filter_map(|column| column["score"].as_i64()).max();
    assert_eq!(record["score"].as_i64(), best);
    let analysis = fourbook(&["lookup", "--size", "10x7", "--analyze", LATE]).stdout;
    assert_eq!(analysis.split(' ').count(), 11, "{analysis}");
}

#[test]
fn every_size_is_shown() {
    for size in fourbook::Size::all() {
        let run = fourbook(&["show", "--json", "--size", &size.to_string(), "1122"]);
        let record: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((run.code, &record["size"]), (0, &size.to_string().into()), "{}", run.stderr);
    }
}

/// Everything that can be done with a book, on a board of more than 64 bits.
#[test]
fn a_book_of_a_large_board_is_made_checked_and_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let csv = path("a.csv");
    let book = path("a");
    let packed = path("b");
    let back = path("b.csv");
    let empty = [".........."; 10].join("/");
    fs::write(&csv, format!("position,score,size\n{empty},0,10x10\n")).expect("a file");
    let good = |arguments: &[&str]| {
        let run = fourbook(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    };
    let book = text(&book);
    let packed = text(&packed);
    let back = text(&back);
    good(&["import", "--size", "10x10", text(&csv), "--out", book]);
    assert!(good(&["info", book]).contains("board      10x10\n"));
    good(&["verify", "--deep", book]);
    assert!(good(&["stats", "--csv", book]).ends_with("\n0,1,0,1,0,0,0,0\n"));
    good(&["pack", book, "--encoding", "compact", "--out", packed]);
    good(&["export", packed, "--out", back]);
    assert_eq!(fs::read(back).expect("a file"), fs::read(&csv).expect("a file"));
    assert_eq!(good(&["compare", book, back]), "1 position of ply 0 compared, 0 different\n");
    assert_eq!(good(&["lookup", "--book", packed, ""]), " 0\n");
}

#[test]
fn a_large_board_is_planned() {
    let run =
        fourbook(&["plan", "-q", "--size", "16x7", "--depth", "3", "--sample", "0", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, &plan["size"]), (0, &"16x7".into()), "{}", run.stderr);
    assert!(plan["positions"].as_u64() > Some(1000), "{plan}");
}

#[test]
fn what_is_planned_is_said_before_the_sample_is_solved() {
    let mut child = program()
        .args(["plan", "--depth", "12", "--sample", "1h"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let first: Vec<String> = lines.take(2).map(|line| line.expect("text")).collect();
    kill(child);
    assert_eq!(first[0], "book       7x6, depth 12, exact scores");
    assert!(first[1].starts_with("positions  about 4,"), "{first:?}");
}

#[test]
fn the_solver_is_measured_on_any_board() {
    let nodes = || {
        let run = fourbook(&["bench", "--size", "8x8"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let names: Vec<_> = run.stdout.lines().map(|line| &line[..9]).collect();
        assert_eq!(names, ["positions", "nodes    ", "seconds  ", "nodes/s  "]);
        run.stdout.lines().nth(1).expect("a line").to_owned()
    };
    assert_eq!(nodes(), nodes());
}
