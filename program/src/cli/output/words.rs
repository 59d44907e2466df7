//! Scores and times in words.

use fourbook::board::column_name;
use fourbook::text::{count, grouped, listed};
use fourbook::{Outcome, Player, Position, Score, Strategy, ValueKind};
use std::time::Duration;

/// Describes a position by its score and its best moves, columns from 0; none if they are unknown.
pub(crate) fn describe(position: Position, score: Score, best: &[usize]) -> String {
    if let Some(winner) = position.winner() {
        return format!("{winner} has won with the {} stone", ordinal(position.ply()));
    }
    if position.is_full() {
        return "a draw, the board is full".to_owned();
    }
    let left = position.plies_to_end(score);
    let mover = position.to_move();
    let stones = count(left, "stone");
    let wins = |winner| {
        let win = win(winner, position.ply() + left);
        match left {
            1 => format!("{win}, the next one"),
            _ => format!("{win}, {stones} from now"),
        }
    };
    let (end, how) = match Outcome::of(score) {
        Outcome::Win => (wins(mover), "plays"),
        Outcome::Loss => (wins(mover.other()), "holds out longest in"),
        Outcome::Draw => {
            let end = format!("a draw with perfect play, the board full {stones} from now");
            (end, "keeps it in")
        }
    };
    let playable = position.children().flatten().count();
    match *best {
        [] => format!("{end}; the best column was not found within the limits"),
        [only] if playable == 1 => format!("{end}; {mover} has only column {}", column_name(only)),
        _ if best.len() == playable => format!("{end}; every column is as good for {mover}"),
        _ => {
            let columns = listed(best.iter().map(|&column| column_name(column)), "or");
            format!("{end}; {mover} {how} column {columns}")
        }
    }
}

fn win(winner: Player, stones: u32) -> String {
    format!("{winner} wins with the {} stone", ordinal(stones))
}

/// Describes a value of the empty board for a strategy's player, of the strategy's kind.
pub(crate) fn worth(strategy: &Strategy, value: Score) -> String {
    let player = strategy.player();
    let winner = match Outcome::of(value) {
        Outcome::Draw => return "a draw".to_owned(),
        Outcome::Win => player,
        Outcome::Loss => player.other(),
    };
    if strategy.kind() == ValueKind::WinDrawLoss {
        return format!("{winner} wins");
    }
    let score = if winner == Player::X { value.abs() } else { -value.abs() };
    win(winner, Position::empty(strategy.size()).plies_to_end(score))
}

/// A time in the units that suit it: `0.05 s`, `13 s`, `2 min 5 s`, `1 h 3 min` or `2 d 3 h`.
pub(crate) fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    let days = seconds / 86_400;
    let hours = seconds / 3600 % 24;
    let minutes = seconds / 60 % 60;
    match seconds {
        0..10 => {
            let two_digits: f64 = format!("{:.1e}", time.as_secs_f64()).parse().unwrap_or(0.0);
            format!("{two_digits} s")
        }
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {} s", seconds % 60),
        3600..86_400 => format!("{hours} h {minutes} min"),
        _ => format!("{} d {hours} h", grouped(days)),
    }
}

/// `1st`, `2nd`, `3rd`, `4th` and so on.
fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(size: &str, text: &str) -> Position {
        Position::parse(size.parse().unwrap(), text).unwrap()
    }

    fn standard(moves: &str) -> Position {
        position("7x6", moves)
    }

    #[test]
    fn who_wins_is_said_with_the_stone_and_the_column() {
        let expected = "X wins with the 41st stone, 39 stones from now; X plays column 4";
        assert_eq!(describe(standard("44"), 1, &[3]), expected);
        let expected = "O wins with the 40th stone, 36 stones from now; \
                        X holds out longest in column 3, 6 or 7";
        assert_eq!(describe(standard("4453"), -2, &[2, 5, 6]), expected);
        let expected = "X wins with the 7th stone, the next one; X plays column 1";
        assert_eq!(describe(standard("121212"), 18, &[0]), expected);
    }

    #[test]
    fn a_draw_is_kept() {
        let expected = "a draw with perfect play, the board full 41 stones from now; \
                        O keeps it in column 3 or 4";
        assert_eq!(describe(standard("3"), 0, &[2, 3]), expected);
        let expected = "a draw with perfect play, the board full 16 stones from now; \
                        every column is as good for X";
        assert_eq!(describe(position("4x4", ""), 0, &[0, 1, 2, 3]), expected);
        let nearly_full = position("4x4", "XOX./OXO./XOX./OXO.");
        let expected = "a draw with perfect play, the board full 4 stones from now; \
                        X has only column 4";
        assert_eq!(describe(nearly_full, 0, &[3]), expected);
    }

    #[test]
    fn a_game_that_is_over_is_said_to_be() {
        assert_eq!(describe(standard("1212121"), -18, &[]), "X has won with the 7th stone");
        assert_eq!(describe(standard("41212121"), -17, &[]), "O has won with the 8th stone");
        let full = position("4x4", "XOXO/XOXO/OXOX/XOXO");
        assert_eq!(describe(full, 0, &[]), "a draw, the board is full");
    }

    #[test]
    fn what_is_not_known_of_moves_is_not_made_up() {
        let expected = "X wins with the 41st stone, 39 stones from now; \
                        the best column was not found within the limits";
        assert_eq!(describe(standard("44"), 1, &[]), expected);
    }

    #[test]
    fn times_have_the_units_that_suit_them() {
        for (milliseconds, text) in [
            (0, "0 s"),
            (4, "0.004 s"),
            (500, "0.5 s"),
            (1000, "1 s"),
            (9960, "10 s"),
            (59_999, "59 s"),
            (125_000, "2 min 5 s"),
            (3_780_000, "1 h 3 min"),
            (183_600_000, "2 d 3 h"),
        ] {
            assert_eq!(in_words(Duration::from_millis(milliseconds)), text);
        }
        assert_eq!(in_words(Duration::from_micros(1)), "0.000001 s");
        assert_eq!(in_words(Duration::MAX), "213,503,982,334,601 d 7 h");
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 22, 53].map(ordinal).join(" ");
        assert_eq!(numbers, "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 53rd");
    }
}
