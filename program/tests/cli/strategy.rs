//! `fourbook strategy`, and what verifies it, on the real program.

use crate::support::{fourbook, fourbook_reading, repository, text};
use std::fs;

#[test]
fn a_strategy_is_made_described_and_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("5x4.strategy");
    let file = text(&out);
    let make = ["strategy", "--size", "5x4", "--side", "second", "--depth", "8", "--out", file];
    let made = fourbook(&make);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(made.stderr.contains("positions in"), "{}", made.stderr);
    assert_eq!(made.stdout, "");
    let again = fourbook(&make);
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);

    let info = fourbook(&["info", file]);
    assert!(
        info.stdout.contains("strategy   5x4 for O to ply 7, exact scores\n"),
        "{}",
        info.stdout
    );
    let json: serde_json::Value =
        serde_json::from_str(&fourbook(&["info", "--json", file]).stdout).expect("JSON");
    assert_eq!(
        (&json["size"], &json["value"], &json["plies"][0]["ply"]),
        (&"5x4".into(), &0.into(), &1.into())
    );

    let proved = fourbook(&["verify", "--solve", "all", file]);
    assert_eq!(proved.code, 0, "{}", proved.stderr);
    for line in [
        "PASS  every reply has an answer (",
        "PASS  ply 7: 0 wrong moves",
        "PASS  O gets at least score 0 (draw)",
    ] {
        assert!(proved.stdout.contains(line), "{}", proved.stdout);
    }

    let deeper = folder.path().join("deeper.strategy");
    // The board is that of the file.
    let extend = ["strategy", "-q", "--side", "second", "--depth", "11", "--extend", file, "--out"];
    let extended = fourbook(&[&extend[..], &[text(&deeper)]].concat());
    assert_eq!((extended.code, &*extended.stdout), (0, ""), "{}", extended.stderr);
    assert_eq!(fourbook(&["verify", "--solve", "all", text(&deeper)]).code, 0);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 4, "a report beside each");

    // Or that of the book.
    let book = repository!("books/shelf/5x4-d8.book");
    let made = ["strategy", "--depth", "2", "--force", "--book", book, "--out", file];
    assert_eq!(fourbook(&made).code, 0);
    let info = fourbook(&["info", file]).stdout;
    assert!(info.contains("5x4 for X to ply 2"), "{info}");
}

#[test]
fn the_program_answers_from_a_strategy() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x.strategy");
    let file = text(&out);
    let made =
        fourbook(&["strategy", "-q", "--scores", "--size", "5x4", "--depth", "4", "--out", file]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let alone =
        ["lookup", "--format=plain", "--no-book", "--max-nodes", "0", "--size", "5x4", "11"];
    assert_eq!(fourbook(&alone).code, 1);
    let known = fourbook(&[&alone[..], &["--strategy", file]].concat());
    let empty = fourbook(&[
        "lookup",
        "--format=plain",
        "--no-book",
        "--max-nodes",
        "0",
        "--size",
        "5x4",
        "--strategy",
        file,
        "",
    ]);
    assert_eq!((empty.code, &*empty.stdout), (0, " 0\n"), "{}", empty.stderr);
    // The player does not begin in the first column.
    assert_eq!(known.code, 1);
    let board = fourbook(&["lookup", "--format=plain", "--no-book", "--strategy", file, ""]);
    assert_eq!(board.stdout, " 0\n", "the board is that of the strategy: {}", board.stderr);
    let twice = fourbook(&["lookup", "--strategy", file, "--strategy", file, ""]);
    assert!(
        twice.code == 1 && twice.stderr.contains("found another: 5x4 for X"),
        "{}",
        twice.stderr
    );
    let other = fourbook(&["lookup", "--size", "7x6", "--strategy", file, "4"]);
    assert!(
        other.code == 1
            && other.stderr.contains("for 7x6 boards, one for each player, found another: 5x4"),
        "{}",
        other.stderr
    );
}

#[test]
fn the_perfect_level_follows_the_strategies_in_the_program() {
    let play = ["play", "--size", "8x7", "--level", "perfect", "--first", "computer"];
    let moves = |more: &[&str]| {
        let run = fourbook_reading(&[&play, more, &["--deadline", "1ms"]].concat(), b"8\n");
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    assert!(!moves(&[]).contains("the best move known"));
    assert!(moves(&["--no-book"]).contains("the best move known"));
}

#[test]
fn a_strategy_that_loses_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x.strategy");
    let make = ["strategy", "-q", "--wdl", "--size", "6x4", "--depth", "4", "--out", text(&out)];
    assert_eq!(fourbook(&make).code, 0);
    let run = fourbook(&["verify", "--solve", "all", text(&out)]);
    assert!(run.stdout.contains("PASS  the file proves nothing: X may lose\n"), "{}", run.stdout);
}

#[test]
fn a_damaged_strategy_and_a_strategy_in_place_of_a_book_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x.strategy");
    let file = text(&out);
    assert_eq!(
        fourbook(&["strategy", "-q", "--size", "4x4", "--depth", "4", "--out", file]).code,
        0
    );
    let book = fourbook(&["lookup", "--book", file, "--size", "4x4", "1"]);
    assert!(book.code == 1 && book.stderr.contains("a strategy of fourbook"), "{}", book.stderr);
    let mut bytes = fs::read(&out).expect("a strategy");
    *bytes.last_mut().expect("it has bytes") ^= 1;
    fs::write(&out, bytes).expect("a file");
    let damaged = fourbook(&["verify", file]);
    assert!(damaged.code == 1 && damaged.stderr.contains("damaged"), "{}", damaged.stderr);
}

#[test]
fn a_strategy_is_exported_as_a_bot_and_a_book_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, out] = ["x.strategy", "bot.c"].map(|name| folder.path().join(name));
    let [file, out] = [text(&file), text(&out)];
    let make = ["strategy", "-q", "--size", "4x4", "--depth", "4", "--out", file];
    assert_eq!(fourbook(&make).code, 0);
    let export = ["export", "--format", "c", file];
    let printed = fourbook(&export);
    assert!(printed.stdout.contains("best_move"), "{}", printed.stderr);
    let to_file = [&export[..], &["--out", out]].concat();
    let written = fourbook(&to_file);
    assert!(written.stderr.ends_with(" characters\n"), "{}", written.stderr);
    assert_eq!(fs::read_to_string(out).expect("a bot"), printed.stdout);
    let book = repository!("examples/4x4-d6.book");
    for (arguments, code, part) in [
        (&to_file[..], 1, "exists already"),
        (&["export", file], 1, "expected a book for --format csv, found the strategy"),
        (&["export", "--format", "c", book], 1, "expected a strategy"),
        (&["export", "--format", "c", file, file], 1, "one of each player"),
        (&["export", "--format", "c", "--notation", "key", file], 2, "is for --format csv"),
        (&["export", "--size", "5x4", "--format", "c", file], 2, "for 4x4, not for 5x4"),
        (&["export", book, book], 2, "takes one book"),
    ] {
        let refused = fourbook(arguments);
        assert_eq!(refused.code, code, "{arguments:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
}
