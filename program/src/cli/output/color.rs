//! Colours: when there are any, and which.

use anstream::AutoStream;
use anstream::stream::RawStream;
use anstyle::{Ansi256Color, Style};
use clap::ColorChoice;
use fourbook::Player;
use std::fmt::Display;
use std::io;

/// The colour of a player's stones, by its number in the palette of 256 that terminals
/// have. Each can be read on black and on white, and the two differ for people with a
/// red-green colour deficiency.
const fn colour(player: Player) -> u8 {
    match player {
        Player::X => 32,  // blue
        Player::O => 160, // red
    }
}

/// Puts texts into styles, or leaves them as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    is_on: bool,
}

impl Paint {
    /// The colours for standard output.
    pub(crate) fn stdout(choice: ColorChoice) -> Self {
        Self::for_stream(choice, &io::stdout())
    }

    /// The colours for the standard error stream.
    pub(crate) fn stderr(choice: ColorChoice) -> Self {
        Self::for_stream(choice, &io::stderr())
    }

    /// Without a choice, terminals that can show colours get them, unless NO_COLOR or one of
    /// its like is set.
    fn for_stream<S: RawStream>(choice: ColorChoice, stream: &S) -> Self {
        let is_on = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
        };
        Paint { is_on }
    }

    /// Whether there are colours.
    pub(crate) fn is_on(self) -> bool {
        self.is_on
    }

    /// The text in this style.
    pub(crate) fn paint(self, style: Style, text: impl Display) -> String {
        if self.is_on { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}

/// A player's mark that is not a stone.
pub(crate) fn mark_of(player: Player) -> Style {
    Style::new().fg_color(Some(Ansi256Color(colour(player)).into()))
}

/// A player's stone.
pub(crate) fn stone_of(player: Player) -> Style {
    mark_of(player).bold()
}

/// A stone of the line that has won.
pub(crate) fn winning_stone_of(player: Player) -> Style {
    stone_of(player).invert()
}

/// Emphasised text.
pub(crate) fn best() -> Style {
    Style::new().bold()
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
            assert!(on_white > 3.5 && on_black > 3.5, "{player}: {on_white} {on_black}");
        }
        assert_ne!(colour(Player::X), colour(Player::O));
    }

    #[test]
    fn text_is_left_as_it_is_without_colours() {
        let stone = stone_of(Player::X);
        assert_eq!(Paint { is_on: false }.paint(stone, 'X'), "X");
        assert_eq!(Paint { is_on: true }.paint(stone, 'X'), "\x1b[1m\x1b[38;5;32mX\x1b[0m");
    }
}
