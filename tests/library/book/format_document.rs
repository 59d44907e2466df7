//! The examples of `docs/src/format.md` are true.

use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, contents};
use fourbook::book::{Encoding, PlyScores};
use fourbook::{Book, Position, Size, ValueKind};

const DOCUMENT: &str = include_str!("../../../docs/src/format.md");

/// The way `hexdump -C` shows bytes.
fn dump(bytes: &[u8]) -> String {
    let mut lines = Vec::new();
    let mut last: Option<&[u8]> = None;
    for (index, row) in bytes.chunks(16).enumerate() {
        if last == Some(row) {
            if lines.last().is_none_or(|line| line != "*") {
                lines.push("*".to_owned());
            }
            continue;
        }
        last = Some(row);
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String = row
            .iter()
            .map(|&byte| if byte.is_ascii_graphic() || byte == b' ' { byte.into() } else { '.' })
            .collect();
        let (left, right) = hex.split_at(8);
        lines.push(format!(
            "{:08x}  {}  {}  |{text}|",
            16 * index,
            left.join(" "),
            right.join(" ")
        ));
    }
    lines.push(format!("{:08x}", bytes.len()));
    lines.join("\n")
}

#[test]
fn the_example_book_is_the_one_shown() {
    let dump = dump(&FIVE_BY_FOUR.book(2, ValueKind::Scores));
    assert!(DOCUMENT.contains(&dump), "the document should show\n{dump}");
}

#[test]
fn the_example_book_with_a_ply_between_is_the_one_shown() {
    let plies = [0, 1, 2].map(|ply| PlyScores::new(ply, FIVE_BY_FOUR.scores(ply)));
    let book = contents(FIVE_BY_FOUR.size, ValueKind::Scores, &plies).to_bytes().unwrap();
    let dump = dump(&book);
    assert!(DOCUMENT.contains(&dump), "the document should show\n{dump}");
    // Another program computed the example, from that page alone.
    assert!(book == include_bytes!("../../fuzz/seeds/book/5x4-d2-every-ply.book"));
}

#[test]
fn the_example_section_is_the_one_shown() {
    let bytes = FOUR_BY_FOUR.encoded(6, ValueKind::Scores, Encoding::Compact);
    let book = Book::from_bytes(bytes).unwrap();
    let section = book.sections().last().unwrap();
    assert_eq!((section.encoding, section.bias), (Encoding::Compact, 2));
    let dump = dump(&book.to_bytes().unwrap()[section.offset as usize..][..section.bytes as usize]);
    assert!(DOCUMENT.contains(&dump), "the document should show\n{dump}");
}

#[test]
fn the_example_values_are_those_of_the_book() {
    let (_, table) = DOCUMENT.split_once("| Moves on 7x6 | Value | With").expect("a table");
    let rows: Vec<_> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 11);
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(|s| s.trim_matches([' ', '`'])).collect();
        let position = Position::from_moves(&cells[1].replace("(none)", "")).unwrap();
        let score = Book::embedded().look_up(position).unwrap().score().unwrap();
        assert_eq!(score.to_string(), cells[2], "{row}");
    }
}

#[test]
fn the_sizes_are_those_that_there_are() {
    let row = |name: &str| -> Vec<usize> {
        let row = DOCUMENT.lines().find(|line| line.starts_with(name)).expect("a row");
        row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()
    };
    let highest = row("| Columns |").into_iter().zip(row("| Rows: 4 to |"));
    let sizes: Vec<(usize, usize)> =
        highest.flat_map(|(w, most)| (4..=most).map(move |h| (w, h))).collect();
    let expected = Size::all().map(|size| (size.width(), size.height()));
    assert_eq!(sizes, expected.collect::<Vec<_>>());
    assert!(DOCUMENT.contains(&format!("there are {} sizes", sizes.len())));
}

/// Worked out by hand (and by another program) from the description. The library's own
/// numbering is compared with them beside it.
#[test]
fn the_example_slots_are_those_shown() {
    let slot = |moves: &str| {
        let position = Position::from_moves(moves).unwrap();
        Numbering::new(Size::STANDARD, position.ply()).slot(position)
    };
    assert_eq!(slot("445366"), 2442);
    assert!(DOCUMENT.contains("122 * 20 + 2 = 2442"));
    let (_, table) = DOCUMENT.split_once("| Moves | Slot |\n|---|---|\n").expect("a table");
    let rows: Vec<_> = table.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let [_, moves, shown, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("expected two cells: {row}");
        };
        let moves = moves.trim().trim_matches('`').replace("(none)", "");
        assert_eq!(slot(&moves).to_string(), shown.trim(), "{row}");
    }
}
