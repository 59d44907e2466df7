//! The options of every subcommand, and the end of every help text.

use super::values::{bytes_of, is_stream};
use crate::cli::error::{Context, Error, Result};
use crate::cli::status::note;
use clap::{Args, ColorChoice};
use fourbook::{Book, Size, Strategy, files};
use std::fmt::Display;
use std::path::Path;

/// The end of every help text.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  some input was bad, a check failed, or something went wrong
  2  wrong use: an unknown option, a missing argument
  130  interrupted by Ctrl-C or SIGTERM";

/// Whether a path is the name of the built-in books. A file of that name is `./built-in`.
pub(crate) fn is_built_in(path: &Path) -> bool {
    path == Path::new("built-in")
}

/// Whether a path is that of a strategy, by its name or its first bytes.
pub(crate) fn is_strategy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "strategy") || Strategy::is_at(path)
}

// The options of every subcommand.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// The board size, columns by rows: from 4x4 on, at most 16 columns, and
    /// WIDTH * (HEIGHT + 1) at most 128 [default: 7x6, or that of the book]
    #[arg(help_heading = "Input", long, global = true, value_name = "WIDTHxHEIGHT")]
    pub(crate) size: Option<Size>,

    /// Print only results and errors; the log of 'serve' keeps warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print more on stderr: which book of a folder is used; the log of 'serve' has details
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,

    /// When to use colours; auto: on a terminal, unless the variable NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

impl Options {
    /// The board size asked for, or 7x6.
    pub(crate) fn size(&self) -> Size {
        self.size.unwrap_or_default()
    }

    /// Prints a line on stderr, unless asked to be quiet.
    pub(crate) fn note(&self, text: impl Display) {
        if !self.quiet {
            note(text);
        }
    }

    /// Opens a book, reads it from standard input, or takes the one in the program for the board
    /// size. It must be for the board size asked for, if there is one.
    pub(crate) fn open_book(&self, path: &Path) -> Result<Book> {
        self.open_book_or_built_in(path, self.size())
    }

    /// Opens a book or reads it from standard input; the one in the program is for boards of `size`.
    pub(crate) fn open_book_or_built_in(&self, path: &Path, size: Size) -> Result<Book> {
        if is_built_in(path) {
            return Book::embedded_for(size)
                .ok_or_else(|| Error::usage(format!("the program has no book for {size} boards")));
        }
        let book = if is_stream(path) {
            let context = || "cannot use '-' as a book";
            Book::from_bytes(bytes_of(path).with_context(context)?).with_context(context)?
        } else {
            Book::open(path).map_err(|error| {
                let error = Error::from(error);
                if files::is_other(path) && !path.is_dir() {
                    let hint = "to read a book from a pipe, name it '-' and use '< PIPE'";
                    error.with_hint(hint.to_owned())
                } else {
                    error
                }
            })?
        };
        self.check_book(book.size())?;
        Ok(book)
    }

    /// Opens a strategy, which must be for the board size asked for, if there is one.
    pub(crate) fn open_strategy(&self, path: &Path) -> Result<Strategy> {
        let strategy = Strategy::open(path)?;
        self.check_book(strategy.size())?;
        Ok(strategy)
    }

    /// Rejects a book or strategy for another board size than was asked for.
    pub(crate) fn check_book(&self, book: Size) -> Result<()> {
        match self.size {
            Some(size) if size != book => Err(Error::usage(format!(
                "the file is for {book}, not for {size}; leave --size out"
            ))),
            _ => Ok(()),
        }
    }
}
