//! `fourbook generate`: makes a book.

use crate::cli::args::{BookPlanArgs, Options, encoding_parser, named_path};
use crate::cli::error::Result;
use crate::cli::output::in_words;
use crate::cli::write;
use clap::Args;
use fourbook::book::Encoding;
use fourbook::generate::{self, Plan, Shard, Solved};
use fourbook::text::count;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fourbook generate                              7x6 to ply 8, into 7x6-d8.book
  fourbook generate --depth 12 --out my.book     a deeper book
  fourbook generate --size 6x5 --depth 10        a board of another size
  fourbook generate --threads 4 --memory 2GiB    leave some of the machine to others
  fourbook generate --wdl                        only who wins, not how soon: a smaller book
  fourbook generate --depth 12 --shard 2/4 --out parts
                                                 the second of four parts, for 'fourbook merge'";

/// Make a book: the perfect-play scores of all positions down to a ply
///
/// Solved positions are kept in FILE.checkpoint. After an interruption (Ctrl-C, kill, a power cut),
/// the same command resumes the run; threads and memory may differ. An interrupted run ends with
/// exit code 130. When the book is complete, the checkpoint is removed, and FILE.json reports how
/// the book was made. If the same book is there already, nothing is done.
///
/// With --shard, the run solves one of several parts with equally many positions. 'fourbook merge'
/// joins all parts into the same file as a single run. A finished part is kept, and two processes
/// cannot solve the same part at once. All runs may use the same folder, or folders of their own
/// whose files are brought together later.
///
/// A copy of the checkpoint, even one taken during the run, is a checkpoint: put it back at its
/// place on another machine, and the same command resumes there.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    work: BookPlanArgs,

    /// The file to write; with --shard, the folder for the parts, which is made if it does not exist
    /// [default: named after size and depth, such as 7x6-d8.book or 7x6-d8.parts]
    #[arg(help_heading = "Output", short, long, value_name = "FILE|FOLDER", value_parser = named_path())]
    out: Option<PathBuf>,

    /// Solve only one part of the book, for 'fourbook merge': its number (from 1) and how many
    /// there are, such as 2/4
    #[arg(help_heading = "Book", long, value_name = "I/N", conflicts_with = "encoding")]
    shard: Option<Shard>,

    /// How the values are stored: flat is looked up faster, compact takes fewer bytes
    #[arg(help_heading = "Book", long, value_name = "ENCODING", default_value = "flat", value_parser = encoding_parser())]
    encoding: Encoding,

    /// Replace the book if it exists
    #[arg(help_heading = "Output", short, long, conflicts_with = "shard")]
    force: bool,
}

/// The cells of 7x6. Larger boards can take years.
pub(crate) const FEW_CELLS: u32 = 42;

/// What to know before positions of a large board are solved.
pub(crate) const LARGE_BOARD: &str =
    "a large board can take years; 'fourbook plan' estimates the time";

/// Makes a book, or a part of one.
pub(crate) fn run(args: &GenerateArgs, options: &Options) -> Result {
    let mut plan = args.work.plan(options.size(), args.out.clone());
    if let Some(shard) = args.shard {
        let folder = args.out.clone().unwrap_or_else(|| plan.out.with_extension("parts"));
        plan.out = folder.join(shard.file_name(plan.size, plan.depth, plan.kind));
    }
    let plan = Plan { encoding: args.encoding, replace: args.force, ..plan };
    let progress = write::cancellable(options)?;
    if args.shard.is_none() && plan.is_made() {
        options.note(write::made_already(&plan.out));
        return Ok(());
    }
    if plan.size.cells() > FEW_CELLS {
        options.note(LARGE_BOARD);
    }
    let Some(shard) = args.shard else {
        let report = generate::run(&plan, &progress);
        drop(progress);
        options.note(write::summary(&plan.out, &report?));
        return Ok(());
    };
    let solved = generate::solve_shard(&plan, shard, &progress);
    drop(progress);
    options.note(summary(&solved?));
    Ok(())
}

fn summary(solved: &Solved) -> String {
    let path = solved.path.display();
    let effort = solved.effort;
    let positions = count(solved.range.end - solved.range.start, "position");
    if solved.was_there {
        return format!("{path}: solved already, {positions}; nothing to do");
    }
    let time = in_words(Duration::from_millis(effort.milliseconds));
    let nodes = count(effort.nodes, "node");
    format!("{path}: {positions} solved in {time}, {nodes}")
}
