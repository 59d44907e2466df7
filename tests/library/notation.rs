//! Every notation reads what it prints, and no text makes a reader panic.

use crate::common::{any_position, finished_position};
use fourbook::board::notation::{Notation, diagram};
use fourbook::board::{Player, column_name, find_game, is_reachable};
use fourbook::{Position, Size, with_causes};
use proptest::prelude::*;

/// Every notation of the position leads back to it, with and without its name.
fn check_round_trips(position: Position) {
    let size = position.size();
    for notation in Notation::ALL {
        let text = notation.print(position).unwrap();
        assert!(!text.contains('\n'), "{notation} takes one line: {text}");
        assert_eq!(Notation::recognise(&text), Some(notation), "{text}");
        assert_eq!(notation.parse(size, &text), Ok(position), "{text}");
        assert_eq!(Position::parse(size, &text), Ok(position), "{text}");
        // Blanks alone are no position.
        let expected = if text.is_empty() { None } else { Some(position) };
        let found = Position::parse(size, &format!("\u{feff}  {text}\r\n"));
        assert_eq!(found.ok(), expected, "{text}");
    }
    let drawn = diagram::draw(position);
    assert_eq!(Position::parse(size, &drawn), Ok(position), "{drawn}");
    assert!(is_reachable(position), "{drawn}");
}

/// Draws the board as another program may.
fn drawn_elsewhere(position: Position, style: usize) -> String {
    let size = position.size();
    let styles = DRAWINGS.len();
    let (marks, between, end) = DRAWINGS[style % styles];
    let has_labels = style / styles % 2 == 1;
    let rule = if style / styles % 4 > 1 { "=".repeat(3 * size.width()) } else { String::new() };
    let columns = (0..size.width()).map(|column| match style / styles % 8 {
        ..4 => column_name(column).to_string(),
        _ => (column + 1).to_string(),
    });
    let columns: Vec<String> = columns.collect();
    let mut lines = if has_labels { vec![columns.join(" ")] } else { Vec::new() };
    lines.push(rule.clone());
    for row in (0..size.height()).rev() {
        let cell = 1_u128 << row;
        let mark = |column: usize| {
            let cell = cell << (column * (size.height() + 1));
            let mut players = Player::BOTH.into_iter().zip(marks);
            let stone = players.find(|(player, _)| position.stones(*player) & cell != 0);
            stone.map_or(marks[2], |(_, mark)| mark)
        };
        let cells: Vec<&str> = (0..size.width()).map(mark).collect();
        let label = if has_labels { format!("{} ", row + 1) } else { String::new() };
        lines.push(format!("{label}{end}{}{end}", cells.join(between)));
    }
    lines.extend([rule, columns.join("  ")]);
    lines.join(if style % 2 == 1 { "\r\n" } else { "\n" })
}

/// The marks of both players and of an empty cell, and the separators and ends of rows.
const DRAWINGS: [([&str; 3], &str, &str); 12] = [
    (["X", "O", "."], "", ""),
    (["X", "O", "."], " ", ""),
    (["x", "o", "-"], "  ", ""),
    (["x", "o", "_"], " ", "|"),
    (["X", "O", " "], " | ", "|"),
    (["1", "2", "0"], " ", ""),
    (["1", "-1", "0"], ", ", "| "),
    (["Ｘ", "Ｏ", "．"], "", "║"),
    (["'X'", "'O'", "''"], ", ", ""),
    (["\"X\"", "\"O\"", "null"], ", ", ""),
    (["❌", "⭕", "⬜"], "", ""),
    ([":x:", ":o:", ":white_circle:"], "", ""),
];

/// Writes the moves of a game as another program may. Letters are for up to nine columns.
fn moves_elsewhere(position: Position, style: usize) -> Option<String> {
    let size = position.size();
    let game = find_game(position)?;
    let style = style % if size.width() > 9 { 3 } else { 6 };
    let mut heights = vec![0; size.width()];
    let mut field = |column: usize| {
        heights[column] += 1;
        format!("{}{}", char::from(b'a' + column as u8), heights[column])
    };
    let moves = game.iter().enumerate().map(|(number, &column)| match style {
        0 => format!("{},", column + 1),
        1 => format!("{}{column}", ["x", "o"][number % 2]),
        2 => format!("'{}',", column + 1),
        3 => format!("{}: {}", ["Red", "Yellow"][number % 2], field(column)),
        4 if number % 2 == 0 => format!("{}. {}", number / 2 + 1, field(column)),
        _ => field(column),
    });
    let text = moves.collect::<Vec<_>>().join(" ");
    Some(if style == 2 { format!("[{text}]") } else { text })
}

fn any_size() -> impl Strategy<Value = Size> {
    prop::sample::select(Size::all().collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn round_trips_on_7x6(
        open in any_position(Size::STANDARD),
        finished in finished_position(Size::STANDARD),
    ) {
        check_round_trips(open);
        prop_assert!(finished.is_over());
        check_round_trips(finished);
    }

    #[test]
    fn round_trips_on_every_board(
        (open, finished) in any_size()
            .prop_flat_map(|size| (any_position(size), finished_position(size))),
    ) {
        check_round_trips(open);
        prop_assert!(finished.is_over());
        check_round_trips(finished);
    }

    /// What other programs write is read as the position that they mean, or not at all.
    #[test]
    fn what_other_programs_write_is_read(
        position in any_size().prop_flat_map(any_position), style in 0_usize..96,
    ) {
        let text = drawn_elsewhere(position, style);
        prop_assert_eq!(Position::parse(position.size(), &text), Ok(position), "{}", text);
        prop_assume!(position.ply() > 0);
        let text = moves_elsewhere(position, style).unwrap();
        prop_assert_eq!(Position::parse(position.size(), &text), Ok(position), "{}", text);
    }
}

/// A text of parts of notations, so that more mistakes pass the first check.
fn nearly_a_position() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("rows:".to_owned()),
        Just("key:".to_owned()),
        Just("0x".to_owned()),
        "[0-9]{1,41}",
        "[0-9a-g]{1,9}",
        r"[\[\], :/\nXOxo.*é-]",
        r"[()'|+=_;0-9a-gRY]",
        Just("1 2 3 4 5 6 7".to_owned()),
        Just(":red_circle: ".to_owned()),
        "[XO.]{7}/",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn read_all_ways(text: &str) {
    for size in ["4x4", "7x6", "8x7", "10x10", "4x31", "16x7"] {
        let size = size.parse().unwrap();
        for notation in Notation::ALL {
            if let Ok(position) = notation.parse(size, text) {
                // An accepted text is a position: it can be printed and read again.
                for other in Notation::ALL {
                    match other.print(position) {
                        Ok(printed) => assert_eq!(other.parse(size, &printed), Ok(position)),
                        Err(_) => assert_eq!(find_game(position), None),
                    }
                }
            }
        }
        // Two readings of a text never differ.
        let found = Position::parse(size, text);
        let [moves, board] = [Notation::Moves, Notation::Diagram].map(|it| it.parse(size, text));
        if let (Ok(moves), Ok(board)) = (&moves, &board) {
            assert_eq!(moves, board, "{text:?}");
        }
        if let Err(error) = found {
            let error = with_causes(&error);
            assert!(!error.contains('\n'), "{error}");
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_text_is_read_without_panic(text in any::<String>()) {
        read_all_ways(&text);
    }

    #[test]
    fn nearly_right_text_is_read_without_panic(text in nearly_a_position()) {
        read_all_ways(&text);
    }

    #[test]
    fn arbitrary_keys_and_bitboards_are_read_without_panic(
        first in any::<u128>(), second in any::<u128>(), counter in 0_u8..60,
    ) {
        for text in [
            format!("key:{first}"),
            format!("key:{}", first >> 79),
            format!("[{}, {}, {counter}]", first >> 79, second >> 79),
            format!("[{first}, {second}, {counter}]"),
            format!("[{}, {}, {counter}]", first & !second, second & !first),
            format!("rows:{first:#x}:{second:#x}"),
        ] {
            read_all_ways(&text);
        }
    }

    #[test]
    fn stones_of_one_player_in_small_letters_are_refused(
        position in any_position(Size::STANDARD),
    ) {
        let text = diagram::print(position);
        prop_assume!(position.ply() > 0);
        prop_assert_eq!(Position::parse(Size::STANDARD, &text.to_lowercase()), Ok(position));
        prop_assume!(position.ply() > 1);
        for letter in ["X", "O"].into_iter().filter(|&letter| text.contains(letter)) {
            let one_side = text.replace(letter, &letter.to_lowercase());
            prop_assert!(Position::parse(Size::STANDARD, &one_side).is_err(), "{}", one_side);
        }
    }
}

#[test]
fn a_position_no_game_reaches_is_read_but_has_no_moves() {
    let text = "......./......./......./......./XX...../OO.....";
    let position: Position = text.parse().unwrap();
    assert!(!is_reachable(position));
    assert_eq!(Notation::Moves.print(position).unwrap_err().to_string(), "not reachable by play");
    assert_eq!(Notation::Diagram.print(position).as_deref(), Ok(text));
}

#[test]
fn a_position_after_the_end_of_the_game_is_refused() {
    for text in ["12121212", "......./......./XO...../XO...../XO...../XO.....", "[15, 1920, 8]"] {
        assert!(Position::parse(Size::STANDARD, text).is_err(), "{text}");
    }
}

/// The lines of the file of cases: board, moves or `!` and a part of the error, text.
pub(crate) fn cases() -> impl Iterator<Item = (Size, Result<String, String>, String)> {
    let lines = include_str!("../data/notations.tsv").lines();
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let [size, expected, text] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else {
            panic!("expected three fields: {line}");
        };
        let text = text.replace(r"\n", "\n").replace(r"\t", "\t");
        let expected = match expected.strip_prefix('!') {
            Some(error) => Err(error.to_owned()),
            None => Ok(expected.trim_matches('-').to_owned()),
        };
        (size.parse().unwrap(), expected, text)
    })
}

#[test]
fn texts_of_every_kind_are_read_as_the_file_of_cases_says() {
    let mut wrong = String::new();
    for (size, expected, text) in cases() {
        let found = Position::parse(size, &text);
        let is_right = match (&expected, &found) {
            (Ok(moves), Ok(found)) => Notation::Moves.parse(size, moves).as_ref() == Ok(found),
            (Err(part), Err(error)) => with_causes(error).contains(part),
            _ => false,
        };
        if !is_right {
            wrong += &format!("{size} {text:?}: expected {expected:?}, found {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
