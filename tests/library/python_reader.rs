//! `scripts/read_book.py` and `scripts/read_book.c`, which were written from `docs/src/format.md` alone,
//! give the answers of the library.

use crate::book::broken::{BREAKS, ENTRY, with_header, with_last_section};
use crate::book::shipped;
use crate::common::{Random, root};
use crate::truth::reachable;
use fourbook::board::notation::Notation;
use fourbook::book::Encoding;
use fourbook::tools::pack::{PackOptions, pack};
use fourbook::{Book, Position, ValueKind};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The output of `read_book.py` on these lines, and its exit code; `None` without a Python.
fn read_book(book: &Path, lines: &str) -> Option<(String, i32)> {
    run_script("read_book.py", book, lines)
}

/// A script's output on these lines, and its exit code; `None` without a Python.
pub(crate) fn run_script(script: &str, book: &Path, lines: &str) -> Option<(String, i32)> {
    run_on(Command::new("python3").arg(root().join("scripts").join(script)), book, lines)
}

/// A program's output on these lines, and its exit code; `None` if there is no such program.
fn run_on(program: &mut Command, book: &Path, lines: &str) -> Option<(String, i32)> {
    let child = program
        .arg(book)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("skipped: {program:?} is missing");
        assert!(std::env::var_os("FOURBOOK_ALL_TOOLS").is_none(), "{program:?} is missing");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A script that has refused the book reads nothing.
            let _ = stdin.write_all(lines.as_bytes());
        });
        child.wait_with_output().unwrap()
    });
    let text = String::from_utf8(output.stdout).unwrap();
    Some((text + &String::from_utf8_lossy(&output.stderr), output.status.code().unwrap()))
}

/// Compares the script's answers with the library's.
fn compare(book: &Book, path: &Path, positions: impl IntoIterator<Item = Position>) {
    compare_with(read_book, book, path, positions);
}

fn compare_with(
    read: impl Fn(&Path, &str) -> Option<(String, i32)>,
    book: &Book,
    path: &Path,
    positions: impl IntoIterator<Item = Position>,
) {
    let mut lines = String::new();
    let mut expected = String::new();
    let mut unknown = false;
    for position in positions {
        let moves = Notation::Moves.print(position).unwrap();
        let value = book.look_up(position).unwrap().value(book.kind());
        let value = value.map_or_else(|| "?".to_owned(), |value| value.to_string());
        unknown |= value == "?";
        writeln!(lines, "{moves}").unwrap();
        writeln!(expected, "{moves} {value}").unwrap();
    }
    let Some((found, code)) = read(path, &lines) else { return };
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "{}", path.display());
    }
    assert_eq!(found.lines().count(), expected.lines().count());
    assert_eq!(code, i32::from(unknown));
}

/// Compares every `every`-th position of the plies to one past the book's depth.
fn compare_every(every: usize, path: &str) {
    let path = root().join(path);
    let book = Book::open(&path).unwrap();
    let plies = reachable(book.size(), book.depth() + 1);
    compare(&book, &path, plies.iter().flatten().skip(every - 1).step_by(every).copied());
}

#[test]
fn every_answer_is_that_of_the_library() {
    compare_every(7, "examples/4x4-d6.book");
    compare_every(1, "tests/fuzz/seeds/book/5x4-d2.book");
    compare_every(1, "tests/fuzz/seeds/book/5x4-d2-every-ply.book");
    compare_every(1, "tests/fuzz/seeds/book/4x4-d3-outcomes.book");
    compare_every(5, "tests/fuzz/seeds/book/4x4-d10-compact.book");
}

#[test]
#[ignore = "reads large books in Python; `.ci/run slow` runs it"]
fn five_thousand_answers_of_each_shipped_book_are_those_of_the_library() {
    for (_, path) in shipped::files() {
        let book = Book::open(&path).unwrap();
        compare(&book, &path, Random::new(20).positions(&book, 5000));
    }
}

#[test]
fn a_compact_book_of_outcomes_is_read_as_well() {
    let book = Book::open(root().join("books/7x6-d8.book")).unwrap();
    let depth = 6;
    let kind = ValueKind::WinDrawLoss;
    let encoding = Encoding::Compact;
    let packed = pack(&book, PackOptions { depth, kind, encoding }, &()).unwrap();
    let bytes = packed.to_bytes().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outcomes.book");
    std::fs::write(&path, &bytes).unwrap();
    let book = Book::from_bytes(bytes).unwrap();
    assert_eq!(book.sections().last().unwrap().encoding, Encoding::Compact);
    compare(&book, &path, Random::new(20).positions(&book, 2000));
}

#[test]
fn the_conformance_set_is_read_as_expected() {
    check_conformance(read_book, &[]);
}

/// Compares a reader's answers with the conformance set. The reader may refuse books with one of these
/// texts.
fn check_conformance(read: impl Fn(&Path, &str) -> Option<(String, i32)>, refused: &[&str]) {
    let folder = root().join("books/conformance");
    let expected = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
    let mut errors = 0;
    for book in expected.split("\nbook ").skip(1) {
        let (first, rest) = book.split_once('\n').unwrap_or((book, ""));
        let [name, verdict, ..] = first.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{first}")
        };
        let answers: Vec<(&str, &str)> =
            rest.lines().map(|line| line.split_once(' ').unwrap()).collect();
        let questions: String =
            answers.iter().map(|(moves, _)| format!("{}\n", moves.replace('-', ""))).collect();
        let Some((text, code)) = read(&folder.join(name), &questions) else { return };
        let found: Vec<&str> = text.lines().collect();
        if verdict == "refused" || refused.iter().any(|part| text.contains(part)) {
            assert!(code == 1 && text.starts_with("read_book: "), "{name}: {text}");
            continue;
        }
        for (found, (moves, value)) in found.iter().zip(&answers) {
            let value = value.replace("unknown", "?");
            // It stops at an error.
            if verdict == "damaged" && found.starts_with("read_book: ") {
                assert!(
                    found.contains(": block ") && found.contains("is damaged"),
                    "{name}: {found}"
                );
                errors += 1;
                break;
            }
            assert_eq!(*found, format!("{} {value}", moves.replace('-', "")), "{name}");
        }
        assert!(verdict == "damaged" || found.len() == answers.len(), "{name}: {text}");
    }
    assert!(errors > 0);
}

/// Compiles the reader in C; `None` without a compiler.
fn compile_reader(folder: &Path) -> Option<PathBuf> {
    let reader = folder.join("read_book");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-o"]).arg(&reader);
    let (text, code) = run_on(&mut cc, &root().join("scripts/read_book.c"), "")?;
    assert_eq!(code, 0, "{text}");
    Some(reader)
}

#[test]
fn the_reader_in_c_answers_for_whole_plies_as_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let Some(reader) = compile_reader(folder.path()) else { return };
    let read = |book: &Path, lines: &str| run_on(&mut Command::new(&reader), book, lines);
    let path = root().join("books/7x6-d8.book");
    let book = Book::open(&path).unwrap();
    let plies = reachable(book.size(), 8);
    compare_with(read, &book, &path, plies.into_iter().skip(7).flatten());
    for name in ["5x4-d2", "5x4-d2-every-ply", "4x4-d3-outcomes"] {
        let path = root().join(format!("tests/fuzz/seeds/book/{name}.book"));
        let book = Book::open(&path).unwrap();
        let plies = reachable(book.size(), book.depth() + 1);
        compare_with(read, &book, &path, plies.into_iter().flatten());
    }
}

/// The reader refuses compact books and large boards.
#[test]
fn the_reader_in_c_reads_the_conformance_set_as_expected() {
    let folder = tempfile::tempdir().unwrap();
    let Some(reader) = compile_reader(folder.path()) else { return };
    let read = |book: &Path, lines: &str| run_on(&mut Command::new(&reader), book, lines);
    check_conformance(read, &["expected a flat book", "expected a board of up to 64 bits"]);
}

#[test]
fn what_is_no_game_has_no_answer() {
    let book = root().join("examples/4x4-d6.book");
    let Some((text, code)) = read_book(&book, "12\n12121211\n5\n1x\n11\n") else { return };
    let book = Book::open(&book).unwrap();
    let position = |moves| Position::parse(book.size(), moves).unwrap();
    let score = |moves| book.look_up(position(moves)).unwrap().score().unwrap();
    let answers = format!("12 {}\n12121211 ?\n5 ?\n1x ?\n11 {}\n", score("12"), score("11"));
    assert!(text.starts_with(&answers), "{text}");
    assert_eq!((code, text.matches("are no moves of a game").count()), (1, 3));
}

#[test]
fn what_it_cannot_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read(root().join("examples/4x4-d6.book")).unwrap();
    let damaged = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let end = 16 + u32::from_le_bytes(*good[12..].first_chunk().unwrap()) as usize;
    let files: [(&str, Vec<u8>, &str); 6] = [
        ("other.book", b"something else".to_vec(), "expected a fourbook book"),
        ("short.book", good[..14].to_vec(), "expected a fourbook book"),
        ("version.book", [&good[..8], &[2], &good[9..]].concat(), "version 1, found 2"),
        ("header.book", damaged(30), "the header is damaged"),
        ("checksums.book", damaged(end + 4), "the checksums of the blocks"),
        ("section.book", damaged(good.len() - 1), "is damaged: block 0 is damaged"),
    ];
    let between =
        std::fs::read(root().join("tests/fuzz/seeds/book/5x4-d2-every-ply.book")).unwrap();
    // The plies of its sections are 0, 1 and 2.
    let plies = [
        ([0, 0, 2], "does not have the plies [0, 0, 2]"),
        ([1, 0, 2], "does not have the plies [1, 0, 2]"),
        ([0, 1, 4], "does not have the plies [0, 1, 4]"),
    ]
    .map(|(plies, part)| ("plies", with_plies(&between, plies), part));
    let compact = std::fs::read(root().join("tests/fuzz/seeds/book/4x4-d10-compact.book")).unwrap();
    let broken = BREAKS.map(|(name, change)| {
        (name, with_last_section(&compact, change), "the section of ply 10: ")
    });
    for (number, (name, bytes, part)) in files.into_iter().chain(plies).chain(broken).enumerate() {
        let path: PathBuf = folder.path().join(format!("{number}.book"));
        std::fs::write(&path, bytes).unwrap();
        let Some((text, code)) = read_book(&path, "1\n") else { return };
        assert_eq!(code, 1, "{name}");
        assert!(text.contains(part), "{name}: {text}");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.book");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for path in [pipe.as_path(), Path::new("/dev/zero")] {
        let Some((text, code)) = read_book(path, "1\n") else { return };
        assert!(code == 1 && text.contains("expected a regular file"), "{text}");
    }
}

/// A book of three sections with other plies.
fn with_plies(book: &[u8], plies: [u8; 3]) -> Vec<u8> {
    with_header(book, |header| {
        let first = header.len() - 3 * ENTRY;
        (0..3).for_each(|place| header[first + ENTRY * place] = plies[place]);
    })
}
