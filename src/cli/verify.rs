//! `fourbook verify`: whether a book is right.

use super::progress::OnStderr;
use super::threads::ThreadArgs;
use super::{EXIT_CODES, Options, Status, output};
use clap::Args;
use fourbook::book::Book;
use fourbook::book::verify::{self, Check, Step};
use indicatif::HumanCount;
use std::io::{self, Write};
use std::path::PathBuf;

const ABOUT: &str = "\
Check a book: every byte, every entry, every value

A book is right if its bytes are those that were written; if entries are exactly where a game can \
lead and the rules alone do not say the result, which is found by playing all games; and if every \
value above the deepest ply is that of the best move, which is worked out from the next stored \
ply. This takes seconds and no solver.

What remains are the values of the deepest ply. --solve has the solver work out that many of \
them, chosen at random, and compares.";

const EXAMPLES: &str = "\
Examples:
  fourbook verify 7x6-d8.book
  fourbook verify --solve 1000 7x6-d8.book           solve 1000 positions again, too
  fourbook verify --solve 1000 --seed 2 7x6-d8.book  another thousand";

/// The arguments of `fourbook verify`.
#[derive(Debug, Args)]
#[command(
    about = "Check a book",
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct VerifyArgs {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// How many positions of the deepest ply to solve again
    #[arg(long, value_name = "N", default_value_t = 0)]
    solve: u64,

    /// Chooses which positions are solved
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(args: &VerifyArgs, options: &Options) -> anyhow::Result<Status> {
    let book = Book::open(&args.book)?;
    options.check_book(book.size())?;
    let pool = args.threads.start()?;
    let progress = OnStderr::new(options.quiet);
    let what = verify::Options { solve: args.solve, seed: args.seed, ..Default::default() };
    let report = pool.install(|| verify::verify(&book, &what, &progress))?;
    drop(progress);
    let mut out = output::stdout();
    for check in &report.checks {
        print(&mut out, check)?;
    }
    let (verdict, status) =
        if report.passed() { ("PASS", Status::Fine) } else { ("FAIL", Status::Failed) };
    writeln!(out, "{verdict}  {}", args.book.display())?;
    Ok(status)
}

fn print(out: &mut impl Write, check: &Check) -> io::Result<()> {
    let unit = match check.step {
        Step::Section { .. } => "bytes",
        Step::Enumerate { .. } | Step::Entries { .. } => "slots",
        Step::Values { .. } | Step::PossibleValues { .. } => "values",
        Step::Solve { .. } => "positions",
    };
    let checked = HumanCount(check.checked);
    if check.passed() {
        return writeln!(out, "PASS  {} ({checked} {unit})", check.step);
    }
    writeln!(out, "FAIL  {}: {} wrong ({checked} {unit})", check.step, HumanCount(check.failed))?;
    for failure in &check.failures {
        writeln!(out, "      {failure}")?;
    }
    match check.failed - check.failures.len() as u64 {
        0 => Ok(()),
        more => writeln!(out, "      and {} more", HumanCount(more)),
    }
}
