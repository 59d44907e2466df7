//! `fourbook strategy`, and what verifies it, on the real program.

use crate::support::{fourbook, fourbook_reading, repository, text};
#[cfg(unix)]
use crate::support::{send_signal, start};
#[cfg(unix)]
use rustix::process::Signal;
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
        "PASS  ply 7: 0 of ",
        "PASS  proved: O gets at least a draw\n",
    ] {
        assert!(proved.stdout.contains(line), "{}", proved.stdout);
    }

    let deeper = folder.path().join("deeper.strategy");
    // The board is that of the file.
    let extend = ["strategy", "-q", "--side", "second", "--depth", "11", "--extend", file, "--out"];
    let extended = fourbook(&[&extend[..], &[text(&deeper)]].concat());
    assert_eq!((extended.code, &*extended.stdout), (0, ""), "{}", extended.stderr);
    assert_eq!(fourbook(&["verify", "--solve", "all", text(&deeper)]).code, 0);
    let other =
        fourbook(&["strategy", "--depth", "11", "--force", "--extend", file, "--out", file]);
    let expected = format!(
        "cannot extend '{file}': expected a strategy of 5x4 for X, exact scores, found 5x4 for O"
    );
    assert!(other.code == 2 && other.stderr.contains(&expected), "{}", other.stderr);
    assert!(other.stderr.contains("hint: choose --size, --side, --wdl and --scores"));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 4, "a report beside each");

    // Or that of the book.
    let book = repository!("books/shelf/5x4-d8.book");
    let made = ["strategy", "--depth", "2", "--force", "--book", book, "--out", file];
    assert_eq!(fourbook(&made).code, 0);
    let info = fourbook(&["info", file]).stdout;
    assert!(info.contains("5x4 for X to ply 2"), "{info}");
    assert!(info.contains("value      a draw\n"), "{info}");
}

#[test]
fn a_strategy_that_cannot_be_is_refused() {
    for (arguments, part) in [
        (&["--depth", "0", "--side", "second"][..], "expected a depth from 1 to 41 for O on 7x6"),
        (&["--depth", "42"], "expected a depth from 0 to 41 for X on 7x6, found 42"),
        (&["--wdl", "--scores"], "outcomes have no scores to keep; leave --scores or --wdl out"),
    ] {
        let refused = fourbook(&[&["strategy"], arguments].concat());
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
}

/// A strategy is made after an interruption, and its checkpoint is told from other files.
#[test]
#[cfg(unix)]
fn an_interrupted_strategy_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x.strategy");
    let checkpoint = folder.path().join("x.strategy.checkpoint");
    // The warning needs no book.
    let make = ["strategy", "--no-book", "--size", "8x7", "--out", text(&out)];
    let mut child = start(&make);
    let has_begun = || checkpoint.metadata().is_ok_and(|file| file.len() >= 128);
    while !has_begun() && child.try_wait().expect("a process").is_none() {
        std::thread::yield_now();
    }
    send_signal(&child, Signal::INT);
    let output = child.wait_with_output().expect("its output");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("a large board can take years"), "{stderr}");
    assert!(stderr.contains("start it again with the same command"), "{stderr}");
    for command in ["info", "verify"] {
        let named = fourbook(&[command, text(&checkpoint)]);
        let expected = "found a checkpoint of 'fourbook strategy'; start the same command again";
        assert!(named.code == 1 && named.stderr.contains(expected), "{}", named.stderr);
    }
    fs::write(&checkpoint, "notes").expect("a file");
    let refused = fourbook(&make);
    let expected = "it does not begin as such a file does; remove it to start anew";
    assert!(refused.code == 1 && refused.stderr.contains(expected), "{}", refused.stderr);
    assert_eq!(fs::read(&checkpoint).expect("a file"), b"notes");
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
        twice.code == 2 && twice.stderr.contains("found another: 5x4 for X"),
        "{}",
        twice.stderr
    );
    let other = fourbook(&["lookup", "--size", "7x6", "--strategy", file, "4"]);
    assert!(
        other.code == 2
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
    let file = repository!("books/strategies/8x7-first-d12-wdl.strategy");
    for (level, is_told) in [("beginner", true), ("perfect", false)] {
        let run = fourbook_reading(&["play", "--strategy", file, "--level", level], b"");
        let told = format!("the level {level} follows no strategy; --level perfect does");
        assert_eq!(run.stderr.contains(&told), is_told, "{}", run.stderr);
    }
}

#[test]
fn a_strategy_that_loses_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x.strategy");
    let make = ["strategy", "-q", "--wdl", "--size", "6x4", "--depth", "4", "--out", text(&out)];
    assert_eq!(fourbook(&make).code, 0);
    let run = fourbook(&["verify", "--solve", "all", text(&out)]);
    assert!(run.stdout.contains("PASS  proved: nothing, as X may lose; "), "{}", run.stdout);
    let info = fourbook(&["info", text(&out)]).stdout;
    assert!(info.contains("value      O wins\n"), "{info}");
    // That of exact scores proves how long X holds out.
    let make = ["strategy", "-q", "--size", "6x4", "--depth", "2", "--force", "--out", text(&out)];
    assert_eq!(fourbook(&make).code, 0);
    let proved = fourbook(&["verify", "--solve", "all", text(&out)]).stdout;
    assert!(proved.contains("PASS  proved: O wins with the 24th stone or later\n"), "{proved}");
    // The value of the empty board, with the checksum of the header.
    let mut bytes = fs::read(&out).expect("a strategy");
    bytes[31] = 0;
    let checksum = crc32fast::hash(&bytes[..40]).to_le_bytes();
    bytes[40..44].copy_from_slice(&checksum);
    fs::write(&out, bytes).expect("a file");
    let wrong = fourbook(&["verify", "--solve", "all", text(&out)]);
    let expected = "FAIL  proved: O wins with the 24th stone or later; the file says: X gets at \
                    least a draw\n";
    assert!(wrong.code == 1 && wrong.stdout.contains(expected), "{}", wrong.stdout);
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
    // Also where no score is asked for.
    let shown = fourbook(&["show", "--strategy", file, ""]);
    assert!(shown.code == 1 && shown.stderr.contains("damaged"), "{}", shown.stderr);
    let notation = fourbook(&["show", "--strategy", file, "--to", "key", ""]);
    assert!(notation.code == 2 && notation.stderr.contains("cannot be used with '--to"));
    let mut bytes = fs::read(&out).expect("a strategy");
    let piped = fourbook_reading(&["verify", "-"], &bytes);
    let expected =
        "found a strategy of fourbook; name its file after --strategy, or as that of info";
    assert!(piped.code == 1 && piped.stderr.contains(expected), "{}", piped.stderr);
    bytes[0] = 0;
    fs::write(&out, bytes).expect("a file");
    for arguments in [&["verify", file][..], &["info", file], &["export", "--format", "c", file]] {
        let other = fourbook(arguments);
        let expected =
            "expected a strategy, which 'fourbook strategy' makes, found the first bytes [00";
        assert!(other.code == 1 && other.stderr.contains(expected), "{}", other.stderr);
    }
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
    let ours = fourbook(&["export", "built-in", "--format", "python"]).stdout;
    for part in [
        "the first player after up to 16 stones and the second player after up to 15 stones",
        "def best_move(",
    ] {
        assert!(ours.contains(part), "{}", &ours[..1000]);
    }
    let book = repository!("examples/4x4-d6.book");
    for (arguments, code, part) in [
        (&to_file[..], 1, "exists already"),
        (&["export", file], 1, "expected a book for --format csv, found the strategy"),
        (&["export", "--format", "c", book], 1, "expected a strategy"),
        (&["export", "--size", "5x4", "--format", "c", "built-in"], 2, "no strategy for 5x4"),
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
