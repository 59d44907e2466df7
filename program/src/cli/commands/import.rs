//! `fourbook import`: a book from another program's.

use crate::cli::args::{
    Depth, FORMATS, Options, READ_FORMAT, ToolArgs, bytes_of, depth, encoding_parser, format_of,
    format_parser,
};
use crate::cli::error::{Context, Error, Result};
use crate::cli::write::NewBookArgs;
use clap::Args;
use fourbook::book::Encoding;
use fourbook::tools::ToolError;
use fourbook::tools::exchange::{ForeignBook, Format, import};
use fourbook::{Book, Size};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook import scores.csv --out 7x6-d8.book
  fourbook import scores.csv --size 5x4 --depth 6 --out 5x4-d6.book
  fourbook import book_12ply_distances.dat --out 7x6-d12.book
  zcat scores.csv.gz | fourbook import - --out 7x6-d8.book";

/// Make a book from another program's, or from comma-separated values
///
/// Solves nothing: the file must have every position of the deepest ply that the rules do not
/// score. The plies above are derived from it; values of the file for those plies must agree.
/// The format is recognised by the content of the file; --format names it.
///
/// The values are compared with the built-in book for the board. Differences are an error
/// that names the first of them; --trust imports the file all the same.
///
/// A file of comma-separated values begins with the line 'position,score', or with
/// 'position,outcome' if its values are 1, 0 and -1 for win, draw and loss. Without that line, all
/// rows together must have one reading. Positions may be in any notation; the empty board is a
/// diagram. A third column, 'size', names the board, such as 7x6; without it, --size does. Columns
/// may come in any order, with commas, semicolons, tabs or spaces between them. A column 'key' or
/// 'hash' instead of 'position' has keys, as in c4's book-8x7.csv.
#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n{READ_FORMAT}\n\n{EXAMPLES}"))]
pub(crate) struct ImportArgs {
    /// The other program's file, or a pipe; '-' is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The format of the file [default: recognised]
    #[arg(help_heading = "Input", long, value_name = "FORMAT", value_parser = format_parser(|_| true))]
    format: Option<Format>,

    /// The deepest ply of the book; max: that of the file
    #[arg(help_heading = "Book", short, long)]
    #[arg(value_name = "PLIES", default_value = "max", value_parser = depth)]
    depth: Depth,

    /// How the values are stored
    #[arg(help_heading = "Book", long, value_name = "ENCODING", default_value_t, value_parser = encoding_parser())]
    encoding: Encoding,

    /// Do not compare the values with the built-in book
    #[arg(help_heading = "Input", long)]
    trust: bool,

    #[command(flatten)]
    new: NewBookArgs,

    #[command(flatten)]
    tool: ToolArgs,
}

pub(crate) fn run(args: &ImportArgs, options: &Options) -> Result {
    args.new.check(&args.file)?;
    let context = || format!("cannot import '{}'", args.file.display());
    let bytes = bytes_of(&args.file).with_context(context)?;
    let format = format_of(&args.file, args.format, &bytes, options)?;
    let context = || format!("cannot import '{}' as {format}", args.file.display());
    let file = ForeignBook::open(&bytes, format, options.size).with_context(context)?;
    let known = if args.trust { None } else { Book::embedded_for(file.size) };
    args.new.make(args.tool, options, |resources| {
        import(&file, args.depth.0, args.encoding, known.as_ref(), resources)
            .map_err(|error| match (&error, options.size) {
                // So is a table that names no board.
                (ToolError::Values { .. }, None)
                    if format == Format::Csv && file.size == Size::STANDARD =>
                {
                    let hint =
                        "it was read as positions of a 7x6 board; for another one, add --size";
                    Error::from(error).with_hint(hint.to_owned())
                }
                _ => error.into(),
            })
            .with_context(context)
    })
}
