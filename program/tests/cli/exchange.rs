//! `fourbook import`, `fourbook export` and `fourbook compare` on the real program.

use crate::support::{exit_code_unread, fourbook, fourbook_reading, repository, text};
#[cfg(unix)]
use crate::support::{program, send_signal};
use fourbook::{Book, Position, Size};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn generated(folder: &TempDir, depth: &str, more: &[&str]) -> PathBuf {
    let path = folder.path().join(format!("{depth}{}.book", more.concat()));
    let fixed = ["generate", "-q", "--size", "4x4", "--depth", depth, "--out", text(&path)];
    let run = fourbook(&[&fixed, more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    path
}

/// The position and the value of a row of a 4x4 board.
fn row(line: &str) -> (&str, &str) {
    line.strip_suffix(",4x4").and_then(|line| line.rsplit_once(',')).expect("a row")
}

#[test]
fn a_book_that_cannot_be_written_is_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there.book");
    let missing = folder.path().join("missing");
    fs::write(&there, "").unwrap();
    for (out, expected) in
        [(&there, "exists already"), (&missing.join("a.book"), "cannot write into the folder")]
    {
        for command in ["import", "pack"] {
            let run = fourbook(&[command, "--out", text(out), text(&missing)]);
            assert_eq!(run.code, 1, "{}", run.stderr);
            assert!(run.stderr.contains(expected), "{}", run.stderr);
        }
    }
}

#[test]
fn every_position_is_exported_with_its_score() {
    let folder = tempfile::tempdir().unwrap();
    let book = generated(&folder, "7", &["--encoding", "compact"]);
    let opened = Book::open(&book).unwrap();
    for notation in ["moves", "bitboards"] {
        let run = fourbook(&["export", "--notation", notation, text(&book)]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let (head, lines) = run.stdout.split_once('\n').unwrap();
        assert_eq!(head, "position,score,size");
        let mut keys = BTreeSet::new();
        for line in lines.lines() {
            let (position, score) = row(line);
            let position = Position::parse(opened.size(), position.trim_matches('"')).unwrap();
            assert_eq!(
                opened.look_up(position).unwrap().score().unwrap().to_string(),
                score,
                "{line}"
            );
            assert!(keys.insert((position.ply(), position.canonical_key())), "{line} twice");
        }
        for section in opened.sections() {
            let lines = keys.iter().filter(|(ply, _)| *ply == section.ply).count();
            assert_eq!(lines as u64, section.entries, "ply {}", section.ply);
        }
    }
}

#[test]
fn an_export_is_written_to_a_file_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let book = generated(&folder, "4", &["--wdl"]);
    let out = folder.path().join("book.csv");
    let export =
        |more: &[&str]| fourbook(&[&["export", text(&book), "--out", text(&out)], more].concat());
    assert_eq!(export(&[]).code, 0);
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.starts_with("position,outcome,size\n..../"), "{written}");
    assert_eq!(fourbook(&["export", text(&book)]).stdout, written);
    assert!(export(&[]).stderr.contains("exists already"));
    assert_eq!(export(&["--force"]).code, 0);
}

/// Whatever name leads to it.
#[test]
fn the_input_is_never_replaced_by_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let book = generated(&folder, "4", &[]);
    let parts = folder.path().join("parts");
    let part = parts.join("4x4-d4.1-of-1.part");
    let shard = ["generate", "-q", "--size", "4x4", "--depth", "4", "--shard", "1/1", "--out"];
    assert_eq!(fourbook(&[&shard[..], &[text(&parts)]].concat()).code, 0);
    let table = folder.path().join("table.csv");
    assert_eq!(fourbook(&["export", text(&book), "--out", text(&table)]).code, 0);
    let other = parts.join("../4.book");
    for (input, arguments) in [
        (&book, ["export", text(&book), "--out", text(&book)]),
        (&book, ["export", text(&book), "--out", text(&other)]),
        (&book, ["pack", text(&book), "--out", text(&other)]),
        (&table, ["import", text(&table), "--out", text(&table)]),
        (&part, ["merge", text(&parts), "--out", text(&part)]),
    ] {
        let before = fs::read(input).unwrap();
        let run = fourbook(&[&arguments[..], &["--force"]].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("is the input itself; choose another file"), "{}", run.stderr);
        assert_eq!(fs::read(input).unwrap(), before, "{arguments:?}");
    }
    #[cfg(unix)]
    {
        let pack = ["pack", "-", "--force", "--depth", "2", "--out", text(&book)];
        let run = program().args(pack).stdin(fs::File::open(&book).unwrap()).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "standard input is the book");
    }
}

#[test]
fn books_that_say_the_same_have_no_differences() {
    let folder = tempfile::tempdir().unwrap();
    let flat = generated(&folder, "8", &[]);
    for other in
        [generated(&folder, "7", &["--encoding", "compact"]), generated(&folder, "9", &["--wdl"])]
    {
        let run = fourbook(&["compare", text(&flat), text(&other)]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.ends_with("compared, 0 different\n"), "{}", run.stdout);
    }
}

/// A position of a 4x4 board.
fn small(moves: &str) -> Position {
    Position::empty(Size::new(4, 4).unwrap()).play_moves(moves).unwrap()
}

/// A book of depth 6 that has another score for a position, and no damage.
fn with_another_score(folder: &TempDir, book: &Path, moves: &str) -> PathBuf {
    let key = |moves| small(moves).canonical_key();
    let wanted = key(moves);
    let mut csv = "position,score\n".to_owned();
    let mut changed = 0;
    for line in fourbook(&["export", text(book)]).stdout.lines().skip(1) {
        let (moves, score) = row(line);
        // The plies above follow from it.
        if moves.len() == 6 {
            let is_it = key(moves) == wanted;
            changed += u32::from(is_it);
            let score: i8 = score.parse().unwrap();
            let towards_draw = if score > 0 { score - 1 } else { score + 1 };
            csv += &format!("{moves},{}\n", if is_it { towards_draw } else { score });
        }
    }
    assert_eq!(changed, 1);
    let file = folder.path().join("changed.csv");
    let changed = folder.path().join("changed.book");
    fs::write(&file, csv).unwrap();
    let import = ["import", "--size", "4x4", text(&file), "--out", text(&changed)];
    let run = fourbook(&import);
    assert!(run.stderr.contains("expected the values of the known book"), "{}", run.stderr);
    let run = fourbook(&[&import[..], &["--trust"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    changed
}

/// A closed output does not change the exit code.
#[test]
fn a_difference_is_an_exit_code_for_a_closed_pipe_too() {
    let folder = tempfile::tempdir().unwrap();
    let good = generated(&folder, "6", &[]);
    let changed = with_another_score(&folder, &good, "112234");
    for (other, code) in [(&changed, 1), (&good, 0)] {
        assert_eq!(exit_code_unread(&["compare", text(&good), text(other)]), Some(code));
    }
}

#[test]
fn damage_is_noticed_before_anything_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let good = generated(&folder, "6", &[]);
    let mut bytes = fs::read(&good).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let damaged = folder.path().join("damaged.book");
    fs::write(&damaged, bytes).unwrap();
    let out = folder.path().join("out");
    let good = text(&good);
    let damaged = text(&damaged);
    let out = text(&out);
    for arguments in [
        &["export", damaged, "--out", out][..],
        &["export", damaged, "--format", "pons", "--out", out],
        &["export", damaged],
        &["compare", damaged, good],
        &["compare", good, damaged],
    ] {
        let run = fourbook(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(run.stderr.contains("the book is damaged"), "{}", run.stderr);
        assert!(run.stderr.contains("damaged.book"), "{}", run.stderr);
        assert!(!Path::new(out).exists());
    }
}

#[test]
#[cfg(unix)]
fn nothing_is_left_of_an_export_that_is_told_to_end() {
    let folder = tempfile::tempdir().unwrap();
    // Seconds of work.
    let book = repository!("books/7x6-d12.book");
    let out = folder.path().join("out.csv");
    let mut child =
        program().args(["export", "--quiet", book, "--out", text(&out)]).spawn().unwrap();
    while fs::read_dir(folder.path()).unwrap().next().is_none() {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    send_signal(&child, rustix::process::Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_table_names_its_board_and_another_is_said_to_be_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("4x4.csv");
    let book = generated(&folder, "4", &[]);
    let out = folder.path().join("out.book");
    assert_eq!(fourbook(&["export", text(&book), "--out", text(&file)]).code, 0);
    let import = |more: &[&str]| {
        fourbook(&[&["import", text(&file), "--out", text(&out), "--force"], more].concat())
    };
    let run = import(&[]);
    assert_eq!((run.code, Book::open(&out).unwrap().size().to_string()), (0, "4x4".to_owned()));
    let run = import(&["--size", "5x4"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("expected a book for 5x4 boards"), "{}", run.stderr);
    // The board of the first book is the one expected; the built-in book is chosen by it.
    let run = fourbook(&["compare", text(&book), repository!("books/shelf/5x4-d8.book")]);
    assert!(run.stderr.contains("expected a book for 4x4 boards, found one for 5x4 boards"));
    assert_eq!(run.code, 2);
    assert_eq!(fourbook(&["compare", text(&book), "built-in"]).code, 0);
    let wrong = fs::read_to_string(&file).unwrap().replacen(",4x4", ",foo", 1);
    let other = folder.path().join("wrong.csv");
    fs::write(&other, wrong).unwrap();
    let run = fourbook(&["import", text(&other), "--out", text(&out), "--force"]);
    assert!(run.stderr.contains("line 2: expected the size 7x6, found 'foo'"), "{}", run.stderr);
    // Without a size in the file, the error asks for one, or names the diagram of the empty board.
    let unnamed = fs::read_to_string(&file).unwrap().replace(",4x4", "").replace(",size", "");
    fs::write(&file, &unnamed).unwrap();
    let run = import(&[]);
    assert!(run.code == 1 && run.stderr.contains("line 2: "), "{}", run.stderr);
    fs::write(&file, unnamed.replace("..../..../..../....,0\n", "")).unwrap();
    let run = import(&[]);
    assert_eq!(run.code, 1);
    let hint = "hint: it was read as positions of a 7x6 board; for another one, add --size\n";
    assert!(run.stderr.ends_with(hint), "{}", run.stderr);
    assert_eq!(import(&["--size", "4x4"]).code, 0);
}

#[test]
fn every_difference_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let good = generated(&folder, "6", &[]);
    let changed = with_another_score(&folder, &good, "112234");
    let run = fourbook(&["compare", text(&good), text(&changed)]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let (different, summary) = run.stdout.trim_end().rsplit_once('\n').unwrap();
    // The position itself, and its ancestors whose values follow from it.
    assert!(summary.ends_with(&format!("{} different", different.lines().count())), "{summary}");
    let wanted = small("112234").canonical_key();
    let key = |line: &str| Some(small(line.split(' ').next()?).canonical_key());
    assert!(different.lines().any(|line| key(line) == Some(wanted)), "{different}");
}

#[test]
fn wrong_use_is_told_from_bad_input() {
    assert_eq!(fourbook(&["compare", "a.book"]).code, 2);
    assert_eq!(fourbook(&["export", "a.book", "--notation", "fen"]).code, 2);
    assert_eq!(fourbook(&["export", "/no/such.book"]).code, 1);
    assert_eq!(fourbook(&["compare", "/no/such.book", "/no/other.book"]).code, 1);
    for command in ["import", "export", "compare"] {
        let run = fourbook(&[command, "--help"]);
        assert!(run.stdout.contains("Examples:") && run.stdout.contains("Exit codes:"));
    }
}

#[test]
fn a_book_comes_back_through_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let book = generated(&folder, "6", &[]);
    for (format, name) in [("csv", "scores.csv"), ("pons", "4x4.book")] {
        let file = folder.path().join(name);
        let back = folder.path().join(format);
        let export = fourbook(&["export", text(&book), "--format", format, "--out", text(&file)]);
        assert_eq!(export.code, 0, "{}", export.stderr);
        assert!(export.stderr.contains(" positions"), "{}", export.stderr);
        assert_eq!(format != "csv", export.stderr.contains("0 lost"), "{}", export.stderr);
        let import = ["import", text(&file), "--size", "4x4", "--out", text(&back)];
        let run = fourbook(&import);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(" positions, "), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("recognised the format {format}")), "{}", run.stderr);
        let run = fourbook(&["compare", text(&book), text(&back)]);
        assert_eq!(run.code, 0, "{}", run.stdout);
        let run = fourbook(&["compare", text(&book), text(&file)]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.ends_with("to ply 6 compared, 0 different\n"), "{}", run.stdout);
        assert_eq!(fourbook(&import).code, 1, "the book is there already");
    }
}

#[test]
fn a_file_of_another_program_is_compared_and_its_differences_listed() {
    let folder = tempfile::tempdir().unwrap();
    let book = generated(&folder, "4", &[]);
    let table = folder.path().join("some.csv");
    fs::write(&table, "position,score\n11,0\n12,-1\n").unwrap();
    let opened = Book::open(&book).unwrap();
    let score = |moves| opened.look_up(small(moves)).unwrap().score().unwrap();
    let wrong = [("11", 0), ("12", -1)].iter().filter(|(moves, value)| score(moves) != *value);
    let wrong = wrong.count();
    let run = fourbook(&["compare", text(&book), text(&table)]);
    assert_eq!(run.code, i32::from(wrong > 0), "{}", run.stdout);
    let summary = format!(
        "positions are not in the other book\n2 positions of ply 2 compared, {wrong} different\n"
    );
    assert!(run.stdout.ends_with(&summary), "{}", run.stdout);
}

#[test]
fn a_format_is_recognised_by_the_content_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = repository!("tests/data/bitbully/book_8ply.dat");
    let out = folder.path().join("out.book");
    let import = ["import", data, "--out", text(&out)];
    let run = fourbook(&["compare", "built-in", data]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("recognised the format bitbully-8"), "{}", run.stderr);
    let unknown = folder.path().join("unknown");
    fs::write(&unknown, "hello").unwrap();
    let run = fourbook(&["import", text(&unknown), "--out", text(&out)]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let advice =
        "found text that begins with 'hello'; check that this is the file you mean, or choose";
    assert!(run.stderr.contains(advice), "{}", run.stderr);
    let run = fourbook(&[&import[..], &["--format", "bitbully-12"]].concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("expected entries of 4 bytes"), "{}", run.stderr);
    let run = fourbook(&[&import[..], &["--format", "bitbully-8", "--size", "6x6"]].concat());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("expected a book for 6x6 boards"), "{}", run.stderr);
    assert!(!out.exists(), "nothing is written");
    let book = generated(&folder, "4", &[]);
    for wrong in [
        &["--format", "pons"][..],
        &["--format", "pons", "--notation", "key", "--out", text(&out)],
        &["--log2-size", "21"],
        &["--format", "uci", "--out", text(&out)],
        &["--format", "pons", "--log2-size", "20", "--out", text(&out)],
    ] {
        let run = fourbook(&[&["export", text(&book)], wrong].concat());
        assert_eq!((run.code, out.exists()), (2, false), "{wrong:?}: {}", run.stderr);
    }
}

#[test]
fn a_file_of_another_kind_is_named_wherever_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("scores.csv.gz");
    let out = folder.path().join("out");
    let bytes = b"\x1f\x8b\x08\0\0\0\0\0\n4453\n";
    fs::write(&packed, bytes).unwrap();
    let packed = text(&packed);
    let out = text(&out);
    let named = "found a file packed by gzip; unpack it first: gunzip < FILE > NEW\n";
    for arguments in [
        &["lookup", "44", "--book", packed][..],
        &["info", packed],
        &["verify", packed],
        &["stats", packed],
        &["export", packed],
        &["pack", packed, "--out", out],
        &["import", packed, "--out", out],
        &["import", packed, "--format", "csv", "--out", out],
        &["compare", packed, "built-in"],
        &["compare", "built-in", packed],
        #[cfg(feature = "server")]
        &["serve", "--bind", "127.0.0.1:0", "--book", packed],
    ] {
        let run = fourbook(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(run.stderr.ends_with(named), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("scores.csv.gz"), "{arguments:?}: {}", run.stderr);
    }
    for command in ["lookup", "show"] {
        let run = fourbook_reading(&[command], bytes);
        let expected = format!("error: expected lines with positions, {named}");
        assert_eq!((run.code, run.stdout, run.stderr), (1, String::new(), expected));
    }
}

/// A shallow book of the values in the program, as comma-separated values.
fn shallow_values(folder: &TempDir) -> String {
    let book = folder.path().join("7x6-d4.book");
    let run = fourbook(&["pack", "-q", "built-in", "--depth", "4", "--out", text(&book)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = fourbook(&["export", text(&book)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

#[test]
fn values_of_7x6_are_those_of_the_book_in_the_program_or_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("d4.csv");
    let out = folder.path().join("new.book");
    // The plies above follow from the deepest one, which has two wrong values.
    let mut changed = Vec::new();
    let mut values = "position,score\n".to_owned();
    let right = shallow_values(&folder);
    for line in right.lines().skip(1) {
        let mut fields = line.split(',');
        let [moves, score] = [(); 2].map(|()| fields.next().expect("a field"));
        if moves.len() < 4 {
            continue;
        }
        if score == "-2" && changed.len() < 2 {
            values += &format!("{moves},-3\n");
            changed.push(format!("{moves}: expected -2, found -3"));
        } else {
            values += &format!("{moves},{score}\n");
        }
    }
    fs::write(&file, &values).unwrap();
    let import = |more: &[&str]| {
        fourbook(&[&["import", text(&file), "--out", text(&out), "--force"], more].concat())
    };
    let run = import(&[]);
    assert_eq!((run.code, changed.len(), out.exists()), (1, 2, false), "{}", run.stderr);
    assert!(run.stderr.contains("at ply 4, found 2 differences"), "{}", run.stderr);
    assert!(changed.iter().all(|line| run.stderr.contains(line)), "{}", run.stderr);
    assert!(run.stderr.contains("--trust"), "{}", run.stderr);
    assert_eq!(import(&["--trust"]).code, 0);
    assert_eq!(fourbook(&["compare", "built-in", text(&out)]).code, 1);
    fs::write(&file, right).unwrap();
    assert_eq!(import(&[]).code, 0);
}

#[test]
fn the_book_in_the_program_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = repository!("books/7x6-d12-compact.book");
    let said = |command: &[&str]| {
        let run = fourbook(command);
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        run.stdout
    };
    assert_eq!(
        said(&["info", "built-in"]).replace("built-in\n", ""),
        said(&["info", shipped]).replace(&format!("{shipped}\n"), "")
    );
    assert!(
        said(&["verify", "built-in"])
            .ends_with("PASS  built-in (checksums only; --deep checks the contents)\n")
    );
    let compared = said(&["compare", "built-in", repository!("books/7x6-d8.book")]);
    assert!(compared.ends_with(" to ply 8 compared, 0 different\n"), "{compared}");
    assert_eq!(exit_code_unread(&["export", "-q", "built-in"]), Some(0));
    assert!(said(&["lookup", "--json", "--book", "built-in", "4453"]).contains("\"book\""));
    // `pack` and `stats` of all of it take seconds.
    let small = folder.path().join("small.book");
    said(&["pack", "-q", "built-in", "--depth", "2", "--out", text(&small)]);
    assert!(said(&["stats", text(&small)]).contains(" 2 "));
    let shelf = repository!("books/shelf/5x4-d8.book");
    assert_eq!(
        said(&["info", "built-in", "--size", "5x4"]).replace("built-in\n", ""),
        said(&["info", shelf]).replace(&format!("{shelf}\n"), "")
    );
    assert!(said(&["lookup", "--json", "--size", "5x4", ""]).contains("\"source\":\"book\""));
    for command in [
        &["info", "built-in", "--size", "16x7"][..],
        &["stats", "built-in", "--size", "16x7"],
        &["lookup", "4", "--book", "built-in", "--size", "16x7"],
    ] {
        let run = fourbook(command);
        assert_eq!(run.code, 2, "{command:?}");
        assert!(run.stderr.contains("no book for 16x7 boards"), "{}", run.stderr);
    }
}

#[test]
fn other_programs_files_are_read_from_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let book = generated(&folder, "4", &[]);
    let out = folder.path().join("out.book");
    let table = fourbook(&["export", text(&book)]).stdout;
    let import = ["import", "--format", "csv", "-q", "--out", text(&out), "--force"];
    #[cfg(unix)]
    let paths = ["-", "/dev/stdin"];
    #[cfg(not(unix))]
    let paths = ["-"];
    for path in paths {
        let run = fourbook_reading(&[&import[..], &[path]].concat(), table.as_bytes());
        assert_eq!(run.code, 0, "{path}: {}", run.stderr);
        for (format, bytes) in
            [(&["--format", "csv"][..], table.as_bytes()), (&[], &fs::read(&book).unwrap())]
        {
            let arguments = [&["compare", text(&book), path], format].concat();
            let run = fourbook_reading(&arguments, bytes);
            assert_eq!(run.code, 0, "{path}: {}{}", run.stdout, run.stderr);
            assert!(run.stdout.ends_with("to ply 4 compared, 0 different\n"), "{}", run.stdout);
        }
    }
    let run = fourbook_reading(&["compare", "-", text(&book)], b"no book");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("cannot use '-' as a book: expected"), "{}", run.stderr);
    assert_eq!(fourbook_reading(&["import", "-", "--out", text(&out)], b"").code, 1);
}

/// The file takes no room on the disk.
#[test]
fn a_file_larger_than_the_memory_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large.csv");
    let out = folder.path().join("out.book");
    fs::File::create(&large).unwrap().set_len(1 << 42).unwrap();
    let book = repository!("books/7x6-d8.book");
    for arguments in
        [&["import", text(&large), "--out", text(&out)][..], &["compare", book, text(&large)]]
    {
        let run = fourbook(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{arguments:?} {}", run.stderr);
        assert!(run.stderr.contains("the free memory"), "{}", run.stderr);
        assert!(run.stderr.contains("found 4.00 TiB"), "{}", run.stderr);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_without_end_is_refused_before_it_takes_all_memory() {
    for path in ["/dev/zero", "- </dev/zero"] {
        let import = format!(r#"ulimit -v 400000; exec "$0" import --out x.book {path}"#);
        let run = std::process::Command::new("sh")
            .args(["-c", &import, env!("CARGO_BIN_EXE_fourbook")])
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{errors}");
        assert!(errors.contains("expected at most half of the free memory"), "{errors}");
    }
}

#[test]
fn a_cut_list_of_bitbullys_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book_8ply.dat");
    let out = folder.path().join("out.book");
    let whole = fs::read(repository!("tests/data/bitbully/book_8ply.dat")).unwrap();
    for length in [51_000, 3] {
        fs::write(&file, &whole[..length]).unwrap();
        let run = fourbook(&[
            "import",
            "--format",
            "bitbully-8",
            text(&file),
            "--out",
            text(&out),
            "--trust",
        ]);
        assert_eq!((run.code, out.exists()), (1, false), "{}", run.stderr);
        assert!(run.stderr.contains("expected entries of 28,922 positions"), "{}", run.stderr);
        assert!(!run.stderr.contains("with a fault"), "{}", run.stderr);
    }
}

/// The first player's fourth stone ends games that the format has no score for.
#[test]
fn scores_that_a_table_cannot_hold_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("5x5.book");
    let file = folder.path().join("5x5.table");
    let arguments = ["generate", "-q", "--size", "5x5", "--depth", "6", "--out", text(&book)];
    assert_eq!(fourbook(&arguments).code, 0);
    let scores = fourbook(&["export", text(&book)]).stdout;
    let lowest = scores.lines().filter(|line| line.contains(",-10,")).count();
    assert!(lowest > 0);
    let table = ["--format", "pons"];
    let run = fourbook(&[&["export", text(&book), "--out", text(&file)], &table[..]].concat());
    let said = format!(", {lowest} with a score that the format cannot hold\n");
    assert!(run.code == 0 && run.stderr.ends_with(&said), "{}", run.stderr);
    let run = fourbook(&[&["compare", text(&book), text(&file)], &table[..]].concat());
    assert!(run.code == 0 && run.stdout.ends_with(", 0 different\n"), "{}", run.stdout);
    let back = folder.path().join("back.book");
    let run = fourbook(&[&["import", text(&file), "--out", text(&back)], &table[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(fourbook(&["compare", text(&book), text(&back)]).code, 0);
}
