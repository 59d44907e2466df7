//! `fourbook generate`: makes a book.

use super::making;
use super::progress::generating;
use super::shard::ShardSource;
use super::work::WorkArgs;
use super::{EXIT_CODES, Options, Status, UsageError, encoding_parser};
use anyhow::{Context, anyhow};
use clap::Args;
use fourbook::board::Size;
use fourbook::book::Encoding;
use fourbook::files::quoted;
use fourbook::generate::{self, GenerateError, Plan, Shard, Solved};
use indicatif::{HumanCount, HumanDuration};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Make a book: the perfect-play scores of all positions of a number of plies

What has been solved is kept in the folder FILE.checkpoint from the first position on. An \
interrupted run (by Ctrl-C, kill, or a power cut) goes on where it was when the same command is \
given again; threads and memory may be others then. An interrupted run ends with exit code 1. The \
folder is removed when the book is complete, and FILE.json says how the book was made.

With --shard, one of several parts is solved, all of which are about the same amount of work; \
'fourbook merge' makes of all of them the very file that one run makes. Each run writes one file \
with checksums into the folder. A part that is there already is left as it is, and one that two \
processes solve is refused to the second. All may use the same folder, or folders of their own \
whose files are brought together later.

The engines number the runs of a job: slurm by SLURM_ARRAY_TASK_ID, of an array numbered from 1, \
such as --array=1-16; kubernetes by JOB_COMPLETION_INDEX, of an indexed job; aws-batch by \
AWS_BATCH_JOB_ARRAY_INDEX. The number of shards has to be given with --shards, since an array of \
which some tasks are submitted again does not say it (aws-batch knows it from \
AWS_BATCH_JOB_ARRAY_SIZE).";

const EXAMPLES: &str = "\
Examples:
  fourbook generate                              7x6 to ply 8, into 7x6-d8.book
  fourbook generate --depth 12 --out my.book     a deeper book
  fourbook generate --size 6x5 --depth 10        a board of another size
  fourbook generate --threads 4 --memory 2GiB    leave some of the machine to others
  fourbook generate --wdl                        only who wins, not how soon: a smaller book
  fourbook generate --depth 12 --shard 2/4 --out parts
                                                 the second of four parts, for 'fourbook merge'
  fourbook generate --depth 12 --shard slurm --shards 16 --out parts
                                                 the part that the task of an array is to solve";

/// The arguments of `fourbook generate`.
#[derive(Debug, Args)]
#[command(
    about = "Make a book",
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    work: WorkArgs,

    /// The file to write; with --shard, the folder for the parts, which is made if need be
    /// [default: named after size and depth, such as 7x6-d8.book or 7x6-d8.parts]
    #[arg(short, long, value_name = "FILE|FOLDER")]
    out: Option<PathBuf>,

    /// Solve one part of the book only, for 'fourbook merge': its number (from 1) and how many
    /// there are, such as 2/4; or the engine whose variables say the number: slurm, kubernetes or
    /// aws-batch
    #[arg(long, value_name = "I/N|ENGINE", conflicts_with = "encoding")]
    shard: Option<ShardSource>,

    /// How many parts there are, when an engine says the number of this one
    #[arg(long, value_name = "N", requires = "shard")]
    shards: Option<u32>,

    /// How the values are stored: flat is looked up faster, compact takes fewer bytes
    #[arg(short, long, value_name = "ENCODING", default_value = "flat", value_parser = encoding_parser())]
    encoding: Encoding,
}

/// Makes a book, or a part of one.
///
/// # Errors
///
/// If it cannot be made, or the run is interrupted.
pub(super) fn run(args: &GenerateArgs, options: &Options) -> anyhow::Result<Status> {
    let size = options.size();
    match args.shard()? {
        Some(shard) => solve_shard(args, size, shard, options.quiet)?,
        None => make_book(args, size, options.quiet)?,
    }
    Ok(Status::Fine)
}

fn make_book(args: &GenerateArgs, size: Size, quiet: bool) -> anyhow::Result<()> {
    let plan = args.work.plan(size, args.out.clone());
    let cancel = making::cancel_on_signal()?;
    log(&plan);
    let progress = generating::on_stderr(quiet);
    let generated = generate::run(&plan, &*progress, &cancel);
    drop(progress);
    let generated = generated.map_err(|error| args.say_how_to_go_on(error, size, None))?;
    making::finish(&plan, args.encoding, generated, &args.work.threads.start()?, quiet)
}

fn solve_shard(args: &GenerateArgs, size: Size, shard: Shard, quiet: bool) -> anyhow::Result<()> {
    let plan = args.work.plan(size, args.out.clone());
    let folder = args.folder(&plan);
    // A plan that cannot be carried out leaves nothing behind.
    plan.shard_needs(0).map_err(GenerateError::from)?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    let out = folder.join(shard.file_name(size, plan.depth, plan.kind));
    let plan = Plan { out, ..plan };
    let cancel = making::cancel_on_signal()?;
    log(&plan);
    let progress = generating::on_stderr(quiet);
    let solved = generate::solve_shard(&plan, shard, &*progress, &cancel);
    drop(progress);
    let solved = solved.map_err(|error| args.say_how_to_go_on(error, size, Some(shard)))?;
    if !quiet {
        // The part is there, whether or not anybody reads this.
        let _ = writeln!(io::stderr(), "{}", summary(&solved));
    }
    Ok(())
}

fn log(plan: &Plan) {
    tracing::info!("{} threads, {} bytes of transposition table", plan.threads, plan.table_bytes);
}

fn summary(solved: &Solved) -> String {
    let (path, identity, effort) = (solved.path.display(), solved.identity, solved.effort);
    let positions = HumanCount(identity.count);
    if solved.was_there {
        return format!("{path}: solved already, {positions} positions; nothing to do");
    }
    let time = HumanDuration(Duration::from_millis(effort.milliseconds));
    let nodes = HumanCount(effort.nodes);
    format!("{path}: {identity}; {positions} positions solved in {time}, {nodes} nodes")
}

impl GenerateArgs {
    /// The shard that is to be solved, if not the whole book.
    fn shard(&self) -> Result<Option<Shard>, UsageError> {
        let environment = |name: &str| std::env::var(name).ok();
        self.shard.map(|source| source.shard(self.shards, environment)).transpose()
    }

    /// The folder for the parts of the shards.
    fn folder(&self, plan: &Plan) -> PathBuf {
        self.out.clone().unwrap_or_else(|| plan.out.with_extension("parts"))
    }

    /// What is to be printed for an error.
    fn say_how_to_go_on(
        &self,
        error: GenerateError,
        size: Size,
        shard: Option<Shard>,
    ) -> anyhow::Error {
        match error {
            GenerateError::Interrupted { .. } => {
                anyhow!("{error}\nGo on with: {}", self.command(size, shard))
            }
            error => error.into(),
        }
    }

    /// The command that goes on with an interrupted run.
    fn command(&self, size: Size, shard: Option<Shard>) -> String {
        let mut command = format!("fourbook generate --size {size}");
        if let Some(depth) = self.work.depth {
            command += &format!(" --depth {depth}");
        }
        if let Some(shard) = shard {
            command += &format!(" --shard {shard}");
        }
        if let Some(out) = &self.out {
            command += &format!(" --out {}", quoted(out));
        }
        if let Some(threads) = self.work.threads.threads {
            command += &format!(" --threads {threads}");
        }
        if let Some(memory) = self.work.memory {
            command += &format!(" --memory {}", memory.bytes());
        }
        if self.work.wdl {
            command += " --wdl";
        }
        if self.encoding != Encoding::Flat {
            command += &format!(" --encoding {}", self.encoding);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::super::threads::ThreadArgs;
    use super::*;

    #[test]
    fn a_run_goes_on_with_the_arguments_it_had() {
        let args = GenerateArgs {
            work: WorkArgs {
                depth: Some(3),
                threads: ThreadArgs { threads: Some(2) },
                memory: Some("1M".parse().unwrap()),
                wdl: true,
            },
            out: Some("my book's file".into()),
            encoding: Encoding::Compact,
            shard: None,
            shards: None,
        };
        let expected = r"fourbook generate --size 5x4 --depth 3 --out 'my book'\''s file' --threads 2 --memory 1048576 --wdl --encoding compact";
        assert_eq!(args.command(Size::new(5, 4).unwrap(), None), expected);
        let defaults = GenerateArgs {
            work: WorkArgs {
                depth: None,
                threads: ThreadArgs { threads: None },
                memory: None,
                wdl: false,
            },
            out: None,
            encoding: Encoding::Flat,
            shard: Some("slurm".parse().unwrap()),
            shards: Some(4),
        };
        assert_eq!(defaults.command(Size::STANDARD, None), "fourbook generate --size 7x6");
        let shard = "2/4".parse().ok();
        let expected = "fourbook generate --size 7x6 --shard 2/4";
        assert_eq!(defaults.command(Size::STANDARD, shard), expected);
    }
}
