//! `fourbook generate`: makes a book.

mod shard_source;

use crate::cli::address::Address;
use crate::cli::args::{BookPlanArgs, Options, encoding_parser, seconds, whole};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::{OnStderr, in_words};
#[cfg(feature = "object-store")]
use crate::cli::store::{self, Store};
use crate::cli::write;
use clap::Args;
use fourbook::book::Encoding;
use fourbook::count;
use fourbook::generate::{self, PartHeader, Plan, Shard, Solved};
use indicatif::HumanBytes;
use shard_source::ShardSource;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
                                                 the part of this task of an array
  fourbook generate --depth 12 --shard 2/4 --out s3://bucket/7x6-d12
                                                 where machines share no folder";

/// How often the checkpoint is uploaded to the object store by default.
#[cfg(feature = "object-store")]
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// Make a book: the perfect-play scores of all positions down to a ply
///
/// Solved positions are kept in the folder FILE.checkpoint. After an interruption (Ctrl-C,
/// kill, a power cut), the same command resumes the run; threads and memory may differ. An
/// interrupted run ends with exit code 130. When the book is complete, the folder is removed,
/// and FILE.json reports how the book was made.
///
/// With --shard, the run solves one of several parts of about equal work. 'fourbook merge'
/// joins all parts into the same file as a single run. Each run writes one file with checksums
/// into the folder. A finished part is kept, and two processes cannot solve the same part at
/// once. All runs may use the same folder, or folders of their own whose files are brought
/// together later.
///
/// Engines number the runs of a job in a variable: slurm in SLURM_ARRAY_TASK_ID, for an array
/// numbered from 1, such as --array=1-16; kubernetes in JOB_COMPLETION_INDEX, for an indexed
/// job; aws-batch in AWS_BATCH_JOB_ARRAY_INDEX. Give the number of shards with --shards: an
/// array does not know it when some of its tasks are submitted again.
///
/// Where machines share no folder, --out may be an address in an object store:
/// s3://BUCKET/PATH, gs://BUCKET/PATH or az://CONTAINER/PATH. The shard is then solved in a
/// folder of this machine, below FOURBOOK_CACHE or ~/.cache/fourbook. Its checkpoint is copied
/// to the store from time to time, and a machine without a checkpoint starts from that copy.
/// Credentials come from the usual variables of the service, such as AWS_ACCESS_KEY_ID,
/// AWS_SECRET_ACCESS_KEY and AWS_REGION, or from the machine. This requires the feature
/// object-store.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    work: BookPlanArgs,

    /// The file to write; with --shard, the folder for the parts, which is made if it does not exist,
    /// or an address such as s3://bucket/parts
    /// [default: named after size and depth, such as 7x6-d8.book or 7x6-d8.parts]
    #[arg(short, long, value_name = "FILE|FOLDER|ADDRESS")]
    out: Option<PathBuf>,

    /// Solve only one part of the book, for 'fourbook merge': its number (from 1) and how many
    /// there are, such as 2/4; or the engine whose variables give the number: slurm, kubernetes
    /// or aws-batch
    #[arg(long, value_name = "I/N|ENGINE", conflicts_with = "encoding")]
    shard: Option<ShardSource>,

    /// The number of parts, if an engine gives the number of this one
    #[arg(long, value_name = "N", requires = "shard", value_parser = whole(1..=Shard::MOST))]
    shards: Option<u32>,

    /// How often the checkpoint of a shard is copied to the object store of --out; an interruption
    /// copies it, too [default: 300]
    #[arg(long, value_name = "SECONDS", requires = "shard", value_parser = seconds)]
    checkpoint_every: Option<Duration>,

    /// How the values are stored: flat is looked up faster, compact takes fewer bytes
    #[arg(short, long, value_name = "ENCODING", default_value = "flat", value_parser = encoding_parser())]
    encoding: Encoding,

    /// Replace the book if it exists
    #[arg(short, long, conflicts_with = "shard")]
    force: bool,
}

/// Makes a book, or a part of one.
pub(crate) fn run(args: &GenerateArgs, options: &Options) -> Result {
    let environment = |name: &str| std::env::var(name).ok();
    let shard = args.shard.map(|it| it.shard(args.shards, environment)).transpose()?;
    let plan = args.work.plan(options.size(), args.out.clone());
    let threads = count(plan.threads, "thread");
    let table = HumanBytes(plan.table_bytes as u64);
    tracing::info!("{threads}, at most {table} of transposition table");
    match shard {
        Some(shard) => solve_shard(args, plan, shard, options),
        None => make_book(args, plan, options),
    }
}

fn make_book(args: &GenerateArgs, plan: Plan, options: &Options) -> Result {
    if let Some(address) = args.out.as_deref().map(Address::of).transpose()?.flatten() {
        return Err(Error::usage(format!(
            "a whole book is made in a file, not in '{}'; solve its shards there with --shard, or name a file",
            address.text.display()
        )));
    }
    let plan = Plan { encoding: args.encoding, replace: args.force, ..plan };
    let cancel = write::cancel_on_signal()?;
    let report = generate::run(&plan, &OnStderr::new(options.quiet), &cancel);
    options.note(write::summary(&plan.out, &report.map_err(write::with_command)?));
    Ok(())
}

fn solve_shard(args: &GenerateArgs, plan: Plan, shard: Shard, options: &Options) -> Result {
    // An impossible plan fails before any folder is made.
    plan.shard_needs(0)?;
    let out = args.out.clone().unwrap_or_else(|| plan.out.with_extension("parts"));
    let solved = match Address::of_place(&out)? {
        #[cfg(feature = "object-store")]
        Some(address) => {
            let every = args.checkpoint_every.unwrap_or(CHECKPOINT_EVERY);
            let (store, cancel) = (Store::open(address)?, write::cancel_on_signal()?);
            store::solve_shard(&store, plan, shard, every, options.quiet, &cancel)
        }
        _ => solve_in_folder(args, plan, shard, &out, options),
    };
    options.note(summary(&solved.map_err(write::with_command)?));
    Ok(())
}

fn solve_in_folder(
    args: &GenerateArgs,
    plan: Plan,
    shard: Shard,
    folder: &Path,
    options: &Options,
) -> Result<Solved> {
    if args.checkpoint_every.is_some() {
        let text = "--checkpoint-every is for an --out in an object store, such as s3://bucket/parts; in a folder, the checkpoint has all that is solved at any time";
        return Err(Error::usage(text));
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    let out = folder.join(shard.file_name(plan.size, plan.depth, plan.kind));
    let plan = Plan { out, ..plan };
    let cancel = write::cancel_on_signal()?;
    Ok(generate::solve_shard(&plan, shard, &OnStderr::new(options.quiet), &cancel)?)
}

fn summary(solved: &Solved) -> String {
    let PartHeader { identity, effort, .. } = solved.part;
    let path = solved.path.display();
    let positions = count(identity.count, "position");
    if solved.was_there {
        return format!("{path}: solved already, {positions}; nothing to do");
    }
    let time = in_words(Duration::from_millis(effort.milliseconds));
    let nodes = count(effort.nodes, "node");
    format!("{path}: {identity}; {positions} solved in {time}, {nodes}")
}
