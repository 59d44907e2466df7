//! `fourbook lookup`: perfect play for positions, from a book or the solver.

mod format;
mod workers;

use crate::cli::args::{LimitArgs, Line, Options, OracleArgs, PositionArgs};
use crate::cli::error::{Error, Result};
use crate::cli::output;
use crate::cli::status::{hint, note};
use clap::Args;
use format::{FormatArgs, OutputFormat};
use fourbook::board::notation::Notation;
use fourbook::oracle::Game;
use fourbook::text::count;
use fourbook::{Oracle, Size};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use workers::Workers;

const EXAMPLES: &str = "\
Examples:
  fourbook lookup 4453                          one position
  fourbook lookup --analyze 4453                one score a column; -1000 if it cannot be played
  fourbook lookup --json 4453 | jq .best_moves  everything that is known
  fourbook lookup --pv 4453                     how perfect play goes on
  fourbook lookup --game 44535261               what each move was worth
  fourbook lookup < positions.txt               lines of a file, answered in order
  fourbook lookup --book my.book 4453           from a book of your own
  fourbook lookup --plain 4453                  POSITION SCORE, also on a terminal
  fourbook lookup --deadline 2 < positions.txt  give positions up that take longer
  FOURBOOK_BOOK=books fourbook lookup 4453      from the deepest book of a folder
  fourbook --size 6x5 lookup 3344               a board of another size";

/// The most lines that are worked on at a time.
const BATCH: usize = 1 << 16;

/// Print the outcome and score of each position
///
/// On a terminal the answer is in words: who wins, with which stone, and which columns are
/// best. Elsewhere a line is POSITION SCORE. --format chooses what is printed; the usual
/// formats have options of their own, such as --json. The score is for the side to move: 0 is a
/// draw, a positive score a win, a negative one a loss. A win with the side's last stone scores
/// 1, with the stone before it 2, and so on: on 7x6 a winner who has placed S stones scores 22
/// - S. A game that is over has the score of its end.
///
/// Scores in the book are printed at once; all other positions are solved. An invalid position,
/// or one that is not solved within the limits, gives an error on stderr and exit code 1 at the
/// end. stdout then has an empty line, in JSON an object with 'error', and in words nothing.
/// Damage to the book gives an error, never a wrong answer: each block of the file is checked
/// when it is first read.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LookupArgs {
    #[command(flatten)]
    positions: PositionArgs,

    #[command(flatten)]
    oracle: OracleArgs,

    #[command(flatten)]
    format: FormatArgs,

    /// Review games: what each move was worth, and how perfect play goes on from the end; with
    /// --json, a JSON object for each
    #[arg(short, long)]
    game: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Looks up every position or game.
pub(crate) fn run(args: &LookupArgs, options: &Options) -> Result {
    let default =
        || if io::stdout().is_terminal() { OutputFormat::Words } else { OutputFormat::Plain };
    let format = args.format.chosen(args.game)?.unwrap_or_else(default);
    let oracle = args.oracle.open(options, format != OutputFormat::Wdl)?;
    let mut advice = args.oracle.book.advice(options);
    let workers = Workers {
        oracle: &oracle,
        threads: args.oracle.threads.number(),
        options,
        limits: args.limits,
        answer: &|line, oracle| args.answer(format, line, oracle),
        cancel: Arc::default(),
        started: AtomicBool::new(false),
    };
    let mut failed = false;
    let mut out = output::stdout();
    let printed = args.positions.for_each_batch(BATCH, &mut |lines| {
        workers.answer_all(lines, &mut |lines, answers| {
            let (mut texts, mut errors) = (String::new(), String::new());
            for (line, answer) in lines.iter().zip(answers) {
                let text = answer.unwrap_or_else(|error| {
                    let error = error.to_string();
                    errors += &line.error(&error);
                    errors.push('\n');
                    format.error(&line.text, &error)
                });
                // On a terminal, errors need no line numbers.
                if format != OutputFormat::Words || !text.is_empty() {
                    texts += &text;
                    texts.push('\n');
                }
            }
            if !errors.is_empty() {
                failed = true;
                note(errors.trim_end_matches('\n'));
            }
            out.write_all(texts.as_bytes())?;
            Ok(out.flush()?)
        })?;
        if oracle.nodes() > 0 {
            advice.take().into_iter().for_each(hint);
        }
        Ok(())
    });
    output::ended(printed, failed)
}

impl LookupArgs {
    fn answer(&self, format: OutputFormat, line: &Line, oracle: &Oracle) -> Result<String> {
        let nodes = || oracle.limits().progress.as_ref().map_or(0, |progress| progress.nodes());
        let (started, before) = (Instant::now(), nodes());
        let printed = match format {
            OutputFormat::Game | OutputFormat::GameJson => {
                line.check()?;
                let game = parse_game(oracle.size(), &line.text)?;
                oracle.review(&game).map(|review| format.print_game(&review))
            }
            _ => {
                let position = self.positions.parse(oracle.size(), line)?;
                format.print(&line.text, position, oracle)
            }
        };
        let nodes = nodes() - before;
        if nodes > 0 && printed.is_ok() {
            let (nodes, time) = (count(nodes, "node"), output::in_words(started.elapsed()));
            tracing::info!("'{}' took {nodes} and {time}", line.text);
        } else if printed.is_ok() {
            tracing::debug!("'{}' needed no search", line.text);
        }
        printed.map_err(|error| self.limits.explain(error))
    }
}

/// Parses the moves of a game. Other notations have positions only.
fn parse_game(size: Size, text: &str) -> Result<Game> {
    match Notation::recognise(text) {
        None | Some(Notation::Moves) => Ok(Game::parse(size, text)?),
        Some(other) => Err(Error::new(format!(
            "expected the moves of a game, such as 445352, found the notation {}; \
             'fourbook show --to moves' prints a game that leads to a position",
            other.name()
        ))),
    }
}
