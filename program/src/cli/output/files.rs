//! Files that subcommands write.

use crate::cli::error::{Context, Error, Result};
use fourbook::files;
use std::path::Path;

/// Makes sure, before any work, that a file can be written at `path` where nothing is,
/// unless it may be replaced.
pub(crate) fn check_new(path: &Path, force: bool) -> Result<()> {
    check_name(path)?;
    if !force && path.symlink_metadata().is_ok() {
        return Err(Error::new(format!(
            "'{}' exists already; remove it, or use --force",
            path.display()
        )));
    }
    if !is_file_or_nothing(path) {
        return Err(Error::new(format!(
            "'{}' is something else than a file; choose another name",
            path.display()
        )));
    }
    check_folder(path)
}

/// Makes sure, before any work, that a file of results can be written beside the `book`
/// they are about.
pub(crate) fn check_results(path: &Path, book: &Path) -> Result<()> {
    let same = |path: &Path| path.canonicalize().ok();
    if same(path).is_some() && same(path) == same(book) {
        let text = format!("'{}' is the book itself; choose another file", path.display());
        return Err(Error::usage(text));
    }
    check_name(path)?;
    if is_file_or_nothing(path) { check_folder(path) } else { Ok(()) }
}

fn check_name(path: &Path) -> Result<()> {
    if files::names_file(path) && !path.is_dir() {
        return Ok(());
    }
    Err(Error::usage(format!("expected the name of a file to write, found '{}'", path.display())))
}

fn check_folder(path: &Path) -> Result<()> {
    let folder = files::folder_of(path);
    files::check_writable(folder)
        .with_context(|| format!("cannot write into the folder '{}'", folder.display()))
}

/// Writes a file of results, and replaces one that exists.
pub(crate) fn write_results(path: &Path, content: &[u8]) -> Result<()> {
    let written = if is_file_or_nothing(path) {
        files::replace(path, |out| out.write_all(content))
    } else {
        std::fs::write(path, content)
    };
    written.with_context(|| format!("cannot write '{}'", path.display()))
}

/// Whether `path` is free or a regular file: no folder, pipe, terminal or the like.
fn is_file_or_nothing(path: &Path) -> bool {
    path.metadata().map_or(true, |there| there.is_file())
}
