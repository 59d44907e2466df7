//! `fourbook show`: a position to look at, and in all notations.

mod board;
mod summary;

use crate::cli::args::{LimitArgs, Options, OracleArgs, PositionArgs, not_solved, notation_parser};
use crate::cli::error::{Error, INTERRUPTED, Result};
use crate::cli::output;
use crate::cli::status::note;
use crate::cli::waiting::wait_for;
use crate::cli::write::cancel_on_signal;
use clap::Args;
use fourbook::board::notation::Notation;
use fourbook::board::{Cell, column_name};
use fourbook::oracle::Question;
use fourbook::text::count;
use fourbook::{Limits, Oracle, Player, Position, Score, Size};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use summary::Summary;

const EXAMPLES: &str = "\
Notations:
  moves      4453              columns from 1, from the tenth on a, b, c; the empty text or line
                               is the empty board
  diagram    ......./......./......./......./...O.../...X...
                               rows of X, O and '.', the top one first; beside capitals, small
                               letters may only stand where show puts them
  bitboards  [1, 2, 2]         stones of X, stones of O (bit (HEIGHT+1)*column+row), moves played
  rows       rows:0x18:0x804   stones of X, stones of O (bit 8*row+column, 16*row+column on boards
                               of more than 8 columns)
  key        key:4433222074497 stones of the side to move + all stones + bottom row
  Also moves as 4,4,5,3 or ddec or 1. d1 d2 2. e1 c1, links with pos= or moves=, and boards of
  x o _, 1 2 0, R Y, coloured discs or | | cells, in a list or on lines of their own.

Examples:
  fourbook show 444441221515                     a position with two stacked threats
  fourbook show '[1, 2, 2]' rows:0x18:0x804      several, each in a notation of its own
  fourbook show --to key 4453                    convert: one position a line
  fourbook show --to moves < diagrams.txt        convert the lines of a file
  fourbook show --from key --to diagram 4433222074497
  fourbook show --scores 4453                    the score of each move, solved if need be
  fourbook show --size 8x8 --scores --deadline 9 44
                                                 give up after nine seconds
  fourbook show --color always 4453 | less -R    colours where they would be left out
  fourbook show --json 4453 | jq .threats        one JSON object a line";

/// The node limit for the scores of one position, unless `--scores` asks for them: about a tenth of
/// a second.
const SHORT_SEARCH: u64 = 1_000_000;

/// Print positions: the board, whose move it is, threats, and every notation
///
/// Capital letters are stones, X of the first player and O of the second. Small letters are
/// empty cells that are threats: x completes four of X, o completes four of O, * completes four
/// of both. Other empty cells are dots. Two threats of one side directly above each other are
/// stacked: block the lower one, and the upper one wins.
///
/// On a terminal, stones are in colours and a finished line of four stands out. Below each
/// column is the score of a move there, for the side to move: 0 is a draw, and a positive score
/// a win, larger for a sooner one. A question mark is a score that neither the book nor a short
/// search knows. With --scores, every score is solved within the limits; a score beyond them is
/// an error. Ctrl-C or SIGTERM during a search prints the scores that are known, and ends with exit
/// code 130.
///
/// The printed moves are a game that leads to the position, not necessarily the game that was
/// given. They are 'not reachable by play' if no game does.
///
/// An invalid position gives an error on stderr, and exit code 1 at the end. In the output,
/// --to prints an empty line for it and --json an object with 'error'.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    positions: PositionArgs,

    /// Print only this notation, one position a line
    #[arg(help_heading = "Output", long, value_name = "NOTATION", value_parser = notation_parser())]
    #[arg(conflicts_with = "strategies")]
    to: Option<Notation>,

    /// Print JSON, one object a line
    #[arg(help_heading = "Output", long, conflicts_with_all = ["to", "strategies"])]
    json: bool,

    /// Print the score of each move under its column, and solve what the book does not have
    #[arg(help_heading = "Output", long, conflicts_with_all = ["to", "json"])]
    scores: bool,

    #[command(flatten)]
    oracle: OracleArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

pub(crate) fn run(args: &ShowArgs, options: &Options) -> Result {
    let view = View::new(args, options)?;
    let mut failed = false;
    let mut interrupted = false;
    let mut first = true;
    let printed = args.positions.batches(view.size)?.try_for_each(|batch| {
        for line in batch?.lines() {
            let mut report = |error: &Error| {
                note(line.error(error));
                failed = true;
                interrupted |= error.exit == INTERRUPTED;
            };
            let shown = args.positions.parse(view.size, line);
            let shown = shown.and_then(|it| view.show(it, line.text, &mut report));
            let text = match shown {
                Ok(text) => text,
                Err(error) => {
                    report(&error);
                    match (args.to, args.json) {
                        (Some(_), _) => String::new(),
                        (None, true) => {
                            json!({ "input": line.text, "error": error.to_string() }).to_string()
                        }
                        (None, false) => continue,
                    }
                }
            };
            let separator = if first || args.is_by_line() { "" } else { "\n" };
            let written = writeln!(output::stdout(), "{separator}{text}");
            first = false;
            if interrupted {
                return Err(Error::interrupted());
            }
            written?;
        }
        Ok(())
    });
    output::ended(printed, failed)
}

impl ShowArgs {
    /// Whether a position takes one line.
    fn is_by_line(&self) -> bool {
        self.to.is_some() || self.json
    }
}

/// How positions are shown.
struct View<'a> {
    args: &'a ShowArgs,
    options: &'a Options,
    size: Size,
    /// Finds the scores of moves, if they are shown.
    oracle: Option<Oracle>,
    /// Stops a search, on a signal; set while none is under way, so that a signal ends the program.
    cancel: Arc<AtomicBool>,
}

impl<'a> View<'a> {
    fn new(args: &'a ShowArgs, options: &'a Options) -> Result<Self> {
        let with_scores = args.scores || !args.is_by_line() && io::stdout().is_terminal();
        // A named book or strategy determines the size of the board, on a terminal or not.
        let needs_oracle = with_scores || !args.is_by_line() && args.oracle.is_named();
        let oracle = needs_oracle.then(|| args.oracle.open(options, true)).transpose()?;
        let size = oracle.as_ref().map_or(options.size(), Oracle::size);
        let oracle = oracle.filter(|_| with_scores);
        let cancel = if with_scores { cancel_on_signal(false)? } else { Arc::default() };
        cancel.store(true, Ordering::Relaxed);
        Ok(View { args, options, size, oracle, cancel })
    }

    /// The text for a position. Reports scores that were not found within the limits.
    fn show(
        &self,
        position: Position,
        input: &str,
        report: &mut dyn FnMut(&Error),
    ) -> Result<String> {
        if let Some(notation) = self.args.to {
            return Ok(notation.print(position)?);
        }
        let summary = Summary::new(input, position);
        if self.args.json {
            return Ok(serde_json::to_string(&summary)?);
        }
        let oracle = self.oracle.as_ref().filter(|_| !position.is_over());
        let scores = oracle.map(|oracle| self.move_scores(oracle, position, report)).transpose()?;
        let board = board::draw(position, scores.as_deref());
        let board = output::for_stdout(board, self.options.color);
        let heading = match scores {
            Some(scores) => {
                let playable = position.children().flatten().count();
                let are_known = scores.iter().flatten().count() == playable;
                let more = match (are_known, self.args.scores) {
                    (true, _) => "",
                    (false, true) => "; those marked '?' were not found within the limits",
                    (false, false) => "; --scores solves those marked '?', too",
                };
                let mover = position.to_move();
                format!("\nunder the columns: the score of each move, for {mover}{more}")
            }
            None => String::new(),
        };
        Ok(format!("{board}{heading}{}", describe(position, &summary)))
    }

    /// The score of each column, from 0, for the side to move; `None` if it cannot be played, or
    /// its score was not found within the limits.
    fn move_scores(
        &self,
        oracle: &Oracle,
        position: Position,
        report: &mut dyn FnMut(&Error),
    ) -> Result<Vec<Option<Score>>> {
        let ShowArgs { scores: all, limits, oracle: oracle_args, .. } = self.args;
        let threads = if *all { oracle_args.threads.number() } else { 1 };
        let given = limits.of_search();
        let max_nodes = given.max_nodes.or((!all).then_some(SHORT_SEARCH));
        let limited = Limits { max_nodes, ..given };
        let mut query = oracle.with_threads(threads).query(position, Question::Moves)?;
        let ended =
            wait_for("solving", &mut query, limited, &self.cancel, Some(*limits), self.options);
        match ended? {
            Some(stopped) if !stopped.reason.is_limit() => {
                let mut error = Error::new("interrupted");
                error.exit = INTERRUPTED;
                report(&error);
            }
            Some(stopped) if *all => report(&not_solved(&stopped, oracle.book())),
            _ => {}
        }
        Ok(query.known().move_scores())
    }
}

/// The text below the board.
fn describe(position: Position, summary: &Summary<'_>) -> String {
    let state = match position.winner() {
        Some(winner) => format!("{winner} has won"),
        None if position.is_full() => "drawn".to_owned(),
        None => format!("{} to move", position.to_move()),
    };
    let mut text = format!("\n{state}, {} on the board\n", count(summary.ply, "stone"));
    for player in Player::BOTH {
        let threats = list_cells(&summary.threats[&player]);
        let _ = writeln!(text, "threats of {player}: {threats}");
    }
    for player in Player::BOTH {
        for Cell { column, row } in &summary.stacked_threats[&player] {
            let _ = writeln!(
                text,
                "stacked threats of {player}: column {}, rows {} and {}",
                column_name(*column),
                row + 1,
                row + 2
            );
        }
    }
    let moves = match summary.moves.as_deref() {
        None => "not reachable by play",
        Some("") => "(none: the empty board)",
        Some(moves) => moves,
    };
    let notations = [
        ("moves", moves),
        ("diagram", &summary.diagram),
        ("bitboards", &summary.bitboards),
        ("rows", &summary.rows),
        ("key", &summary.key),
        ("canonical", &summary.canonical_key),
    ];
    for (name, notation) in notations {
        let _ = write!(text, "\n{name:<9}  {notation}");
    }
    text
}

fn list_cells(cells: &[Cell]) -> String {
    if cells.is_empty() {
        return "none".to_owned();
    }
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join("; ")
}
