//! The commands of a game.

use fourbook::Size;
use fourbook::board::column_name;
use fourbook::text::{listed, number, shortened};
use std::fmt::Write;

/// A command of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Play a column, from 0.
    Play(usize),
    Hint,
    Undo,
    Resign,
    Moves,
    New,
    Help,
    Quit,
    /// Show the board once more.
    Look,
}

/// The commands that are words: name, short form, and help.
const WORDS: [(&str, &str, Command, &str); 7] = [
    ("hint", "h", Command::Hint, "say which column is best, and what it gives"),
    ("undo", "u", Command::Undo, "take back your last move and the computer's"),
    ("resign", "r", Command::Resign, "give the game up"),
    ("moves", "m", Command::Moves, "print the moves, as other subcommands read them"),
    ("new", "n", Command::New, "begin another game"),
    ("help", "?", Command::Help, "print this list"),
    ("quit", "q", Command::Quit, "end the program; so does the end of the input"),
];

impl Command {
    /// Parses a line for a board of this size.
    pub(crate) fn parse(line: &str, size: Size) -> Result<Command, String> {
        let text = line.trim().to_lowercase();
        if text.is_empty() {
            return Ok(Command::Look);
        }
        let word = WORDS.iter().find(|(name, short, ..)| [*name, *short].contains(&&*text));
        if let Some(&(_, _, command, _)) = word {
            return Ok(command);
        }
        if let Some(column) = column_named(&text, size.width()) {
            return Ok(Command::Play(column));
        }
        let columns = format!("a column from 1 to {}", column_name(size.width() - 1));
        let found = shortened(line.trim());
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("There is no column {found}; expected {columns}."));
        }
        let names = listed(WORDS.map(|(name, ..)| name), "or");
        Err(format!("'{found}' is no move and no command; expected {columns}, or {names}."))
    }

    /// The list of all commands.
    pub(crate) fn help(size: Size) -> String {
        let last = column_name(size.width() - 1);
        let mut text = format!("  {:<10} put a stone into this column", format!("1 to {last}"));
        for (name, short, _, does) in WORDS {
            let _ = write!(text, "\n  {:<10} {does}", format!("{name}, {short}"));
        }
        text + "\n  Enter      draw the board again"
    }
}

/// The column (from 0) that a text names, by its character in moves or by its number.
fn column_named(text: &str, width: usize) -> Option<usize> {
    (0..width).find(|&column| text == column_name(column).to_string()).or_else(|| {
        let column: usize = number(text)?;
        (1..=width).contains(&column).then(|| column - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, size: &str) -> Result<Command, String> {
        Command::parse(text, size.parse().unwrap())
    }

    #[test]
    fn commands_have_short_forms_and_any_case() {
        for (name, short, command, _) in WORDS {
            for text in [name, short, &name.to_uppercase(), &format!("  {short}\t")] {
                assert_eq!(parse(text, "16x7"), Ok(command), "{text}");
            }
        }
        assert_eq!(parse(" \r", "7x6"), Ok(Command::Look));
    }

    #[test]
    fn columns_are_numbers_and_on_wide_boards_letters_too() {
        assert_eq!(parse("7", "7x6"), Ok(Command::Play(6)));
        for text in ["g", "G", "16"] {
            assert_eq!(parse(text, "16x7"), Ok(Command::Play(15)));
        }
        assert_eq!(parse("01", "7x6"), Ok(Command::Play(0)));
        assert_eq!(
            parse("8", "7x6").unwrap_err(),
            "There is no column 8; expected a column from 1 to 7."
        );
        for text in ["0", "99999999999999999999999"] {
            assert!(parse(text, "16x7").unwrap_err().ends_with("expected a column from 1 to g."));
        }
    }

    #[test]
    fn what_is_not_understood_is_told_with_what_was_expected() {
        assert_eq!(
            parse("Jump\u{7}", "7x6").unwrap_err(),
            "'Jump\\u{7}' is no move and no command; expected a column from 1 to 7, or hint, \
             undo, resign, moves, new, help or quit."
        );
        for letter in ["x", "4", "\0"] {
            let answer = parse(&letter.repeat(99_999), "7x6").unwrap_err();
            assert!(answer.contains('…') && answer.len() < 500, "{answer}");
        }
        for text in ["-1", "a", "4 4", "hin"] {
            assert!(parse(text, "7x6").unwrap_err().contains("is no move"), "{text}");
        }
    }

    #[test]
    fn the_help_lists_every_command() {
        let help = Command::help(Size::STANDARD);
        for (name, short, _, does) in WORDS {
            assert!(help.contains(&format!("\n  {name}, {short} ")) && help.contains(does));
        }
        assert!(help.starts_with("  1 to 7 "), "{help}");
    }
}
