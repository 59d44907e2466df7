//! `fourbook pack` on the real program.

use crate::support::{Run, fourbook, text};
use fourbook::Book;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use tempfile::TempDir;

/// A folder with generated books of a 4x4 board.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// The deepest book of a 4x4 board, and one without its last ply, so that books are packed from
/// both parities.
static DEEP: LazyLock<[PathBuf; 2]> = LazyLock::new(|| [generated(14, &[]), generated(15, &[])]);

fn generated(depth: u32, more: &[&str]) -> PathBuf {
    let name = format!("{depth}{}.generated", more.concat());
    let path = FOLDER.path().join(name);
    // The first test makes it, and the others use it.
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if path.exists() {
        return path;
    }
    let depth = depth.to_string();
    let fixed = ["generate", "-q", "--size", "4x4", "--depth", &depth, "--out", text(&path)];
    let run = fourbook(&[&fixed, more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    path
}

fn pack(book: &Path, out: &Path, more: &[&str]) -> Run {
    fourbook(&[&["pack", "-q", text(book), "--out", text(out)], more].concat())
}

fn assert_packs(book: &Path, more: &[&str], expected: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("packed.book");
    let run = pack(book, &out, more);
    assert_eq!((run.code, run.stderr.as_str(), run.stdout.as_str()), (0, "", ""));
    let equal = fs::read(&out).expect("a book") == fs::read(expected).expect("a book");
    assert!(equal, "{book:?} {more:?} is not {expected:?}");
}

#[test]
fn a_cut_book_is_the_generated_one_at_every_depth() {
    for depth in 0..=14 {
        let expected = generated(depth, &[]);
        for deep in &*DEEP {
            assert_packs(deep, &["--depth", &depth.to_string()], &expected);
        }
    }
    assert_packs(&DEEP[0], &[], &DEEP[0]);
}

#[test]
fn outcomes_are_made_from_scores_and_from_outcomes() {
    let deep = generated(13, &["--wdl"]);
    for depth in ["7", "8"] {
        let expected = generated(depth.parse().expect("a number"), &["--wdl"]);
        assert_packs(&DEEP[0], &["--depth", depth, "--wdl"], &expected);
        assert_packs(&deep, &["--depth", depth], &expected);
    }
}

#[test]
fn what_cannot_be_packed_is_refused_and_nothing_written() {
    let out = FOLDER.path().join("refused.book");
    let refused = |book: &Path, more: &[&str], part: &str| {
        let run = pack(book, &out, more);
        // A wrong depth is wrong arguments; damage is bad input.
        let code = if more.is_empty() { 1 } else { 2 };
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        assert!(run.stderr.contains(part), "{}", run.stderr);
        assert!(!out.exists());
    };
    refused(&DEEP[0], &["--depth", "15"], "a depth of 0 to 14, that of the book to read, found 15");
    let good = fs::read(&DEEP[0]).expect("a book");
    let book = Book::from_bytes(good.clone()).expect("a book");
    let damaged = FOLDER.path().join("damaged.book");
    for section in book.sections() {
        let mut bytes = good.clone();
        let middle = section.offset + section.bytes / 2;
        bytes[middle as usize] ^= 1;
        fs::write(&damaged, bytes).expect("a file");
        refused(&damaged, &[], "the checksum of block ");
    }
    // Sections that are not read may be damaged.
    assert_packs(&damaged, &["--depth", "12"], &generated(12, &[]));
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let out = FOLDER.path().join("mine.book");
    fs::write(&out, "mine").expect("a file");
    let run = pack(&DEEP[0], &out, &["--depth", "3"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("exists already; remove it, or use --force"), "{}", run.stderr);
    assert_eq!(fs::read(&out).expect("a file"), b"mine");
    let run = pack(&DEEP[0], &out, &["--depth", "3", "--force"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(Book::open(&out).expect("a book").depth(), 3);
}

#[test]
fn a_file_that_cannot_be_written_is_known_before_the_work() {
    let refused = |out: &Path, code: i32, part: &str| {
        let run = fourbook(&["export", text(&DEEP[0]), "--force", "--out", text(out)]);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        assert!(run.stderr.contains(part), "{}", run.stderr);
        assert!(!run.stderr.contains("cannot export"), "{}", run.stderr);
        let run = pack(&DEEP[0], out, &["--force"]);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        assert!(run.stderr.contains(part), "{}", run.stderr);
    };
    refused(FOLDER.path(), 2, "expected the name of a file to write");
    refused(&FOLDER.path().join("new/"), 2, "expected the name of a file to write");
    refused(&FOLDER.path().join("nowhere/x.book"), 1, "cannot write into the folder");
    #[cfg(unix)]
    refused(Path::new("/dev/null"), 2, "found the device '/dev/null'");
    assert!(!FOLDER.path().join("new").exists());
}

#[test]
fn wrong_use_is_exit_code_2() {
    for arguments in [&["pack"][..], &["pack", "a.book"], &["pack", "a.book", "--out"]] {
        assert_eq!(fourbook(arguments).code, 2, "{arguments:?}");
    }
    let run = fourbook(&["pack", "--help"]);
    assert!(run.stdout.contains("Examples:") && run.stdout.contains("Exit codes:"));
}
