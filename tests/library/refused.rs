//! Bad input of several hundred kinds is refused, and each error names the place of the mistake.

use fourbook::tools::exchange::{ForeignBook, Format};
use fourbook::{Position, Size, with_causes};
use std::collections::BTreeSet;

/// Kinds of bad input: the text, and the part of the error that names the place.
type Kinds = Vec<(String, String)>;

/// Lists of moves with one bad move, in each way to write them down.
fn moves() -> Kinds {
    let mut kinds = Vec::new();
    let mut add = |moves: &[&str], between: &str, part: String| {
        for (before, after) in
            [("", ""), ("?moves=", "&size=7x6"), ("https://example.org/?pos=", "")]
        {
            kinds.push((format!("{before}{}{after}", moves.join(between)), part.clone()));
        }
    };
    for between in ["", ",", ";", "-", " "] {
        let words =
            |text: &'static str| text.split("").filter(|it| !it.is_empty()).collect::<Vec<_>>();
        for place in 0..4 {
            for (good, bad) in [("4453", "8"), ("4453", "0"), ("ddec", "h")] {
                let mut list = words(good);
                list[place] = bad;
                add(&list, between, format!("move {} ('{bad}') is not a column", place + 1));
            }
        }
        for (column, text) in (1..).zip(["1111111", "2222222", "3333333", "ddddddd"]) {
            let name = text.chars().next().unwrap();
            let part = format!("move 7 ('{name}') goes to a full column");
            add(&words(text), between, if column < 5 { part } else { String::new() });
        }
        add(&words("12121212"), between, "move 8 ('2') comes after the end of the game".to_owned());
    }
    for (place, text) in (1..).zip(["d2 d2 e1 c1", "d1 d3 e1 c1", "d1 d2 e4 c1", "d1 d2 e1 c6"]) {
        kinds.push((text.to_owned(), format!("move {place} ('")));
        kinds.push((text.replace(' ', ""), format!("move {place} ('")));
    }
    for (turn, text) in [(2, "2. 4 4"), (3, "1. 4 4 3. 5 3"), (4, "1. 4 4 2. 5 3 4. 4")] {
        let before = if turn == 2 { 0 } else { turn - 2 };
        kinds.push((text.to_owned(), format!("the turn {turn} after the turn {before}")));
    }
    for text in ["-", "---", " - ", "1.", "1)", "x"] {
        kinds.push((text.to_owned(), "has no move in it".to_owned()));
    }
    for score in ["-1", "-18", "-1000"] {
        kinds.push((format!("4453 {score}"), format!("has the score {score} in it")));
    }
    kinds
}

/// The rows of the board after 4453, the top one first.
const ROWS: [&str; 6] = [".......", ".......", ".......", ".......", "...O...", "..OXX.."];

/// Boards in each style with one mistake.
fn boards() -> Kinds {
    let mut kinds = Vec::new();
    // The marks of both players and of an empty cell; between cells; between rows.
    for (marks, cell, row) in [
        (['X', 'O', '.'], "", "/"),
        (['X', 'O', '.'], " ", "\n"),
        (['x', 'o', '_'], " ", "\n"),
        (['1', '2', '0'], " ", "\n"),
        (['1', '2', '0'], ",", "/"),
        (['R', 'Y', '.'], "", "/"),
        (['🔴', '🟡', '⚪'], "", "\n"),
        (['X', 'O', '-'], "|", "\n"),
    ] {
        let written = |cells: &[Vec<char>]| {
            let mark = |&it: &char| match it {
                'X' => marks[0],
                'O' => marks[1],
                '.' => marks[2],
                other => other,
            };
            let line = |cells: &Vec<char>| {
                let cells: Vec<String> = cells.iter().map(|it| mark(it).to_string()).collect();
                if cell == "|" { format!("|{}|", cells.join(cell)) } else { cells.join(cell) }
            };
            cells.iter().map(line).collect::<Vec<_>>().join(row)
        };
        let with = |change: &dyn Fn(&mut Vec<Vec<char>>)| {
            let mut cells: Vec<Vec<char>> = ROWS.map(|row| row.chars().collect()).to_vec();
            change(&mut cells);
            written(&cells)
        };
        for (row, column) in [(0, 0), (1, 6), (3, 3), (5, 2), (5, 6)] {
            let part = format!("row {} (from the bottom), column {}", 6 - row, column + 1);
            kinds.push((with(&|cells| cells[row][column] = '?'), part));
        }
        for (row, column) in [(0, 0), (3, 5), (3, 4)] {
            let part = format!("column {} (from 1), row {} (from the bottom", column + 1, 6 - row);
            kinds.push((with(&|cells| cells[row][column] = 'X'), part));
        }
        for row in [0, 2, 5] {
            let part = format!("row {} (from the bottom) of the diagram has 6 cells", 6 - row);
            kinds.push((with(&|cells| cells[row].truncate(6)), part));
        }
        let part = "expected a diagram of 6 rows, the top one first";
        kinds.push((with(&|cells| cells.truncate(5)), part.to_owned()));
        kinds.push((with(&|cells| cells.insert(0, cells[0].clone())), part.to_owned()));
    }
    for (place, cell) in [(0, 1), (6, 2), (20, 1), (33, 2)] {
        let mut list = [0; 42];
        list[place] = cell;
        let part = format!("column {} (from 1), row {}", place % 7 + 1, 6 - place / 7);
        kinds.push((format!("{list:?}"), part));
    }
    for length in [41, 43, 84] {
        let part = format!("expected a list of 42 cells, found one of {length}");
        kinds.push((format!("{:?}", vec![0; length]), part));
    }
    kinds
}

/// Numbers of each notation with one mistake.
fn numbers() -> Kinds {
    let mut kinds = Vec::new();
    let bottom: u128 = (0..7).map(|column| 1 << (7 * column)).sum();
    for column in 0..7 {
        let without_top = bottom - (1 << (7 * column)) + (1 << (7 * ((column + 1) % 7)));
        let part = format!("marks the top of column {}", column + 1);
        kinds.push((format!("key:{without_top}"), part.clone()));
        kinds.push((format!("key:{without_top:#x}"), part));
        let (cell, row) = (1_u64 << (7 * column), 1_u64 << column);
        let part = format!("both players have a stone in column {}, row 1", column + 1);
        kinds.push((format!("[{cell}, {cell}, 2]"), part.clone()));
        kinds.push((format!("rows:{row:#x}:{row:#x}"), part));
        let part = format!("column {} (from 1), row 2 (from the bottom", column + 1);
        kinds.push((format!("[{}, 0, 1]", cell << 1), part.clone()));
        kinds.push((format!("rows:{}:0", row << 8), part));
    }
    for (text, part) in [
        ("key:x", "'x' is not a number"),
        ("key:", "'' is not a number"),
        ("key:-1", "'-1' is not a number"),
        ("key:0x1g", "'0x1g' is not a number"),
        ("key:5", "has the key 5"),
        ("key:545275904", "if its bottom row is missing, write key:4433222074497"),
        ("4433222074497", "if it is a key, write key:4433222074497"),
        ("545275904", "if it is a key, write key:4433222074497"),
        ("key:340282366920938463463374607431768211456", "is not a number"),
        ("[x, 0, 0]", "'x' is not a number"),
        ("[0, y, 0]", "'y' is not a number"),
        ("[0, 0, z]", "'z' is not a number"),
        ("[0, 0]", "move 1 ('0') is not a column"),
        ("[0, 0, 0", "three numbers"),
        ("[1, 128, 3]", "the counter says 3 moves, but the board has 2 stones"),
        ("[64, 0, 1]", "outside the board"),
        ("rows:x:0", "'x' is not a number"),
        ("rows:0:y", "'y' is not a number"),
        ("rows:1", "rows:FIRST:SECOND"),
        ("rows:0x80:0", "outside the board"),
        ("?key=5", "has the key 5"),
        ("?size=3x3&moves=1", "the size of the link"),
        ("?size=8x7&moves=1", "a link to one of 8x7"),
        ("https://example.org/?game=1", "the link names no position"),
        ("hello", "'hello' looks like no notation"),
    ] {
        kinds.push((text.to_owned(), part.to_owned()));
    }
    kinds
}

/// Tables with one bad line.
fn tables() -> Kinds {
    let mut kinds = vec![
        ("position,score\n---,0".to_owned(), "line 2: '---' has no move in it".to_owned()),
        ("position,score\n44,+1".to_owned(), "line 2: expected a value".to_owned()),
    ];
    for (head, good) in [
        ("position,score", ["44,1", "4453,-2", "1,-1"]),
        ("score;nodes;moves", ["1;5;44", "-2;6;4453", "-1;7;1"]),
        ("size\tposition\toutcome", ["7x6\t44\t1", "7x6\t4453\t-1", "7x6\t1\t-1"]),
        ("hash,move,score", ["4432685187201,3,1", "4433222074497,2,-2", "4432676798594,3,-1"]),
    ] {
        let between = [',', ';', '\t'].into_iter().find(|&it| head.contains(it)).unwrap();
        let names: Vec<&str> = head.split(between).collect();
        for line in 0..3 {
            for (place, name) in names.iter().enumerate() {
                let mut rows: Vec<Vec<&str>> =
                    good.iter().map(|row| row.split(between).collect()).collect();
                if matches!(*name, "nodes" | "move") {
                    rows[line].truncate(names.len() - 1);
                } else {
                    rows[line][place] = "?";
                }
                let rows = rows.iter().map(|row| row.join(&between.to_string()));
                let text: Vec<String> = [head.to_owned()].into_iter().chain(rows).collect();
                let line = line + 2;
                kinds.push((text.join("\n"), format!("line {line}: ")));
            }
        }
    }
    kinds
}

#[test]
fn bad_input_of_300_kinds_is_refused_with_its_place() {
    let size = Size::STANDARD;
    let mut wrong = String::new();
    let texts = [moves(), boards(), numbers()].concat();
    let read = |text: &str| Position::parse(size, text).map(drop).map_err(|it| with_causes(&it));
    let texts = texts.into_iter().map(|(text, part)| (read(&text), text, part));
    let open = |text: &str| {
        let book = ForeignBook::open(text.as_bytes(), Format::Csv, None);
        book.map(drop).map_err(|it| with_causes(&it))
    };
    let tables = tables().into_iter().map(|(text, part)| (open(&text), text, part));
    let mut kinds = BTreeSet::new();
    for (found, text, part) in texts.chain(tables) {
        if !found.as_ref().is_err_and(|error| error.contains(&part)) {
            wrong += &format!("{text:?}: expected {part:?}, found {found:?}\n");
        }
        kinds.insert(text);
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(kinds.len() >= 300, "{} kinds", kinds.len());
}
