//! `fourbook export`: a book in another program's format.

use crate::cli::args::{
    FORMATS, Options, ToolArgs, format_parser, is_stream, notation_parser, whole,
};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output;
use crate::cli::write;
use clap::Args;
use fourbook::board::notation::Notation;
use fourbook::files;
use fourbook::text::{count, grouped};
use fourbook::tools::exchange::pons::LOG2_SIZES;
use fourbook::tools::exchange::{ExportOptions, Exported, Format, export};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  fourbook export 7x6-d8.book --out 7x6-d8.csv
  fourbook export 7x6-d8.book --notation key | head
  fourbook export 7x6-d8.book --format pons --out 7x6.book
  fourbook export 7x6-d12.book --format bitbully-12-distances --out book_12ply_distances.dat";

/// Write a book in another program's format, or as comma-separated values
///
/// A position and its mirror image are written once. Finished games and positions won with the
/// next stone are left out, as the rules score them. Comma-separated values have one position a
/// line, ply by ply, always in the same order.
///
/// In the hash table of Pascal Pons' solver, several positions can want the same slot; the
/// shallowest is kept. On boards with an odd number of cells, it has no value for the lowest score.
/// The number of positions that are left out is printed at the end.
///
/// BitBully recognises its files by their sizes, so the files written have as many entries as
/// BitBully's own.
#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{EXAMPLES}"))]
pub(crate) struct ExportArgs {
    /// The book; '-' is standard input, 'built-in' the one in the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The format to write
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Csv)]
    #[arg(value_parser = format_parser(Format::is_written))]
    format: Format,

    /// How positions are written as csv [default: moves]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    notation: Option<Notation>,

    /// The size of the table for Pascal Pons' solver: as many slots as the least prime from 2^LOG2
    /// on [default: the least up to 26 that loses no entry, or else at most one in eight]
    #[arg(long, value_name = "LOG2", value_parser = whole(LOG2_SIZES))]
    log2_size: Option<u32>,

    /// The file to write; '-' is standard output, for csv only [default: -]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(short, long, requires = "out")]
    force: bool,

    #[command(flatten)]
    tool: ToolArgs,
}

pub(crate) fn run(args: &ExportArgs, options: &Options) -> Result {
    let out = args.out.as_deref().filter(|path| !is_stream(path));
    let what = export_options(args, out)?;
    let book = options.open_book(&args.book)?;
    let context = || format!("cannot export '{}'", args.book.display());
    let Some(path) = out else {
        // On a terminal, progress would stand between the lines of the book.
        let quiet = options.quiet || io::stdout().is_terminal();
        return args
            .tool
            .run(quiet, |resources| {
                let mut out = BufWriter::new(output::stdout());
                export(&book, &what, &mut out, resources)?;
                Ok::<_, Error>(out.flush()?)
            })
            .with_context(context);
    };
    output::check_new(path, args.force, &args.book)?;
    write::end_on_signal()?;
    let exported = args
        .tool
        .run(options.quiet, |resources| {
            files::replace(path, |out| export(&book, &what, out, resources))
        })
        .with_context(|| format!("{} to '{}'", context(), path.display()))?;
    options.note(summary(path, &exported));
    Ok(())
}

fn export_options(args: &ExportArgs, out: Option<&Path>) -> Result<ExportOptions> {
    let misplaced = |option: &str, format: Format| {
        Error::usage(format!("{option} is for --format {format}; leave it out"))
    };
    if args.notation.is_some() && args.format != Format::Csv {
        return Err(misplaced("--notation", Format::Csv));
    }
    if args.log2_size.is_some() && args.format != Format::Pons {
        return Err(misplaced("--log2-size", Format::Pons));
    }
    if out.is_none() && args.format != Format::Csv {
        return Err(Error::usage(format!("--format {} needs --out FILE", args.format)));
    }
    let mut options = ExportOptions::new(args.format);
    options.notation = args.notation.unwrap_or(options.notation);
    options.log2_size = args.log2_size;
    Ok(options)
}

fn summary(path: &Path, exported: &Exported) -> String {
    let Exported { positions, replaced, unheld, log2_size } = exported;
    let written = count(positions - replaced - unheld, "position");
    let text = format!("{}: {written}", path.display());
    match log2_size {
        Some(log2) => {
            let lost = grouped(replaced);
            let unheld = grouped(unheld);
            format!(
                "{text} in 2^{log2} slots, {lost} lost to others in their slot, {unheld} with a \
                 score that the format cannot hold"
            )
        }
        None => text,
    }
}
