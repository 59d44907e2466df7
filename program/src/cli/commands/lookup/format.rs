//! The formats of `fourbook lookup`: what each prints of a position, or a game.

use crate::cli::output::describe;
use clap::{Args, ValueEnum};
use fourbook::board::column_name;
use fourbook::oracle::{GameReview, OracleError, PositionReport};
use fourbook::{Oracle, Position, Score, Stopped};
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
    /// The same, with null for unknown scores; solves nothing
    Known,
    /// POSITION and the score of each column; -1000 for one that cannot be played
    Columns,
    /// What each move of a game was worth, and how perfect play goes on from its end
    Review,
    /// The same in a JSON object for each game
    ReviewJson,
    /// POSITION SCORE MOVES: perfect play to the end of the game
    Line,
    /// POSITION and 1, 0 or -1 for win, draw or loss, which takes less solving than the score
    Wdl,
    /// Why perfect play ends as it does: the four, since when it was a threat, and why the loser
    /// could not prevent it
    Explain,
}

// The options that choose a format, at most one at a time.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
#[group(id = "formats", multiple = false)]
pub(crate) struct FormatArgs {
    /// What to print [default: words on a terminal, plain elsewhere]
    #[arg(long, value_name = "FORMAT")]
    format: Option<OutputFormat>,

    /// Print the score of each column instead, the first one first: --format columns
    #[arg(short, long, alias = "analyse")]
    analyze: bool,

    /// Print a JSON object for each position: --format json
    #[arg(long)]
    json: bool,
}

impl FormatArgs {
    /// The format that was chosen, if any.
    pub(crate) fn chosen(self) -> Option<OutputFormat> {
        if self.analyze {
            Some(OutputFormat::Columns)
        } else if self.json {
            Some(OutputFormat::Json)
        } else {
            self.format
        }
    }
}

impl OutputFormat {
    /// Prints a position, given as a text. In words, a score is worth printing also if the search
    /// for the best moves reaches a limit, which is returned.
    pub(crate) fn print(
        self,
        text: &str,
        position: Position,
        oracle: &Oracle,
        to: &mut String,
    ) -> Result<(), OracleError> {
        let line = one_line(text);
        // A text takes everything.
        let _ = match self {
            OutputFormat::Plain | OutputFormat::Wdl => {
                let value = self.value(position, oracle)?;
                *to += &line;
                push_score(to, value);
                Ok(())
            }
            OutputFormat::Words => {
                let found = oracle.best_moves(position).map(|answer| answer.value);
                let known = match &found {
                    Ok((score, best)) => Some((*score, &best[..])),
                    Err(OracleError::Stopped(Stopped { bounds: Some(it), .. })) => {
                        (it.min == it.max).then_some((it.min, &[][..]))
                    }
                    Err(_) => None,
                };
                if let Some((score, best)) = known {
                    *to += &format!("{}: {}", name_of(&line), describe(position, score, best));
                }
                return found.map(drop);
            }
            OutputFormat::Json => {
                let started = Instant::now();
                let analysis = oracle.analyse(position)?;
                let took = (analysis.nodes() > 0).then(|| started.elapsed());
                *to += &to_json(&PositionReport::new(text, analysis, took));
                Ok(())
            }
            OutputFormat::Known => {
                *to += &to_json(&PositionReport::new(text, oracle.known(position)?, None));
                Ok(())
            }
            OutputFormat::Columns => {
                let scores = oracle.analyse(position)?.move_scores();
                *to += &line;
                scores.into_iter().try_for_each(|score: Option<Score>| {
                    write!(to, " {}", score.map_or(FULL_COLUMN, i32::from))
                })
            }
            OutputFormat::Line => {
                let (score, moves) = oracle.line(position)?.value;
                let moves: String = moves.into_iter().map(column_name).collect();
                *to += format!("{line} {score} {moves}").trim_end();
                Ok(())
            }
            OutputFormat::Explain => {
                write!(to, "{}: {}", name_of(&line), oracle.explain(position)?.value)
            }
            OutputFormat::Review | OutputFormat::ReviewJson => unreachable!("these print games"),
        };
        Ok(())
    }

    /// The score of a position, or its outcome as a number.
    fn value(self, position: Position, oracle: &Oracle) -> Result<Score, OracleError> {
        match self {
            OutputFormat::Wdl => Ok(oracle.outcome(position)?.value.sign()),
            _ => Ok(oracle.score(position)?.value),
        }
    }

    /// Prints a game.
    pub(crate) fn print_game(self, review: &GameReview) -> String {
        if self == OutputFormat::ReviewJson { to_json(review) } else { game(review) }
    }

    /// The output in place of an answer: JSON with the error, or nothing.
    pub(crate) fn error(self, text: &str, error: &str) -> String {
        match self {
            OutputFormat::Json | OutputFormat::Known | OutputFormat::ReviewJson => {
                serde_json::json!({ "position": text, "error": error }).to_string()
            }
            _ => String::new(),
        }
    }
}

/// Prints a blank and a score, in much less time than `write!` takes.
fn push_score(to: &mut String, score: Score) {
    *to += if score < 0 { " -" } else { " " };
    let digits = score.unsigned_abs();
    if digits > 9 {
        to.push((b'0' + digits / 10).into());
    }
    to.push((b'0' + digits % 10).into());
}

fn to_json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("a report has only text for keys")
}

/// A position in one line: an argument may be a diagram of several.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        text.trim_matches('\n').replace('\n', "/").into()
    } else {
        text.into()
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
        let column = column_name(it.column);
        let _ = write!(text, "\n{:>3} {} {column:>2} {:>4}", it.number, it.player, it.score);
        let _ = write!(text, "  {}", it.mark.text());
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
