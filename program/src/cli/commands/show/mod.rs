//! `fourbook show`: a position to look at, and in all notations.

mod board;

use crate::cli::args::{
    EXIT_CODES, Options, PositionArgs, ThreadArgs, notation_parser, on, table_bytes,
};
use crate::cli::error::{Error, Result};
use crate::cli::output::{self, Paint};
use crate::cli::status::Status;
use clap::Args;
use fourbook::board::notation::Notation;
use fourbook::board::{CellNumber, GameState, Summary, column_name};
use fourbook::count;
use fourbook::oracle::OracleError;
use fourbook::{Book, Limits, Oracle, Player, Position, Score, Size, StopReason};
use rayon::ThreadPool;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::Arc;

pub(crate) const SUMMARY: &str = "Print positions: the board, threats, and every notation";

const ABOUT: &str = "\
Print positions: the board, whose move it is, threats, and every notation

Capital letters are stones, X of the first player and O of the second. Small letters are empty \
cells that are threats: x completes four of X, o completes four of O, * completes four of both. \
Other empty cells are dots. Two threats of one side directly above each other are stacked: \
block the lower one, and the upper one wins.

On a terminal, stones are in colours, the line of four of a game that is won stands out, and below \
each column is the score of a move there, for the side to move: 0 is a draw, a positive score a \
win, and the larger, the sooner. A question mark is a score that neither the book has nor a short \
search finds; --scores solves it.

The moves that are printed are those of some game that leads to the position, not necessarily of \
the one that was given; 'not reachable by play' if there is none.

A text that is no position gives an error on stderr, and exit code 1 at the end. With --to, an \
empty line takes its place, with --json an object with 'error'.";

const EXAMPLES: &str = "\
Notations:
  moves      4453              columns from 1, from the tenth on a, b, c; the empty text or line
                               is the empty board
  diagram    ......./......./......./......./...O.../...X...
                               rows of X, O and '.', the top one first; capitals are stones,
                               small letters may only stand where show puts them
  bitboards  [1, 2, 2]         stones of X, stones of O (bit (HEIGHT+1)*column+row), moves played
  rows       rows:0x18:0x804   stones of X, stones of O (bit 8*row+column, 16*row+column on boards
                               of more than 8 columns)
  key        key:4433222074497 stones of the side to move + all stones + bottom row

Examples:
  fourbook show 444441221515                     a position with two stacked threats
  fourbook show '[1, 2, 2]' rows:0x18:0x804      several, each in a notation of its own
  fourbook show --to key 4453                    convert: one position a line
  fourbook show --to moves < diagrams.txt        convert the lines of a file
  fourbook show --from key --to diagram 4433222074497
  fourbook show --scores 4453                    the score of each move, solved if need be
  fourbook show --color always 4453 | less -R    colours where they would be left out
  fourbook show --json 4453 | jq .threats        one JSON object a line";

/// The most nodes that are searched for the scores of one position unless they are asked
/// for: about a tenth of a second.
const SHORT_SEARCH: u64 = 1_000_000;

/// The arguments of `fourbook show`.
#[derive(Debug, Args)]
#[command(
    about = SUMMARY,
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    positions: PositionArgs,

    /// Print only this notation, one position a line
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    to: Option<Notation>,

    /// Print JSON, one object a line
    #[arg(long, conflicts_with = "to")]
    json: bool,

    /// Print the score of each move under its column, and solve what the book does not have
    #[arg(long, conflicts_with_all = ["to", "json"])]
    scores: bool,
}

pub(crate) fn run(args: &ShowArgs, options: &Options) -> Result<Status> {
    let view = View::new(args, options)?;
    let mut status = Status::Fine;
    let mut first = true;
    let printed = args.positions.for_each_batch(1, &mut |lines| {
        for line in lines {
            let shown = args.positions.parse(options.size(), line).map_err(Error::from);
            let shown = shown.and_then(|position| args.show(position, &line.text, &view));
            let text = match shown {
                Ok(text) => text,
                Err(error) => {
                    line.report(&error);
                    status = Status::Failed;
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
            writeln!(output::stdout(), "{separator}{text}")?;
            first = false;
        }
        Ok(())
    });
    output::ended(printed, status)
}

impl ShowArgs {
    /// Whether a position takes one line.
    fn is_by_line(&self) -> bool {
        self.to.is_some() || self.json
    }

    fn show(&self, position: Position, input: &str, view: &View) -> Result<String> {
        match self.to {
            Some(notation) => Ok(notation.print(position)?),
            None if self.json => {
                let record = Record { input, summary: Summary::of(position) };
                Ok(serde_json::to_string(&record)?)
            }
            None => view.show(position),
        }
    }
}

/// What `--json` prints of a position.
#[derive(Serialize)]
struct Record<'a> {
    /// The text the position was read from.
    input: &'a str,
    #[serde(flatten)]
    summary: Summary,
}

/// How positions are shown to people.
struct View {
    paint: Paint,
    /// What finds the scores of moves, if they are shown.
    scorer: Option<Scorer>,
}

impl View {
    fn new(args: &ShowArgs, options: &Options) -> Result<Self> {
        let with_scores = args.scores || !args.is_by_line() && io::stdout().is_terminal();
        let scorer = with_scores.then(|| Scorer::new(options.size(), args.scores)).transpose()?;
        Ok(View { paint: Paint::stdout(options.color), scorer })
    }

    fn show(&self, position: Position) -> Result<String> {
        let scorer = self.scorer.as_ref().filter(|_| !position.is_over());
        let scores = scorer.map(|scorer| scorer.move_scores(position)).transpose()?;
        let board = board::draw(position, scores.as_deref(), self.paint);
        let heading = match scores {
            Some(scores) => {
                let playable = position.children().flatten().count();
                let are_known = scores.iter().flatten().count() == playable;
                let more = if are_known { "" } else { "; --scores solves those marked '?', too" };
                let mover = position.to_move();
                format!("\nunder the columns: the score of each move, for {mover}{more}")
            }
            None => String::new(),
        };
        Ok(format!("{board}{heading}{}", describe(position)))
    }
}

/// What finds the scores of moves.
struct Scorer {
    oracle: Oracle,
    /// Searches take more stack than the program's first thread has everywhere.
    pool: ThreadPool,
}

impl Scorer {
    /// For boards of this size: with the book in the program if it is for them. All scores
    /// are found, or those that a short search finds.
    fn new(size: Size, all: bool) -> Result<Self> {
        let table_bytes = table_bytes(None);
        let book = (size == Size::STANDARD).then(|| Arc::new(Book::embedded()));
        let oracle = Oracle::with_memory(book, size, table_bytes)?;
        let short = Limits { max_nodes: Some(SHORT_SEARCH), ..Limits::default() };
        let oracle = match all {
            true => oracle.with_threads(ThreadArgs { threads: None }.number()),
            false => oracle.with_limits(short),
        };
        Ok(Scorer { oracle, pool: ThreadArgs { threads: Some(1) }.start()? })
    }

    /// The score of each column, from 0, for the side to move; `None` if it cannot be played,
    /// or a limit was reached before its score was found.
    fn move_scores(&self, position: Position) -> Result<Vec<Option<Score>>, OracleError> {
        let mut knowledge = self.oracle.known(position)?;
        let solved = on(&self.pool, || self.oracle.complete(&mut knowledge, &mut |_| ()));
        match solved {
            Ok(()) => Ok(knowledge.move_scores()),
            Err(OracleError::Stopped(it)) if it.reason == StopReason::NodeBudget => {
                Ok(knowledge.move_scores())
            }
            Err(error) => Err(error),
        }
    }
}

/// The text below the board.
fn describe(position: Position) -> String {
    let summary = Summary::of(position);
    let mut text = String::new();
    let stones = count(summary.ply, "stone");
    let _ = writeln!(text, "\n{}, {stones} on the board", state(&summary));
    for player in Player::BOTH {
        let threats = list_cells(summary.threats.of(player));
        let _ = writeln!(text, "threats of {player}: {threats}");
    }
    for player in Player::BOTH {
        for CellNumber { column, row } in summary.stacked_threats.of(player) {
            let _ = writeln!(
                text,
                "stacked threats of {player}: column {}, rows {row} and {}",
                column_name(column - 1),
                row + 1
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

fn state(summary: &Summary) -> String {
    match (summary.state, summary.winner, summary.to_move) {
        (GameState::Drawn, ..) => "drawn".to_owned(),
        (_, Some(winner), _) => format!("{winner} has won"),
        (_, _, Some(player)) => format!("{player} to move"),
        (_, None, None) => unreachable!("a running game has a side to move, a won one a winner"),
    }
}

fn list_cells(cells: &[CellNumber]) -> String {
    if cells.is_empty() {
        return "none".to_owned();
    }
    let name =
        |cell: &CellNumber| format!("column {}, row {}", column_name(cell.column - 1), cell.row);
    let names = cells.iter().map(name);
    names.collect::<Vec<_>>().join("; ")
}
