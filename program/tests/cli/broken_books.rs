//! Corrupt books with the right checksums: commands that open one report it, and
//! nothing is solved in silence instead.

use crate::broken::{BREAKS, last_section, with_last_section, without_values};
use crate::support::{fourbook, repository, text};
use fourbook::book::Encoding;
use std::fs;

#[test]
fn a_broken_section_is_named_by_whoever_opens_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.book");
    let broken = folder.path().join("broken.book");
    let good = text(&good);
    let broken = text(&broken);
    let arguments = ["--size", "4x4", "--depth", "10", "--encoding", "compact", "--out", good];
    assert_eq!(fourbook(&[&["generate", "-q"][..], &arguments].concat()).code, 0);
    let bytes = fs::read(good).unwrap();
    assert_eq!(last_section(&bytes).encoding, Encoding::Compact);
    for (expected, change) in BREAKS {
        fs::write(broken, with_last_section(&bytes, change)).unwrap();
        for command in [
            &["lookup", "12", "--book", broken][..],
            &["info", broken],
            &["verify", broken],
            &["stats", broken],
            &["export", broken],
            #[cfg(feature = "server")]
            &["serve", "--bind", "127.0.0.1:0", "--book", broken],
        ] {
            let run = fourbook(command);
            assert_eq!(run.code, 1, "{command:?}: {}", run.stderr);
            assert!(run.stderr.contains(broken), "{command:?}: {}", run.stderr);
            let expected = format!("expected {expected}");
            assert!(run.stderr.contains(&expected), "{command:?}: {}", run.stderr);
        }
    }
}

#[test]
fn a_value_that_is_missing_is_not_solved_instead() {
    let good = fs::read(repository!("examples/4x4-d6.book")).unwrap();
    let broken = with_last_section(&good, without_values(&last_section(&good)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.book");
    fs::write(&path, broken).unwrap();
    let book = ["--size", "4x4", "--book", text(&path)];
    for command in [
        &["lookup", "112234"][..],
        &["lookup", "11223"],
        &["lookup", "--analyze", "11223"],
        &["lookup", "--json", "112234"],
        &["lookup", "--format=line", "112234"],
        &["lookup", "--format=review", "112234"],
    ] {
        let run = fourbook(&[command, &book].concat());
        assert_eq!(run.code, 1, "{command:?}: {}{}", run.stdout, run.stderr);
        let said = run.stdout + &run.stderr;
        assert!(said.contains("expected a value for the position"), "{command:?}: {said}");
        assert!(said.contains("the book is not complete"), "{command:?}: {said}");
    }
}
