//! Lines on stderr.

use crate::cli::stderr::Stderr;
use std::fmt::{self, Display};
use std::io::Write;
use tracing::{Event, Level};
use tracing_subscriber::Registry;
use tracing_subscriber::fmt::format::{DefaultFields, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatFields};

/// Prints an error on stderr.
pub(crate) fn report(error: impl Display) {
    note(error_line(error));
}

/// Returns an error as it is printed.
pub(crate) fn error_line(error: impl Display) -> String {
    format!("error: {error}")
}

/// Prints on stderr what to do next.
pub(crate) fn hint(text: impl Display) {
    note(format_args!("hint: {text}"));
}

/// Prints a line on stderr, or several. Characters that control a terminal are escaped: names of files
/// may have them.
pub(crate) fn note(text: impl Display) {
    print(escaped(text, |character| character == '\n') + "\n");
}

/// Returns a text with escapes, such as `\u{1b}`, for characters that control a terminal, but for those
/// to keep.
pub(crate) fn escaped(text: impl Display, keep: impl Fn(char) -> bool) -> String {
    let mut safe = String::new();
    for character in text.to_string().chars() {
        if character.is_control() && !keep(character) {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Prints a text on stderr.
pub(crate) fn print(text: String) {
    // This neither waits nor fails.
    let _ = Stderr.write_all(text.as_bytes());
}

/// Prints warnings, and the details of -v, in the form of errors.
pub(crate) const PLAIN_LINES: fn(
    &FmtContext<'_, Registry, DefaultFields>,
    Writer<'_>,
    &Event<'_>,
) -> fmt::Result = |context, mut out, event| {
    let level = match *event.metadata().level() {
        Level::WARN => "warning".to_owned(),
        level => level.as_str().to_lowercase(),
    };
    write!(out, "{level}: ")?;
    context.format_fields(out.by_ref(), event)?;
    writeln!(out)
};
