//! `fourbook compare`: whether two books say the same.

use super::format::{FORMATS, format_parser};
use super::progress::OnStderr;
use super::threads::ThreadArgs;
use super::{EXIT_CODES, Options, Status, output};
use anyhow::Context;
use clap::Args;
use fourbook::book::Book;
use fourbook::book::exchange::{Comparison, Difference, ForeignBook, Format, Other, compare};
use fourbook::mapping::ReadMap;
use indicatif::HumanCount;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

const ABOUT: &str = "\
Compare two books: list every position for which they have different values

Every position that the rules do not score is looked up in both, to the depth of the shallower \
book, also those of plies that are derived from the next one. A line has the position, the value in \
the one and the value in the other. If one of the books has only outcomes, outcomes are compared.

The other book may be one of another program's: then plies are compared that it has. Positions \
that are missing are differences in BitBully's formats, which have all; in others, they are \
counted.";

const EXAMPLES: &str = "\
Examples:
  fourbook compare 7x6-d8.book 7x6-d12.book
  fourbook compare 7x6-d8.book scores.csv
  fourbook compare 7x6-d8.book 7x6.book --format solver
  fourbook compare 7x6-d12.book book_12ply.dat --format bitbully-12";

/// The arguments of `fourbook compare`.
#[derive(Debug, Args)]
#[command(
    about = "Compare two books",
    long_about = ABOUT,
    after_help = format!("{FORMATS}\n\n{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct CompareArgs {
    /// A book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Another one, or another program's
    #[arg(value_name = "OTHER")]
    other: PathBuf,

    /// The format of the other one [default: csv if its name ends so, else a book of fourbook]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,

    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(args: &CompareArgs, options: &Options) -> anyhow::Result<Status> {
    let book = Book::open(&args.book)?;
    options.check_book(book.size())?;
    let pool = args.threads.start()?;
    let progress = OnStderr::new(options.quiet);
    let Some(format) = args.format.or_else(|| Format::of_path(&args.other)) else {
        let other = Book::open(&args.other)?;
        return print(&pool, &book, Other::Book(&other.borrowed()), progress);
    };
    let context = || format!("cannot use '{}' as {format}", args.other.display());
    let map = ReadMap::open(&args.other).with_context(context)?;
    let other = ForeignBook::open(map.as_ref(), format, Some(book.size())).with_context(context)?;
    print(&pool, &book, Other::Foreign(&other), progress)
}

fn print(
    pool: &rayon::ThreadPool,
    book: &Book<ReadMap>,
    other: Other<'_>,
    progress: OnStderr,
) -> anyhow::Result<Status> {
    pool.install(|| {
        // Made here, as it stays on the thread that it is made on.
        let mut out = BufWriter::new(output::stdout());
        let mut status = Status::Fine;
        let print = || {
            let comparison = compare(book, other, &progress, &mut |found| {
                status = Status::Failed;
                line(&mut out, found)
            })?;
            drop(progress);
            if !comparison.agree() {
                status = Status::Failed;
            }
            summary(&mut out, &comparison)?;
            Ok(out.flush()?)
        };
        output::ended(print(), status)
    })
}

fn line(out: &mut impl Write, difference: &Difference) -> io::Result<()> {
    let text = |value: Option<i8>| value.map_or("none".into(), |value| value.to_string());
    let Difference { position, ours, theirs } = difference;
    writeln!(out, "{position} {} {}", text(*ours), text(*theirs))
}

fn summary(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let Comparison { plies, compared, different, missing, extra } = comparison;
    let plies = match plies[..] {
        [ply] => format!("of ply {ply}"),
        [.., deepest] if plies.len() as u32 == deepest + 1 => format!("to ply {deepest}"),
        _ => format!("of plies {plies:?}"),
    };
    if *missing > 0 {
        writeln!(out, "{} positions are not in the other book", HumanCount(*missing))?;
    }
    if *extra > 0 {
        writeln!(out, "{} entries of the other book are of no position", HumanCount(*extra))?;
    }
    let (compared, different) = (HumanCount(*compared), HumanCount(*different));
    writeln!(out, "{compared} positions {plies} compared, {different} different")
}
