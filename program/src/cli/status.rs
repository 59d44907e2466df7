//! Lines on stderr.

use crate::cli::stderr::Stderr;
use fourbook::text::escaped;
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

/// Prints a line on stderr, or several. Invisible characters are escaped: names of files may have them.
pub(crate) fn note(text: impl Display) {
    let lines: Vec<String> = text.to_string().split('\n').map(escaped).collect();
    print(lines.join("\n") + "\n");
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
