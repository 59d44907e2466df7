//! `fourbook bench`: how fast the solver is on this machine, and its signature.

use crate::cli::args::{EXIT_CODES, Options};
use crate::cli::error::Result;
use crate::cli::output;
use crate::cli::status::{Status, report};
use clap::Args;
use fourbook::{Size, solver};
use std::io::Write;

pub(crate) const SUMMARY: &str = "Solve a fixed set of positions and print how fast that went";

const ABOUT: &str = "\
Solve a fixed set of positions and print how fast that went

The number of nodes is a signature of the search: the same on every machine, it changes only when \
the search does. On 7x6 the positions are from all stages of the game, and their scores are \
checked. On other boards they are late positions of random games, the same in every run.";

const EXAMPLES: &str = "\
Examples:
  fourbook bench                      how fast this machine is, and whether the search is unchanged
  fourbook bench --size 8x8           how fast it is on another board";

/// The arguments of `fourbook bench`.
#[derive(Debug, Args)]
#[command(
    about = SUMMARY,
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(crate) struct BenchArgs {}

pub(crate) fn run(_: &BenchArgs, options: &Options) -> Result<Status> {
    let bench = match options.size() {
        Size::STANDARD => solver::bench()?,
        size => solver::bench_size(size)?,
    };
    let seconds = bench.elapsed.as_secs_f64();
    let mut out = output::stdout();
    writeln!(out, "positions  {}", bench.positions)?;
    writeln!(out, "nodes      {}", bench.nodes)?;
    writeln!(out, "seconds    {seconds:.3}")?;
    writeln!(out, "nodes/s    {:.0}", bench.nodes as f64 / seconds)?;
    if bench.wrong > 0 {
        report(format_args!("wrong scores: {} of {}", bench.wrong, bench.positions));
        return Ok(Status::Failed);
    }
    Ok(Status::Fine)
}
