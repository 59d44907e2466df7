//! `scripts/read_book.py`, which knows `books/FORMAT.md` and nothing of the code
//! here, says what the library says.

use crate::truth::reachable;
use fourbook::board::notation::Notation;
use fourbook::{Book, Position, Value, ValueKind};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the script prints on these lines, and its exit code; `None` without a Python.
fn read_book(book: &Path, lines: &str) -> Option<(String, i32)> {
    let script = root().join("scripts/read_book.py");
    let child = Command::new("python3")
        .arg(script)
        .arg(book)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("skipped: there is no python3");
        // Where everything is to be checked, so is this.
        assert!(std::env::var_os("CI").is_none(), "there is no python3");
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

/// Compares every `every`-th position of the plies to one past the book's depth.
fn compare(path: &Path, every: usize) {
    let book = Book::open(path).unwrap();
    let (mut lines, mut expected) = (String::new(), String::new());
    let plies = reachable(book.size(), book.depth() + 1);
    for &position in plies.iter().flatten().skip(every - 1).step_by(every) {
        let moves = Notation::Moves.print(position).unwrap();
        let value = match book.look_up(position).value() {
            None => "?".to_owned(),
            // The rules give a score in a book of outcomes, too.
            Some(value) if book.kind() == ValueKind::WinDrawLoss => {
                value.outcome().sign().to_string()
            }
            Some(Value::Score(score)) => score.to_string(),
            Some(Value::Outcome(outcome)) => outcome.sign().to_string(),
        };
        writeln!(lines, "{moves}").unwrap();
        writeln!(expected, "{moves} {value}").unwrap();
    }
    let Some((found, code)) = read_book(path, &lines) else { return };
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "{}", path.display());
    }
    assert_eq!(found.lines().count(), expected.lines().count());
    // Past the depth there is no answer.
    assert_eq!(code, 1);
}

#[test]
fn every_answer_is_that_of_the_library() {
    compare(&root().join("examples/4x4-d6.book"), 7);
    compare(&root().join("fuzz/seeds/book/5x4-d2.book"), 1);
    compare(&root().join("fuzz/seeds/book/4x4-d3-outcomes.book"), 1);
    compare(&root().join("books/7x6-d8.book"), 997);
}

#[test]
fn what_is_no_game_has_no_answer() {
    let book = root().join("examples/4x4-d6.book");
    let Some((text, code)) = read_book(&book, "12\n12121211\n5\n1x\n11\n") else { return };
    let book = Book::open(&book).unwrap();
    let position = |moves| Position::parse(book.size(), moves).unwrap();
    let score = |moves| book.look_up(position(moves)).score().unwrap();
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
    let compact = root().join("fuzz/seeds/book/4x4-d10-compact.book");
    let files: [(&str, Vec<u8>, &str); 5] = [
        ("other.book", b"something else".to_vec(), "expected a fourbook book"),
        ("short.book", good[..14].to_vec(), "expected a fourbook book"),
        ("header.book", damaged(30), "the header is damaged"),
        ("section.book", damaged(good.len() - 1), "the section of ply 6 is damaged"),
        ("compact.book", std::fs::read(compact).unwrap(), "expected flat sections"),
    ];
    for (name, bytes, part) in files {
        let path: PathBuf = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let Some((text, code)) = read_book(&path, "1\n") else { return };
        assert_eq!(code, 1, "{name}");
        assert!(text.contains(part), "{name}: {text}");
    }
}
