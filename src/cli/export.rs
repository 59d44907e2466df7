//! `fourbook export`: a book as text.

use super::threads::ThreadArgs;
use super::{EXIT_CODES, Options, Status, output};
use clap::Args;
use fourbook::board::OnSize;
use fourbook::board::notation::Notation;
use fourbook::book::{Book, Value, ValueKind, walk};
use fourbook::mapping::ReadMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

const ABOUT: &str = "\
Write a book as comma-separated values: one line for each position, and its score

Positions come ply by ply, always in the same order; a position and its mirror image make one \
line. Games that are over and positions won with the next stone are left out, as the rules \
answer those.";

const EXAMPLES: &str = "\
Examples:
  fourbook export 7x6-d8.book --out 7x6-d8.csv
  fourbook export 7x6-d8.book --notation key | head";

/// The arguments of `fourbook export`.
#[derive(Debug, Args)]
#[command(
    about = "Write a book as text",
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct ExportArgs {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// How positions are written
    #[arg(long, value_name = "NOTATION", default_value = "moves", value_parser = super::notation_parser())]
    notation: Notation,

    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(short, long, requires = "out")]
    force: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(args: &ExportArgs, options: &Options) -> anyhow::Result<Status> {
    let book = Book::open(&args.book)?;
    options.check_book(book.size())?;
    let size = book.size();
    let pool = args.threads.start()?;
    match &args.out {
        Some(path) => {
            output::check_new(path, args.force)?;
            let out = BufWriter::new(File::create(path)?);
            pool.install(|| size.dispatch(Export { args, book, out }))
        }
        None => size.dispatch(Export { args, book, out: BufWriter::new(output::stdout()) }),
    }?;
    Ok(Status::Fine)
}

struct Export<'a, O> {
    args: &'a ExportArgs,
    book: Book<ReadMap>,
    out: O,
}

impl<O: Write> OnSize for Export<'_, O> {
    type Output = anyhow::Result<()>;

    fn on_size<const W: usize, const H: usize>(mut self) -> Self::Output {
        let view = self.book.into_view::<W, H>()?;
        let value = match view.book().kind() {
            ValueKind::Scores => "score",
            ValueKind::Outcomes => "outcome",
        };
        writeln!(self.out, "position,{value}")?;
        walk(&view, view.book().depth(), |position, answer| {
            let position = self.args.notation.print(position)?;
            let value = match answer.value() {
                Some(Value::Score(score)) => score,
                Some(Value::Outcome(outcome)) => outcome.sign(),
                None => anyhow::bail!("the book has no value for {position}; verify it"),
            };
            // A notation with commas in it is put into quotes.
            let quote = if position.contains(',') { "\"" } else { "" };
            writeln!(self.out, "{quote}{position}{quote},{value}")?;
            Ok(())
        })?;
        Ok(io::Write::flush(&mut self.out)?)
    }
}
