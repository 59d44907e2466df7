//! `fourbook show` and what all subcommands share: sizes, exit codes, bad input.

use crate::support::{fourbook, fourbook_reading, program};
use fourbook::Size;
use fourbook::board::notation::Notation;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn s4_the_example_is_shown_with_its_two_stacked_threats() {
    let run = fourbook(&["show", "444441221515"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.is_empty(), "{run:?}");
    let expected = "\
. . . . . . .
. . . X . . .
. . . O . . .
X . o X . . .
X O o O O . .
O X . X O . .
1 2 3 4 5 6 7

X to move, 12 stones on the board
threats of X: none
threats of O: column 3, row 2; column 3, row 3
stacked threats of O: column 3, rows 2 and 3
";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
}

#[test]
fn every_notation_is_shown() {
    let run = fourbook(&["show", "11"]);
    for line in [
        "moves      11",
        "diagram    ......./......./......./......./O....../X......",
        "bitboards  [1, 2, 2]",
        "rows       rows:0x1:0x100",
    ] {
        assert!(run.stdout.lines().any(|shown| shown == line), "{line}\n{}", run.stdout);
    }
    let key = fourbook(&["show", "--to", "key", "11"]).stdout;
    assert!(run.stdout.contains(&format!("key        {key}")), "{}", run.stdout);
}

#[test]
fn the_canonical_key_is_the_same_for_the_mirror_image() {
    let canonical = |moves| {
        let run = fourbook(&["show", moves]);
        run.stdout.lines().find(|line| line.starts_with("canonical")).map(str::to_owned)
    };
    assert!(canonical("112").is_some());
    assert_eq!(canonical("112"), canonical("776"));
}

#[test]
fn the_end_of_a_game_is_shown() {
    let won = fourbook(&["show", "1212121"]);
    assert!(won.stdout.contains("\nX has won, 7 stones on the board\n"), "{}", won.stdout);
    // O could complete four in column 2, if the game went on.
    assert!(won.stdout.contains("\nthreats of O: none\n"), "{}", won.stdout);
    assert!(!won.stdout.lines().take(6).any(|row| row.contains(['x', 'o'])), "{}", won.stdout);
    let drawn = fourbook(&["show", "--size", "4x4", "XOXO/XOXO/OXOX/XOXO"]);
    assert!(drawn.stdout.contains("\ndrawn, 16 stones on the board\n"), "{}", drawn.stdout);
}

#[test]
fn a_position_no_game_reaches_is_shown_as_such() {
    let diagram = "......./......./......./......./XX...../OO.....";
    let shown = fourbook(&["show", diagram]);
    assert_eq!(shown.code, 0);
    assert!(shown.stdout.contains("moves      not reachable by play\n"), "{}", shown.stdout);
    let converted = fourbook(&["show", "--to", "moves", diagram]);
    assert_eq!((converted.code, converted.stdout.as_str()), (1, "\n"));
    assert_eq!(converted.stderr, "error: not reachable by play\n");
}

#[test]
fn notations_are_converted_line_by_line() {
    let input =
        "11\n[1, 2, 2]\nrows:0x1:0x100\r\n......./......./......./......./O....../X......\n";
    for arguments in [&["show", "--to", "bitboards"][..], &["show", "--to", "bitboards", "-"]] {
        let run = fourbook_reading(arguments, input.as_bytes());
        assert_eq!(run.stdout, "[1, 2, 2]\n".repeat(4));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    }
}

#[test]
fn the_notation_read_can_be_named() {
    let run = fourbook(&["show", "--from", "key", "--to", "moves", "4432676798593"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "\n"), "{run:?}");
}

#[test]
fn a_drawn_board_can_be_given_back() {
    let shown = fourbook(&["show", "444441221515"]).stdout;
    let board: Vec<&str> = shown.lines().take(7).collect();
    let run = fourbook(&["show", &board.join("\n")]);
    assert_eq!(run.stdout, shown);
}

#[test]
fn json_says_the_same_one_object_a_line() {
    let run = fourbook_reading(&["show", "--json"], b"444441221515\n1212121\n");
    assert_eq!(run.code, 0);
    let records: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2);
    let trap = &records[0];
    assert_eq!(trap["input"], "444441221515");
    assert_eq!((&trap["ply"], &trap["to_move"]), (&12.into(), &"X".into()));
    assert_eq!(trap["stacked_threats"]["O"], serde_json::json!([{ "column": "3", "row": "2" }]));
    assert_eq!(trap["stacked_threats"]["X"], serde_json::json!([]));
    let won = &records[1];
    assert_eq!((&won["state"], &won["winner"]), (&"won".into(), &"X".into()));
    assert!(won["to_move"].is_null());

    let run = fourbook_reading(&["show", "--json"], b"4x\n4\n");
    let bad: serde_json::Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((run.code, &bad["input"]), (1, &"4x".into()));
    assert!(bad["error"].as_str().unwrap().starts_with("move 2 ('x')"), "{bad}");
    assert_eq!(run.stdout.lines().count(), 2);
}

#[test]
fn bad_lines_are_reported_by_number_and_the_rest_is_shown() {
    let input = b"44\n4x\n12121212\nhello\n\xff\xfe\n55\n";
    let run = fourbook_reading(&["show", "--to", "moves"], input);
    assert_eq!(run.code, 1);
    // Each error leaves an empty line, so that line N of the output belongs to line N of the input.
    assert_eq!(run.stdout, "44\n\n\n\n\n55\n");
    assert_eq!(fourbook_reading(&["show"], b"4x\n").stdout, "");
    let errors: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 4, "{errors:#?}");
    assert_eq!(
        errors[0],
        "error: line 2: move 2 ('x') is not a column; expected a column from 1 to 7"
    );
    for (error, line) in errors[1..].iter().zip(3..) {
        assert!(error.starts_with(&format!("error: line {line}: ")), "{error}");
    }
}

#[test]
fn bad_arguments_are_reported_by_number() {
    let run = fourbook(&["show", "--to", "moves", "4", "9", "5"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, "4\n\n5\n"));
    assert!(run.stderr.starts_with("error: position 2: move 1 ('9')"), "{}", run.stderr);
}

#[test]
fn the_board_size_stands_before_or_after_the_subcommand() {
    for arguments in [["--size", "8x7", "show", "8"], ["show", "8", "--size", "8x7"]] {
        let run = fourbook(&arguments);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains("\n1 2 3 4 5 6 7 8\n"), "{}", run.stdout);
    }
}

#[test]
fn wrong_use_is_exit_code_2() {
    for arguments in [
        &[][..],
        &["no-such-command"],
        &["show", "--no-such-option"],
        &["show", "--size", "17x4", "4"],
        &["show", "--to", "fen", "4"],
        &["show", "--json", "--to", "key", "4"],
        &["show", "--quiet", "-v", "4"],
    ] {
        let run = fourbook(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
    let sizes = fourbook(&["show", "--size", "17x4", "4"]).stderr;
    assert!(sizes.contains("7x6") && sizes.contains("10x10"), "{sizes}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = program()
        .args(["show", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all("4453\n".repeat(10_000).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_line_is_answered_before_the_next_one_is_sent() {
    let mut child = program()
        .args(["show", "--to", "bitboards"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (moves, answer) in [("1", "[1, 0, 1]"), ("11", "[1, 2, 2]")] {
        writeln!(stdin, "{moves}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), answer);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn no_line_of_the_input_goes_without_an_answer() {
    let board = ".......\n".repeat(6);
    let text = format!("+4453\n+---+\n4453\n{board}1 2 3 4 5 6 7\n1 2 3 4\n");
    let run = fourbook_reading(&["show", "--to", "moves"], text.as_bytes());
    assert!(run.code == 1 && run.stderr.contains("line 1: "), "{}", run.stderr);
    // The last one in another order, which leads there as well.
    assert_eq!(run.stdout, "\n\n4453\n\n3412\n");
}

/// The lines of the file of cases for a board: moves or `!` and a part of the error, text.
fn cases(size: &str) -> Vec<(String, String)> {
    let lines = include_str!("../../../tests/data/notations.tsv").lines();
    let fields = lines.filter_map(|line| line.strip_prefix(size)?.trim_start().split_once('\t'));
    fields
        .map(|(expected, text)| {
            let text = text.replace(r"\n", "\n").replace(r"\t", "\t");
            (expected.trim_matches('-').to_owned(), text)
        })
        .collect()
}

#[test]
fn texts_of_every_kind_are_read_as_the_file_of_cases_says() {
    for size in ["4x4", "7x6", "8x7", "9x7", "10x10", "16x7"] {
        let cases = cases(size);
        assert!(!cases.is_empty());
        let board: Size = size.parse().unwrap();
        let key =
            |moves: &str| format!("key:{}", Notation::Moves.parse(board, moves).unwrap().key());
        let expected = |case: &(String, String)| {
            if case.0.starts_with('!') { String::new() } else { key(&case.0) }
        };
        let mut arguments = vec!["show", "--size", size, "--to", "key", "--"];
        arguments.extend(cases.iter().map(|(_, text)| text.as_str()));
        let run = fourbook(&arguments);
        let found: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(found, cases.iter().map(expected).collect::<Vec<_>>(), "{}", run.stderr);
        let mut errors = run.stderr.lines();
        for (number, (expected, text)) in (1..).zip(&cases) {
            if let Some(part) = expected.strip_prefix('!') {
                let error = errors.next().unwrap();
                let is_right = cases.len() == 1 || error.contains(&format!("position {number}: "));
                assert!(is_right && error.contains(part), "{text:?}: {error}");
            }
        }
        // Boards over several lines, with a game after each.
        let boards = cases.iter().filter(|(expected, text)| {
            !expected.starts_with('!') && Notation::recognise(text) == Some(Notation::Diagram)
        });
        let lines = boards.map(|case| (expected(case) + "\n" + &key("11") + "\n", &*case.1));
        let (expected, texts): (String, Vec<&str>) = lines.unzip();
        let input: String = texts.iter().map(|text| format!("{text}\n11\n")).collect();
        let run = fourbook_reading(&["show", "--size", size, "--to", "key"], input.as_bytes());
        assert_eq!(run.stdout, expected, "{}", run.stderr);
        assert_eq!((run.code, &*run.stderr), (0, ""));
    }
}

#[test]
fn columns_count_from_0_where_that_is_said() {
    let run = fourbook(&["show", "--to", "moves", "--columns-from", "0", "3342", "3, 3, 4, 2"]);
    assert_eq!((run.code, &*run.stdout), (0, "4453\n4453\n"), "{}", run.stderr);
    let run = fourbook(&["show", "--columns-from", "0", "--from", "key", "4433222074497"]);
    assert!(
        run.code == 2 && run.stderr.contains("is for moves; leave --from out"),
        "{}",
        run.stderr
    );
    let run = fourbook(&["show", "--columns-from", "0", "3347"]);
    assert!(run.stderr.contains("expected a column from 0 to 6"), "{}", run.stderr);
    let run = fourbook(&["show", "3340"]);
    assert!(
        run.stderr.contains("if the columns count from 0, use '--columns-from 0'"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_name_of_a_file_is_answered_with_how_to_read_its_lines() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let name = file.path().to_str().unwrap();
    let run = fourbook(&["show", name]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains(&format!("use '< {name}'")), "{}", run.stderr);
}
