//! Where results go: standard output, whose reader may go away, and new files.

use super::{Options, Status, UsageError};
use crate::common::count;
use anyhow::Context;
use fourbook::{Book, files};
use indicatif::HumanBytes;
use std::io::{self, Write};
use std::path::Path;

/// Makes sure, before any work, that a file can be written at `path` where nothing is,
/// unless it may be replaced.
///
/// # Errors
///
/// If there is something and `force` is not set, if that is no file, or if the folder
/// cannot be written to.
pub(super) fn check_new(path: &Path, force: bool) -> anyhow::Result<()> {
    check_name(path)?;
    if !force && path.symlink_metadata().is_ok() {
        anyhow::bail!("'{}' exists already; remove it, or use --force", path.display());
    }
    if !is_file_or_nothing(path) {
        anyhow::bail!("'{}' is something else than a file; choose another name", path.display());
    }
    check_folder(path)
}

/// Makes sure, before any work, that a file of results can be written beside the `book`
/// they are about.
///
/// # Errors
///
/// If it is the book itself, or a folder, or its folder cannot be written to.
pub(super) fn check_results(path: &Path, book: &Path) -> anyhow::Result<()> {
    let same = |path: &Path| path.canonicalize().ok();
    if same(path).is_some() && same(path) == same(book) {
        let text = format!("'{}' is the book itself; choose another file", path.display());
        return Err(UsageError(text).into());
    }
    check_name(path)?;
    if is_file_or_nothing(path) { check_folder(path) } else { Ok(()) }
}

fn check_name(path: &Path) -> Result<(), UsageError> {
    if files::names_file(path) && !path.is_dir() {
        return Ok(());
    }
    Err(UsageError(format!("expected the name of a file to write, found '{}'", path.display())))
}

fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = files::folder_of(path);
    files::check_writable(folder)
        .with_context(|| format!("cannot write into the folder '{}'", folder.display()))
}

/// Writes a file of results, in place of what was there.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write_results(path: &Path, text: &str) -> anyhow::Result<()> {
    let written = if is_file_or_nothing(path) {
        files::replace(path, |out| out.write_all(text.as_bytes()))
    } else {
        std::fs::write(path, text)
    };
    written.with_context(|| format!("cannot write '{}'", path.display()))
}

/// Whether there is no pipe, terminal or the like at `path`, nor a folder.
fn is_file_or_nothing(path: &Path) -> bool {
    path.metadata().map_or(true, |there| there.is_file())
}

/// Says on stderr how large the book is that has been written to `path`.
///
/// # Errors
///
/// If it cannot be opened.
pub(super) fn report_book(path: &Path, options: &Options) -> anyhow::Result<()> {
    if !options.quiet {
        let new = Book::open(path)?;
        let entries = new.sections().iter().map(|section| section.entries).sum();
        let positions = count(entries, "position");
        let bytes = HumanBytes(new.bytes().len() as u64);
        // The book is there, whether or not anybody reads this.
        let _ = writeln!(io::stderr(), "{}: {positions}, {bytes}", path.display());
    }
    Ok(())
}

/// Standard output. A line is written when it is complete, so that a program
/// that talks to this one line by line gets its answers.
///
/// An error because the reader has gone can be told from every other one with
/// [`is_closed`].
pub(super) fn stdout() -> impl Write {
    Output(io::stdout().lock())
}

/// Whether `error` says that nobody reads standard output any more.
pub(super) fn is_closed(error: &anyhow::Error) -> bool {
    let inner = |cause: &io::Error| cause.get_ref().is_some_and(|inner| inner.is::<Closed>());
    error.chain().any(|cause| cause.downcast_ref().is_some_and(inner))
}

/// How a subcommand ends whose results may have been printed to nobody: that the reader
/// has gone is no error, and does not change what was found before.
///
/// # Errors
///
/// All other errors of `printed`.
pub(super) fn ended(printed: anyhow::Result<()>, found: Status) -> anyhow::Result<Status> {
    match printed {
        Err(error) if !is_closed(&error) => Err(error),
        _ => Ok(found),
    }
}

/// Standard output is a pipe that nobody reads any more.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed")]
struct Closed;

/// Standard output takes nothing more for another reason, such as a full disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
struct Unwritable(#[source] io::Error);

struct Output<W: Write>(W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(name_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(name_output)
    }
}

/// The same error, which says where it happened. One that asks to try again is left as it
/// is, since the caller does.
fn name_output(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::new(io::ErrorKind::BrokenPipe, Closed),
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, Unwritable(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_standard_output_counts_as_closed() {
        let ours = writeln!(Output(Broken), "4").context("printing").unwrap_err();
        assert!(is_closed(&ours));
        let other = writeln!(Broken, "4").context("sending").unwrap_err();
        assert!(!is_closed(&other));
    }
}
