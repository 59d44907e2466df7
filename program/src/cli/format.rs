//! The formats of other programs' books on the command line.

use super::UsageError;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fourbook::tools::exchange::Format;
use std::path::Path;

/// What the formats are, for the end of a help text.
pub(super) const FORMATS: &str = "\
Formats:
  csv                    text: a position and its value a line
  pons                   the hash table of Pascal Pons' solver, 7x6.book; exact scores
  bitbully-8             BitBully's book_8ply.dat: win, draw or loss at ply 8
  bitbully-12            BitBully's book_12ply.dat: win, draw or loss at ply 12
  bitbully-12-distances  BitBully's book_12ply_distances.dat: exact scores at ply 12";

/// The argument parser for the name of a format; lists them in the help.
pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.map(|format| {
        let value = PossibleValue::new(format.name());
        if format == Format::Pons { value.alias("solver") } else { value }
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Format>())
}

/// The format that was asked for, or the one that the file's name says.
///
/// # Errors
///
/// If neither is there.
pub(super) fn format_of(asked: Option<Format>, path: &Path) -> Result<Format, UsageError> {
    asked.or_else(|| Format::of_path(path)).ok_or_else(|| {
        let path = path.display();
        UsageError(format!(
            "the name '{path}' does not say which format the file has; add --format"
        ))
    })
}
