//! `fourbook show`: a position to look at, and in all notations.

use super::input::{BadInput, PositionArgs};
use super::{EXIT_CODES, Options, Status};
use clap::Args;
use fourbook::board::notation::{Notation, diagram};
use fourbook::board::{CellNumber, GameState, Summary, column_name};
use fourbook::{Player, Position};
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;

const ABOUT: &str = "\
Print positions: the board, whose move it is, threats, and every notation

Capital letters are stones, X of the first player and O of the second. Small letters are empty \
cells that are threats: x completes four of X, o completes four of O, * completes four of both. \
Other empty cells are dots. Two threats of one side directly above each other are stacked: \
block the lower one, and the upper one wins.

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
  fourbook show --json 4453 | jq .threats        one JSON object a line";

/// The arguments of `fourbook show`.
#[derive(Debug, Args)]
#[command(
    about = "Print positions: the board, threats, and every notation",
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    positions: PositionArgs,

    /// Print only this notation, one position a line
    #[arg(long, value_name = "NOTATION", value_parser = super::notation_parser())]
    to: Option<Notation>,

    /// Print JSON, one object a line
    #[arg(long, conflicts_with = "to")]
    json: bool,
}

pub(super) fn run(args: &ShowArgs, options: &Options) -> anyhow::Result<Status> {
    let mut first = true;
    args.positions.print_each(options.size(), &mut |text, position| {
        let shown = match (args.to, args.json, position) {
            (Some(notation), _, Ok(position)) => {
                notation.print(position).map_err(|error| BadInput(error.to_string()))?
            }
            (Some(_), _, Err(_)) => String::new(),
            (None, true, Ok(position)) => as_json(position, text)?,
            (None, true, Err(error)) => json!({ "input": text, "error": error }).to_string(),
            (None, false, Ok(position)) if first => as_text(position),
            (None, false, Ok(position)) => format!("\n{}", as_text(position)),
            (None, false, Err(_)) => return Ok(None),
        };
        first = false;
        Ok(Some(shown))
    })
}

/// What `--json` prints of a position.
#[derive(Serialize)]
struct Record<'a> {
    /// The text the position was read from.
    input: &'a str,
    #[serde(flatten)]
    summary: Summary,
}

fn as_json(position: Position, input: &str) -> serde_json::Result<String> {
    serde_json::to_string(&Record { input, summary: Summary::of(position) })
}

fn as_text(position: Position) -> String {
    let summary = Summary::of(position);
    let mut text = diagram::draw(position);
    let stones = match summary.ply {
        1 => "1 stone".to_owned(),
        ply => format!("{ply} stones"),
    };
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
