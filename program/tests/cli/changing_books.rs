//! Books that change while `fourbook lookup` has them open: every answer is that of the opened
//! book, or an error with a message.

use crate::broken::with_last_section;
use crate::support::{fourbook, program, repository, text};
use fourbook::{Book, Position};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread::JoinHandle;

/// The book that is opened, and a shallower one.
const BOOK: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d12.book"));
const SHALLOW: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d8.book"));

/// Positions that are asked for before the change, and in all.
const BEFORE: usize = 20;
const ALL: usize = 320;

/// `fourbook lookup` with a book, reading from a pipe.
struct Lookup {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    stderr: JoinHandle<String>,
}

impl Lookup {
    fn start(book: &Path) -> Self {
        let mut child = program()
            .args(["lookup", "--book", text(book)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let mut errors = child.stderr.take().expect("stderr is a pipe");
        let stderr = std::thread::spawn(move || {
            let mut said = String::new();
            errors.read_to_string(&mut said).expect("messages are UTF-8");
            said
        });
        Lookup { child, stdin, stdout, stderr }
    }

    /// The answer to a position; `None` for an error.
    fn ask(&mut self, moves: &str) -> Option<String> {
        writeln!(self.stdin, "{moves}").expect("the program reads");
        let mut line = String::new();
        assert!(self.stdout.read_line(&mut line).expect("an answer") > 0, "the program has ended");
        let line = line.trim_end();
        (!line.is_empty()).then(|| line.to_owned())
    }

    /// Ends the input; returns the exit code and the messages.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin);
        let status = self.child.wait().expect("the program ends");
        (status.code(), self.stderr.join().expect("its messages have been read"))
    }
}

/// Positions that the book stores in many blocks, as moves with the answers.
fn questions() -> Vec<(String, String)> {
    let book = Book::from_bytes(BOOK).unwrap();
    let mut state = 31_u64;
    let mut random = move |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let mut questions = Vec::new();
    while questions.len() < ALL {
        let mut position = Position::empty(book.size());
        let mut moves = String::new();
        while position.ply() < 12 && !position.is_over() {
            let column = random(7);
            if position.can_play(column) {
                moves.push(char::from(b'1' + column as u8));
                position = position.play(column);
            }
        }
        if let Some(score) = book.look_up(position).unwrap().score() {
            questions.push((moves.clone(), format!("{moves} {score}")));
        }
    }
    questions
}

/// A valid book of the same length with other values.
fn other_values() -> Vec<u8> {
    let other = with_last_section(BOOK, |bytes| {
        let codes = bytes.len() - 128;
        bytes[..codes].reverse();
    });
    assert!(other.len() == BOOK.len() && Book::from_bytes(other.clone()).is_ok());
    other
}

/// Asks for positions before and after a change to the file. Returns the number of errors.
fn change_while_open(name: &str, change: impl FnOnce(&Path)) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.book");
    fs::write(&path, BOOK).unwrap();
    let questions = questions();
    let (before, after) = questions.split_at(BEFORE);
    let mut lookup = Lookup::start(&path);
    for (moves, expected) in before {
        assert_eq!(lookup.ask(moves).as_ref(), Some(expected), "{name}");
    }
    change(&path);
    let mut errors = 0;
    for (moves, expected) in after {
        match lookup.ask(moves) {
            Some(answer) => assert_eq!(answer, *expected, "{name}"),
            None => errors += 1,
        }
    }
    // Blocks that were read before the change are still there.
    for (moves, expected) in before {
        assert_eq!(lookup.ask(moves).as_ref(), Some(expected), "{name}");
    }
    let (code, said) = lookup.end();
    assert_eq!(code, Some(i32::from(errors > 0)), "{name}: {said}");
    let messages = said.lines().filter(|line| line.starts_with("error: line "));
    assert_eq!(messages.count(), errors, "{name}: {said}");
    if errors > 0 {
        assert!(said.contains(text(&path)) && said.contains("block "), "{name}: {said}");
        assert!(said.contains("fetch or make "), "{name}: {said}");
    }
    errors
}

/// Writes over a file in place, as `cp` does.
fn overwrite(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_book_that_is_overwritten_in_place_gives_no_wrong_answer() {
    let longer = [&[0xff; 4096], BOOK].concat();
    let changes: [(&str, &[u8]); 5] = [
        ("empty", b""),
        ("truncated", &BOOK[..BOOK.len() / 2]),
        ("a shorter book", SHALLOW),
        ("a longer file", &longer),
        ("a book of the same length", &other_values()),
    ];
    for (name, bytes) in changes {
        assert!(change_while_open(name, |path| overwrite(path, bytes)) > 0, "{name}");
    }
}

#[test]
fn a_book_replaced_by_rename_or_deleted_still_answers() {
    let replace = |path: &Path| {
        let new = path.with_extension("new");
        fs::write(&new, other_values()).unwrap();
        fs::rename(new, path).unwrap();
    };
    assert_eq!(change_while_open("replaced", replace), 0);
    assert_eq!(change_while_open("deleted", |path| fs::remove_file(path).unwrap()), 0);
}

/// A limit on the length of files simulates a full disk: writing fails midway.
#[test]
#[cfg(target_os = "linux")]
fn a_book_that_there_is_no_room_for_leaves_nothing_behind() {
    let write = |path: &Path| {
        let folder = path.parent().unwrap();
        let new = folder.join("new.book");
        let pack = format!(
            "trap '' XFSZ; ulimit -f 100; exec '{}' pack '{}' --depth 10 --encoding flat --out '{}'",
            env!("CARGO_BIN_EXE_fourbook"),
            repository!("books/7x6-d12-compact.book"),
            text(&new),
        );
        let run = std::process::Command::new("sh").args(["-c", &pack]).output().expect("a shell");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{said}");
        assert!(said.contains("cannot write '") && said.contains("new.book"), "{said}");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "nothing lies beside the book");
    };
    assert_eq!(change_while_open("no room", write), 0);
}

/// Commands that replace a file do not change the old one for programs that have it open. Other
/// commands reject an existing name.
#[test]
#[cfg(unix)]
fn files_are_replaced_by_rename_or_not_at_all() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let book = place("a.book");
    let csv = place("a.csv");
    let part = place("parts");
    let small = ["--size", "4x4", "--depth", "4"];
    let generate = [&["generate", "-q", "--out", &book], &small[..]].concat();
    let shard = [&["generate", "-q", "--shard", "1/1", "--out", &part], &small[..]].concat();
    for command in [&generate, &shard] {
        let made = fourbook(command);
        assert_eq!(made.code, 0, "{command:?}: {}", made.stderr);
    }
    fs::write(&csv, "there before").unwrap();
    let copy = place("copy.book");
    fs::copy(&book, &copy).unwrap();
    for (file, command) in [
        (&csv, &["export", "-q", "--force", "--out", &csv, &book][..]),
        (&book, &["import", "-q", "--force", "--size", "4x4", "--out", &book, &csv]),
        (&book, &["pack", "-q", "--force", "--depth", "2", "--out", &book, &copy]),
    ] {
        let open = fs::File::open(file).unwrap();
        let run = fourbook(command);
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        assert_eq!(open.metadata().unwrap().nlink(), 0, "{command:?} writes in place");
    }
    let before = fs::read(&book).unwrap();
    for command in [&generate[..], &["merge", "-q", "--out", &book, &part]] {
        let refused = fourbook(command);
        assert_eq!(refused.code, 1, "{command:?}: {}", refused.stderr);
        assert!(refused.stderr.contains("exists already"), "{command:?}: {}", refused.stderr);
        assert!(fs::read(&book).unwrap() == before, "{command:?}");
    }
}
