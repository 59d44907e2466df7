//! `fourbook merge`: makes a book from the parts of its shards.

use crate::cli::args::{Options, ThreadArgs, encoding_parser, named_path};
use crate::cli::error::Result;
use crate::cli::output;
use crate::cli::write::{self, NewBookArgs};
use clap::Args;
use fourbook::book::Encoding;
use fourbook::generate::{self, Parts, Plan};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook merge parts --out 7x6-d12.book
  fourbook merge parts --encoding compact --out 7x6-d12.book    in fewer bytes";

/// Make a book from the parts that 'fourbook generate --shard' has written
///
/// The book is byte for byte the one that 'fourbook generate' makes in one run. All files of
/// the folder whose names end with .part are read. Every shard must be there, once, whole, and
/// of the same book; if not, every wrong file and every missing shard is named. Other files in
/// the folder are ignored, and the parts are left as they are. An interrupted run ends with
/// exit code 130; the same command starts again. FILE.json reports how the book was made.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MergeArgs {
    /// The folder of the parts
    #[arg(value_parser = named_path())]
    folder: PathBuf,

    #[command(flatten)]
    new: NewBookArgs,

    /// How the values are stored: flat is looked up faster, compact takes fewer bytes
    #[arg(help_heading = "Book", long, value_name = "ENCODING", default_value = "flat", value_parser = encoding_parser())]
    encoding: Encoding,

    #[command(flatten)]
    threads: ThreadArgs,
}

/// Makes a book of parts.
pub(crate) fn run(args: &MergeArgs, options: &Options) -> Result {
    let progress = write::cancellable(options)?;
    let parts = Parts::find(&args.folder, &progress)?;
    parts.paths().try_for_each(|part| output::check_other(&args.new.out, part))?;
    let plan = parts.plan(args.new.out.clone(), args.threads.number());
    let plan = Plan { encoding: args.encoding, replace: args.new.force, ..plan };
    options.check_book(plan.size)?;
    if plan.is_made() {
        drop(progress);
        options.note(write::made_already(&plan.out));
        return Ok(());
    }
    let report = generate::merge(&parts, &plan, &progress);
    drop(progress);
    options.note(write::summary(&plan.out, &report?));
    Ok(())
}
