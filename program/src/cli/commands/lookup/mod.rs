//! `fourbook lookup`: perfect play for positions, from a book or the solver.
//!
//! A thread takes a batch of lines, answers all that take no long search, and leaves the others.
//! Long input has several such threads. The thread that prints takes the batches in their order and
//! has the lines that were left solved by all threads.

mod format;

use crate::cli::args::{
    Batch, Batches, LimitArgs, Line, Options, OracleArgs, PositionArgs, not_solved,
};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::status::note;
use crate::cli::waiting::{HASTY, beside, show_progress};
use crate::cli::write::cancel_on_signal;
use clap::Args;
use format::{FormatArgs, OutputFormat};
use fourbook::board::column_name;
use fourbook::oracle::OracleError;
use fourbook::solver::{SearchProgress, on_large_stack, on_threads};
use fourbook::{Level, Limits, Oracle, StopReason, Stopped};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::iter::repeat_with;
use std::mem::take;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  fourbook lookup 4453                          one position
  fourbook lookup --analyze 4453                one score a column; -1000 if it cannot be played
  fourbook lookup --json 4453 | jq .best_moves  the scores of all moves, solved if need be
  fourbook lookup --format known < positions.txt
                                                JSON from the book alone, in much less time
  fourbook lookup --format line 4453            how perfect play goes on
  fourbook lookup --format review 44535261      what each move was worth
  fourbook lookup < positions.txt               lines of a file, answered in order
  fourbook lookup < positions.txt | diff - scores.txt
                                                compare with lines POSITION SCORE
  fourbook lookup --book my.book 4453           from a book of your own
  fourbook lookup --format plain 4453           POSITION SCORE, also on a terminal
  fourbook lookup --deadline 2 < positions.txt  give positions up that take longer
  FOURBOOK_BOOK=books fourbook lookup 4453      from the deepest book of a folder
  fourbook lookup --size 6x5 3344               a board of another size";

/// Print the outcome and score of each position
///
/// On a terminal the answer is in words: who wins, with which stone, and which columns are
/// best. Elsewhere a line is POSITION SCORE. --format chooses what is printed. The score is for the side to move: 0 is a
/// draw, a positive score a win, a negative one a loss. A win with the side's last stone scores
/// 1, with the stone before it 2, and so on. A game that is over has the score of its end.
///
/// Scores in the book are printed at once; all other positions are solved. An invalid position,
/// or one that is not solved within the limits, gives an error on stderr and exit code 1 at the
/// end. stdout then has an empty line, in JSON an object with 'error', and in words nothing.
/// Ctrl-C or SIGTERM during a long search prints, as such an error, what is proved so far and
/// the best move known, and ends with exit code 130. Long searches report on stderr how far they
/// are. Damage to the book gives an error, never a wrong answer: each block of the file is checked
/// when it is first read.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LookupArgs {
    #[command(flatten)]
    positions: PositionArgs,

    #[command(flatten)]
    oracle: OracleArgs,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Looks up every position or game.
pub(crate) fn run(args: &LookupArgs, options: &Options) -> Result {
    let is_read = io::stdout().is_terminal();
    let default = if is_read { OutputFormat::Words } else { OutputFormat::Plain };
    let format = args.format.chosen().unwrap_or(default);
    let oracle = args.oracle.open(options, format != OutputFormat::Wdl)?;
    let cancel = OnceLock::new();
    let lookup = Arc::new(Lookup { args: args.clone(), format, oracle, cancel });
    let batches = args.positions.batches(lookup.oracle.size())?;
    if args.positions.are_arguments() {
        return lookup.print_all(batches, options);
    }
    // Otherwise each search may start a thread for its stack.
    let printed = on_large_stack(|| lookup.print_all(batches, options));
    printed.with_context(|| "cannot start a thread")?
}

/// The output for consecutive lines.
#[derive(Default)]
struct Answers {
    text: String,
    errors: String,
}

/// Prints answers.
#[derive(Default)]
struct Printer {
    /// Whether an answer was an error.
    failed: bool,
    /// The progress of long searches, once there has been one.
    progress: Option<OnStderr>,
}

impl Printer {
    fn print(&mut self, answers: Answers) -> Result {
        self.failed |= !answers.errors.is_empty();
        let write = || {
            if !answers.errors.is_empty() {
                note(answers.errors.trim_end_matches('\n'));
            }
            let mut out = output::stdout();
            out.write_all(answers.text.as_bytes())?;
            Ok(out.flush()?)
        };
        match &self.progress {
            Some(progress) => progress.suspend(write),
            None => write(),
        }
    }
}

/// A batch whose lines are answered, except for long searches.
struct Answered {
    batch: Batch,
    /// The answers before each line that is left, and those after the last one.
    answers: Vec<Answers>,
    /// The indices of the lines that are left.
    left: Vec<usize>,
}

/// Bytes of a batch after which more batches are worth several threads.
const LONG: usize = 1 << 15;

/// Nodes of a search that is not long.
const EASY_NODES: u64 = 1 << 13;

/// Answers lines.
struct Lookup {
    args: LookupArgs,
    format: OutputFormat,
    oracle: Oracle,
    /// Stops long searches, on a signal or when printing fails; set while none is under way, so that
    /// a signal ends the program. It is made for the first one.
    cancel: OnceLock<Arc<AtomicBool>>,
}

impl Lookup {
    /// Answers all batches, and prints the answers.
    fn print_all(self: &Arc<Self>, batches: Batches, options: &Options) -> Result {
        let mut printer = Printer::default();
        let printed =
            self.answer_all(batches, &mut |answered| self.finish(answered, &mut printer, options));
        output::ended(printed, printer.failed)
    }

    /// Answers all batches, and calls `print` with each in order.
    fn answer_all(
        self: &Arc<Self>,
        mut batches: Batches,
        print: &mut dyn FnMut(Answered) -> Result,
    ) -> Result {
        while let Some(batch) = batches.next().transpose()? {
            let is_long = batch.text.len() >= LONG && self.args.oracle.threads.number() > 1;
            print(self.answer_easy(batch, 8 * EASY_NODES))?;
            if is_long {
                return self.answer_long(batches, print);
            }
        }
        Ok(())
    }

    /// Answers all batches on several threads, each of which reads and answers one at a time.
    fn answer_long(
        self: &Arc<Self>,
        batches: Batches,
        print: &mut dyn FnMut(Answered) -> Result,
    ) -> Result {
        let threads = self.args.oracle.threads.number();
        let (sender, answered) = sync_channel(2 * threads);
        let lookup = Arc::clone(self);
        let batches = Mutex::new(batches.enumerate());
        let work = move || {
            on_threads(lookup.oracle.table().searches(), threads, &|| {
                // If another thread has panicked, there is no next batch.
                while let Some((number, batch)) = batches.lock().ok().and_then(|mut it| it.next()) {
                    let answered = batch.map(|batch| lookup.answer_easy(batch, 512 * EASY_NODES));
                    if sender.send((number, answered)).is_err() {
                        return;
                    }
                }
            });
        };
        // Not in a scope: when printing fails, these threads may wait for input.
        let thread = thread::Builder::new().spawn(|| on_large_stack(work));
        let thread = thread.with_context(|| "cannot start a thread")?;
        let mut printed = 0;
        let mut waiting = BTreeMap::new();
        for (number, answered) in answered {
            waiting.insert(number, answered);
            while let Some(answered) = waiting.remove(&printed) {
                print(answered?)?;
                printed += 1;
            }
        }
        let ran = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        ran.with_context(|| "cannot start a thread")
    }

    /// Answers the lines of a batch but for long searches; once there has been one, or `most_in_all`
    /// nodes, but for all searches.
    fn answer_easy(&self, batch: Batch, most_in_all: u64) -> Answered {
        let progress: Arc<SearchProgress> = Arc::default();
        let limits = Limits { cancel: None, ..self.limits(Some(Arc::clone(&progress))) };
        let given = limits.max_nodes.unwrap_or(u64::MAX);
        let with = |most: u64| {
            let most = most.min(given);
            (most, self.oracle.with_limits(Limits { max_nodes: Some(most), ..limits.clone() }))
        };
        let (mut most, mut oracle) = with(EASY_NODES);
        let mut answers = Vec::new();
        let mut left = Vec::new();
        let mut next = Answers::default();
        next.text.reserve(batch.text.len() * 3 / 2);
        for (index, line) in batch.lines().enumerate() {
            let start = next.text.len();
            let answer = self.answer(line, &oracle, &mut next.text);
            let is_left = most < given
                && matches!(&answer, Ok(Some(it)) if it.reason == StopReason::NodeBudget);
            if is_left {
                next.text.truncate(start);
                answers.push(take(&mut next));
                left.push(index);
            } else {
                self.add(line, answer, start, &mut next);
            }
            if most > 1 && (is_left || progress.nodes() >= most_in_all) {
                (most, oracle) = with(1);
            }
        }
        answers.push(next);
        Answered { batch, answers, left }
    }

    /// Prints the answers to a batch. First solves the lines that are left.
    fn finish(&self, answered: Answered, printer: &mut Printer, options: &Options) -> Result {
        let Answered { batch, answers, left } = answered;
        let mut answers = answers.into_iter();
        printer.print(answers.next().unwrap_or_default())?;
        if left.is_empty() {
            return Ok(());
        }
        let search: Option<Arc<SearchProgress>> = (left.len() == 1).then(Arc::default);
        let name = batch.line(left[0]).search();
        let cancel = match self.cancel.get() {
            Some(cancel) => cancel,
            None => {
                let cancel = cancel_on_signal(false)?;
                self.cancel.get_or_init(|| cancel)
            }
        };
        cancel.store(false, Ordering::Relaxed);
        let mut printed = 0;
        let mut waiting = BTreeMap::new();
        let mut is_shown = false;
        let mut is_cancelled = false;
        let started = Instant::now();
        let solved = beside(
            |sender: Sender<_>| self.solve(&batch, &left, search.as_ref(), &sender),
            &mut |solved| {
                let Some((number, solved)) = solved else {
                    let limits = Some(self.args.limits);
                    let size = self.oracle.size();
                    let progress = printer
                        .progress
                        .get_or_insert_with(|| show_progress(options, limits, size));
                    if !is_shown {
                        is_shown = true;
                        progress.start(&name, search.clone(), left.len(), started);
                    }
                    progress.set(printed as u64);
                    return Ok(());
                };
                waiting.insert(number, solved);
                while let Some(solved) = waiting.remove(&printed) {
                    printer
                        .print(solved)
                        .and_then(|()| printer.print(answers.next().unwrap_or_default()))
                        .inspect_err(|_| is_cancelled = cancel.swap(true, Ordering::Relaxed))?;
                    printed += 1;
                }
                Ok(())
            },
        );
        printer.progress.iter().for_each(OnStderr::pause);
        is_cancelled |= cancel.swap(true, Ordering::Relaxed) && solved.is_ok();
        if is_cancelled { Err(Error::interrupted()) } else { solved }
    }

    /// Answers some lines of a batch on all threads, and sends each answer with its index in `lines`.
    /// Threads without a line help the others.
    fn solve(
        &self,
        batch: &Batch,
        lines: &[usize],
        search: Option<&Arc<SearchProgress>>,
        sender: &Sender<(usize, Answers)>,
    ) {
        let next = AtomicUsize::new(0);
        let task = || {
            let oracle = self.oracle.with_limits(self.limits(search.cloned()));
            let numbers = repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            for number in numbers.take_while(|&number| number < lines.len()) {
                if self.cancel.get().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                    return;
                }
                let line = batch.line(lines[number]);
                let mut solved = Answers::default();
                let answer = self.answer(line, &oracle, &mut solved.text);
                self.add(line, answer, 0, &mut solved);
                // Sending fails only after printing has failed.
                let _ = sender.send((number, solved));
            }
        };
        on_threads(self.oracle.table().searches(), self.args.oracle.threads.number(), &task);
    }

    /// The limits of each line.
    fn limits(&self, progress: Option<Arc<SearchProgress>>) -> Limits {
        Limits { cancel: self.cancel.get().cloned(), progress, ..self.args.limits.of_search() }
    }

    /// Writes the answer to a line, without a line break, or nothing if there is an error. Returns
    /// the limit that a search has reached, if any; a part may be written then.
    fn answer(&self, line: Line<'_>, oracle: &Oracle, to: &mut String) -> Result<Option<Stopped>> {
        let positions = &self.args.positions;
        let answered = match self.format {
            OutputFormat::Review | OutputFormat::ReviewJson => {
                let game = positions.parse_game(oracle.size(), line)?;
                oracle.review(&game).map(|review| *to += &self.format.print_game(&review))
            }
            _ => {
                let position = positions.parse(oracle.size(), line)?;
                self.format.print(line.text, position, oracle, to)
            }
        };
        match answered {
            Ok(()) => Ok(None),
            Err(OracleError::Stopped(stopped)) => Ok(Some(stopped)),
            Err(error) => Err(error.into()),
        }
    }

    /// The best move that is known after an interrupted search, as the end of a text.
    fn guess(&self, line: Line<'_>) -> String {
        if matches!(self.format, OutputFormat::Review | OutputFormat::ReviewJson) {
            return String::new();
        }
        let limits = Limits { max_time: Some(HASTY), ..Limits::default() };
        let oracle = self.oracle.with_limits(limits);
        let position = self.args.positions.parse(oracle.size(), line).ok();
        let found = position.and_then(|it| oracle.choose_move(it, Level::PERFECT, 1).ok()?.0);
        found.map_or_else(String::new, |column| {
            format!("; the best move known is column {}", column_name(column))
        })
    }

    /// Adds the answer to a line, whose text begins at `start`, or its error.
    fn add(&self, line: Line<'_>, answer: Result<Option<Stopped>>, start: usize, to: &mut Answers) {
        let is_part = to.text.len() > start;
        let whole = answer.and_then(|stopped| match stopped.filter(|_| !is_part) {
            Some(stopped) if stopped.reason == StopReason::Cancelled => {
                Err(Error::new(format!("interrupted{}{}", stopped.findings(), self.guess(line))))
            }
            Some(stopped) => Err(not_solved(&stopped, self.oracle.book())),
            None => Ok(()),
        });
        if let Err(error) = whole {
            let error = error.to_string();
            to.errors += &(line.error(&error) + "\n");
            to.text += &self.format.error(line.text, &error);
        }
        if self.format != OutputFormat::Words || to.text.len() > start {
            to.text.push('\n');
        }
    }
}
