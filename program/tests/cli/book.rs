//! `fourbook info` and `fourbook verify` on the real program.

use crate::broken::with_last_section;
use crate::support::{Run, exit_code_unread, fourbook, repository, text};
use fourbook::{Book, Position, Size};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with a book for 5x4 boards of depth 6, whose bytes come with it.
struct Folder {
    folder: TempDir,
    bytes: Vec<u8>,
}

static FOLDER: LazyLock<Folder> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("good.book");
    let run = fourbook(
        &[&["generate", "--quiet", "--size", "5x4", "--depth", "6", "--out"][..], &[text(&path)]]
            .concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let bytes = fs::read(&path).expect("the book");
    Folder { folder, bytes }
});

/// The good book, read from memory.
fn good() -> Book {
    Book::from_bytes(FOLDER.bytes.clone()).expect("a book")
}

fn good_book() -> PathBuf {
    FOLDER.folder.path().join("good.book")
}

/// A file beside the good book with these contents.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    path
}

fn on_good_book(arguments: &[&str]) -> Run {
    fourbook(&[arguments, &[text(&good_book())]].concat())
}

/// The path of the good book with a changed bit.
fn damaged(name: &str) -> PathBuf {
    let mut bytes = FOLDER.bytes.clone();
    *bytes.last_mut().expect("bytes") ^= 1;
    file(name, &bytes)
}

/// The good book with another value of a position of the deepest ply, and all checksums right.
fn book_with_changed_value(moves: &str) -> Vec<u8> {
    let book = good();
    let section = book.sections().last().expect("a section");
    let position = Position::empty(Size::new(5, 4).expect("a size"));
    let position = position.play_moves(moves).expect("legal moves");
    let changed = (0..section.slots).find_map(|slot| {
        let bit = slot * u64::from(section.bits);
        let change = |bytes: &mut Vec<u8>| bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
        let bytes = with_last_section(&FOLDER.bytes, change);
        let other = Book::from_bytes(bytes.clone()).expect("a book");
        // Another bit may make it a value that the book cannot have.
        let found = other.look_up(position).ok()?;
        (found != book.look_up(position).unwrap()).then_some(bytes)
    });
    changed.expect("the value is in a slot")
}

#[test]
fn info_says_what_is_in_a_book() {
    let run = on_good_book(&["info"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], text(&good_book()));
    let size = format!("{},{:03} bytes", FOLDER.bytes.len() / 1000, FOLDER.bytes.len() % 1000);
    for (name, value) in [
        ("board", "5x4"),
        ("plies", "0 to 6; stored are 0, 2, 4, 6"),
        ("values", "exact scores"),
        ("made by", "fourbook"),
        ("asked to", "generate --size 5x4 --depth 6"),
        ("format", "version 1"),
        ("size", &size),
        ("identity", ""),
    ] {
        let start = format!("{name:<9}  {value}");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{start}\n{}", run.stdout);
    }
    let table = lines.iter().position(|line| line.starts_with("ply  encoding")).expect("a table");
    let plies: Vec<_> = lines[table + 1..].iter().map(|line| line[..3].trim()).collect();
    assert_eq!(plies, ["0", "2", "4", "6"]);
}

#[test]
#[cfg(unix)]
fn a_name_of_a_file_does_not_control_the_terminal() {
    let path = FOLDER.folder.path().join("\u{1b}[31mred.book");
    let is_escaped =
        |shown: &str| shown.contains(r"\u{1b}[31mred.book") && !shown.contains('\u{1b}');
    let missing = fourbook(&["verify", text(&path)]);
    assert!(missing.code == 1 && is_escaped(&missing.stderr), "{:?}", missing.stderr);
    fs::copy(good_book(), &path).expect("a file");
    for command in ["info", "verify"] {
        let run = fourbook(&[command, text(&path)]);
        assert!(run.code == 0 && is_escaped(&run.stdout), "{:?}", run.stdout);
    }
}

#[test]
fn info_says_the_same_as_json() {
    let run = on_good_book(&["info", "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let record: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(record["file"], text(&good_book()));
    assert_eq!(record["bytes"], FOLDER.bytes.len());
    for (name, value) in [("format_version", 1), ("width", 5), ("height", 4), ("depth", 6)] {
        assert_eq!(record[name], value, "{name}");
    }
    assert_eq!(record["values"], "scores");
    assert_eq!(record["provenance"]["arguments"], "generate --size 5x4 --depth 6");
    let book = good();
    assert_eq!(record["identity"], format!("{:08x}", book.identity()));
    let sections = record["sections"].as_array().expect("a list");
    assert_eq!(sections.len(), 4);
    for (found, section) in sections.iter().zip(book.sections()) {
        assert_eq!(found["ply"], section.ply);
        assert_eq!(found["encoding"], "flat");
        assert_eq!(found["entries"], section.entries);
    }
}

#[test]
fn a_good_book_passes() {
    let run = on_good_book(&["verify"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.starts_with("PASS  ")), "{}", run.stdout);
    // The bytes of four plies, and the verdict.
    assert_eq!(run.stdout.lines().count(), 5, "{}", run.stdout);
    let verdict =
        format!("PASS  {} (checksums only; --deep checks the contents)\n", text(&good_book()));
    assert!(run.stdout.ends_with(&verdict), "{}", run.stdout);

    let run = on_good_book(&["verify", "--deep"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.starts_with("PASS  ")), "{}", run.stdout);
    // Bytes, entries and values of four plies, and the verdict.
    assert_eq!(run.stdout.lines().count(), 13, "{}", run.stdout);
    assert!(run.stdout.ends_with(&format!("PASS  {}\n", text(&good_book()))));
    // The report leaves out checks that did not run.
    assert!(run.stdout.contains("ply 4: values follow from the next stored ply"), "{}", run.stdout);
    assert!(run.stdout.contains("ply 6: values are possible ones"), "{}", run.stdout);
}

#[test]
fn a_report_is_the_same_in_every_run_and_says_what_was_checked() {
    let path = FOLDER.folder.path().join("report.json");
    let mut reports = Vec::new();
    for threads in ["1", "2"] {
        let run = on_good_book(&[
            "verify",
            "--deep",
            "--solve",
            "5",
            "-t",
            threads,
            "--report",
            text(&path),
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        reports.push(fs::read_to_string(&path).expect("a report"));
    }
    assert_eq!(reports[0], reports[1]);
    let report: serde_json::Value = serde_json::from_str(&reports[0]).expect("JSON");
    let book = good();
    assert_eq!(report["book"]["identity"], format!("{:08x}", book.identity()));
    assert_eq!((&report["passed"], &report["deep"]), (&true.into(), &true.into()));
    assert_eq!((&report["book"]["width"], &report["book"]["height"]), (&5.into(), &4.into()));
    assert_eq!(
        (&report["book"]["depth"], &report["book"]["values"]),
        (&6.into(), &"scores".into())
    );
    let plies = report["plies"].as_array().expect("a list");
    assert_eq!(plies.len(), 7);
    assert_eq!(plies[2]["entries"], book.sections()[1].entries);
    let solved = report["checks"].as_array().expect("a list").last().expect("checks");
    assert_eq!((&solved["step"], &solved["checked"]), (&"solve".into(), &5.into()));

    // The report of a wrong book, too.
    let run = fourbook(&["verify", "-q", "--report", text(&path), text(&damaged("wrong.book"))]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).expect("a report")).expect("JSON");
    assert_eq!((&report["passed"], &report["deep"]), (&false.into(), &false.into()));
}

#[test]
fn a_report_that_cannot_be_written_is_known_before_the_work() {
    let nowhere = FOLDER.folder.path().join("nowhere/report.json");
    let run = on_good_book(&["verify", "--solve", "1000000", "--report", text(&nowhere)]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write into the folder"), "{}", run.stderr);
    for folder in [FOLDER.folder.path(), &FOLDER.folder.path().join("new/")] {
        let run = on_good_book(&["verify", "--report", text(folder)]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.contains("expected the name of a file to write"), "{}", run.stderr);
    }
    let run = on_good_book(&["verify", "--report", text(&good_book())]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.contains("is the input itself"), "{}", run.stderr);
    assert_eq!(fs::read(good_book()).expect("the book"), FOLDER.bytes);
}

/// A closed output does not change the exit code.
#[test]
fn the_exit_code_says_what_was_found_to_a_closed_pipe_too() {
    let wrong = damaged("unread.book");
    for (book, code) in [(&wrong, 1), (&good_book(), 0)] {
        assert_eq!(exit_code_unread(&["verify", "-q", text(book)]), Some(code));
    }
}

#[test]
fn verify_solves_as_many_positions_as_it_is_told_to() {
    for (solve, seed) in [("20", "1"), ("20", "2")] {
        let run = on_good_book(&["verify", "--solve", solve, "--seed", seed, "--threads", "2"]);
        assert_eq!(run.code, 0, "{}", run.stdout);
        let solved = "PASS  ply 6: positions solved again (20 positions)";
        assert!(run.stdout.lines().any(|line| line == solved), "{}", run.stdout);
    }
    // A number above the positions there are solves all.
    let book = good();
    let entries = book.sections()[3].entries;
    let run = on_good_book(&["verify", "--solve", "1000000"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let digits = run.stdout.replace(',', "");
    assert!(digits.contains(&format!("solved again ({entries} positions)")), "{}", run.stdout);
}

#[test]
fn a_damaged_block_is_named_and_nothing_more_is_checked() {
    let path = damaged("damaged.book");
    let run = fourbook(&["verify", "--deep", text(&path)]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{}", run.stdout);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("expected the checksum ") && line.contains(" in block 0, ")),
        "{lines:?}"
    );
    let verdict =
        format!("FAIL  {}: its bytes have changed; fetch or make the book again", text(&path));
    assert_eq!(lines.last(), Some(&verdict.as_str()));
    // A lookup names book, ply and block.
    let run = fourbook(&["lookup", "--size", "5x4", "--book", text(&path), "112345"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    for part in [text(&path), "the checksum of block 0 (ply 6)", "the book again"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}

#[test]
fn several_books_are_verified_one_after_the_other() {
    let good = good_book();
    let none = FOLDER.folder.path().join("none.book");
    let run = fourbook(&["verify", text(&good), text(&good)]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert_eq!(run.stdout.matches("PASS  /").count(), 2, "{}", run.stdout);
    let run = fourbook(&["verify", text(&none), text(&damaged("second.book")), text(&good)]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: cannot open '"), "{}", run.stderr);
    assert!(run.stdout.contains("its bytes have changed"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("PASS  /").count(), 1, "{}", run.stdout);
    let run = fourbook(&["verify", "--report", "report.json", text(&good), text(&good)]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("expected one book with --report, found 2"), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_no_book_and_is_not_waited_for() {
    let path = FOLDER.folder.path().join("pipe.book");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
    for path in [text(&path), "/dev/zero"] {
        for command in [
            &["info", path][..],
            &["verify", path],
            &["stats", path],
            &["export", path],
            &["lookup", "4", "--book", path],
            #[cfg(feature = "server")]
            &["serve", "--bind", "127.0.0.1:0", "--book", path],
        ] {
            let run = fourbook(command);
            assert_eq!(run.code, 1, "{command:?}");
            assert!(run.stderr.contains("not a regular file"), "{command:?}: {}", run.stderr);
            let has_hint = run.stderr.ends_with("name it '-' and use '< PIPE'\n");
            assert_eq!(has_hint, command[1] == path, "{command:?}: {}", run.stderr);
        }
    }
    let parts = tempfile::tempdir().unwrap();
    let pipe = parts.path().join("pipe.part");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = fourbook(&["merge", text(parts.path()), "--out", text(&parts.path().join("x.book"))]);
    assert!(run.code == 1 && run.stderr.contains("not a regular file"), "{}", run.stderr);
}

/// Any program may have written any text into a header.
#[test]
fn texts_that_a_terminal_would_obey_are_escaped() {
    let book = repository!("books/conformance/valid-texts-not-ascii.book");
    for arguments in [&["info", book][..], &["info", "--json", book]] {
        let run = fourbook(arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let is_plain = |it: char| it == '\n' || !it.is_control();
        assert!(run.stdout.chars().all(is_plain), "{:?}", run.stdout);
        assert!(run.stdout.contains("u{1b}"), "{}", run.stdout);
    }
}

#[test]
fn a_changed_value_fails_and_is_named() {
    let path = file("changed.book", &book_with_changed_value("112345"));
    // All checksums are right: only the meaning is wrong.
    assert_eq!(fourbook(&["verify", text(&path)]).code, 0);
    let run = fourbook(&["verify", "--solve", "1000000", text(&path)]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{}", run.stdout);
    let failed: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("FAIL  ")).collect();
    assert!(failed[0].starts_with("FAIL  ply 4: values follow"), "{failed:?}");
    let solved = failed.iter().find(|line| line.contains("solved again: 1 wrong"));
    assert!(solved.is_some(), "{}", run.stdout);
    // The place is named by a diagram that can be looked up.
    let diagram = "...../...../O..../XXOXO";
    assert!(run.stdout.contains(diagram), "{}", run.stdout);
    let shown = fourbook(&["show", "--size", "5x4", "--to", "diagram", diagram]);
    assert_eq!(shown.stdout, format!("{diagram}\n"));
    let verdict =
        format!("FAIL  {}: its checksums are right, but its contents are not", text(&path));
    assert!(failed.last().expect("a verdict").starts_with(&verdict), "{failed:?}");
}

#[test]
fn the_report_beside_the_shipped_book_is_what_verifying_it_says() {
    let books = Path::new(repository!("books"));
    let path = FOLDER.folder.path().join("shipped.json");
    let book = books.join("7x6-d8.book");
    let run = fourbook(&["verify", "--deep", "-q", "--report", text(&path), text(&book)]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let read = |path: &Path| {
        let bytes = fs::read(path).expect("a report");
        let mut report: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        // A later version may say the same.
        report.as_object_mut().expect("an object").remove("program");
        report
    };
    assert_eq!(read(&path), read(&books.join("7x6-d8.book.verified.json")));
}

#[test]
fn what_is_no_good_book_is_an_error_of_its_own() {
    let good = &FOLDER.bytes;
    let mut newer = good.clone();
    newer[8] = 3;
    let mut header = good.clone();
    header[20] ^= 1;
    let files: [(&str, &[u8], &str); 5] = [
        ("empty.book", b"", "found an empty file"),
        ("foreign.book", b"\x07\x06\x08 other", "expected a fourbook book"),
        ("short.book", &good[..good.len() - 1], "the file was cut short or added to"),
        ("newer.book", &newer, "format version 1, found version 3"),
        ("header.book", &header, "the checksum of the header"),
    ];
    for (name, bytes, part) in files {
        let path = file(name, bytes);
        for command in ["info", "verify"] {
            let run = fourbook(&[command, text(&path)]);
            assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{command} {name}");
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
            assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
            assert!(run.stderr.contains(name) && run.stderr.contains(part), "{}", run.stderr);
        }
    }
    for command in ["info", "verify"] {
        let run = fourbook(&[command, "/no/such.book"]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""));
        assert!(run.stderr.contains("cannot open '/no/such.book': "), "{}", run.stderr);
    }
}

#[test]
fn wrong_use_is_exit_code_2() {
    for arguments in [
        &["info"][..],
        &["verify"],
        &["info", "--deep"],
        &["verify", "--solve", "many"],
        &["verify", "--threads", "-1"],
        &["verify", "--seed", "-1"],
    ] {
        let run = if arguments.len() == 1 { fourbook(arguments) } else { on_good_book(arguments) };
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
    for command in ["info", "verify"] {
        let run = on_good_book(&[command, "--size", "7x6"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.contains("the file is for 5x4, not for 7x6"), "{}", run.stderr);
        assert_eq!(on_good_book(&[command, "--size", "5x4"]).code, 0);
    }
}

#[test]
fn the_help_documents_the_exit_codes_and_gives_examples() {
    for command in ["info", "verify"] {
        let run = fourbook(&[command, "--help"]);
        assert_eq!(run.code, 0);
        for part in ["Exit codes:", "Examples:", &format!("fourbook {command} ")] {
            assert!(run.stdout.contains(part), "{}", run.stdout);
        }
    }
}
