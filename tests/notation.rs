//! Every notation reads what it prints, and no text makes a reader panic.

mod common;

use common::{any_position, finished_position};
use fourbook::board::notation::{Notation, diagram, parse_position};
use fourbook::board::{Position, find_game, is_reachable};
use proptest::prelude::*;

/// Every notation of the position leads back to it, with and without its name.
fn check_round_trips<const W: usize, const H: usize>(position: Position<W, H>) {
    for notation in Notation::ALL {
        let text = notation.print(position).unwrap();
        assert!(!text.contains('\n'), "{notation} takes one line: {text}");
        assert_eq!(Notation::recognise(&text), Some(notation), "{text}");
        assert_eq!(notation.parse(&text), Ok(position), "{text}");
        assert_eq!(parse_position(&format!("  {text}\r\n")), Ok(position), "{text}");
    }
    let drawn = diagram::draw(position);
    assert_eq!(parse_position(&drawn), Ok(position), "{drawn}");
    assert!(is_reachable(position), "{drawn}");
}

macro_rules! round_trips {
    ($($name:ident: $w:literal x $h:literal),* $(,)?) => { proptest! { $(
        #[test]
        fn $name(
            open in any_position::<$w, $h>(),
            finished in finished_position::<$w, $h>(),
        ) {
            check_round_trips(open);
            prop_assert!(finished.is_over());
            check_round_trips(finished);
        }
    )* } };
}

round_trips! {
    round_trips_on_4x4: 4 x 4,
    round_trips_on_4x5: 4 x 5,
    round_trips_on_5x4: 5 x 4,
    round_trips_on_6x7: 6 x 7,
    round_trips_on_7x6: 7 x 6,
    round_trips_on_7x7: 7 x 7,
    round_trips_on_8x7: 8 x 7,
}

/// A text made of what notations are made of: more mistakes get past the first check.
fn nearly_a_position() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("rows:".to_owned()),
        Just("key:".to_owned()),
        Just("0x".to_owned()),
        "[0-9]{1,21}",
        r"[\[\], :/\nXOxo.*é-]",
        "[XO.]{7}/",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn read_all_ways(text: &str) {
    fn on<const W: usize, const H: usize>(text: &str) {
        for notation in Notation::ALL {
            if let Ok(position) = notation.parse::<W, H>(text) {
                // What was accepted is a position: it can be printed and read again.
                for other in Notation::ALL {
                    match other.print(position) {
                        Ok(printed) => assert_eq!(other.parse(&printed), Ok(position)),
                        Err(_) => assert_eq!(find_game(position), None),
                    }
                }
            }
        }
        if let Err(error) = parse_position::<W, H>(text) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
    on::<4, 4>(text);
    on::<7, 6>(text);
    on::<8, 7>(text);
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
        first in any::<u64>(), second in any::<u64>(), counter in 0_u8..60,
    ) {
        for text in [
            format!("key:{first}"),
            format!("key:{}", first >> 15),
            format!("[{first}, {second}, {counter}]"),
            format!("[{}, {}, {counter}]", first & !second, second & !first),
            format!("rows:{first:#x}:{second:#x}"),
        ] {
            read_all_ways(&text);
        }
    }

    #[test]
    fn stones_in_small_letters_are_never_read_as_something_else(
        position in any_position::<7, 6>(),
    ) {
        let text = diagram::print(position);
        prop_assume!(position.ply() > 0);
        prop_assert!(parse_position::<7, 6>(&text.to_lowercase()).is_err());
        for letter in ["X", "O"].into_iter().filter(|&letter| text.contains(letter)) {
            let one_side = text.replace(letter, &letter.to_lowercase());
            prop_assert!(parse_position::<7, 6>(&one_side).is_err(), "{}", one_side);
        }
    }
}

#[test]
fn a_position_no_game_reaches_is_read_but_has_no_moves() {
    let text = "......./......./......./......./XX...../OO.....";
    let position: Position<7, 6> = parse_position(text).unwrap();
    assert!(!is_reachable(position));
    assert_eq!(Notation::Moves.print(position).unwrap_err().to_string(), "not reachable by play");
    assert_eq!(Notation::Diagram.print(position).as_deref(), Ok(text));
}

#[test]
fn a_position_after_the_end_of_the_game_is_refused() {
    for text in ["12121212", "......./......./XO...../XO...../XO...../XO.....", "[15, 1920, 8]"] {
        assert!(parse_position::<7, 6>(text).is_err(), "{text}");
    }
}
