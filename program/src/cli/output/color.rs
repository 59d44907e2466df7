//! Colours: when there are any, and which.

use anstream::AutoStream;
use anstream::adapter::strip_str;
use anstream::stream::RawStream;
use anstyle::{Ansi256Color, Style};
use clap::ColorChoice;
use fourbook::Player;
use std::fmt::Display;
use std::io;

/// The colour of a player's stones, by its number in the palette of 256 that terminals
/// have: as on the page, but dark enough to be read on white.
const fn colour(player: Player) -> u8 {
    match player {
        Player::X => 136, // yellow
        Player::O => 160, // red
    }
}

/// Whether a stream has colours. Without a choice, terminals that can show colours get them, unless
/// NO_COLOR or one of its like is set.
pub(crate) fn has_colors(choice: ColorChoice, stream: &impl RawStream) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// A painted text as standard output shows it.
pub(crate) fn for_stdout(painted: String, choice: ColorChoice) -> String {
    shown(painted, choice, &io::stdout())
}

/// A painted text as a stream shows it.
pub(crate) fn shown(painted: String, choice: ColorChoice, stream: &impl RawStream) -> String {
    if has_colors(choice, stream) { painted } else { strip_str(&painted).to_string() }
}

/// The text in this style.
pub(crate) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A player's mark that is not a stone.
pub(crate) fn mark_of(player: Player) -> Style {
    Style::new().fg_color(Some(Ansi256Color(colour(player)).into()))
}

/// A player's stone.
pub(crate) fn stone_of(player: Player) -> Style {
    mark_of(player).bold()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour of the palette's cube, from 0 (black) to 1 (white).
    fn luminance(colour: u8) -> f64 {
        let levels = [0_u8, 95, 135, 175, 215, 255];
        let number = usize::from(colour - 16);
        let linear = |level: usize| {
            let share = f64::from(levels[level]) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(number / 36) + 0.7152 * linear(number / 6 % 6) + 0.0722 * linear(number % 6)
    }

    /// The Web Content Accessibility Guidelines require a contrast of 3 for bold text.
    #[test]
    fn stones_can_be_read_on_black_and_on_white() {
        for player in Player::BOTH {
            let luminance = luminance(colour(player));
            let on_white = 1.05 / (luminance + 0.05);
            let on_black = (luminance + 0.05) / 0.05;
            assert!(on_white > 3.0 && on_black > 3.0, "{player}: {on_white} {on_black}");
        }
        assert_ne!(colour(Player::X), colour(Player::O));
    }

    #[test]
    fn text_is_left_as_it_is_without_colours() {
        let stone = stone_of(Player::X);
        let painted = paint(stone, 'X');
        assert_eq!(painted, "\x1b[1m\x1b[38;5;136mX\x1b[0m");
        assert_eq!(for_stdout(painted.clone(), ColorChoice::Always), painted);
        assert_eq!(for_stdout(painted, ColorChoice::Never), "X");
    }
}
