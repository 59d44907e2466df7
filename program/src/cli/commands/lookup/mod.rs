//! `fourbook lookup`: perfect play for positions, from a book or the solver. Several threads answer
//! the lines, and their answers are printed in the order of the lines.

mod format;

use crate::cli::args::{LimitArgs, Line, Options, OracleArgs, PositionArgs};
use crate::cli::error::{Error, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::status::{hint, note};
use crate::cli::waiting::{beside, show_progress};
use clap::Args;
use format::{FormatArgs, OutputFormat};
use fourbook::solver::SearchProgress;
use fourbook::text::{count, grouped};
use fourbook::{Limits, Oracle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use tracing::Level;

const EXAMPLES: &str = "\
Examples:
  fourbook lookup 4453                          one position
  fourbook lookup --analyze 4453                one score a column; -1000 if it cannot be played
  fourbook lookup --json 4453 | jq .best_moves  everything that is known
  fourbook lookup --pv 4453                     how perfect play goes on
  fourbook lookup --game 44535261               what each move was worth
  fourbook lookup < positions.txt               lines of a file, answered in order
  fourbook lookup --check < scores.txt          compare lines POSITION SCORE with ours
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

    /// Compare the scores of lines POSITION SCORE with ours, or with --wdl outcomes: prints the lines
    /// that differ, with --json as objects; exit code 1 if there are any
    #[arg(long, conflicts_with = "game")]
    check: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Looks up every position or game.
pub(crate) fn run(args: &LookupArgs, options: &Options) -> Result {
    let default =
        || if io::stdout().is_terminal() { OutputFormat::Words } else { OutputFormat::Plain };
    let chosen = args.format.chosen(args.game)?;
    let format = if args.check { checkable(chosen)? } else { chosen.unwrap_or_else(default) };
    let oracle = args.oracle.open(options, format != OutputFormat::Wdl)?;
    let mut advice = args.oracle.book.advice(options);
    let mut printer =
        Printer { format, check: args.check, failed: false, compared: 0, different: 0 };
    let lookup = Lookup { args, options, format, oracle, cancel: Arc::default() };
    let size = lookup.oracle.size();
    let printed = args.positions.for_each_batch(size, BATCH, &mut |lines| {
        let easy = lookup.answer_easy(lines);
        let (first, others) = lines.split_at(easy.len());
        printer.print(first, easy)?;
        if !others.is_empty() {
            lookup.answer_others(others, &mut printer)?;
        }
        if lookup.oracle.nodes() > 0 {
            advice.take().into_iter().for_each(hint);
        }
        Ok(())
    });
    let Printer { failed, compared, different, .. } = printer;
    if args.check && printed.is_ok() {
        note(format_args!(
            "{} compared, {} different",
            count(compared, "position"),
            grouped(different)
        ));
    }
    output::ended(printed, failed || different > 0)
}

/// The format of `--check`.
fn checkable(chosen: Option<OutputFormat>) -> Result<OutputFormat> {
    match chosen {
        None => Ok(OutputFormat::Plain),
        Some(format @ (OutputFormat::Plain | OutputFormat::Json | OutputFormat::Wdl)) => Ok(format),
        Some(_) => Err(Error::usage("--check goes together with --json, --plain and --wdl only")),
    }
}

/// Prints answers.
struct Printer {
    format: OutputFormat,
    check: bool,
    /// Whether an answer was an error.
    failed: bool,
    /// Lines of `--check` with a position.
    compared: u64,
    different: u64,
}

impl Printer {
    fn print(&mut self, lines: &[Line], answers: Vec<Result<String>>) -> Result {
        let (mut texts, mut errors) = (String::new(), String::new());
        for (line, answer) in lines.iter().zip(answers) {
            self.compared += u64::from(answer.is_ok());
            self.different +=
                u64::from(self.check && answer.as_ref().is_ok_and(|it| !it.is_empty()));
            let text = answer.unwrap_or_else(|error| {
                let error = error.to_string();
                errors += &line.error(&error);
                errors.push('\n');
                self.format.error(&line.text, &error)
            });
            // On a terminal, errors need no line numbers.
            if !(self.check || self.format == OutputFormat::Words) || !text.is_empty() {
                texts += &text;
                texts.push('\n');
            }
        }
        if !errors.is_empty() {
            self.failed = true;
            note(errors.trim_end_matches('\n'));
        }
        let mut out = output::stdout();
        out.write_all(texts.as_bytes())?;
        Ok(out.flush()?)
    }
}

/// Nodes of an easy line, which is answered before a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// Time after which threads are started for the remaining lines.
const EASY_TIME: Duration = Duration::from_micros(500);

/// The most lines that a thread takes at a time; a message for each line would take longer than
/// to answer it.
const LARGEST_BLOCK: usize = 64;

/// The fewest blocks for each thread, so that all threads end at about the same time.
const BLOCKS_PER_THREAD: usize = 64;

/// Time after which a thread passes on the answers that it has.
const SEND_AFTER: Duration = Duration::from_millis(1);

/// Answers of consecutive lines, and the number of the first one.
type Block = (usize, Vec<Result<String>>);

/// Answers lines.
struct Lookup<'a> {
    args: &'a LookupArgs,
    options: &'a Options,
    format: OutputFormat,
    oracle: Oracle,
    /// Set when printing fails.
    cancel: Arc<AtomicBool>,
}

impl Lookup<'_> {
    /// Answers lines on this thread, until one is not easy, or threads are worth their start.
    fn answer_easy(&self, lines: &[Line]) -> Vec<Result<String>> {
        let (start, mut answers) = (Instant::now(), Vec::new());
        let limits = self.limits(None);
        let is_enough = limits.max_nodes.is_some_and(|most| most <= EASY_NODES);
        let max_nodes = if is_enough { limits.max_nodes } else { Some(EASY_NODES) };
        let oracle = self.oracle.with_limits(Limits { max_nodes, ..limits });
        for line in lines {
            if start.elapsed() >= EASY_TIME {
                break;
            }
            let before = self.oracle.nodes();
            let answer = self.answer(line, &oracle);
            if !is_enough && self.oracle.nodes() - before >= EASY_NODES {
                // The search may have been stopped.
                break;
            }
            answers.push(answer);
        }
        answers
    }

    /// Answers lines on several threads, which help each other with the last ones. With fewer
    /// lines than threads, all threads answer one line after the other.
    fn answer_others(&self, lines: &[Line], printer: &mut Printer) -> Result {
        let threads = self.args.oracle.threads.number();
        let all = &self.oracle.with_threads(threads);
        let one_by_one = lines.len() < threads;
        let length = match one_by_one {
            true => 1,
            false => (lines.len() / (BLOCKS_PER_THREAD * threads)).clamp(1, LARGEST_BLOCK),
        };
        let blocks = lines.len().div_ceil(length);
        let search: Option<Arc<SearchProgress>> = (lines.len() == 1).then(Arc::default);
        let oracle = if one_by_one { all } else { &self.oracle };
        let (mut printed, mut waiting) = (0, BTreeMap::new());
        let (mut shown, started) = (None, Instant::now());
        let answer = |sender: Sender<Block>| {
            let answer_block = |number: usize| {
                let start = number * length;
                let some = &lines[start..lines.len().min(start + length)];
                // Sending fails only after printing has failed.
                self.answer_block(oracle, search.as_ref(), (start, some), &|it| {
                    drop(sender.send(it))
                });
            };
            match one_by_one {
                true => (0..blocks).for_each(answer_block),
                false => all.for_each(blocks, &answer_block),
            }
        };
        beside(answer, &mut |answers| {
            let Some((start, answers)) = answers else {
                let begin = || {
                    let (limits, size) = (Some(self.args.limits), self.oracle.size());
                    let progress = show_progress(self.options, limits, size);
                    match &search {
                        Some(search) => {
                            progress.start_search("solving", Arc::clone(search), started);
                        }
                        None => progress.start("solving", lines.len() as u64),
                    }
                    progress
                };
                shown.get_or_insert_with(begin).set(printed as u64);
                return Ok(());
            };
            waiting.insert(start, answers);
            while let Some(answers) = waiting.remove(&printed) {
                let some = &lines[printed..printed + answers.len()];
                let print = || printer.print(some, answers);
                let is_printed = match &shown {
                    Some(progress) => OnStderr::suspend(progress, print),
                    None => print(),
                };
                is_printed.inspect_err(|_| self.cancel.store(true, Ordering::Relaxed))?;
                printed += some.len();
            }
            Ok(())
        })
    }

    /// Answers consecutive lines on this thread, and sends their answers in several messages if
    /// that takes long.
    fn answer_block(
        &self,
        oracle: &Oracle,
        search: Option<&Arc<SearchProgress>>,
        (mut start, lines): (usize, &[Line]),
        send: &dyn Fn(Block),
    ) {
        let oracle = oracle.with_limits(self.limits(search.cloned()));
        let (mut begun, mut answers) = (Instant::now(), Vec::new());
        for (left, line) in (0..lines.len()).rev().zip(lines) {
            answers.push(self.answer(line, &oracle));
            if left == 0 || begun.elapsed() >= SEND_AFTER {
                let end = start + answers.len();
                send((start, std::mem::take(&mut answers)));
                (start, begun) = (end, Instant::now());
            }
        }
    }

    /// The limits of each line. If there is a single line, its search shows progress.
    fn limits(&self, search: Option<Arc<SearchProgress>>) -> Limits {
        let progress = search.or_else(|| tracing::enabled!(Level::INFO).then(Arc::default));
        Limits { cancel: Some(Arc::clone(&self.cancel)), progress, ..self.args.limits.of_search() }
    }

    fn answer(&self, line: &Line, oracle: &Oracle) -> Result<String> {
        let nodes = || oracle.limits().progress.as_ref().map_or(0, |progress| progress.nodes());
        let (started, before) = (Instant::now(), nodes());
        let printed = match self.format {
            OutputFormat::Game | OutputFormat::GameJson => {
                let game = self.args.positions.parse_game(oracle.size(), line)?;
                oracle.review(&game).map(|review| self.format.print_game(&review))
            }
            _ if self.args.check => {
                let (given, expected) = line.with_score()?;
                let position = self.args.positions.parse(oracle.size(), &given)?;
                self.format.compare(&given.text, position, expected, oracle)
            }
            _ => {
                let position = self.args.positions.parse(oracle.size(), line)?;
                self.format.print(&line.text, position, oracle)
            }
        };
        let printed = printed.map_err(|error| self.args.limits.explain(error))?;
        match nodes() - before {
            0 => tracing::debug!("'{}' needed no search", line.text),
            nodes => {
                let (nodes, time) = (count(nodes, "node"), output::in_words(started.elapsed()));
                tracing::info!("'{}' took {nodes} and {time}", line.text);
            }
        }
        Ok(printed)
    }
}
