//! The book that a subcommand answers from: `--book`, `--no-book` and the environment.

use super::options::Options;
use crate::cli::address::Location;
use crate::cli::error::{Error, Result};
#[cfg(feature = "object-store")]
use crate::cli::store::{self, Store};
#[cfg(feature = "server")]
use clap::ArgAction;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use fourbook::{Book, Size, with_causes};
#[cfg(feature = "server")]
use fourbook_server::{BookSource, BookSources};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
#[cfg(all(feature = "object-store", feature = "server"))]
use std::sync::Arc;

/// The variable that names the book in place of `--book`.
const VARIABLE: &str = "FOURBOOK_BOOK";

/// The advice for users of the built-in book.
const DEEPER_BOOKS: &str = "\
positions beyond ply 12 are solved; deeper books answer them at once. fourbook's repository has \
some in its folder 'books', 'fourbook generate --depth 14' makes one, and --book or FOURBOOK_BOOK \
takes it";

/// The arguments of a subcommand that answers from a book.
#[derive(Clone, Debug)]
pub(crate) struct BookArgs {
    /// Books, or folders of books; only a server takes several.
    paths: Vec<PathBuf>,
    /// The object stores from which files of `paths` were fetched.
    #[cfg(all(feature = "object-store", feature = "server"))]
    stores: Vec<Arc<Store>>,
    /// Whether `paths` comes from the environment.
    from_environment: bool,
    no_book: bool,
}

/// The arguments as clap parses them.
#[derive(Debug, Args)]
struct Given {
    /// Answer from this book, or from the deepest one in this folder that is for the board; an address
    /// such as s3://bucket/my.book is fetched once, into a cache
    /// [default: the one in the program, 7x6 to ply 12]
    #[arg(short, long, value_name = "FILE|FOLDER|ADDRESS", env = VARIABLE, hide_env_values = true)]
    #[arg(value_parser = OsStringValueParser::new().map(PathBuf::from))]
    book: Option<PathBuf>,

    /// Use no book, solve everything
    #[arg(long)]
    no_book: bool,
}

impl FromArgMatches for BookArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let no_book = matches.get_flag("no_book");
        let books: Vec<PathBuf> = matches.get_many("book").into_iter().flatten().cloned().collect();
        let from_environment = matches.value_source("book") == Some(ValueSource::EnvVariable);
        // clap would reject --no-book beside the variable as well.
        if no_book && !books.is_empty() && !from_environment {
            let text =
                "the argument '--book <FILE|FOLDER|ADDRESS>' cannot be used with '--no-book'";
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, text));
        }
        // A variable that is set to nothing counts as none.
        let counts = |book: &PathBuf| !(no_book || from_environment && book == Path::new(""));
        let paths = books.into_iter().filter(counts).collect();
        Ok(BookArgs {
            paths,
            #[cfg(all(feature = "object-store", feature = "server"))]
            stores: Vec::new(),
            from_environment,
            no_book,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = BookArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for BookArgs {
    fn augment_args(command: Command) -> Command {
        Given::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args_for_update(command)
    }
}

impl BookArgs {
    /// The books or folders of books that are named.
    #[cfg(feature = "server")]
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The same, with the files that books in object stores have been fetched to.
    #[cfg_attr(
        not(feature = "object-store"),
        expect(unused_variables, reason = "nothing is fetched then")
    )]
    pub(crate) fn fetched(&self, options: &Options) -> Result<Self> {
        let mut fetched = self.clone();
        for path in &mut fetched.paths {
            match Location::of(path).map_err(|error| self.explain(error))? {
                Location::Local(_) => {}
                #[cfg(feature = "object-store")]
                Location::Remote(address) => {
                    let store = Store::open(address).map_err(|error| self.explain(error))?;
                    let file = store::fetch(&store, options.quiet);
                    *path = file.map_err(|error| self.explain(error))?;
                    #[cfg(feature = "server")]
                    fetched.stores.push(Arc::new(store));
                }
            }
        }
        Ok(fetched)
    }

    /// Replaces every [fetched](Self::fetched) book of which its object store has a new version.
    #[cfg(feature = "server")]
    pub(crate) fn refresh(&self) -> Result<()> {
        #[cfg(feature = "object-store")]
        self.stores.iter().try_for_each(|store| store::fetch(store, true).map(drop))?;
        Ok(())
    }

    /// Whether a book is in an object store, which must be polled for new versions.
    #[cfg(feature = "server")]
    pub(crate) fn is_remote(&self) -> bool {
        #[cfg(feature = "object-store")]
        return !self.stores.is_empty();
        #[cfg(not(feature = "object-store"))]
        false
    }

    /// Whether to answer from the built-in book.
    pub(crate) fn is_built_in(&self, options: &Options) -> bool {
        self.paths.is_empty() && !self.no_book && options.size() == Size::STANDARD
    }

    /// Opens the book, unless positions are solved without one.
    pub(crate) fn open(&self, options: &Options) -> Result<Option<Book>> {
        let fetched = self.fetched(options)?;
        let Some(path) = fetched.paths.first() else {
            return Ok(self.is_built_in(options).then(Book::embedded));
        };
        let book = open(path, options).map_err(|error| self.explain(error))?;
        options.check_book(book.size()).map_err(|error| self.explain(error))?;
        Ok(Some(book))
    }

    /// Adds to an error that the book was named by the environment, if it was.
    pub(crate) fn explain(&self, error: Error) -> Error {
        if self.paths.is_empty() || !self.from_environment {
            return error;
        }
        error.context(format!(
            "cannot use the book that {VARIABLE} names; --book names another one, --no-book does \
             without"
        ))
    }

    /// The advice to print once on a terminal, for users of the built-in book.
    pub(crate) fn advice(&self, options: &Options) -> Option<&'static str> {
        let is_told = !options.quiet && io::stderr().is_terminal();
        (is_told && self.is_built_in(options)).then_some(DEEPER_BOOKS)
    }
}

/// As [`BookArgs`], for a server, which takes several books.
#[cfg(feature = "server")]
#[derive(Clone, Debug)]
pub(crate) struct ServedBookArgs(BookArgs);

#[cfg(feature = "server")]
impl FromArgMatches for ServedBookArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        BookArgs::from_arg_matches(matches).map(ServedBookArgs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

#[cfg(feature = "server")]
impl Args for ServedBookArgs {
    fn augment_args(command: Command) -> Command {
        BookArgs::augment_args(command).mut_arg("book", |book| {
            book.action(ArgAction::Append).help(
                "Answer from this book, or from the deepest one in this folder for each board \
                 that it has books for; may be repeated for other boards [default: the one in \
                 the program, 7x6 to ply 12]",
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(feature = "server")]
impl std::ops::Deref for ServedBookArgs {
    type Target = BookArgs;

    fn deref(&self) -> &BookArgs {
        &self.0
    }
}

#[cfg(feature = "server")]
impl ServedBookArgs {
    /// As [`BookArgs::fetched`].
    pub(crate) fn fetched(&self, options: &Options) -> Result<Self> {
        Ok(ServedBookArgs(self.0.fetched(options)?))
    }

    /// Where the server has its books from.
    pub(crate) fn sources(&self, options: &Options) -> BookSources {
        let source = |path: &PathBuf| match path.is_dir() {
            true => BookSource::Folder(path.clone()),
            false => BookSource::File(path.clone()),
        };
        let sources = match self.paths() {
            [] if self.is_built_in(options) => vec![BookSource::Embedded],
            [] => vec![BookSource::Solver(options.size())],
            paths => paths.iter().map(source).collect(),
        };
        BookSources { sources, default_size: options.size }
    }
}

fn open(path: &Path, options: &Options) -> Result<Book> {
    if !path.is_dir() {
        return Ok(Book::open(path)?);
    }
    let (path, book) = Book::open_deepest(path, options.size, &mut |error| {
        tracing::warn!("passed over: {}", with_causes(&error));
    })?;
    tracing::info!("chose '{}'", path.display());
    Ok(book)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_begins_where_the_book_in_the_program_ends() {
        assert!(DEEPER_BOOKS.contains(&format!("beyond ply {} ", Book::embedded().depth())));
    }
}
