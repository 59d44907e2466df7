//! `fourbook bench`: how fast the solver is on this machine, and its signature.

use crate::cli::args::Options;
use crate::cli::error::{Error, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::write;
use clap::Args;
use fourbook::solver;
use fourbook::text::grouped;
use std::io::Write;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  fourbook bench                      how fast this machine is, and whether the search is unchanged
  fourbook bench --size 8x8           how fast it is on another board";

/// Solve a fixed set of positions and print how fast that went
///
/// The number of nodes is a signature of the search: the same on every machine, it changes only
/// when the search does. The positions are from all stages of the game. On 7x6 their scores are
/// checked. On other boards they are from random games, the same in every run, and each search
/// has a node limit.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {}

pub(crate) fn run(_: &BenchArgs, options: &Options) -> Result {
    write::end_on_signal("interrupted")?;
    let progress = OnStderr::new(options.quiet);
    let started = Instant::now();
    let bench = solver::bench(options.size(), &mut |done, total| {
        if done == 0 {
            progress.start("solving", None, total, started);
        }
        progress.set(done as u64);
    })?;
    drop(progress);
    let seconds = bench.elapsed.as_secs_f64();
    let mut out = output::stdout();
    writeln!(out, "positions  {}", grouped(bench.positions))?;
    writeln!(out, "nodes      {}", grouped(bench.nodes))?;
    writeln!(out, "seconds    {seconds:.3}")?;
    let rate = grouped((bench.nodes as f64 / seconds) as u64);
    writeln!(out, "nodes/s    {rate}")?;
    if bench.wrong > 0 {
        let wrong = bench.wrong;
        let all = bench.positions;
        return Err(Error::new(format!("wrong scores: {wrong} of {all}")));
    }
    Ok(())
}
