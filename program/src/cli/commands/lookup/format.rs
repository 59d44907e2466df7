//! The formats of `fourbook lookup`: what each prints of a position, or a game.

use crate::cli::error::{Error, Result};
use crate::cli::output::describe;
use clap::{Args, ValueEnum};
use fourbook::board::column_name;
use fourbook::oracle::{GameReview, OracleError, PositionReport};
use fourbook::{Oracle, Position};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;
use std::time::Instant;

/// What Pascal Pons' solver prints for a column that cannot be played.
const FULL_COLUMN: i32 = -1000;

/// The output for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Who wins, when, and with which move, in words
    Words,
    /// POSITION SCORE
    Plain,
    /// A JSON object for each position
    Json,
    /// POSITION and the score of each column; -1000 for one that cannot be played
    Columns,
    /// What each move of a game was worth, and how perfect play goes on from its end
    Game,
    /// The same in a JSON object for each game
    GameJson,
    /// POSITION SCORE MOVES: perfect play to the end of the game
    Pv,
    /// POSITION and 1, 0 or -1 for win, draw or loss
    Wdl,
    /// Why perfect play ends as it does, in a few sentences
    Explain,
}

// The options that choose a format, at most one at a time. `--game` is separate, as it combines
// with `--json`.
#[derive(Clone, Copy, Debug, Args)]
#[group(id = "formats", multiple = false)]
pub(crate) struct FormatArgs {
    /// What to print [default: words on a terminal, plain elsewhere]
    #[arg(long, value_name = "FORMAT")]
    format: Option<OutputFormat>,

    /// Print the score of each column instead, the first one first: --format columns
    #[arg(short, long, visible_alias = "analyse")]
    analyze: bool,

    /// Print 1, 0 or -1 for win, draw or loss instead of the score, which takes less solving:
    /// --format wdl
    #[arg(short, long)]
    wdl: bool,

    /// Print a JSON object for each position, or with --game for each game: --format json
    #[arg(long)]
    json: bool,

    /// Print the moves of perfect play to the end of the game after the score: --format pv
    #[arg(long)]
    pv: bool,

    /// Print why perfect play ends as it does: the four, since when it was a threat, and why the
    /// loser could not prevent it: --format explain
    #[arg(long)]
    explain: bool,

    /// Print in words who wins, when, and with which move: --format words
    #[arg(long)]
    words: bool,

    /// Print POSITION SCORE: --format plain
    #[arg(long)]
    plain: bool,
}

impl FormatArgs {
    /// The format that was chosen, if any, where `game` is whether `--game` was given.
    pub(crate) fn chosen(self, game: bool) -> Result<Option<OutputFormat>> {
        let flags = [
            (self.analyze, OutputFormat::Columns),
            (self.wdl, OutputFormat::Wdl),
            (self.json, OutputFormat::Json),
            (self.pv, OutputFormat::Pv),
            (self.explain, OutputFormat::Explain),
            (self.words, OutputFormat::Words),
            (self.plain, OutputFormat::Plain),
        ];
        let flag = flags.into_iter().find_map(|(is_set, format)| is_set.then_some(format));
        match (self.format.or(flag), game) {
            (other, false) => Ok(other),
            (None | Some(OutputFormat::Game), true) => Ok(Some(OutputFormat::Game)),
            (Some(OutputFormat::Json | OutputFormat::GameJson), true) => {
                Ok(Some(OutputFormat::GameJson))
            }
            (Some(_), true) => {
                let text = "--game goes together with --json only; leave the other format out";
                Err(Error::usage(text))
            }
        }
    }
}

impl OutputFormat {
    /// Prints a position, given as a text.
    pub(crate) fn print(
        self,
        text: &str,
        position: Position,
        oracle: &Oracle,
    ) -> Result<String, OracleError> {
        let line = one_line(text);
        Ok(match self {
            OutputFormat::Words => format!("{}: {}", name_of(&line), words(position, oracle)?),
            OutputFormat::Plain => format!("{line} {}", oracle.score(position)?.value),
            OutputFormat::Json => {
                let started = Instant::now();
                let knowledge = oracle.complete_knowledge(position)?;
                let took = (knowledge.nodes() > 0).then(|| started.elapsed());
                to_json(&PositionReport::new(text, &knowledge).with_time(took))
            }
            OutputFormat::Columns => {
                let mut line = line.into_owned();
                for score in oracle.complete_knowledge(position)?.move_scores() {
                    let _ = write!(line, " {}", score.map_or(FULL_COLUMN, i32::from));
                }
                line
            }
            OutputFormat::Pv => {
                let (score, moves) = oracle.line(position)?.value;
                let moves: String = moves.into_iter().map(column_name).collect();
                format!("{line} {score} {moves}").trim_end().to_owned()
            }
            OutputFormat::Wdl => format!("{line} {}", oracle.outcome(position)?.value.sign()),
            OutputFormat::Explain => {
                format!("{}: {}", name_of(&line), oracle.explain(position)?.value)
            }
            OutputFormat::Game | OutputFormat::GameJson => unreachable!("these print games"),
        })
    }

    /// Compares a score, or an outcome, with ours; the text is empty if they agree.
    pub(crate) fn compare(
        self,
        text: &str,
        position: Position,
        expected: i32,
        oracle: &Oracle,
    ) -> Result<String, OracleError> {
        let found = match self {
            OutputFormat::Wdl => oracle.outcome(position)?.value.sign().into(),
            _ => i32::from(oracle.score(position)?.value),
        };
        Ok(match self {
            _ if found == expected => String::new(),
            OutputFormat::Json => {
                let json =
                    serde_json::json!({ "position": text, "expected": expected, "found": found });
                json.to_string()
            }
            _ => format!("{}: expected {expected}, found {found}", name_of(&one_line(text))),
        })
    }

    /// Prints a game.
    pub(crate) fn print_game(self, review: &GameReview) -> String {
        if self == OutputFormat::GameJson { to_json(review) } else { game(review) }
    }

    /// The output in place of an answer: JSON with the error, or nothing.
    pub(crate) fn error(self, text: &str, error: &str) -> String {
        match self {
            OutputFormat::Json | OutputFormat::GameJson => {
                serde_json::json!({ "position": text, "error": error }).to_string()
            }
            _ => String::new(),
        }
    }
}

fn words(position: Position, oracle: &Oracle) -> Result<String, OracleError> {
    let mut knowledge = oracle.known(position)?;
    let completed = oracle.complete(&mut knowledge, &mut |_| ());
    match (completed, knowledge.score()) {
        // The score alone is worth printing.
        (Ok(()) | Err(OracleError::Stopped(_)), Some(known)) => {
            Ok(describe(position, known.score, &knowledge.move_scores()))
        }
        (Err(error), _) => Err(error),
        (Ok(()), None) => unreachable!("all is known when it is complete"),
    }
}

fn to_json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("a report has only text for keys")
}

/// A position in one line: an argument may be a diagram of several.
fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains('\n') {
        true => text.trim_matches('\n').replace('\n', "/").into(),
        false => text.into(),
    }
}

/// The text of a position in front of a sentence about it.
fn name_of(text: &str) -> &str {
    match text.trim() {
        "" => "the empty board",
        text => text,
    }
}

/// A line for each move: its number, player and column, the score after it for that player,
/// and how good it was. The last line is the end of the game, or perfect play to it.
fn game(review: &GameReview) -> String {
    let mut text = format!("game {}", review.game);
    for it in &review.moves {
        let (number, player, column) = (it.number, it.player, it.column);
        let _ =
            write!(text, "\n{number:>3} {player} {column:>2} {:>4}  {}", it.score, it.mark.text());
        if it.score != it.best {
            let _ = write!(text, ", {} was there", it.best);
        }
    }
    let end = &review.positions[review.moves.len()];
    let _ = match (review.winner, review.over) {
        (Some(winner), _) => write!(text, "\nend {winner} has won"),
        (None, true) => write!(text, "\nend draw"),
        (None, false) => write!(text, "\nline {} ({})", review.line, end.score),
    };
    text
}
