//! The book that a subcommand answers from: `--book`, `--no-book` and the environment.

use super::options::{Options, is_built_in};
use super::resources::ThreadArgs;
use super::values::{byte_size, named_path, variable};
use crate::cli::error::{Error, Result};
use crate::cli::status::hint;
use clap::{ArgAction, Args};
use fourbook::book::BookError;
use fourbook::text::listed;
use fourbook::{Book, Memory, Oracle, Strategy, ValueKind, with_causes};
#[cfg(feature = "server")]
use fourbook_server::BookSource;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The variable that names the book in place of `--book`.
const VARIABLE: &str = "FOURBOOK_BOOK";

// The arguments of a subcommand that answers from a book; a server takes several.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Book")]
pub(crate) struct BookArgs {
    /// Answer from this book, or from the deepest book of the board size in this folder [default:
    /// built-in: 7x6 to ply 12, most boards of up to 49 cells to ply 8]
    #[arg(short, long, value_name = "FILE|FOLDER", env = variable(VARIABLE), hide_env_values = true)]
    #[arg(value_parser = named_path(), action = ArgAction::Set)]
    book: Vec<PathBuf>,

    /// Use no book, solve everything
    #[arg(long)]
    no_book: bool,
}

impl BookArgs {
    /// Whether an argument or the environment names a book.
    pub(crate) fn is_named(&self) -> bool {
        !self.no_book && !self.book.is_empty()
    }

    /// Opens the book, unless positions are solved without one.
    pub(crate) fn open(&self, options: &Options) -> Result<Option<Book>> {
        match self.named()?.book.first() {
            Some(path) => open(path, options).map_err(|error| self.explain(error)),
            None if self.no_book => Ok(None),
            None => Ok(Book::embedded_for(options.size())),
        }
    }

    /// Returns these arguments with only the books that are named.
    pub(crate) fn named(&self) -> Result<Self> {
        if self.no_book && !self.are_from_environment() {
            return Err(Error::usage("'--book' cannot be used with '--no-book'; leave one out"));
        }
        let book = if self.no_book { Vec::new() } else { self.book.clone() };
        Ok(BookArgs { book, ..*self })
    }

    /// Whether the environment names all the books.
    fn are_from_environment(&self) -> bool {
        let variable = std::env::var_os(VARIABLE);
        self.book.iter().all(|book| Some(book.as_os_str()) == variable.as_deref())
    }

    /// Adds to an error that the book was named by the environment, if it was.
    pub(crate) fn explain(&self, error: Error) -> Error {
        if !self.is_named() || !self.are_from_environment() {
            return error;
        }
        error.context(format!(
            "cannot use the book that {VARIABLE} names; --book names another one, --no-book does \
             without"
        ))
    }
}

// The arguments of a subcommand that looks positions up and solves the others.
#[derive(Clone, Debug, Args)]
pub(crate) struct OracleArgs {
    #[command(flatten)]
    pub(crate) book: BookArgs,

    /// Take the moves of this strategy's player from it; twice for both players [default: the
    /// built-in strategies for the board, none with --no-book]
    #[arg(help_heading = "Book", long = "strategy", value_name = "FILE", value_parser = named_path())]
    pub(crate) strategies: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    /// The most memory for the transposition table, which grows with the work, such as 512M or
    /// 1.5GiB; K, M, G and T are powers of 1024 [default: a quarter of the free memory, at most 1G]
    #[arg(help_heading = "Limits", short, long, value_name = "SIZE", value_parser = byte_size)]
    memory: Option<usize>,
}

impl OracleArgs {
    /// Whether a book or a strategy is named.
    pub(crate) fn is_named(&self) -> bool {
        self.book.is_named() || !self.strategies.is_empty()
    }

    /// Opens the book and makes the table. Searches run on one thread. Without `scores`, outcomes
    /// are enough.
    pub(crate) fn open(&self, options: &Options, scores: bool) -> Result<Oracle> {
        let strategies: Result<Vec<Strategy>, BookError> =
            self.strategies.iter().map(Strategy::open).collect();
        let strategies = strategies?;
        let size = if self.book.is_named() { None } else { strategies.first().map(Strategy::size) };
        let options = &Options { size: options.size.or(size), ..options.clone() };
        let book = self.book.open(options)?;
        if scores && book.as_ref().is_some_and(|book| book.kind() == ValueKind::WinDrawLoss) {
            tracing::warn!(
                "the book has outcomes only, so the scores of wins and losses are solved; \
                 'fourbook lookup --format wdl' answers from it"
            );
        }
        let size = book.as_ref().map_or(options.size(), Book::size);
        let is_default = strategies.is_empty() && !self.book.no_book;
        let strategies = if is_default { Strategy::embedded_for(size) } else { strategies };
        let table_bytes = self.memory.unwrap_or_else(|| Memory::now().table_bytes());
        let oracle = Oracle::with_memory(book.map(Arc::new), size, table_bytes)?;
        Ok(oracle.with_strategies(strategies)?)
    }
}

#[cfg(feature = "server")]
impl BookArgs {
    /// The named books or folders of books, without the shelf.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.book.iter().filter(|path| !is_built_in(path))
    }

    /// The sources of the server's books: the named ones, and the shelf for other boards.
    pub(crate) fn sources(&self) -> Vec<BookSource> {
        let mut sources: Vec<_> = self
            .book
            .iter()
            .map(|path| {
                if is_built_in(path) {
                    BookSource::Embedded
                } else {
                    BookSource::Path(path.clone())
                }
            })
            .collect();
        if !self.no_book && !sources.contains(&BookSource::Embedded) {
            sources.push(BookSource::Embedded);
        }
        sources
    }
}

/// Opens the book of a file or folder. If a folder has books for other boards only, answers from the
/// built-in book or the solver, with a hint.
fn open(path: &Path, options: &Options) -> Result<Option<Book>> {
    if is_built_in(path) {
        return options.open_book(path).map(Some);
    }
    let found = Book::open_deepest(path, options.size, &mut |error| {
        tracing::warn!("skipped: {}", with_causes(&error));
    });
    let (path, book) = match found {
        Err(BookError::NoBook { found, .. }) if !found.is_empty() => {
            let size = options.size();
            let book = Book::embedded_for(size);
            if !options.quiet {
                let folder = path.display();
                let found = listed(found, "and");
                let answers = match book {
                    Some(_) => "the built-in book answers",
                    None => "every position is solved",
                };
                hint(format_args!(
                    "the folder '{folder}' has no book for {size} boards, only for {found}; {answers}"
                ));
            }
            return Ok(book);
        }
        found => found?,
    };
    options.check_book(book.size())?;
    tracing::info!("opened '{}'", path.display());
    Ok(Some(book))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "server")]
    fn a_server_takes_the_book_in_the_program_by_its_name() {
        let matches = BookArgs::augment_args(clap::Command::new("serve"))
            .get_matches_from(["serve", "--book", "built-in"]);
        let args = <BookArgs as clap::FromArgMatches>::from_arg_matches(&matches).unwrap();
        assert_eq!(args.sources(), [BookSource::Embedded]);
        assert_eq!(args.paths().count(), 0, "there is no file to watch");
    }
}
