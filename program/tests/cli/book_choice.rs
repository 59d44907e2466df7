//! The choice of a book by `--book`, folders and `FOURBOOK_BOOK`, and the hint at a deeper one.

use crate::support::{Run, fourbook, program, repository, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with books for 5x4 boards to ply 2 and 4.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    for depth in ["2", "4"] {
        let out = folder.path().join(format!("{depth}.book"));
        let run =
            fourbook(&["generate", "-q", "--size", "5x4", "--depth", depth, "--out", text(&out)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    folder
});

/// A new folder with copies of these books under new names.
fn folder(books: &[(&str, &Path)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, path) in books {
        fs::copy(path, folder.path().join(name)).expect("a copy");
    }
    folder
}

fn small(name: &str) -> PathBuf {
    FOLDER.path().join(name)
}

/// Looks a position up with a value of the variable.
fn lookup_with(variable: &Path, arguments: &[&str]) -> Run {
    let mut program = program();
    program.env("FOURBOOK_BOOK", variable).args(["lookup", "--json"]).args(arguments);
    let output = program.output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    let code = output.status.code().expect("no signal");
    Run { stdout: text(output.stdout), stderr: text(output.stderr), code }
}

fn assert_source(run: &Run, source: &str) {
    let record: serde_json::Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    assert_eq!(record["source"], source, "{}", run.stderr);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn the_deepest_book_of_a_folder_is_used() {
    let both = FOLDER.path();
    assert_source(&fourbook(&["lookup", "--json", "--book", text(both), "1122"]), "book");
    let verbose = fourbook(&["lookup", "-v", "--book", text(both), "1122"]);
    assert!(verbose.stderr.contains("4.book"), "{}", verbose.stderr);
    // Of two sizes, the requested one, or else 7x6.
    let shipped = Path::new(repository!("books/7x6-d8.book"));
    let folder = folder(&[("5x4.book", &small("4.book")), ("7x6.book", shipped)]);
    let lookup = |more: &[&str]| {
        fourbook(&[&["lookup", "--json", "--book", text(folder.path())], more].concat())
    };
    assert_source(&lookup(&["4477"]), "book");
    assert_source(&lookup(&["--size", "5x4", "1122"]), "book");
}

#[test]
fn a_file_that_is_no_book_is_passed_over_with_a_warning() {
    let folder = folder(&[("a.book", &small("4.book"))]);
    fs::write(folder.path().join("b.book"), "no book").expect("a file");
    let arguments = ["lookup", "--json", "--book", text(folder.path()), "1122"];
    let run = fourbook(&arguments);
    assert_source(&run, "book");
    assert!(run.stderr.contains("skipped: cannot use"), "{}", run.stderr);
    assert!(run.stderr.contains("b.book") && run.stderr.lines().count() == 1, "{}", run.stderr);
    assert_eq!(fourbook(&[&arguments[..], &["--quiet"]].concat()).stderr, "");
}

#[test]
fn a_folder_without_any_book_is_an_error() {
    let none = folder(&[]);
    let run = fourbook(&["lookup", "--book", text(none.path()), "4"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("expected a book in the folder"), "{}", run.stderr);
}

/// A folder of books serves all boards: those without a book as if it were not named.
#[test]
fn a_folder_without_a_fitting_book_is_passed_over_with_one_hint() {
    let hint = |place: &Path, size: &str, others: &str, end: &str| {
        let place = place.display();
        format!(
            "hint: the folder '{place}' has no book for {size} boards, only for {others}; {end}\n"
        )
    };
    let solver = "every position is solved";
    let built_in = "the built-in book answers";
    let place = FOLDER.path();
    // With a limit, so that no other hint follows.
    let lookup = ["--size", "4x13", "--deadline", "1h", "11222211"];
    for named in [lookup_with(place, &lookup), {
        fourbook(&[&["lookup", "--json", "--book", text(place)], &lookup[..]].concat())
    }] {
        assert_source(&named, "solver");
        assert_eq!(named.stderr, hint(place, "4x13", "5x4", solver));
    }
    let run = lookup_with(place, &["--size", "4x4", "1122"]);
    assert_source(&run, "book");
    assert_eq!(run.stderr, hint(place, "4x4", "5x4", built_in));
    let run = lookup_with(place, &["--size", "7x6", "44"]);
    assert_source(&run, "book");
    assert_eq!(run.stderr, hint(place, "7x6", "5x4", built_in));
    assert_eq!(lookup_with(place, &["--size", "7x6", "--quiet", "44"]).stderr, "");
    // Of several boards, none is meant.
    let two = folder(&[("5x4.book", &small("2.book"))]);
    let other = two.path().join("4x4.book");
    let generate = ["generate", "-q", "--size", "4x4", "--depth", "2", "--out", text(&other)];
    assert_eq!(fourbook(&generate).code, 0);
    let run = lookup_with(two.path(), &["44"]);
    assert_source(&run, "book");
    assert_eq!(run.stderr, hint(two.path(), "7x6", "4x4 and 5x4", built_in));
    let play = fourbook(&["play", "--book", text(place), "--size", "4x4"]);
    assert_eq!((play.code, play.stderr), (0, hint(place, "4x4", "5x4", built_in)));
    // A file is meant for its board.
    let file = ["lookup", "--book", text(&other), "--size", "7x6", "44"];
    assert_eq!(fourbook(&file).code, 2);
}

#[test]
fn the_environment_names_a_book_or_a_folder() {
    for variable in [FOLDER.path(), &small("4.book")] {
        assert_source(&lookup_with(variable, &["1122"]), "book");
    }
    // An argument that names a book, or none, takes precedence.
    let two = small("2.book");
    let run = lookup_with(FOLDER.path(), &["--book", text(&two), "1122"]);
    assert_source(&run, "solver");
    assert_source(&lookup_with(FOLDER.path(), &["--no-book", "--size", "5x4", "1122"]), "solver");
    assert_source(
        &lookup_with(Path::new("/no/such.book"), &["--no-book", "--size", "5x4", "1122"]),
        "solver",
    );
    // An empty variable names no book.
    assert_source(&lookup_with(Path::new(""), &["44"]), "book");
    let help = fourbook(&["lookup", "--help"]).stdout;
    assert!(help.contains("[env: FOURBOOK_BOOK]"), "{help}");
}

#[test]
fn an_error_of_the_environment_names_it() {
    let run = lookup_with(Path::new("/no/such.book"), &["44"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("the book that FOURBOOK_BOOK names"), "{}", run.stderr);
    assert!(run.stderr.contains("/no/such.book") && run.stderr.contains("--no-book"));
    let run = lookup_with(&small("4.book"), &["--size", "7x6", "44"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the book that FOURBOOK_BOOK names"), "{}", run.stderr);
    assert!(run.stderr.contains("the file is for 5x4, not for 7x6"), "{}", run.stderr);
    let run = fourbook(&["lookup", "--book", text(&small("4.book")), "--size", "7x6", "44"]);
    assert!(!run.stderr.contains("FOURBOOK_BOOK"), "{}", run.stderr);
}
