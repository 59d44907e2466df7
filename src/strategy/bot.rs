//! Bots: strategies, their reader and a search of everything else, as one file of source code.

use super::{Strategy, side};
use crate::tools::ToolError;
use fourbook_solver::board::Player;
use fourbook_solver::text::{count, grouped, listed};
use fourbook_solver::{ValueKind, named};

/// The language of a bot.
///
/// Parsed from and printed as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Python 3.10 or later. A bot of 7x6 plays ConnectX on Kaggle, too.
    Python,
    /// A module for Node.js and browsers.
    Javascript,
    /// C99.
    C,
    /// Rust 1.63 or later.
    Rust,
}

named!(Language, "language", 4: Python = "python", Javascript = "javascript", C = "c", Rust = "rust");

impl Language {
    fn template(self) -> &'static str {
        match self {
            Language::Python => include_str!("bot/bot.py"),
            Language::Javascript => include_str!("bot/bot.mjs"),
            Language::C => include_str!("bot/bot.c"),
            Language::Rust => include_str!("bot/bot.rs.txt"),
        }
    }
}

/// The most characters of a bot: some sites take no longer programs.
const MOST_CHARACTERS: usize = 100_000;

/// The most bits of a bot's board.
const MOST_BITS: u32 = 64;

/// Characters of moves in a line.
const LINE: usize = 96;

/// Returns a program that plays these strategies, of one player or both. It is one
/// file without dependencies, with a function `best_move`, and searches the positions that they do not
/// have. Its first comment describes it.
///
/// # Errors
///
/// If there are other strategies, they do not have one board and kind, the board has more than 64
/// bits, or the program has more than 100,000 characters.
///
/// ```no_run
/// use fourbook::Strategy;
/// use fourbook::strategy::{Language, bot};
/// let strategy = Strategy::open("books/strategies/7x6-first-d16.strategy")?;
/// let program = bot(&[strategy], Language::C)?;
/// assert!(program.contains("int best_move("));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bot(strategies: &[Strategy], language: Language) -> Result<String, ToolError> {
    let first = match strategies {
        [first] => first,
        [first, second]
            if first.player() != second.player()
                && (first.size, first.kind()) == (second.size, second.kind()) =>
        {
            first
        }
        _ => {
            let expected = "a strategy, or one of each player of one board and kind";
            let found = listed(strategies, "and");
            return Err(ToolError::unfit(expected, found, "name other strategies"));
        }
    };
    let size = first.size;
    if size.bits() > MOST_BITS {
        let expected = format_args!("WIDTH * (HEIGHT + 1) to be at most {MOST_BITS} for a bot");
        return Err(ToolError::unfit(expected, size, "choose strategies of a smaller board"));
    }
    let plies = strategies.iter().map(|strategy| {
        let side = side(strategy.player());
        format!("the {side} player after up to {}", count(strategy.depth(), "stone"))
    });
    let kept = match first.kind() {
        ValueKind::Scores => "They win as soon and lose as late as possible.",
        ValueKind::WinDrawLoss => "They keep a win or a draw.",
    };
    let mut text = language.template().to_owned();
    for (name, value) in [
        ("contents", listed(plies, "and")),
        ("kept", kept.to_owned()),
        ("size", size.to_string()),
        ("width", size.width().to_string()),
        ("height", size.height().to_string()),
        ("outcomes", u8::from(first.kind() == ValueKind::WinDrawLoss).to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
    ] {
        text = text.replace(&format!("@{name}@"), &value);
    }
    for player in Player::BOTH {
        let name = side(player);
        let strategy = strategies.iter().find(|strategy| strategy.player() == player);
        let depth = strategy.map_or("-1".to_owned(), |strategy| strategy.depth().to_string());
        let has_values = strategy.is_some_and(Strategy::has_values);
        text = text.replace(&format!("@{name}_depth@"), &depth);
        text = text.replace(&format!("@{name}_values@"), &u8::from(has_values).to_string());
        text = with_moves(
            &text,
            &format!("@{name}@"),
            strategy.map_or(&[], |strategy| &strategy.moves),
        );
    }
    let characters = text.chars().count();
    if characters > MOST_CHARACTERS {
        let expected = format!("at most {} characters of a bot", grouped(MOST_CHARACTERS));
        let advice = "choose a shallower strategy";
        return Err(ToolError::unfit(expected, grouped(characters), advice));
    }
    Ok(text)
}

/// The text with the line of a placeholder once for each piece of the moves.
fn with_moves(text: &str, placeholder: &str, moves: &[u8]) -> String {
    let digits = base64(moves);
    let mut lines = String::new();
    for line in text.split_inclusive('\n') {
        if !line.contains(placeholder) {
            lines += line;
            continue;
        }
        for piece in digits.as_bytes().chunks(LINE) {
            lines += &line.replace(placeholder, &String::from_utf8_lossy(piece));
        }
    }
    lines
}

/// The bytes as base64, without padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut number = [0; 4];
        number[..group.len()].copy_from_slice(group);
        let number = u32::from_be_bytes(number);
        for digit in 0..=group.len() {
            text.push(DIGITS[(number >> (26 - 6 * digit)) as usize % 64].into());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Header;
    use super::*;
    use fourbook_solver::board::Size;
    use std::sync::Arc;

    /// A strategy with as many bytes of moves.
    fn strategy(size: &str, player: Player, bytes: usize) -> Strategy {
        let size: Size = size.parse().unwrap();
        let header = Header {
            width: size.width() as u8,
            height: size.height() as u8,
            player,
            kind: ValueKind::Scores,
            depth: 0,
            has_values: false,
            value: 0,
            positions: 0,
            checksum: 0,
        };
        Strategy { size, header, moves: vec![0; bytes].into(), expanded: Arc::default() }
    }

    fn error(strategies: &[Strategy]) -> String {
        bot(strategies, Language::C).unwrap_err().to_string()
    }

    #[test]
    fn a_bot_that_cannot_be_is_an_error() {
        let empty = |size| strategy(size, Player::X, 0);
        let both = "expected a strategy, or one of each player of one board and kind, found";
        for strategies in [
            vec![],
            vec![empty("7x6"), empty("7x6")],
            vec![empty("7x6"), strategy("6x7", Player::O, 0)],
        ] {
            assert!(error(&strategies).starts_with(both), "{}", error(&strategies));
        }
        let large = error(&[empty("9x7")]);
        assert!(large.contains("to be at most 64 for a bot, found 9x7; choose"), "{large}");
        let long = error(&[Player::X, Player::O].map(|player| strategy("7x6", player, 40_000)));
        assert!(long.starts_with("expected at most 100,000 characters of a bot, found "), "{long}");
    }
}
