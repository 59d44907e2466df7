//! Errors of the argument parser: long texts are cut, and a position or `analyse` in place of a
//! subcommand or a board in place of an option gets a tip.

use crate::cli::output::quoted;
use clap::Error;
use clap::error::{ContextKind, ContextValue};
use fourbook::Size;
use fourbook::board::notation::Notation;
use fourbook::text::shortened;
use std::path::Path;

/// The error with texts that are cut short, and with a tip if a position or `analyse` stands where a
/// subcommand should, or a board where an option should.
pub(crate) fn improved(mut error: Error) -> Error {
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidSubcommand, ContextKind::InvalidArg]
    {
        if let Some(text) = text_of(&error, kind) {
            let short = shortened(text);
            if short != text {
                // It has the text, too.
                error.remove(ContextKind::Suggested);
            }
            error.insert(kind, ContextValue::String(short));
        }
    }
    let tip = if let Some(found) = text_of(&error, ContextKind::InvalidSubcommand)
        && looks_like_a_position(found)
    {
        let position = quoted(Path::new(found));
        format!("to look a position up, use 'fourbook lookup {position}'")
    } else if let Some(found @ ("analyse" | "analyze")) =
        text_of(&error, ContextKind::InvalidSubcommand)
    {
        format!("to list all moves, use 'fourbook lookup --{found} POSITION'")
    } else if let Some(found) = text_of(&error, ContextKind::InvalidArg)
        && found.parse::<Size>().is_ok()
    {
        format!("to choose a board, use '--size {found}'")
    } else {
        return error;
    };
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// The text that an error has of a kind.
fn text_of(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// Whether this can be meant as a position; a word like `bad` is more likely a subcommand,
/// although its letters are columns of the widest boards.
fn looks_like_a_position(text: &str) -> bool {
    match Notation::recognise(text) {
        Some(Notation::Moves) => text.starts_with(|first: char| first.is_ascii_digit()),
        notation => notation.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    fn text(arguments: &[&str]) -> String {
        parse([&["fourbook"], arguments].concat().into_iter()).unwrap_err().to_string()
    }

    #[test]
    fn a_position_alone_is_answered_with_how_to_look_it_up() {
        for (arguments, command) in [
            (&["4453"][..], "'fourbook lookup 4453'"),
            (&["--size", "8x8", "1a"], "'fourbook lookup 1a'"),
            (&["key:5", "--json"], "'fourbook lookup key:5'"),
        ] {
            let text = text(arguments);
            assert!(text.contains("unrecognized subcommand"), "{text}");
            assert!(text.contains(command), "{text}");
        }
        assert!(text(&["[1, 2, 2]"]).contains("fourbook lookup '[1, 2, 2]'"));
    }

    #[test]
    fn long_texts_are_not_echoed_whole() {
        let long = "4".repeat(9999);
        let option = format!("--{long}");
        for arguments in [
            &[&*long][..],
            &["lookup", "--threads", &long],
            &["lookup", &option],
            &["show", "--size", &long],
        ] {
            let text = text(arguments);
            assert!(text.contains("4444…") && text.len() < 1000, "{text}");
        }
    }

    #[test]
    fn slips_are_answered_with_what_is_similar() {
        for (arguments, tip) in [
            (&["lokup"][..], "'lookup'"),
            (&["bad"], "unrecognized subcommand 'bad'"),
            (&["lookup", "--bok", "x"], "'--book'"),
            (&["generate", "6x5"], "'--size 6x5'"),
            (&["analyse", "4453"], "'fourbook lookup --analyse POSITION'"),
            (&["analyze", "4453"], "'fourbook lookup --analyze POSITION'"),
            (&["show", "--form", "key"], "'--from'"),
            (&["export", "x", "--format", "bitbuly-8"], "'bitbully-8'"),
        ] {
            let text = text(arguments);
            assert!(text.contains(tip) && !text.contains("look a position up"), "{text}");
        }
    }
}
