//! `fourbook strategy`: makes one side's perfect opening.

use super::generate::{FEW_CELLS, LARGE_BOARD};
use crate::cli::args::{BookArgs, BookPlanArgs, Options, named_path};
use crate::cli::error::{Error, Result};
use crate::cli::output::in_words;
use crate::cli::write;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fourbook::generate::{GenerateError, Plan};
use fourbook::strategy::{self, StrategyPlan, StrategyReport};
use fourbook::text::count;
use fourbook::{Book, Player, Strategy};
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fourbook strategy                              the first player of 7x6 to ply 8
  fourbook strategy --side second --depth 13     the second player, deeper
  fourbook strategy --wdl --size 8x6             win, draw or loss only: smaller
  fourbook strategy --depth 12 --extend 7x6-first-d8.strategy
                                                 keep the moves of a shallower one
  fourbook verify --solve all 7x6-first-d8.strategy
                                                 prove what it is worth";

/// Make a strategy: one side's perfect moves down to a ply, in kilobytes
///
/// A book has a value for every position. A strategy has a move for each position in which its player
/// has to move, whatever the opponent plays. Every move is a best one: the player wins as soon or loses
/// as late as possible, or with --wdl keeps win or draw. Of several best moves, the strategy takes one
/// after which few positions follow.
///
/// Positions are answered from the book, or solved. Solved positions are kept in FILE.checkpoint.
/// After an interruption (Ctrl-C, kill, a power cut), the same command resumes the run. The
/// checkpoint serves every strategy of the same board and kind. FILE.json reports how the strategy
/// was made.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StrategyArgs {
    /// The player whose moves to find
    #[arg(help_heading = "Book", long, value_name = "PLAYER", default_value = "first", value_parser = player_parser())]
    side: Player,

    #[command(flatten)]
    work: BookPlanArgs,

    /// Keep the score of each position, too: a larger file
    #[arg(help_heading = "Book", long)]
    scores: bool,

    /// Keep the moves of this shallower strategy of the same player
    #[arg(help_heading = "Book", long, value_name = "FILE", value_parser = named_path())]
    extend: Option<PathBuf>,

    #[command(flatten)]
    book: BookArgs,

    /// The file to write [default: named after board, side, depth and kind, such as
    /// 7x6-first-d8.strategy]
    #[arg(help_heading = "Output", short, long, value_name = "FILE", value_parser = named_path())]
    out: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(help_heading = "Output", short, long)]
    force: bool,
}

fn player_parser() -> impl TypedValueParser<Value = Player> {
    PossibleValuesParser::new(["first", "second"])
        .map(|name| if name == "first" { Player::X } else { Player::O })
}

/// Makes a strategy.
pub(crate) fn run(args: &StrategyArgs, options: &Options) -> Result {
    if args.scores && args.work.wdl {
        let text = "outcomes have no scores to keep; leave --scores or --wdl out";
        return Err(Error::usage(text));
    }
    let base = args.extend.as_ref().map(Strategy::open).transpose()?;
    let size = options.size.or(base.as_ref().map(Strategy::size));
    let book = args.book.open(&Options { size, ..options.clone() })?;
    let size = size.or(book.as_ref().map(Book::size)).unwrap_or_default();
    let work = args.work.plan(size, args.out.clone());
    let work = Plan { replace: args.force, ..work };
    let mut plan = StrategyPlan { work, player: args.side, has_values: args.scores };
    if args.out.is_none() {
        plan.work.out = plan.default_out();
    }
    let progress = write::cancellable(options)?;
    if book.is_none() && size.cells() > FEW_CELLS {
        options.note(LARGE_BOARD);
    }
    let made = strategy::make(&plan, book.as_ref(), base.as_ref(), &progress);
    drop(progress);
    let report = made.map_err(|error| match (&args.extend, &error) {
        (Some(file), GenerateError::Base { .. }) => {
            Error::from(error).context(format_args!("cannot extend '{}'", file.display()))
        }
        _ => error.into(),
    })?;
    options.note(summary(&plan.work.out, &report));
    Ok(())
}

fn summary(out: &Path, report: &StrategyReport) -> String {
    let positions: u64 = report.strategy.plies.iter().map(|ply| ply.positions).sum();
    let positions = count(positions, "position");
    let bytes = count(report.bytes, "byte");
    let time = in_words(Duration::from_millis(report.solving.milliseconds));
    let nodes = count(report.solving.nodes, "node");
    format!("{}: {positions} in {bytes}, made in {time} with {nodes}", out.display())
}
