//! Files that subcommands write.

use crate::cli::args::is_stream;
use crate::cli::error::{Context, Error, Result};
use fourbook::files;
use fourbook::generate::GenerateError;
use std::path::Path;

/// Makes sure, before any work, that a file can be written at `path` where nothing is,
/// unless it may be replaced; never in the place of `input`, which it is made from.
pub(crate) fn check_new(path: &Path, force: bool, input: &Path) -> Result<()> {
    check_other(path, input)?;
    check_name(path)?;
    if files::is_other(path) {
        return Err(not_a_name(path));
    }
    if !force && path.symlink_metadata().is_ok() {
        return Err(Error::new(format!(
            "'{}' exists already; remove it, or use --force",
            path.display()
        )));
    }
    check_folder(path)
}

/// Makes sure, before any work, that a file of results can be written beside the `book`
/// they are about.
pub(crate) fn check_results(path: &Path, book: &Path) -> Result<()> {
    check_other(path, book)?;
    check_name(path)?;
    if files::is_other(path) { Ok(()) } else { check_folder(path) }
}

/// Rejects an output that would replace `input`, which may be standard input.
pub(crate) fn check_other(output: &Path, input: &Path) -> Result<()> {
    let input = if is_stream(input) { Path::new("/dev/stdin") } else { input };
    match output.canonicalize() {
        Ok(output) if input.canonicalize().is_ok_and(|input| input == output) => {
            let name = output.display();
            Err(Error::usage(format!("'{name}' is the input itself; choose another file")))
        }
        _ => Ok(()),
    }
}

fn check_name(path: &Path) -> Result<()> {
    if files::names_file(path) && !path.is_dir() {
        return Ok(());
    }
    Err(not_a_name(path))
}

fn not_a_name(path: &Path) -> Error {
    Error::usage(GenerateError::NoFileName(path.to_owned()).to_string())
}

fn check_folder(path: &Path) -> Result<()> {
    let target = files::target_of(path);
    let folder = files::folder_of(&target);
    files::check_writable(folder)
        .with_context(|| format!("cannot write into the folder '{}'", folder.display()))
}

/// The path as a shell takes it for one word, for commands that are shown.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Shells of Windows do not treat a backslash as an escape.
    let marks = if cfg!(windows) { "_-./=:@%+,\\" } else { "_-./=:@%+," };
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(c)) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Writes a file of results, and replaces one that exists.
pub(crate) fn write_results(path: &Path, content: &[u8]) -> Result<()> {
    let written = if files::is_other(path) {
        std::fs::write(path, content)
    } else {
        files::replace(path, |out| out.write_all(content))
    };
    written.with_context(|| format!("cannot write '{}'", path.display()))
}
