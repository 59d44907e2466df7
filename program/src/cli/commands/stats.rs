//! `fourbook stats`: how the positions of a book end.

use crate::cli::args::{Options, ToolArgs};
use crate::cli::error::{Context, Result};
use crate::cli::{output, write};
use clap::Args;
use fourbook::text::grouped;
use fourbook::tools::stats::{Endings, PlyStatistics, statistics};
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook stats 7x6-d8.book
  fourbook stats 7x6-d8.book --csv > 7x6-d8.csv";

/// Count how the positions of every ply end: who wins, from the first player's view
///
/// All positions that a game can reach are counted, stored or not, from the empty board to the
/// depth of the book. While the game goes on, 'wins' means with perfect play; games that are
/// over have columns of their own. A position and its mirror image count as two, unless
/// --mirror-unique is given.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// The book; '-' is standard input, 'built-in' is the built-in book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Count a position and its mirror image once
    #[arg(long)]
    mirror_unique: bool,

    /// Print comma-separated values
    #[arg(help_heading = "Output", long)]
    csv: bool,

    #[command(flatten)]
    tool: ToolArgs,
}

pub(crate) fn run(args: &StatsArgs, options: &Options) -> Result {
    write::end_on_signal("interrupted")?;
    let book = options.open_book(&args.book)?;
    let plies = args
        .tool
        .run(options.quiet, |resources| statistics(&book, resources))
        .with_context(|| format!("cannot count the positions of '{}'", args.book.display()))?;
    let (what, endings): (_, fn(&PlyStatistics) -> Endings) = if args.mirror_unique {
        ("mirror-unique positions", |ply| ply.mirror_unique)
    } else {
        ("distinct positions", |ply| ply.distinct)
    };
    let rows: Vec<(u32, Endings)> = plies.iter().map(|ply| (ply.ply, endings(ply))).collect();
    let mut out = output::stdout();
    if args.csv {
        print_csv(&mut out, &rows)?
    } else {
        print_table(&mut out, what, &rows)?
    }
    Ok(())
}

/// The names of the columns after ply and positions, in the order of [`numbers`].
const COLUMNS: [&str; 6] =
    ["first_wins", "draws", "second_wins", "first_has_won", "drawn", "second_has_won"];

fn numbers(endings: &Endings) -> [u64; 6] {
    let Endings { first_wins, draws, second_wins, first_has_won, drawn, second_has_won } = *endings;
    [first_wins, draws, second_wins, first_has_won, drawn, second_has_won]
}

fn print_csv(out: &mut impl Write, plies: &[(u32, Endings)]) -> io::Result<()> {
    writeln!(out, "ply,positions,{}", COLUMNS.join(","))?;
    for (ply, endings) in plies {
        write!(out, "{ply},{}", endings.total())?;
        for number in numbers(endings) {
            write!(out, ",{number}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn print_table(out: &mut impl Write, what: &str, plies: &[(u32, Endings)]) -> io::Result<()> {
    writeln!(out, "{what}, from the first player's view")?;
    writeln!(out)?;
    writeln!(out, "{:>17}  {:<37}  the game is over", "", "the game goes on")?;
    let names = COLUMNS.map(|name| format!("{:>11}", name.replace('_', " ")));
    writeln!(out, "ply  {:>12}  {}", "positions", names.join("  "))?;
    for (ply, endings) in plies {
        write!(out, "{ply:>3}  {:>12}", grouped(endings.total()))?;
        for (name, number) in names.iter().zip(numbers(endings)) {
            write!(out, "  {:>width$}", grouped(number), width = name.len())?;
        }
        writeln!(out)?;
    }
    Ok(())
}
