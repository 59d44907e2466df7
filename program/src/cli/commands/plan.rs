//! `fourbook plan`: estimates the cost of a book.

use crate::cli::args::{BookPlanArgs, Options, seconds_from_0, whole};
use crate::cli::error::Result;
use crate::cli::output;
use crate::cli::write;
use clap::Args;
use fourbook::generate::{self, Estimate, Shard};
use fourbook::text::{count, grouped};
use indicatif::HumanBytes;
use std::io::{self, Write};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fourbook plan --depth 12                              a book of 7x6 to ply 12
  fourbook plan --size 6x5 --depth 6 --shards 4         in four shards
  fourbook plan --depth 14 --sample 60                  a surer estimate, from a minute of solving
  fourbook plan --depth 14 --sample 0 --json            positions, memory and disk only";

/// Estimate how much work, memory and disk space a book takes
///
/// Solves a sample of the positions on this machine and prints an estimate of the whole work.
/// Also proposes a number of shards, each about an hour of work for this machine's threads.
/// Writes no file.
///
/// The estimate is right to the factor that is printed, which follows from the spread of the sample.
/// Core-hours assume an idle core. If fewer than eight positions are solved, the work is at least
/// what is printed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    work: BookPlanArgs,

    /// The number of shards to plan for [default: such that each takes about an hour]
    #[arg(help_heading = "Book", long, value_name = "N", value_parser = whole(1..=Shard::MOST))]
    shards: Option<u32>,

    /// How long to solve a sample of the positions: seconds, or a time such as 5min; with 0, the work
    /// is not estimated
    #[arg(help_heading = "Limits", long, value_name = "TIME", default_value = "30", value_parser = seconds_from_0)]
    sample: Duration,

    /// Print one JSON object
    #[arg(help_heading = "Output", long)]
    json: bool,
}

/// Estimates the work, memory and disk space of a book.
pub(crate) fn run(args: &PlanArgs, options: &Options) -> Result {
    let plan = args.work.plan(options.size(), None);
    let mut out = output::stdout();
    if !args.json {
        // The number of positions takes no sample, and is read while that is solved.
        print_book(&mut out, &generate::estimate(&plan, args.shards, Duration::ZERO, &())?)?;
        out.flush()?;
    }
    let progress = write::cancellable(options)?;
    let estimate = generate::estimate(&plan, args.shards, args.sample, &progress)?;
    drop(progress);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&estimate)?)?;
    } else {
        print_work(&mut out, &estimate)?;
    }
    Ok(())
}

/// Time of a core, in the unit that suits it.
fn core_time(hours: f64) -> String {
    match hours * 3600.0 {
        seconds if seconds < 60.0 => format!("{seconds:.1} core-seconds"),
        seconds if seconds < 3600.0 => format!("{:.1} core-minutes", seconds / 60.0),
        _ if hours < 1000.0 => format!("{hours:.1} core-hours"),
        _ => format!("{} core-hours", rounded(hours)),
    }
}

/// An estimate, rounded to three digits.
fn rounded(number: f64) -> String {
    let digits = format!("{number:.2e}");
    match digits.parse::<f64>() {
        Ok(number) if number < 1e15 => grouped(number as u64),
        _ => digits,
    }
}

fn print_book(out: &mut impl Write, it: &Estimate) -> io::Result<()> {
    let about = if it.counted { "" } else { "about " };
    writeln!(out, "book       {}, depth {}, {}", it.size, it.depth, it.kind)?;
    writeln!(out, "positions  {about}{} to solve", grouped(it.positions))
}

fn print_work(out: &mut impl Write, it: &Estimate) -> io::Result<()> {
    let bytes = HumanBytes;
    let threads = count(it.threads, "thread");
    let mut hours_each = String::new();
    let mut expected = String::new();
    if let Some(work) = &it.work {
        let positions = count(work.sample_positions, "position");
        writeln!(out, "sample     {positions}, {}", count(work.sample_nodes, "node"))?;
        let core_time = core_time(work.core_hours);
        let nodes = rounded(work.nodes);
        let (about, error) = match work.error {
            Some(error) => ("about", format!("to a factor of {error:.1}")),
            None => ("at least", "as too few positions were solved; raise --sample".to_owned()),
        };
        writeln!(out, "work       {about} {core_time}, {nodes} nodes, {error}")?;
        writeln!(out, "time       {about} {} with {threads}", time(work.hours))?;
        expected = format!("{about} {}, ", bytes(work.expected_memory_bytes));
        hours_each = format!(", {about} {} each with {threads}", time(work.shard_hours));
    }
    let memory = bytes(it.memory_bytes);
    let table = bytes(it.table_bytes as u64);
    writeln!(out, "memory     {expected}at most {memory} if the table grows to {table}")?;
    let checkpoint = bytes(it.checkpoint_bytes);
    let book = bytes(it.book_bytes);
    writeln!(out, "disk       {checkpoint} for the checkpoint, at most {book} for the book")?;
    let positions = count(it.shard_positions, "position");
    writeln!(out, "shards     {} of about {positions}{hours_each}", it.shards)?;
    let memory = bytes(it.shard_memory_bytes);
    let part = bytes(it.part_bytes);
    writeln!(out, "a shard    {memory} of memory, {part} on the disk")
}

/// Hours as text.
fn time(hours: f64) -> String {
    match Duration::try_from_secs_f64(hours * 3600.0) {
        Ok(time) if hours < 1e6 => output::in_words(time),
        _ => format!("{} years", rounded(hours / (24.0 * 365.25))),
    }
}
