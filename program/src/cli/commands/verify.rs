//! `fourbook verify`: whether a book is right.

use crate::cli::args::{Options, ToolArgs, is_strategy, named_path, whole, whole_or_all};
use crate::cli::error::{Error, FAILED, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::{status, write};
use clap::Args;
use fourbook::book::BookInfo;
use fourbook::progress::Step;
use fourbook::strategy;
use fourbook::text::{count, escaped, grouped};
use fourbook::tools::verify::{self, Check, VerifyReport};
use fourbook::{Outcome, Score, Strategy, ValueKind};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  fourbook verify 7x6-d8.book
  fourbook verify books/*.book                       several, one after the other
  fourbook verify --deep 7x6-d8.book                 check its contents, too
  fourbook verify --solve 1000 7x6-d8.book           and solve 1000 positions again
  fourbook verify --solve 1000 --seed 2 7x6-d8.book  another thousand
  fourbook verify --solve all 7x6-first-d8.strategy  prove a strategy
  fourbook verify --deep --report 7x6-d8.book.verified.json 7x6-d8.book
                                                     keep what was checked beside the book";

/// Check a book: every byte, and with --deep every entry and every value
///
/// Without --deep, each book is read once, and its bytes are compared with the checksums. That
/// finds all damage to the file.
///
/// With --deep, the contents are checked too. There must be entries exactly for the positions
/// that a game can reach and that the rules do not score; these are found by playing all games.
/// Every value above the deepest ply must be that of the best move, which follows from the next
/// stored ply. No position is solved for that.
///
/// The values of the deepest ply remain. --solve solves that many of them, chosen at random,
/// and compares.
///
/// A strategy is checked when it is opened: it has a move for every reply. --solve solves positions
/// of its deepest ply again. With all of them, it proves what the strategy is worth, from these
/// values, its moves and the rules alone.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The books and strategies; '-' is standard input, for a book; 'built-in' is the built-in one
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,

    /// Check the contents too, not only the checksums
    #[arg(help_heading = "Checks", long)]
    deep: bool,

    /// How many positions of the deepest ply to solve again, each once, or all of them; implies
    /// --deep
    #[arg(help_heading = "Checks", long, value_name = "N|all", default_value = "0", value_parser = whole_or_all)]
    solve: u64,

    /// Chooses which positions --solve solves
    #[arg(help_heading = "Checks", long, value_name = "NUMBER", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    #[arg(requires = "solve")]
    seed: u64,

    /// Write what was checked and found to this file, as JSON, for one book; it is the same in every
    /// run
    #[arg(help_heading = "Output", long, value_name = "FILE", value_parser = named_path())]
    report: Option<PathBuf>,

    #[command(flatten)]
    tool: ToolArgs,
}

pub(crate) fn run(args: &VerifyArgs, options: &Options) -> Result {
    if args.report.is_some() && args.books.len() > 1 {
        let found = args.books.len();
        return Err(Error::usage(format!(
            "expected one book with --report, found {found}; verify them one by one"
        )));
    }
    write::end_on_signal("interrupted")?;
    let mut failed = false;
    for book in &args.books {
        match args.verify(book, options, &mut failed) {
            Ok(()) => {}
            // The other books are verified all the same.
            Err(error) if args.books.len() > 1 && error.exit == FAILED => {
                status::report(&error);
                failed = true;
            }
            ended => return output::ended(ended, failed),
        }
    }
    output::ended(Ok(()), failed)
}

impl VerifyArgs {
    /// Verifies a book, and sets `failed` if it is wrong.
    fn verify(&self, path: &Path, options: &Options, failed: &mut bool) -> Result {
        if is_strategy(path) {
            return self.verify_strategy(path, options, failed);
        }
        let book = options.open_book(path)?;
        if let Some(report) = &self.report {
            output::check_results(report, path)?;
        }
        let &VerifyArgs { deep, solve, seed, .. } = self;
        let what = verify::VerifyOptions { deep, solve, seed };
        let report =
            self.tool.run(options.quiet, |resources| verify::verify(&book, &what, resources))?;
        *failed |= !report.passed();
        let printed = print_report(path, &report);
        if let Some(path) = &self.report {
            let json = serde_json::to_string_pretty(&ReportFile {
                program: concat!("fourbook ", env!("CARGO_PKG_VERSION")),
                passed: report.passed(),
                report: &report,
                book: book.info(),
            })?;
            output::write_results(path, (json + "\n").as_bytes())?;
        }
        printed
    }

    /// Verifies a strategy, and sets `failed` if it is wrong.
    fn verify_strategy(&self, path: &Path, options: &Options, failed: &mut bool) -> Result {
        if self.report.is_some() {
            return Err(Error::usage("a strategy has no report of its check; leave --report out"));
        }
        let strategy = options.open_strategy(path)?;
        let oracle = self.tool.oracle(strategy.size())?;
        let progress = OnStderr::new(options.quiet);
        let check = strategy::verify(&strategy, self.solve, self.seed, &oracle, &progress)?;
        drop(progress);
        let passed = check.passed(&strategy);
        *failed |= !passed;
        let mut out = output::stdout();
        let positions = count(check.positions, "position");
        writeln!(out, "PASS  every reply has an answer ({positions})")?;
        let solved = count(check.solved, "position");
        if check.solved > 0 {
            let verdict = if check.wrong == 0 { "PASS" } else { "FAIL" };
            let ply = strategy.depth();
            let wrong = grouped(check.wrong);
            writeln!(out, "{verdict}  ply {ply}: {wrong} of {solved} wrong")?;
        }
        if let Some(proved) = check.proved {
            let claim = bound(&strategy, strategy.value());
            let proof = bound(&strategy, proved);
            if proved == strategy.value() {
                writeln!(out, "PASS  proved: {proof}")?;
            } else {
                writeln!(out, "FAIL  proved: {proof}; the file says: {claim}")?;
            }
        }
        let verdict = if passed { "PASS" } else { "FAIL" };
        let path = escaped(path.display());
        Ok(writeln!(out, "{verdict}  {path} ({strategy})")?)
    }
}

/// A value that a strategy's player reaches at least, in words.
fn bound(strategy: &Strategy, value: Score) -> String {
    let player = strategy.player();
    let worth = output::worth(strategy, value);
    match (Outcome::of(value), strategy.kind()) {
        (Outcome::Win, ValueKind::Scores) => format!("{worth} or sooner"),
        (Outcome::Loss, ValueKind::Scores) => format!("{worth} or later"),
        (Outcome::Win, ValueKind::WinDrawLoss) => worth,
        (Outcome::Loss, ValueKind::WinDrawLoss) => format!(
            "nothing, as {player} may lose; a strategy of exact scores proves how long {player} \
             holds out"
        ),
        (Outcome::Draw, _) => format!("{player} gets at least {worth}"),
    }
}

fn print_report(path: &Path, report: &VerifyReport) -> Result<()> {
    let mut out = output::stdout();
    for check in &report.checks {
        print(&mut out, check)?;
    }
    let path = escaped(path.display());
    let verdict = match (report.passed(), report.damaged) {
        (true, _) if report.options.deep => format!("PASS  {path}"),
        (true, _) => format!("PASS  {path} (checksums only; --deep checks the contents)"),
        (false, true) => {
            format!("FAIL  {path}: its bytes have changed; fetch or make the book again")
        }
        (false, false) => format!(
            "FAIL  {path}: its checksums are right, but its contents are not; make it again or use another"
        ),
    };
    Ok(writeln!(out, "{verdict}")?)
}

/// The JSON object of `--report`.
#[derive(Debug, Serialize)]
struct ReportFile<'a> {
    /// Name and version of the program that verified.
    program: &'static str,
    passed: bool,
    #[serde(flatten)]
    report: &'a VerifyReport,
    /// The header, as `fourbook info --json` prints it.
    book: BookInfo,
}

fn print(out: &mut impl Write, check: &Check) -> io::Result<()> {
    let unit = match check.step {
        Step::Section(_) => "byte",
        Step::Enumerate(_) | Step::Entries(_) => "slot",
        Step::Values(_) | Step::PossibleValues(_) => "value",
        _ => "position",
    };
    let checked = count(check.checked, unit);
    if check.passed() {
        return writeln!(out, "PASS  {} ({checked})", check.step);
    }
    writeln!(out, "FAIL  {}: {} wrong ({checked})", check.step, grouped(check.failed))?;
    for failure in &check.failures {
        writeln!(out, "      {failure}")?;
    }
    match check.failed - check.failures.len() as u64 {
        0 => Ok(()),
        more => writeln!(out, "      and {} more", grouped(more)),
    }
}
