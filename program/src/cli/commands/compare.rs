//! `fourbook compare`: compares two books.

use crate::cli::args::{
    FORMATS, Options, READ_FORMAT, ToolArgs, bytes_of, format_of, format_parser, is_stream,
};
use crate::cli::error::{Context, Error, Result};
use crate::cli::{output, write};
use clap::Args;
use fourbook::Book;
use fourbook::book::MAGIC;
use fourbook::text::{count, grouped, listed};
use fourbook::tools::exchange::{Comparison, Difference, ForeignBook, Format, Other, compare};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  fourbook compare 7x6-d8.book 7x6-d12.book
  fourbook compare 7x6-d8.book scores.csv
  fourbook compare 7x6-d8.book 7x6.book
  fourbook compare built-in connect-4.data
  zcat scores.csv.gz | fourbook compare built-in -";

/// Compare two books: list the positions for which they have different values
///
/// Every position that the rules do not score is looked up in both, to the depth of the
/// shallower book, also on plies that are derived from the next one. Each line has the
/// position, its value in the first book and its value in the other. If one of the books has
/// only outcomes, outcomes are compared.
///
/// The other book may be in another program's format; only its plies are compared. BitBully's
/// formats have all positions, so a missing position is a difference. In other formats, missing
/// positions are only counted.
#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n{READ_FORMAT}\n\n{EXAMPLES}"))]
pub(crate) struct CompareArgs {
    /// The book; '-' is standard input, 'built-in' is the built-in book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Another book, or another program's; '-' is standard input
    #[arg(value_name = "OTHER")]
    other: PathBuf,

    /// The format of the other one [default: recognised]
    #[arg(help_heading = "Input", long, value_name = "FORMAT", value_parser = format_parser(|_| true))]
    format: Option<Format>,

    #[command(flatten)]
    tool: ToolArgs,
}

pub(crate) fn run(args: &CompareArgs, options: &Options) -> Result {
    if is_stream(&args.book) && is_stream(&args.other) {
        return Err(Error::usage(
            "standard input can be one of the books only; name the other one",
        ));
    }
    write::end_on_signal("interrupted")?;
    let book = options.open_book(&args.book)?;
    let is_other = args.format.is_some() || is_stream(&args.other) || args.other.exists();
    if !is_other || args.other.is_dir() || args.format.is_none() && is_book(&args.other) {
        let other = options.open_book_or_built_in(&args.other, book.size())?;
        return print(args.tool, &book, Other::Book(&other), options.quiet);
    }
    let context = || format!("cannot use '{}'", args.other.display());
    let bytes = bytes_of(&args.other).with_context(context)?;
    if args.format.is_none() && bytes.starts_with(&MAGIC) {
        let other = Book::from_bytes(bytes).with_context(context)?;
        return print(args.tool, &book, Other::Book(&other), options.quiet);
    }
    let format = format_of(&args.other, args.format, &bytes, options)?;
    let other = ForeignBook::open(&bytes, format, Some(book.size()))
        .with_context(|| format!("cannot use '{}' as {format}", args.other.display()))?;
    print(args.tool, &book, Other::Foreign(&other), options.quiet)
}

/// Whether a file begins as a book does, which then need not fit into memory. A pipe is not read.
fn is_book(path: &Path) -> bool {
    let mut first = MAGIC.map(|_| 0);
    path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_ok())
        && first == MAGIC
}

fn print(tool: ToolArgs, book: &Book, other: Other<'_>, quiet: bool) -> Result {
    let mut failed = false;
    let compared = tool.run(quiet, |resources| {
        let mut out = BufWriter::new(output::stdout());
        let comparison = compare(book, other, resources, &mut |found| {
            failed = true;
            line(&mut out, found)
        })?;
        out.flush()?;
        Ok::<_, Error>(comparison)
    });
    let printed = compared.and_then(|comparison| {
        failed |= !comparison.agree();
        Ok(summary(&mut output::stdout(), &comparison)?)
    });
    output::ended(printed, failed)
}

fn line(out: &mut impl Write, difference: &Difference) -> io::Result<()> {
    let text = |value: Option<i8>| value.map_or("none".into(), |value| value.to_string());
    let Difference { position, ours, theirs } = difference;
    writeln!(out, "{position} {} {}", text(*ours), text(*theirs))
}

fn summary(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let Comparison { plies, compared, different, missing, extra } = comparison;
    let plies = match plies[..] {
        [ply] => format!("of ply {ply}"),
        [.., deepest] if plies.len() as u32 == deepest + 1 => format!("to ply {deepest}"),
        _ => format!("of plies {}", listed(plies, "and")),
    };
    if *missing > 0 {
        let are = if *missing == 1 { "is" } else { "are" };
        writeln!(out, "{} {are} not in the other book", count(*missing, "position"))?;
    }
    if *extra > 0 {
        writeln!(out, "entries of the other book that are of no position: {}", grouped(extra))?;
    }
    let compared = count(*compared, "position");
    let different = grouped(different);
    writeln!(out, "{compared} {plies} compared, {different} different")
}
