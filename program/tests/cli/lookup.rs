//! `fourbook lookup` on the real program.

use crate::support::{fourbook, fourbook_reading, program, repository};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Lines of the test data: a position and its score.
fn known_scores() -> Vec<&'static str> {
    include_str!(repository!("tests/data/end-easy.txt")).lines().collect()
}

fn positions(lines: &[&str]) -> String {
    lines.iter().map(|line| line.split(' ').next().unwrap().to_owned() + "\n").collect()
}

#[test]
fn lines_are_answered_in_order_as_pascal_pons_solver_does() {
    let known = known_scores();
    for arguments in [&["lookup"][..], &["lookup", "--threads", "3"], &["lookup", "--no-book", "-"]]
    {
        let run = fourbook_reading(arguments, positions(&known).as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stdout.lines().collect::<Vec<_>>(), known);
    }
}

/// Several threads read and answer long input: lines of the book, lines to solve, and wrong ones.
#[test]
fn long_input_is_answered_in_order() {
    let board = "\n.......\n.......\n.......\n.......\n.......\n...X...\n";
    let hard = "122631142652642";
    let lines =
        format!("4453\n48\n# nothing\n44 # more\n{board}444\n23163416124767223154467471272\n");
    let lines = (lines.repeat(50) + hard + "\n").repeat(60);
    for flags in [&["--format=plain"][..], &["--format=wdl"], &["--max-nodes", "0"]] {
        let run = |threads: &str| {
            let flags = [&["lookup", "--threads", threads], flags].concat();
            fourbook_reading(&flags, lines.as_bytes())
        };
        let [one, several] = ["1", "3"].map(run);
        assert_eq!((one.code, one.stdout.lines().count()), (1, 60 * (50 * 7 + 1)));
        assert_eq!(one.stderr.lines().filter(|line| line.contains("move 2 ('8')")).count(), 3000);
        assert!(one.stdout == several.stdout && one.stderr == several.stderr, "{flags:?}");
    }
}

#[test]
fn positions_may_be_arguments_in_any_notation() {
    let run = fourbook(&[
        "lookup",
        "",
        "4",
        "[1, 2, 2]",
        "......./......./......./......./......./...X...",
    ]);
    let expected = " 1\n4 -1\n[1, 2, 2] 1\n......./......./......./......./......./...X... -1\n";
    assert_eq!((run.stdout.as_str(), run.code), (expected, 0), "{}", run.stderr);
}

#[test]
fn a_diagram_of_several_lines_is_answered_in_one() {
    let diagram = "\n.......\n.......\n.......\n.......\n.......\n...X...\n";
    let one_line = "......./......./......./......./......./...X...";
    for (format, answer) in [
        ("plain", " -1\n"),
        ("wdl", " -1\n"),
        ("columns", " -4 -2 -2 -1 -2 -2 -4\n"),
        (
            "words",
            ": X wins with the 41st stone, 40 stones from now; O holds out longest in column 4\n",
        ),
    ] {
        let run = fourbook(&["lookup", "--format", format, diagram]);
        assert_eq!(run.stdout, format!("{one_line}{answer}"), "{}", run.stderr);
    }
}

#[test]
fn a_bad_line_is_named_and_leaves_an_empty_line() {
    let run = fourbook_reading(&["lookup"], b"4\n48\n1212121\n44444444\n5\n");
    assert_eq!(run.stdout, "4 -1\n\n1212121 -18\n\n5 0\n");
    assert_eq!(run.code, 1);
    let errors: Vec<_> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 2, "{}", run.stderr);
    assert!(errors[0].contains("line 2") && errors[0].contains("move 2"), "{}", errors[0]);
    assert!(errors[1].contains("line 4") && errors[1].contains("full column"), "{}", errors[1]);
}

#[test]
fn a_bad_line_is_an_object_among_objects() {
    let run = fourbook_reading(&["lookup", "--json"], b"44\n48\n4\n");
    let records: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.code, records.len()), (1, 3));
    assert_eq!(records[1]["position"], "48");
    assert!(records[1]["error"].as_str().unwrap().contains("move 2"), "{}", records[1]);
    assert_eq!(records[2]["score"], -1);
}

/// An error says once what is wrong.
#[test]
fn nothing_in_an_error_is_said_twice() {
    let run = fourbook(&["lookup", "key:5", "[0, 2, 1]", "rows:0x80:0", "9"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, "\n\n\n\n"));
    let parts =
        ["marks the top of column 2", "has no stone below", "outside the board", "is not a column"];
    for (line, part) in run.stderr.lines().zip(parts) {
        assert_eq!(line.matches(part).count(), 1, "{line}");
    }
    let run = fourbook(&["lookup", "--memory", "1000000T", "4"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.stderr.matches("os error").count(), 1, "{}", run.stderr);
}

#[test]
fn analyze_prints_a_score_for_each_column() {
    let run = fourbook(&["lookup", "--analyze", "", "222222"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(lines[0], ["", "-2", "-1", "0", "1", "0", "-1", "-2"]);
    assert_eq!((lines[1].len(), lines[1][0], lines[1][2]), (8, "222222", "-1000"));
}

#[test]
fn json_says_everything() {
    let run = fourbook(&["lookup", "--json", ""]);
    let record: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let column = |column: usize, score: i32, outcome: &str, plies: u32| {
        serde_json::json!({
            "column": column.to_string(), "playable": true, "known": true, "score": score,
            "outcome": outcome, "plies_to_end": plies, "source": "book",
        })
    };
    let expected = serde_json::json!({
        "position": "", "size": "7x6", "key": "4432676798593", "ply": 0, "to_move": "X",
        "over": false, "score": 1, "outcome": "win", "plies_to_end": 41, "best_moves": ["4"],
        "moves": [
            column(4, 1, "win", 41), column(3, 0, "draw", 42), column(5, 0, "draw", 42),
            column(2, -1, "loss", 42), column(6, -1, "loss", 42),
            column(1, -2, "loss", 40), column(7, -2, "loss", 40),
        ],
        "source": "book", "complete": true,
    });
    assert_eq!(record, expected);
    let source = |moves: &str| {
        let run = fourbook(&["lookup", "--json", moves]);
        let record: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        record["source"].as_str().expect("a source").to_owned()
    };
    assert_eq!(source("4"), "book");
    // The book stores no position of nine stones.
    assert_eq!(source("444444333"), "derived");
    assert_eq!(source("121212"), "derived");
    assert_eq!(source("122631142652642"), "solver");
}

/// A position of 15 stones is beyond the book, and its moves are as well.
#[test]
fn what_is_known_is_printed_without_a_search() {
    let run = fourbook(&["lookup", "--format=known", "4453", "122631142652642"]);
    let records: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((run.code, &*run.stderr, records.len()), (0, "", 2));
    assert_eq!((&records[0]["score"], &records[0]["complete"]), (&(-2).into(), &true.into()));
    assert_eq!((&records[1]["score"], &records[1]["complete"]), (&().into(), &false.into()));
    assert!(records[1].get("nodes").is_none(), "{}", run.stdout);
}

#[test]
fn a_game_is_gone_through_move_by_move() {
    let run =
        fourbook(&["lookup", "--format=review", "--size", "5x4", "33224115", "1212121", "11111"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "game 33224115",
            "  1 X  3    0  best",
            "  2 O  3    0  best",
            "  3 X  2   -1  draw thrown away, 0 was there",
        ]
    );
    assert!(lines[9].starts_with("line ") && lines[9].ends_with(" (0)"), "{lines:?}");
    assert_eq!(
        lines[10..],
        [
            "game 1212121",
            lines[11],
            lines[12],
            lines[13],
            lines[14],
            lines[15],
            lines[16],
            lines[17],
            "end X has won",
            ""
        ]
    );
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("move 5"), "{}", run.stderr);
    let run = fourbook(&["lookup", "--format=review", "key:4433222074497"]);
    assert!(run.stderr.contains("expected the moves of a game"), "{}", run.stderr);
    let json = fourbook(&["lookup", "--format=review-json", "--size", "5x4", "33224115"]).stdout;
    let review: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(review["moves"][6]["mark"], "win-thrown-away");
    assert_eq!(review["moves"].as_array().expect("moves").len(), 8);
}

#[test]
fn perfect_play_is_printed_to_the_end_of_the_game() {
    let run = fourbook(&["lookup", "--format=line", "4453", "1212121"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let fields: Vec<&str> = lines[0].split(' ').collect();
    assert_eq!((fields[0], fields[1], fields[2].len()), ("4453", "-2", 36));
    assert_eq!(lines[1], "1212121 -18");
    let end = fourbook(&["lookup", &format!("4453{}", fields[2])]).stdout;
    assert!(end.trim_end().ends_with(" -2"), "{end}");
}

#[test]
fn the_end_of_perfect_play_is_explained() {
    let run = fourbook(&["lookup", "--format=explain", "44335", "1212121"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let reason = "X threatened to complete four in column 2, row 1 and in column 6, row 1; \
                  O could block only one.";
    assert!(lines[0].starts_with("44335: X wins with stone 7 in column "), "{}", lines[0]);
    assert!(lines[0].ends_with(reason), "{}", lines[0]);
    assert_eq!(lines[1], "1212121: X has won with four in column 1, rows 1 to 4.");
}

#[test]
fn wdl_prints_only_who_wins() {
    let run = fourbook(&["lookup", "--format=wdl", "", "3", "14151576443676755565436422463"]);
    assert_eq!(run.stdout, " 1\n3 0\n14151576443676755565436422463 1\n");
}

/// A program that writes a line and waits for the answer gets it.
#[test]
fn an_answer_does_not_wait_for_the_next_line() {
    let mut child = program()
        .arg("lookup")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    for (position, answer) in [("4", "4 -1\n"), ("44", "44 1\n")] {
        writeln!(stdin, "{position}").expect("the program reads");
        let mut line = String::new();
        answers.read_line(&mut line).expect("the program answers");
        assert_eq!(line, answer);
    }
    drop(stdin);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    assert_eq!(with_closed_pipe(&"4\n".repeat(100_000)), (Some(0), String::new()));
    // Earlier errors still count.
    let (code, errors) = with_closed_pipe(&format!("x\n{}", "4\n".repeat(100_000)));
    assert_eq!((code, errors.lines().count()), (Some(1), 1), "{errors}");
}

/// The exit code and the errors of a lookup whose output pipe is closed.
fn with_closed_pipe(lines: &str) -> (Option<i32>, String) {
    let mut child = program()
        .arg("lookup")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may end before all is written.
    let _ = stdin.write_all(lines.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn a_book_of_ones_own_is_used_and_names_its_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("small.book");
    let book = book.to_str().expect("a UTF-8 path");
    let made = fourbook(&["--size", "5x4", "generate", "--depth", "6", "--out", book, "--quiet"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let run = fourbook(&["lookup", "--json", "--book", book, "1122"]);
    assert!(run.stdout.contains(r#""source":"book""#), "{}{}", run.stdout, run.stderr);
    let without = fourbook(&["lookup", "--no-book", "--size", "5x4", "--analyze", "1122"]);
    let with = fourbook(&["lookup", "--book", book, "--analyze", "1122"]);
    assert_eq!(with.stdout, without.stdout);
    let outcomes = folder.path().join("outcomes.book");
    let outcomes = outcomes.to_str().expect("a UTF-8 path");
    assert_eq!(fourbook(&["pack", book, "--wdl", "--out", outcomes, "--quiet"]).code, 0);
    let solved = fourbook(&["lookup", "--book", outcomes, "--analyze", "1122"]);
    assert_eq!(solved.stdout, with.stdout);
    assert!(solved.stderr.contains("the book has outcomes only"), "{}", solved.stderr);
    assert_eq!(fourbook(&["lookup", "--book", outcomes, "--format=wdl", "1122"]).stderr, "");
    let other = fourbook(&["lookup", "--book", book, "--size", "7x6", "4"]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("the file is for 5x4, not for 7x6"), "{}", other.stderr);
}

#[test]
fn a_file_that_is_no_book_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no.book");
    std::fs::write(&path, "not a book").expect("a file");
    let run = fourbook(&["lookup", "--book", path.to_str().expect("a UTF-8 path"), "4"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("no.book"), "{}", run.stderr);
    let missing = fourbook(&["lookup", "--book", "/no/such.book", "4"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("/no/such.book"), "{}", missing.stderr);
}

#[test]
fn every_flag_is_the_format_of_its_name() {
    for (format, flag) in [("json", "--json"), ("columns", "-a")] {
        let named = fourbook(&["lookup", "--format", format, "4453", "9"]);
        let flagged = fourbook(&["lookup", flag, "4453", "9"]);
        assert_eq!((named.code, &named.stdout), (1, &flagged.stdout), "{flag}");
        assert_eq!(named.stderr, flagged.stderr, "{flag}");
    }
}

#[test]
fn wrong_options_are_wrong_use() {
    assert_eq!(fourbook(&["lookup", "--analyze", "--json", "4"]).code, 2);
    assert_eq!(fourbook(&["lookup", "--format", "plain", "--json", "4"]).code, 2);
    assert_eq!(fourbook(&["lookup", "--book", "x", "--no-book", "4"]).code, 2);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let run = fourbook_reading(&["lookup"], "\u{feff}4453\r\n44\r\n".as_bytes());
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("4453 -2\n44 1\n", "", 0));
}

#[test]
fn a_line_that_is_too_long_is_refused_without_its_text_and_the_next_is_answered() {
    let long = "4".repeat((1 << 20) + 1);
    let text = format!("44\n{long}\n{long}{long}\n4453");
    let run = fourbook_reading(&["lookup"], text.as_bytes());
    assert_eq!((run.stdout.as_str(), run.code), ("44 1\n\n\n4453 -2\n", 1));
    let error = |line| {
        format!("error: line {line}: expected a line of at most 1 MiB, found a longer one\n")
    };
    assert_eq!(run.stderr, error(2) + &error(3));
    let show = fourbook_reading(&["show", "--to", "moves"], text.as_bytes());
    assert_eq!((show.stdout.as_str(), show.code), ("44\n\n\n4453\n", 1));
    assert_eq!(show.stderr, run.stderr);
    for arguments in
        [&["lookup", "--json"][..], &["lookup", "--format=review"], &["show", "--json"]]
    {
        let run = fourbook_reading(arguments, text.as_bytes());
        assert_eq!((run.stderr, run.code), (error(2) + &error(3), 1));
        assert!(run.stdout.lines().count() >= 4 && run.stdout.len() < 5000, "{arguments:?}");
    }
}

#[test]
fn comments_and_blanks_around_positions_are_left_out() {
    let text = "# openings\n44 \t\r\n4453# the usual one\n\n  # nothing\n  444  \n";
    let run = fourbook_reading(&["lookup"], text.as_bytes());
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        ("44 1\n4453 -2\n 1\n444 -1\n", "", 0)
    );
    let show = fourbook_reading(&["show", "--to", "moves"], text.as_bytes());
    assert_eq!((show.stdout.as_str(), show.code), ("44\n4453\n\n444\n", 0));
    // Lines keep their numbers.
    let wrong = fourbook_reading(&["lookup"], b"# one\n#\n9\n");
    assert!(wrong.stderr.starts_with("error: line 3: "), "{}", wrong.stderr);
    assert_eq!(fourbook(&["lookup", "44 "]).stdout, "44 1\n");
}

/// The line of the empty board begins with a blank, and that of a board has its rows.
#[test]
fn what_lookup_and_show_print_is_read_back() {
    // Lines with scores are refused: a score is no move.
    let printed = fourbook(&["lookup", "", "1", "7", "11", "4453", "1212121"]);
    let run = fourbook_reading(&["lookup"], printed.stdout.as_bytes());
    assert_eq!((run.code, &*run.stdout), (1, "\n\n\n\n\n\n"), "{}", run.stderr);
    let shown = fourbook(&["show", "", "4453", "12121", "1212121", "44444"]);
    let run = fourbook_reading(&["show", "--to", "moves"], shown.stdout.as_bytes());
    assert_eq!(run.stdout, "\n4453\n12121\n1212121\n44444\n", "{}", run.stderr);
    assert_eq!((run.code, &*run.stderr), (0, ""));
}

/// Only an empty line is the empty board, and labels are no game.
#[test]
fn lines_without_a_move_and_labels_get_no_score() {
    let rows = ". . . . . . .\n".repeat(5) + ". . . X . . .\n";
    let text = format!("---\n,,,\n1.\n  \n\n1 2 3 4 5 6 7\n---------------\n{rows}a b c d e f g\n");
    let run = fourbook_reading(&["lookup"], text.as_bytes());
    let board = rows.trim_end().replace('\n', "/");
    assert_eq!(run.stdout, format!("\n\n\n\n 1\n{board} -1\n"), "{}", run.stderr);
    let errors: Vec<&str> =
        run.stderr.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(errors, ["line 1", "line 2", "line 3", "line 4"]);
    let full = "1212121\n1212121\n2121212\n2121212\n1212121\n2121212\n";
    let run = fourbook_reading(&["lookup"], full.as_bytes());
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("line 6: this line and those before it"), "{}", run.stderr);
    let run = fourbook_reading(&["lookup", "--from", "moves"], full.as_bytes());
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let run = fourbook(&["lookup", "1 2 3 4 5 6 7\n---------------"]);
    assert_eq!((run.code, &*run.stdout), (1, "\n"), "{}", run.stderr);
}

#[test]
fn public_positions_have_the_scores_that_the_book_and_the_solver_find() {
    let lines = repository!("tests/data/connect-four-ai/positions.txt");
    let lines = std::fs::read_to_string(lines).unwrap();
    let positions: Vec<&str> = lines.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(positions.len(), 18_000);
    let run = fourbook_reading(&["lookup"], positions.join("\n").as_bytes());
    assert_eq!((run.code, &*run.stderr), (0, ""));
    assert!(run.stdout.lines().eq(lines.lines()));
}

/// The exact scores of all moves of these positions take years.
#[test]
fn best_moves_are_found_where_other_moves_are_not_solved() {
    let run = fourbook(&["lookup", "--format=words", "--size", "9x8", "4455"]);
    let expected = "4455: X wins with the 7th stone, 3 stones from now; X plays column 3 or 6\n";
    assert_eq!(run.stdout, expected);
    // The score in the book is known in spite of every limit.
    let run = fourbook(&["lookup", "--format=line", "--max-nodes", "30", "4453"]);
    assert!(run.code == 1 && run.stderr.contains("a loss for X (score -2)"), "{}", run.stderr);
}
