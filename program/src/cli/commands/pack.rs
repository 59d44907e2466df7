//! `fourbook pack`: a book from a deeper one.

use crate::cli::args::{Depth, Options, ToolArgs, depth, encoding_parser};
use crate::cli::error::{Context, Result};
use crate::cli::write::NewBookArgs;
use clap::Args;
use fourbook::ValueKind;
use fourbook::book::Encoding;
use fourbook::tools::pack;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook pack 7x6-d12.book --depth 8 --out 7x6-d8.book     cut a shallower book
  fourbook pack 7x6-d12.book --wdl --out 7x6-d12-wdl.book    only who wins, not how soon
  fourbook pack 7x6-d12.book --encoding compact --out small.book
                                                             the same in fewer bytes";

/// Make a book from another one: shallower, smaller, or with less in it
///
/// Solves nothing: a book contains all shallower ones. From a generated book, the result is
/// byte for byte what 'fourbook generate' makes with the same arguments. If it finds damage in the
/// old book, it writes nothing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PackArgs {
    /// The old book; '-' is standard input, 'built-in' is the built-in book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// The deepest ply of the new book; max: that of the old book
    #[arg(help_heading = "Book", short, long)]
    #[arg(value_name = "PLIES", default_value = "max", value_parser = depth)]
    depth: Depth,

    /// Store win, draw or loss only, not the exact scores [default: as the old book does]
    #[arg(help_heading = "Book", long)]
    wdl: bool,

    /// How the values are stored [default: as in the old book; flat if all its plies are]
    #[arg(help_heading = "Book", long, value_name = "ENCODING", value_parser = encoding_parser())]
    encoding: Option<Encoding>,

    #[command(flatten)]
    new: NewBookArgs,

    #[command(flatten)]
    tool: ToolArgs,
}

pub(crate) fn run(args: &PackArgs, options: &Options) -> Result {
    args.new.check(&args.book)?;
    let book = options.open_book(&args.book)?;
    let encoding = args.encoding.unwrap_or_else(|| book.encoding());
    let what = pack::PackOptions {
        depth: args.depth.0.unwrap_or(book.depth()),
        kind: if args.wdl { ValueKind::WinDrawLoss } else { book.kind() },
        encoding,
    };
    args.new.make(args.tool, options, |resources| {
        pack::pack(&book, what, resources)
            .with_context(|| format!("cannot pack '{}'", args.book.display()))
    })
}
