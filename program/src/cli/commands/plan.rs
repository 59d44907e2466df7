//! `fourbook plan`: estimates the cost of a book.

use crate::cli::args::{BookPlanArgs, Options, whole};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::write;
use clap::Args;
use fourbook::ValueKind;
use fourbook::count;
use fourbook::generate::{self, Estimate, Plan, Shard};
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

const ABOUT: &str = "\
Estimate how much work, memory and disk space a book takes

Solves a sample of the positions on this machine and prints an estimate of the whole work. Also \
proposes a number of shards, each about an hour of work for this machine's threads. Writes no file.

The estimate is right to a factor of about 1.5. Core-hours assume an idle core. Plies that take \
more than seconds to count are estimated from a sample of a shallower ply, to a factor of about 2.";

const EXAMPLES: &str = "\
Examples:
  fourbook plan --depth 12                              a book of 7x6 to ply 12
  fourbook plan --size 6x5 --depth 6 --shards 4         in four shards
  fourbook plan --depth 14 --sample 60                  a surer estimate, from a minute of solving
  fourbook plan --depth 14 --no-sample --json           positions, memory and disk only";

/// A sample of fewer positions proves little: some positions take a thousand times as long as
/// others.
const FEW_POSITIONS: u64 = 100;

#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    work: BookPlanArgs,

    /// The number of shards to plan for [default: such that each takes about an hour]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=Shard::MOST.into()))]
    shards: Option<u32>,

    /// How long to solve a sample of the positions, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = whole::<u32>(1..=86_400))]
    sample: u32,

    /// Solve nothing: the work remains unknown
    #[arg(long, conflicts_with = "sample")]
    no_sample: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Estimates the work, memory and disk space of a book.
pub(crate) fn run(args: &PlanArgs, options: &Options) -> Result {
    let plan = args.work.plan(options.size(), None);
    if let Some(shards) = args.shards {
        Shard::all(shards).map(drop).map_err(|error| Error::usage(error.to_string()))?;
    }
    let cancel = write::cancel_on_signal()?;
    let seconds = if args.no_sample { 0 } else { args.sample };
    let time = Duration::from_secs(seconds.into());
    let estimate = generate::estimate(&plan, time, &OnStderr::new(options.quiet), &cancel)?;
    let forecast = Forecast::new(&plan, &estimate, args.shards)?;
    if !args.no_sample {
        forecast.warn_of_few_positions(seconds);
    }
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&forecast)?)?;
    } else {
        forecast.print(&mut out)?;
    }
    Ok(())
}

/// Time of a core, in the unit that suits it.
fn core_time(hours: f64) -> String {
    match hours * 3600.0 {
        seconds if seconds < 60.0 => format!("{seconds:.1} core-seconds"),
        seconds if seconds < 3600.0 => format!("{:.1} core-minutes", seconds / 60.0),
        _ => format!("{hours:.1} core-hours"),
    }
}

fn nodes_in_words(nodes: f64) -> String {
    match nodes {
        nodes if nodes < 1e9 => format!("{:.1} million", nodes / 1e6),
        nodes => format!("{:.1} billion", nodes / 1e9),
    }
}

/// The JSON object.
#[derive(Debug, Serialize)]
struct Forecast {
    size: String,
    depth: u32,
    kind: ValueKind,
    threads: usize,
    positions: u64,
    /// Whether the positions were counted, not estimated.
    counted: bool,
    #[serde(flatten)]
    work: Option<Work>,
    /// Memory for the whole book, the table included, in bytes.
    memory_bytes: u64,
    table_bytes: usize,
    checkpoint_bytes: u64,
    /// At most the size of the flat book.
    book_bytes: u64,
    shards: u32,
    shard_positions: u64,
    shard_memory_bytes: u64,
    /// The checkpoint of a shard and its part together.
    shard_disk_bytes: u64,
    part_bytes: u64,
}

/// The work, extrapolated from a sample.
#[derive(Debug, Serialize)]
struct Work {
    sample_ply: u32,
    sample_positions: u64,
    sample_nodes: u64,
    sample_core_seconds: f64,
    /// All positions.
    nodes: f64,
    core_hours: f64,
    /// With the threads of the plan.
    hours: f64,
    shard_hours: f64,
}

impl Forecast {
    fn new(plan: &Plan, estimate: &Estimate, shards: Option<u32>) -> Result<Self> {
        let sensible = || estimate.sensible_shards(plan.threads).unwrap_or(1).min(Shard::MOST);
        let shards = shards.unwrap_or_else(sensible);
        let shard_positions = estimate.positions.div_ceil(shards.into());
        let shard = plan.shard_needs(shard_positions).context("cannot plan a shard")?;
        let work = estimate.sample.map(|sample| {
            let core_hours = sample.core_seconds() / 3600.0;
            let hours = core_hours / plan.threads as f64;
            Work {
                sample_ply: sample.ply,
                sample_positions: sample.positions,
                sample_nodes: sample.nodes,
                sample_core_seconds: sample.time.as_secs_f64(),
                nodes: sample.all_nodes(),
                core_hours,
                hours,
                shard_hours: hours / f64::from(shards),
            }
        });
        Ok(Forecast {
            size: plan.size.to_string(),
            depth: plan.depth,
            kind: plan.kind,
            threads: plan.threads,
            positions: estimate.positions,
            counted: estimate.is_counted,
            work,
            memory_bytes: estimate.needs.memory,
            table_bytes: plan.table_bytes,
            checkpoint_bytes: estimate.needs.checkpoint,
            book_bytes: estimate.needs.book,
            shards,
            shard_positions,
            shard_memory_bytes: shard.memory,
            shard_disk_bytes: shard.checkpoint + shard.book,
            part_bytes: shard.book,
        })
    }

    /// Prints a note if the sample is so small that the estimate is uncertain.
    fn warn_of_few_positions(&self, seconds: u32) {
        let solved = self.work.as_ref().map_or(0, |work| work.sample_positions);
        if solved < FEW_POSITIONS && solved < self.positions {
            tracing::warn!(
                "the sample of {seconds} s is {}, too few to tell how much work there is: give it more \
                 time with --sample",
                count(solved, "position")
            );
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let bytes = HumanBytes;
        let about = if self.counted { "" } else { "about " };
        writeln!(out, "book       {}, depth {}, {}", self.size, self.depth, self.kind)?;
        writeln!(out, "positions  {about}{} to solve", HumanCount(self.positions))?;
        self.print_work(out)?;
        let (memory, table) = (bytes(self.memory_bytes), bytes(self.table_bytes as u64));
        writeln!(out, "memory     at most {memory}: the transposition table may grow to {table}")?;
        let (checkpoint, book) = (bytes(self.checkpoint_bytes), bytes(self.book_bytes));
        writeln!(out, "disk       {checkpoint} for the checkpoint, at most {book} for the book")?;
        let positions = count(self.shard_positions, "position");
        let hours = match &self.work {
            Some(work) => {
                format!(", {} each with {}", time(work.shard_hours), self.threads())
            }
            None => String::new(),
        };
        writeln!(out, "shards     {} of about {positions}{hours}", self.shards)?;
        let (memory, disk) = (bytes(self.shard_memory_bytes), bytes(self.shard_disk_bytes));
        let part = bytes(self.part_bytes);
        writeln!(out, "a shard    {memory} of memory, {disk} on the disk, a part of {part}")
    }

    fn threads(&self) -> String {
        count(self.threads, "thread")
    }

    fn print_work(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(work) = &self.work else { return writeln!(out, "work       unknown") };
        let ply = if work.sample_ply == self.depth {
            String::new()
        } else {
            format!(" of ply {}", work.sample_ply)
        };
        let positions = count(work.sample_positions, "position");
        let nodes = count(work.sample_nodes, "node");
        writeln!(out, "sample     {positions}{ply}, {nodes}")?;
        let (core_time, nodes) = (core_time(work.core_hours), nodes_in_words(work.nodes));
        writeln!(out, "work       about {core_time}, {nodes} nodes")?;
        writeln!(out, "time       {} with {}", time(work.hours), self.threads())
    }
}

fn time(hours: f64) -> String {
    let time = Duration::try_from_secs_f64(hours * 3600.0).unwrap_or(Duration::MAX);
    HumanDuration(time).to_string()
}
