//! Solves the positions on stdin, one line of moves each, with connect-four-ai
//! without its opening book: prints `POSITION SCORE` for each, and at the end
//! `# solved in SECONDS s`, the time spent in its solver alone.

use connect_four_ai::{Position, Solver};
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

/// How often a program that watches the output sees it grow.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn Error>> {
    let text = io::read_to_string(io::stdin())?;
    // One solver for all positions, so that its table stays warm.
    let mut solver = Solver::empty();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut solving = Duration::ZERO;
    let mut flushed = Instant::now();
    for moves in text.lines() {
        let position = Position::from_moves(moves).map_err(|error| format!("{moves}: {error}"))?;
        let start = Instant::now();
        let score = solver.solve(&position);
        let end = Instant::now();
        solving += end - start;
        writeln!(out, "{moves} {score}")?;
        if end - flushed >= FLUSH_EVERY {
            out.flush()?;
            flushed = end;
        }
    }
    writeln!(out, "# solved in {:.6} s", solving.as_secs_f64())?;
    out.flush()?;
    Ok(())
}
