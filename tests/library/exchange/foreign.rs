//! Books of programs that only read them: made here in their structure from a book of ours.

use super::tools::{compared, exported, imported, opened};
use fourbook::board::{Player, Position};
use fourbook::book::Encoding;
use fourbook::text::{count, grouped};
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format};

const BOOK: &[u8] = include_bytes!("../../../books/7x6-d8.book");

/// The positions of the book of 7x6 to ply 8, one of each two mirror images, and their scores.
fn rows() -> Vec<(Position, i8)> {
    let (text, _) = exported(BOOK, &ExportOptions::new(Format::Csv));
    let text = String::from_utf8(text).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].parse().unwrap(), fields[1].parse().unwrap())
    };
    text.lines().skip(1).map(row).collect()
}

/// Opens a file by its content, and compares all its values with the book.
fn check(bytes: &[u8], format: Format, expected: u64) {
    assert_eq!(Format::recognise(bytes).unwrap(), format);
    let file = ForeignBook::open(bytes, format, None).unwrap();
    assert_eq!(file.entries, expected);
    let (comparison, differences) = compared(BOOK, &file);
    assert!(differences.is_empty(), "{differences:?}");
    assert_eq!((comparison.compared, comparison.different), (expected, 0));
}

#[test]
fn the_data_set_of_uci_is_read_from_cells_and_outcomes() {
    let line = |position: Position, score: i8| {
        let size = position.size();
        let cells: String = (0..size.width())
            .flat_map(|column| {
                (0..size.height()).map(move |row| (size.height() + 1) * column + row)
            })
            .map(|bit| {
                let has = |player| position.stones(player) >> bit & 1 != 0;
                if has(Player::X) {
                    "x,"
                } else if has(Player::O) {
                    "o,"
                } else {
                    "b,"
                }
            })
            .collect();
        let class = ["loss", "draw", "win"][(score.signum() + 1) as usize];
        format!("{cells}{class}\n")
    };
    let deepest: Vec<(Position, i8)> = rows().into_iter().filter(|(it, _)| it.ply() == 8).collect();
    let text: String = deepest.iter().map(|&(position, score)| line(position, score)).collect();
    check(text.as_bytes(), Format::Uci, deepest.len() as u64);
    let partial = &text[..text[..text.len() / 2].rfind('\n').unwrap()];
    let file = ForeignBook::open(partial.as_bytes(), Format::Uci, None).unwrap();
    let error = imported(&file, None, Encoding::Flat).unwrap_err().to_string();
    assert!(error.contains("expected a value, found none"), "{error}");
    let absent = deepest.len() - partial.lines().count();
    let part = format!("found {} of {} without", grouped(absent), count(deepest.len(), "position"));
    assert!(error.contains(&part), "{error}");
    let cut = format!("{}\nb,b\n", text.lines().next().unwrap());
    let error = ForeignBook::open(cut.as_bytes(), Format::Uci, None).unwrap_err().to_string();
    assert!(error.contains("line 2: expected 42 cells and the outcome, found 'b,b'"), "{error}");
    assert!(ForeignBook::open(b"b,b\n", Format::Uci, None).is_err());
    // As other programs hand it on.
    let few = 1000;
    let text: String = text.split_inclusive('\n').take(few).collect();
    let quoted = text.replace(',', "\",\"").replace('\n', "\"\n\"");
    let named = (0..42).map(|cell| format!("pos_{cell:02},")).collect::<String>();
    let numbered = text.lines().enumerate().map(|(row, line)| format!("{row},{line}\r\n"));
    let attributes = "@attribute a1 {b,o,x}\n".repeat(42);
    for text in [
        format!("\"{}", &quoted[..quoted.len() - 1]),
        format!("\u{feff}{named}winner\n{text}"),
        format!(",{named}winner\n{}", numbered.collect::<String>()),
        format!(
            "% connect-4\n\n@RELATION connect-4\n{attributes}@DATA\n{}",
            text.replace(',', ", ")
        ),
    ] {
        check(text.as_bytes(), Format::Uci, few as u64);
    }
}

#[test]
fn the_table_of_c4_names_its_board_and_has_keys() {
    let deepest = rows().into_iter().filter(|(it, _)| (4..=6).contains(&it.ply()));
    let row =
        |(position, score): (Position, i8)| format!("{},3,{score}\n", position.canonical_key());
    let head =
        "hash,move,score - This file contains all positions with 4 to 6 moves on a 7x6 board.\n";
    let text: String = [head.to_owned()].into_iter().chain(deepest.map(row)).collect();
    check(text.as_bytes(), Format::Csv, text.lines().count() as u64 - 1);
    let file = ForeignBook::open(text.as_bytes(), Format::Csv, None).unwrap();
    assert_eq!(opened(&imported(&file, None, Encoding::Flat).unwrap()).depth(), 6);
    let other = text.replace("7x6", "8x7");
    let error = ForeignBook::open(other.as_bytes(), Format::Csv, None).unwrap_err().to_string();
    assert!(error.contains("expected positions of 8x7 boards"), "{error}");
    let wrong = ForeignBook::open(b"key,score\n1,3\n", Format::Csv, None).unwrap_err().to_string();
    assert!(wrong.contains("line 2: no position of a 7x6 board has the key 1"), "{wrong}");
}

#[test]
fn a_table_has_its_columns_in_any_order_with_commas_semicolons_or_tabs() {
    for text in [
        "score,nodes,position\n-2,17,4453\n",
        "Score;Position\n-2;4453\n",
        "moves\tsize\tscore\n4453\t7x6\t-2\n",
        "position;score\n4,4,5,3;-2\n",
    ] {
        assert_eq!(Format::recognise(text.as_bytes()).unwrap(), Format::Csv, "{text}");
        let file = ForeignBook::open(text.as_bytes(), Format::Csv, None).unwrap();
        let (comparison, differences) = compared(BOOK, &file);
        assert!(differences.is_empty() && comparison.compared == 1, "{text}: {comparison:?}");
    }
}

#[test]
fn a_file_of_another_kind_is_named_with_what_to_do() {
    for (bytes, found) in [
        (&b"\x1f\x9d\x90position,score"[..], "a file packed by gzip; unpack it first: gunzip"),
        (b"404: Not Found\n", "the answer 404 of a server; check the address"),
        (
            b"{\"position\": \"44\", \"score\": -1}\n",
            "JSON; write its scores as comma-separated values",
        ),
        (b"\xff\xfep\0o\0", "text in UTF-16; save it as UTF-8"),
        (BOOK, "a book of fourbook; open it as a book"),
    ] {
        let recognised = Format::recognise(bytes).unwrap_err();
        for error in [recognised, ForeignBook::open(bytes, Format::Csv, None).unwrap_err()] {
            let expected = format!("expected a book of another program, found {found}");
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }
    for (bytes, found) in
        [(&b"hello\n"[..], "text that begins with 'hello'"), (b"", "an empty file")]
    {
        let error = Format::recognise(bytes).unwrap_err().to_string();
        assert!(error.starts_with("expected a book of another program, found"), "{error}");
        assert!(error.contains(&format!("found {found}; check")), "{error}");
    }
}
