//! `fourbook compare`: whether two books say the same.

use super::threads::ThreadArgs;
use super::{EXIT_CODES, Options, Status, output};
use clap::Args;
use fourbook::board::OnSize;
use fourbook::board::notation::diagram;
use fourbook::book::{Answer, Book, ValueKind, walk};
use fourbook::mapping::ReadMap;
use indicatif::HumanCount;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

const ABOUT: &str = "\
Compare two books: list every position for which they have different values

Every position to the depth of the shallower book is looked up in both, also those of plies that \
are derived from the next one. If one of the books has only outcomes, outcomes are compared.";

const EXAMPLES: &str = "\
Examples:
  fourbook compare 7x6-d8.book 7x6-d12.book";

/// The arguments of `fourbook compare`.
#[derive(Debug, Args)]
#[command(
    about = "Compare two books",
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct CompareArgs {
    /// A book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Another one
    #[arg(value_name = "OTHER")]
    other: PathBuf,

    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(args: &CompareArgs, options: &Options) -> anyhow::Result<Status> {
    let (book, other) = (Book::open(&args.book)?, Book::open(&args.other)?);
    options.check_book(book.size())?;
    let pool = args.threads.start()?;
    // Enumerating is shared by all threads; what is printed stays on this one.
    book.size().dispatch(Compare { book, other, pool: &pool })
}

struct Compare<'a> {
    book: Book<ReadMap>,
    other: Book<ReadMap>,
    pool: &'a rayon::ThreadPool,
}

impl OnSize for Compare<'_> {
    type Output = anyhow::Result<Status>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let book = self.book.into_view::<W, H>()?;
        let other = self.other.into_view::<W, H>()?;
        let depth = book.book().depth().min(other.book().depth());
        let exact = [&book, &other].iter().all(|view| view.book().kind() == ValueKind::Scores);
        let known = |answer: Answer| match exact {
            true => answer.score(),
            false => answer.outcome().map(|outcome| outcome.sign()),
        };
        let (mut lines, mut compared, mut different) = (Vec::new(), 0_u64, 0_u64);
        self.pool.install(|| {
            walk(&book, depth, |position, answer| {
                compared += 1;
                let (ours, theirs) = (known(answer), known(other.score_of_game(position)));
                if ours != theirs || ours.is_none() {
                    different += 1;
                    let text = |value: Option<i8>| value.map_or("none".into(), |v| v.to_string());
                    let position = diagram::print(position);
                    writeln!(lines, "{position} {} {}", text(ours), text(theirs))?;
                }
                anyhow::Ok(())
            })
        })?;
        let mut out = BufWriter::new(output::stdout());
        out.write_all(&lines)?;
        let (compared, count) = (HumanCount(compared), HumanCount(different));
        writeln!(out, "{compared} positions to ply {depth} compared, {count} different")?;
        out.flush()?;
        Ok(if different == 0 { Status::Fine } else { Status::Failed })
    }
}
