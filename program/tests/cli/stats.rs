//! `fourbook stats` on the real program.

use crate::support::{fourbook, repository};
use std::fs;

const BOOK: &str = repository!("examples/4x4-d6.book");

/// The numbers in a line, thousands not separated.
fn numbers(line: &str) -> Vec<u64> {
    line.replace(',', "").split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_table_and_the_values_say_the_same() {
    let table = fourbook(&["stats", BOOK]);
    assert_eq!((table.code, table.stderr.as_str()), (0, ""));
    assert!(table.stdout.starts_with("distinct positions, from the first player's view\n"));
    let csv = fourbook(&["stats", BOOK, "--csv"]);
    assert_eq!(csv.code, 0, "{}", csv.stderr);
    let header = "ply,positions,first_wins,draws,second_wins,first_has_won,drawn,second_has_won";
    let (first, rows) = csv.stdout.split_once('\n').expect("lines");
    assert_eq!(first, header);
    let rows: Vec<Vec<u64>> = rows.lines().map(|line| numbers(&line.replace(',', " "))).collect();
    assert_eq!(rows.len(), 7);
    let printed: Vec<Vec<u64>> =
        table.stdout.lines().map(numbers).filter(|numbers| numbers.len() == 8).collect();
    assert_eq!(printed, rows);
    for (ply, row) in rows.iter().enumerate() {
        assert_eq!((row[0], row[1]), (ply as u64, row[2..].iter().sum()));
    }
    // Four moves, with mirror images two.
    assert_eq!(rows[1][1], 4);
    let unique = fourbook(&["stats", BOOK, "--csv", "--mirror-unique"]);
    assert!(unique.stdout.contains("\n1,2,"), "{}", unique.stdout);
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("damaged.book");
    let mut bytes = fs::read(BOOK).expect("a book");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&path, bytes).expect("a file");
    let run = fourbook(&["stats", path.to_str().expect("a plain name")]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("the checksum of block 0 "), "{}", run.stderr);
    assert_eq!(fourbook(&["stats"]).code, 2);
    let run = fourbook(&["stats", "--help"]);
    assert!(run.stdout.contains("Examples:") && run.stdout.contains("Exit codes:"));
}
