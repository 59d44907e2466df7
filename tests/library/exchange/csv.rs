//! Comma-separated values.

use super::tools::{assert_same_values, compared, exported, imported};
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR};
use fourbook::board::notation::Notation;
use fourbook::book::{BookError, Encoding};
use fourbook::tools::ToolError;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format};
use fourbook::{Size, ValueKind};

fn size(text: &str) -> Option<Size> {
    Some(text.parse().unwrap())
}

fn open(text: &str) -> Result<ForeignBook<'_>, ToolError> {
    ForeignBook::open(text.as_bytes(), Format::Csv, size("4x4"))
}

#[test]
fn a_book_comes_back_from_text_in_every_notation() {
    for (kind, encoding) in
        [(ValueKind::Scores, Encoding::Compact), (ValueKind::WinDrawLoss, Encoding::Flat)]
    {
        for depth in [0, 5, 8] {
            let book = FOUR_BY_FOUR.encoded(depth, kind, encoding);
            for notation in Notation::ALL {
                let options = ExportOptions { notation, ..ExportOptions::new(Format::Csv) };
                let (text, _) = exported(&book, &options);
                let file = ForeignBook::open(&text, Format::Csv, None).unwrap();
                assert_same_values(&imported(&file, None, encoding).unwrap(), &book);
                let (comparison, differences) = compared(&book, &file);
                assert!(comparison.agree() && differences.is_empty(), "{differences:?}");
                assert_eq!((comparison.compared, comparison.missing), (file.entries, 0));
            }
        }
    }
}

#[test]
fn a_shallower_book_can_be_made_of_a_deep_table() {
    let deep = FIVE_BY_FOUR.book(9, ValueKind::Scores);
    let (text, _) = exported(&deep, &ExportOptions::new(Format::Csv));
    let file = ForeignBook::open(&text, Format::Csv, size("5x4")).unwrap();
    for depth in [0, 3, 6] {
        let book = imported(&file, Some(depth), Encoding::Flat).unwrap();
        assert_same_values(&book, &FIVE_BY_FOUR.book(depth, ValueKind::Scores));
    }
    let error = imported(&file, Some(10), Encoding::Flat).unwrap_err();
    assert!(matches!(error, ToolError::DepthTooDeep { depth: 10, deepest: 9 }), "{error}");
}

#[test]
fn one_ply_is_enough() {
    let book = FOUR_BY_FOUR.book(6, ValueKind::Scores);
    let (text, _) = exported(&book, &ExportOptions::new(Format::Csv));
    let text = String::from_utf8(text).unwrap();
    let moves = |line: &str| line.split(',').next().map_or(0, str::len);
    let deepest: Vec<&str> =
        text.lines().filter(|line| moves(line) == 6 || line.starts_with("position")).collect();
    assert!(deepest.len() < text.lines().count());
    let text = deepest.join("\r\n");
    let file = open(&text).unwrap();
    assert!(!file.has_ply(5) && file.has_ply(6));
    assert_same_values(&imported(&file, None, Encoding::Flat).unwrap(), &book);
    let five = imported(&file, Some(5), Encoding::Flat).unwrap();
    assert_same_values(&five, &FOUR_BY_FOUR.book(5, ValueKind::Scores));
}

#[test]
fn positions_that_are_missing_are_counted_and_named() {
    let book = FOUR_BY_FOUR.book(4, ValueKind::Scores);
    let (text, _) = exported(&book, &ExportOptions::new(Format::Csv));
    let text = String::from_utf8(text).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("112")).collect();
    let removed = text.lines().count() - kept.len();
    let text = kept.join("\n");
    let file = open(&text).unwrap();
    let error = imported(&file, None, Encoding::Flat).unwrap_err();
    let ToolError::Values { ply: 4, wrong: missing, ref first, .. } = error else {
        panic!("{error}")
    };
    assert!(missing > 0 && missing < removed as u64, "{missing} of {removed}, of two plies");
    assert_eq!(first.len() as u64, missing.min(10));
    let moves = first[0].strip_suffix(": expected a value, found none").unwrap();
    assert!(error.to_string().contains(&first[0]) && moves.len() == 4, "moves: {error}");
    let (comparison, differences) = compared(&book, &file);
    assert_eq!((comparison.missing, differences.len()), (removed as u64, 0));
    assert!(comparison.agree(), "a table need not have all positions");
}

#[test]
fn wrong_rows_are_named_with_their_lines() {
    let text = "position,score\n\
        12,0\n\
        15,0\n\
        12\n\
        12,zero\n\
        21,7\n\
        21,1\n\
        1111,99\n\
        1212121,-3\n\
        43,-1\n\
        \"....\n....\nX...\nO...\",0\n";
    let error = open(text).unwrap_err();
    let message = error.to_string();
    let ToolError::Rows { wrong: 8, first } = error else { panic!("{message}") };
    let lines: Vec<u64> = first.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 4, 5, 6, 8, 9, 10, 11], "{message}");
    let problem = |index: usize| first[index].1.as_str();
    assert_eq!(problem(1), "expected 2 fields, found 1");
    assert!(problem(2).ends_with(", found 'zero'"), "{message}");
    assert_eq!(problem(3), "expected a value from -5 to 5, found '7'");
    assert_eq!(problem(5), "expected the value -5, as the rules have it, found -3");
    // A floating stone of O below X: the second player cannot have moved first.
    assert!(problem(7).starts_with("expected a position that a game can reach"), "{message}");
    // The mirror image of line 2.
    assert_eq!(problem(6), "expected 0 as in line 2 for the same position, found -1");
    assert!(message.contains("line 3: move 2 ('5') is not a column"), "{message}");
}

#[test]
fn a_quote_hides_no_rows() {
    let head = "position,score,note\n12,0,\n";
    for rows in ["15,0,\"see below\n43,-1,\n", "15,0,\"\n21,7,\n\"\n43,-1,\n"] {
        let error = open(&format!("{head}{rows}")).unwrap_err().to_string();
        assert!(error.contains("line 3: expected a row on one line"), "{error}");
    }
}

#[test]
fn a_position_may_come_twice_and_be_one_that_the_rules_score() {
    let text = "position,outcome\n\n12, 0\n43,0\n\"12\" ,0\n1212121,-1\n";
    let file = open(text).unwrap();
    assert_eq!((file.entries, file.depth(), file.kind), (1, 2, ValueKind::WinDrawLoss));
}

#[test]
fn a_contradiction_between_plies_is_found() {
    let book = FOUR_BY_FOUR.book(4, ValueKind::Scores);
    let (text, _) = exported(&book, &ExportOptions::new(Format::Csv));
    let text = String::from_utf8(text).unwrap().replace("....,0,4x4\n", "....,1,4x4\n");
    let file = open(&text).unwrap();
    let error = imported(&file, None, Encoding::Flat).unwrap_err();
    let ToolError::Values { ply: 0, wrong: 1, ref first, .. } = error else { panic!("{error}") };
    assert_eq!(first[..], ["..../..../..../....: expected 0 by ply 4, found 1"]);
    let (comparison, differences) = compared(&book, &file);
    assert!(!comparison.agree());
    assert_eq!((differences[0].ours, differences[0].theirs), (Some(0), Some(1)));
}

#[test]
fn other_text_is_refused_with_what_was_expected() {
    for text in ["", "12,0\n", "position\n", "place;score\n", "\u{feff}x,y\n"] {
        let error = open(text).unwrap_err();
        assert!(matches!(error, ToolError::Book(BookError::Format { .. })), "{text:?}: {error}");
        assert!(error.to_string().contains("'position,score'"), "{error}");
    }
    let error = open("position,score\n").unwrap_err();
    assert!(error.to_string().starts_with("expected positions that"), "{error}");
}

#[test]
fn a_missing_position_is_not_the_empty_board() {
    for row in [",0", "\"\",0", " ,0", "---,0"] {
        let error = open(&format!("position,score\n{row}\n12,0\n")).err();
        assert!(error.is_some_and(|error| error.to_string().contains("line 2: ")), "{row}");
    }
    let text = "position,score\n..../..../..../....,0\n";
    assert_eq!(open(text).unwrap().depth(), 0);
    let error = open("position,score\n,0\n").unwrap_err().to_string();
    let part = "found an empty field; the empty board is ..../..../..../....";
    assert!(error.contains(part), "{error}");
}

#[test]
fn tables_are_read_as_other_programs_write_them() {
    let book = FOUR_BY_FOUR.book(6, ValueKind::Scores);
    let (text, _) = exported(&book, &ExportOptions::new(Format::Csv));
    let text = String::from_utf8(text).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].to_owned(), fields[1].to_owned())
    };
    let written = |head: &str, end: &str, write: &dyn Fn(usize, (String, String)) -> String| {
        let lines = rows.iter().enumerate().map(|(number, line)| write(number, row(line)));
        [head.to_owned()].into_iter().chain(lines).collect::<Vec<_>>().join(end)
    };
    let table =
        |head: &str, write: &dyn Fn(usize, (String, String)) -> String| written(head, "\n", write);
    for text in [
        // pandas: an index, and scores of a column that could lack some.
        table(",position,score", &|number, (moves, score)| format!("{number},{moves},{score}.0")),
        // A spreadsheet.
        written("\u{feff}\"Score\";\"Position\"", "\r\n", &|_, (moves, score)| {
            format!("\"{score}\";\"{moves}\"")
        }),
        // numpy.savetxt
        table("position score", &|_, (moves, score)| format!("{moves} {score}.000000000e+00")),
        // Without the names of columns.
        rows.join("\n"),
        rows.join("\r\n") + "\r\n",
        table("", &|_, (moves, score)| format!("{score}.0\t{moves}")).replacen('\n', "", 1),
        table("", &|_, (moves, score)| format!("{score}, {moves}, 4x4")).replacen('\n', "", 1),
    ] {
        assert_eq!(Format::recognise(text.as_bytes()).unwrap(), Format::Csv, "{}", &text[..60]);
        let file = open(&text).unwrap_or_else(|error| panic!("{error}: {}", &text[..60]));
        assert_same_values(&imported(&file, None, Encoding::Flat).unwrap(), &book);
    }
}

#[test]
fn a_table_that_can_be_read_in_two_ways_is_an_error() {
    for (text, what) in [
        // Scores or outcomes.
        ("12,0\n13,1\n", ", which can be read in several ways; add such a line"),
        // Which column has the positions, and which of the scores is meant.
        ("1,2\n2,1\n", ", which can be read in several ways; add such a line"),
        ("position,score X,score O\n12,3,-3\n", "found 'position,score X,score O'; add"),
        // Numbers of rows could be scores.
        ("0,12,3\n1,13,2\n", "found '0,12,3'; add such a line"),
    ] {
        let error = open(text).unwrap_err().to_string();
        assert!(error.starts_with("expected the first line to name the columns"), "{error}");
        assert!(error.contains(what), "{error}");
    }
    for value in ["0.5", "nan", "inf", "1e2", "", "0,0", "0x1", "1_0"] {
        let error = open(&format!("position;score\n12;{value}\n")).unwrap_err().to_string();
        assert!(error.contains("line 2: expected a value from"), "{error}");
    }
}
