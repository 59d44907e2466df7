//! `fourbook bench`: how fast the solver is here, and its signature.

use super::{EXIT_CODES, Options, Status, output};
use clap::Args;
use fourbook::solver;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  fourbook bench                      how fast this machine is, and whether the search is as it was";

/// Solve a fixed set of positions and print how fast that went
///
/// The number of nodes is a signature of the search: the same on every machine, it changes only
/// when the search does. The positions are of the usual board.
#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(super) struct BenchArgs {}

/// Runs the subcommand.
///
/// # Errors
///
/// If there is no memory, or the results cannot be written.
pub(super) fn run(_: &BenchArgs, options: &Options) -> anyhow::Result<Status> {
    options.check_usual_board()?;
    let bench = solver::bench()?;
    let seconds = bench.elapsed.as_secs_f64();
    let mut out = output::stdout();
    writeln!(out, "positions  {}", bench.positions)?;
    writeln!(out, "nodes      {}", bench.nodes)?;
    writeln!(out, "seconds    {seconds:.3}")?;
    writeln!(out, "nodes/s    {:.0}", bench.nodes as f64 / seconds)?;
    if bench.wrong > 0 {
        super::report(&format!("{} of {} scores are wrong", bench.wrong, bench.positions));
        return Ok(Status::Failed);
    }
    Ok(Status::Fine)
}
